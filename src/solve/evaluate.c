/* The author's variables at a time: the segment is evaluated, met on all levels, and lifted. */
#include "solve/solver.h"

#include <math.h>
#include <string.h>

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
    return solve_lift_start(s, t);
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
