/* Computes the author's variables at the start, with only those derivatives that the equations
 * determine. */
#include "initial/consistent.h"
#include "solve/model_simulation.h"

#include <math.h>
#include <string.h>

/* The most rows of an array that is examined for derivatives. */
enum { LARGEST_ARRAY = 300 };

typedef struct completion {
    model_simulation *m;
    double t;
    formulation *f; /* NULL where there is none */
    dae_status status;
} completion;

/* Copies the entries of the simulation's prolongation to another one. */
static void carry_over(const prolongation *from, const double *value, const prolongation *to,
                       double *z)
{
    for (size_t j = 0; j < from->n; j++)
        for (uint32_t k = 0; k <= from->d[j] && k <= to->d[j]; k++)
            z[to->first[j] + k] = value[from->first[j] + k];
}

/* One more differentiation than the start needs may determine first derivatives. Those that it
 * determines at the values found are taken over. */
static void complete(completion *c)
{
    model_simulation *m = c->m;
    const start_system *start = &c->f->start->start;
    const prolongation *p = m->formulation->p, *more = c->f->p;
    start_system held = *start;
    double *z, *guess;
    arena_vectors(m->home, start->size, (double **[]){&z, &guess, NULL});
    bool *open = arena_array(m->home, start->size, sizeof *open);
    memcpy(guess, start->guess, start->size * sizeof *guess);
    carry_over(p, m->z, more, guess);
    for (size_t k = 0; k < m->formulation->start->extras; k++)
        guess[more->size + k] = m->z[p->size + k];
    held.guess = guess;
    held.fixed = held.variable;
    message discarded = {0};
    initial_result result;
    if (initial_consistent(&held, c->t, z, &result, &discarded) == DAE_OK &&
        initial_undetermined(&held, c->t, z, open) == DAE_OK) {
        for (size_t k = 0; k < more->size; k++)
            if (open[k]) z[k] = (double)NAN;
        for (size_t j = 0; j < p->n; j++)
            for (uint32_t k = 0; k <= p->d[j]; k++)
                if (m->open[p->first[j] + k]) m->z_marked[p->first[j] + k] = z[more->first[j] + k];
    }
    message_free(&discarded);
}

/* Finds open derivatives. Where the system Jacobian is singular, z may contain derivatives that the
 * equations do not determine. The start has chosen values for them, which must not be output. */
static void find_open(void *argument)
{
    completion *c = argument;
    model_simulation *m = c->m;
    const formulation *f = m->formulation;
    const start_system *start = &f->start->start;
    bool array = f->choice.kind == FORMULATION_ARRAY, any = false;
    bool *open = arena_array(m->home, start->size + 1, sizeof *open);
    memcpy(m->z_marked, m->z, start->size * sizeof *m->z);
    if (array || m->base.solver.stats->rank_margin == 0)
        c->status = initial_undetermined(start, c->t, m->z, open);
    if (c->status != DAE_OK) return;
    m->open = open;
    for (size_t k = 0; k < start->size; k++) {
        any = any || open[k];
        if (open[k]) m->z_marked[k] = (double)NAN;
    }
    if (!any || !array || m->base.solver.stats->index < 0) return;
    formulation_choice choice = f->choice;
    choice.extra++;
    if (f->core->n * (choice.extra + 1) > LARGEST_ARRAY) return;
    c->f = formulation_create(m->system, m->own, &choice);
    complete(c);
}

dae_status model_simulation_lift_start(model_simulation *m, double t)
{
    author *w = m->formulation->author;
    completion c = {.m = m, .t = t};
    if (!m->open) {
        if (arena_protect(m->home, find_open, &c) != DAE_OK) c.status = DAE_NO_MEMORY;
        formulation_free(c.f);
        if (c.status != DAE_OK)
            return message_fail(m->base.solver.message, c.status,
                                "the derivatives at the start cannot be evaluated");
    }
    author_lift(w, t, m->z_marked, m->base.value, m->base.value_yp);
    author_lift(w, t, m->z_out, m->base.value, NULL);
    return DAE_OK;
}
