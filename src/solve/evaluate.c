/* The author's variables at a time: the segment is evaluated, met on all levels, and lifted. */
#include "initial/consistent.h"
#include "initial/states.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

/* Rows of the largest array that is looked at for derivatives. */
enum { LARGEST_ARRAY = 300 };

typedef struct completion {
    dae_solver *s;
    double t;
    formulation *f; /* NULL where there is none */
    dae_status status;
} completion;

/* Where an entry of the solver's prolongation is found in another. */
static void carry_over(const prolongation *from, const double *value, const prolongation *to,
                       double *z)
{
    for (size_t j = 0; j < from->n; j++)
        for (uint32_t k = 0; k <= from->d[j] && k <= to->d[j]; k++)
            z[to->first[j] + k] = value[from->first[j] + k];
}

/* One differentiation more than the start needs determines first derivatives: those that it does
 * at the values found are taken over. */
static void complete(completion *c)
{
    dae_solver *s = c->s;
    const start_system *start = &c->f->start->start;
    const prolongation *p = s->formulation->p, *more = c->f->p;
    start_system held = *start;
    double *z = arena_array(&s->memory, start->size, sizeof *z);
    double *guess = arena_array(&s->memory, start->size, sizeof *guess);
    bool *open = arena_array(&s->memory, start->size, sizeof *open);
    memcpy(guess, start->guess, start->size * sizeof *guess);
    carry_over(p, s->z, more, guess);
    for (size_t k = 0; k < s->formulation->start->extras; k++)
        guess[more->size + k] = s->z[p->size + k];
    held.guess = guess;
    held.fixed = held.variable;
    message unheard = {0};
    initial_result result;
    if (initial_consistent(&held, c->t, z, &result, &unheard) == DAE_OK &&
        initial_undetermined(&held, c->t, z, open) == DAE_OK) {
        for (size_t k = 0; k < more->size; k++)
            if (open[k]) z[k] = (double)NAN;
        for (size_t j = 0; j < p->n; j++)
            for (uint32_t k = 0; k <= p->d[j]; k++)
                if (s->open[p->first[j] + k]) s->z_marked[p->first[j] + k] = z[more->first[j] + k];
    }
    message_free(&unheard);
}

/* Where the system Jacobian is singular, z may hold derivatives that its equations do not
 * determine, for which the start has chosen something: nothing that could be told. */
static void find_open(void *argument)
{
    completion *c = argument;
    dae_solver *s = c->s;
    const formulation *f = s->formulation;
    const start_system *start = &f->start->start;
    bool array = f->choice.kind == FORMULATION_ARRAY, any = false;
    bool *open = arena_array(&s->memory, start->size + 1, sizeof *open);
    memcpy(s->z_marked, s->z, start->size * sizeof *s->z);
    if (array || s->stats.rank_margin == 0)
        c->status = initial_undetermined(start, c->t, s->z, open);
    if (c->status != DAE_OK) return;
    s->open = open;
    for (size_t k = 0; k < start->size; k++) {
        any = any || open[k];
        if (open[k]) s->z_marked[k] = (double)NAN;
    }
    if (!any || !array || s->stats.index < 0) return;
    formulation_choice choice = f->choice;
    choice.extra++;
    if (f->core->n * (choice.extra + 1) > LARGEST_ARRAY) return;
    c->f = formulation_create(s->system, s->own, &choice);
    complete(c);
}

/* The author's variables at the start; their derivatives are NaN where open ones enter them. Later
 * on the derivatives are those of the solution that was followed. */
static dae_status lift_start(dae_solver *s, double t)
{
    author *w = s->formulation->author;
    completion c = {.s = s, .t = t};
    if (!s->open) {
        if (arena_protect(&s->memory, find_open, &c) != DAE_OK) c.status = DAE_NO_MEMORY;
        formulation_free(c.f);
        if (c.status != DAE_OK)
            return message_fail(&s->message, c.status,
                                "the derivatives at the start cannot be evaluated");
    }
    author_lift(w, t, s->z_marked, s->author[0], s->author[1]);
    author_lift(w, t, s->z_out, s->author[0], NULL);
    return DAE_OK;
}

