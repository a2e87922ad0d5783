/* The author's variables at the start: of the derivatives only those that the equations determine.
 */
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

dae_status solve_lift_start(dae_solver *s, double t)
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