dae_status solve_evaluate(dae_solver *s, double t, const dense_output *step)
{
    const formulation *f = s->formulation;
    const double *y = s->engine->y, *yp = s->engine->yp;
    if (step) {
        dense_output_evaluate(step, t, s->inner[0], s->inner[1]);
        y = s->inner[0];
        yp = s->inner[1];
    }
    memcpy(s->z_out, s->z, f->p->size * sizeof *s->z);
    jet_form_gather(f->form, y, yp, s->z_out);
    bool at_start = !step && s->engine->counts.steps == 0; /* consistent as it is */
    if (s->projection && !at_start) {
        dae_status status = projection_meet(s->projection, t, s->z_out, f->levels->levels.count);
        if (status != DAE_OK) return solve_explain_projection(s, t, status);
    }
    if (!at_start) {
        author_lift(f->author, t, s->z_out, s->author[0], s->author[1]);
        return DAE_OK;
    }
    return lift_start(s, t);
}

dae_status solve_project_step(dae_solver *s)
{
    if (!s->project_steps) return DAE_OK;
    const constraint_levels *levels = &s->formulation->levels->levels;
    engine *e = s->engine;
    jet_form_gather(s->formulation->form, e->y, e->yp, s->z);
    dae_status status = projection_meet(s->projection, e->t, s->z, levels->count);
    if (status != DAE_OK) return solve_explain_projection(s, e->t, status);
    jet_form_scatter(s->formulation->form, s->z, s->inner[0], s->inner[1]);
    engine_replace(e, s->inner[0], s->inner[1]);
    return DAE_OK;
}

static double time_of(const dae_times *times, size_t k)
{
    if (times->at) return times->at[k];
    if (k + 1 == times->count) return times->last; /* also the only one */
    return times->first + (times->last - times->first) * ((double)k / (double)(times->count - 1));
}

static dae_status check_values(dae_solver *s, double t)
{
    long missing = author_missing_value(s->formulation->author);
    return missing < 0 ? DAE_OK : solve_explain_missing(s, t, (uint32_t)missing);
}

static dae_status check_assertions(dae_solver *s, double t)
{
    long failed = author_failed_assertion(s->formulation->author, t);
    if (failed < 0) return DAE_OK;
    const sym_assertion *a = &s->system->assertion.item[failed];
    if (a->warning) { /* later assertions are looked at when this one holds again */
        size_t slot = (size_t)failed % (sizeof s->warned / sizeof *s->warned);
        if (!s->warned[slot])
            message_note(&s->message, "assertion at t = %.9g: %s (%s:%u)", t, a->message,
                         s->system->file, a->at.line);
        s->warned[slot] = true;
        return DAE_OK;
    }
    return message_fail(&s->message, DAE_ASSERTION, "assertion failed at t = %.9g: %s (%s:%u)", t,
                        a->message, s->system->file, a->at.line);
}

dae_status solve_check(dae_solver *s, double t)
{
    dae_status status = check_values(s, t);
    return status == DAE_OK ? check_assertions(s, t) : status;
}

bool solve_holds(dae_solver *s, double t)
{
    author *w = s->formulation->author;
    if (author_missing_value(w) >= 0) return false;
    long failed = author_failed_assertion(w, t);
    return failed < 0 || s->system->assertion.item[failed].warning;
}

bool solve_step_holds(dae_solver *s)
{
    const formulation *f = s->formulation;
    engine *e = s->engine;
    if (s->system->assertion.count == 0 && f->core->n == s->system->unknown.count) return true;
    memcpy(s->z_out, s->z, f->p->size * sizeof *s->z);
    jet_form_gather(f->form, e->y, e->yp, s->z_out);
    author_lift(f->author, e->t, s->z_out, s->author[0], NULL);
    return solve_holds(s, e->t);
}

static dae_status send_one(dae_solver *s, double t, const dense_output *step)
{
    dae_status status = solve_evaluate(s, t, step);
    if (status == DAE_OK) status = solve_check(s, t);
    if (status != DAE_OK) return status;
    formulation_measure(s->formulation, t, s->z_out, &s->stats.max_residual, s->constraint);
    int answer = s->output(t, s->author[0], s->author[1], s->output_user);
    if (answer > 0)
        return message_fail(&s->message, DAE_STOPPED,
                            "stopped at t = %.9g by the receiver of the "
                            "output",
                            t);
    if (answer < 0)
        return message_fail(&s->message, DAE_OUTPUT_FAILED, "the output failed at t = %.9g", t);
    return DAE_OK;
}

dae_status solve_send(dae_solver *s, const dense_output *step)
{
    double now = s->engine->t, direction = s->engine->options.direction;
    while (s->output && s->next_time < s->times.count) {
        double t = time_of(&s->times, s->next_time);
        if ((t - now) * direction > 0) break;
        /* a time before the start is passed over */
        bool before = (t - s->t_start) * direction < 0;
        dae_status status = before ? DAE_OK : send_one(s, t, t == now ? NULL : step);
        if (status != DAE_OK) return status;
        s->next_time++;
    }
    return DAE_OK;
}
