/* Notes where the error test guarantees less than the tolerance. One case is a variable that stays
 * below its absolute tolerance, for which any value passes. The other is errors that are held at
 * the round-off of the equations. */
#include "base/round_off.h"
#include "solve/solver.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_NAMED = 3 };

dae_status solve_begin_sizes(dae_solver *s)
{
    if (s->largest) return DAE_OK; /* from an earlier start */
    s->largest = calloc(s->simulation->n + 1, sizeof *s->largest);
    return s->largest ? DAE_OK : message_status(&s->message, DAE_NO_MEMORY);
}

/* In another mode an unknown may be a value of the equations, whose size no engine sees. */
void solve_forget_unseen_sizes(dae_solver *s)
{
    const simulation *c = s->simulation;
    for (size_t j = 0; j < c->problem->n; j++) {
        size_t i = c->ops->author_of(c, j);
        if (i != PROBLEM_NOWHERE) s->largest[i] = -fabs(s->largest[i]);
    }
    for (size_t i = 0; i < c->n; i++)
        s->largest[i] = signbit(s->largest[i]) ? fabs(s->largest[i]) : HUGE_VAL;
}

void solve_keep_sizes(dae_solver *s)
{
    const simulation *c = s->simulation;
    if (s->options.step > 0) return; /* there is no error test */
    for (size_t j = 0; j < c->problem->n; j++) {
        size_t i = c->ops->author_of(c, j);
        if (i != PROBLEM_NOWHERE) s->largest[i] = fmax(s->largest[i], fabs(s->engine->y[j]));
    }
}

/* The round-off of a variable. A variable that is always 0 up to round-off needs no note. Where
 * states are projected, the corrections add round-off too. */
static double round_off(const simulation *c, size_t i)
{
    static const double CORRECTED = 1e3;
    double size = c->least ? c->least[i] : c->nominal[i];
    return (c->project_steps ? CORRECTED : 1) * DBL_EPSILON * size;
}

/* Adds |dF/dy| or |dF/dy'| times the sizes of its variables to each row. */
static void add_terms(const problem_matrix *m, size_t n, const double *size, double *row)
{
    for (size_t j = 0; j < n; j++)
        for (sparse_index k = m->pattern->start[j]; k < m->pattern->start[j + 1]; k++)
            row[m->pattern->row[k]] += fabs(m->value[k]) * size[j];
}

/* The values of variables that are lost in the rounding of an equation, into noise (of the author's
 * variables): as the current of a ground, where all others cancel. By the last matrices; where the
 * method needs none, none is known. */
static void find_lost(const dae_solver *s, double *room, double *noise)
{
    const simulation *c = s->simulation;
    const engine *e = s->engine;
    const problem *p = e->problem;
    double *size = room, *rate = size + p->n, *row = rate + p->n;
    for (size_t j = 0; j < p->n; j++) {
        size_t i = c->ops->author_of(c, j);
        bool seen = i != PROBLEM_NOWHERE && isfinite(s->largest[i]);
        size[j] = seen ? s->largest[i] : fabs(e->y[j]);
        rate[j] = fabs(e->yp[j]);
        row[j] = 0;
    }
    add_terms(&p->by_y, p->n, size, row);
    add_terms(&p->by_yp, p->n, rate, row);
    for (size_t j = 0; j < p->n; j++) {
        size_t i = c->ops->author_of(c, j);
        sparse_index end = i == PROBLEM_NOWHERE ? p->by_y.pattern->start[j]
                                                : p->by_y.pattern->start[j + 1];
        for (sparse_index k = p->by_y.pattern->start[j]; k < end; k++)
            if (p->by_y.value[k] != 0)
                noise[i] = fmax(noise[i], ROUND_OFF_ITERATED * row[p->by_y.pattern->row[k]] /
                                              fabs(p->by_y.value[k]));
    }
}

/* NULL: there is no memory, and nothing is known to be lost. To be freed. */
static double *lost(const dae_solver *s)
{
    double *noise = calloc(s->simulation->n + 1, sizeof *noise);
    double *room = malloc((3 * s->engine->problem->n + 1) * sizeof *room);
    if (noise && room && s->engine->problem->linearized) find_lost(s, room, noise);
    free(room);
    return noise;
}

static bool stays_small(const dae_solver *s, size_t i)
{
    const simulation *c = s->simulation;
    double atol = s->atols ? s->atols[i] : s->options.atol;
    bool known = !c->ops->has_other_values || !c->ops->has_other_values(c, i);
    return known && s->largest[i] > round_off(c, i) && s->largest[i] < atol;
}

/* Counts the small variables and lists the names of the first few; first: index of the first one.
 */
static size_t list_small(const dae_solver *s, size_t *first, text *names)
{
    size_t count = 0;
    double *noise = NULL;
    for (size_t i = 0; i < s->simulation->n; i++) {
        if (!stays_small(s, i)) continue;
        if (!noise) noise = lost(s);
        if (noise && s->largest[i] <= noise[i]) continue;
        if (++count > MOST_NAMED) continue;
        if (count == 1) *first = i;
        if (count > 1) text_add(names, ", ");
        text_add(names, s->simulation->variable[i]);
    }
    free(noise);
    if (count > MOST_NAMED) text_format(names, " and %zu more", count - MOST_NAMED);
    return count;
}

void solve_note_small(dae_solver *s)
{
    text names = {0};
    size_t first = 0, count = s->reported_small ? 0 : list_small(s, &first, &names);
    if (count > 0) {
        message_note(&s->message,
                     "%s stay%s below the absolute tolerance up to t = %.6g (|%s| reaches %.2g, "
                     "the tolerance is %.2g): nothing controls the error there. Where it counts, "
                     "give a nominal or a smaller atol",
                     text_string(&names), count == 1 ? "s" : "", s->engine->t,
                     s->simulation->variable[first], s->largest[first],
                     s->atols ? s->atols[first] : s->options.atol);
        s->reported_small = true;
    }
    text_free(&names);
}

/* A result that is off by more than this many tolerances is looser than what was asked for. */
static const double LOOSE = 10;

void solve_note_noise(dae_solver *s)
{
    const engine *e = s->engine;
    if (s->reported_noise || !(e->noise > 0 && e->held_at > LOOSE)) return;
    text name = {0};
    e->problem->form->name_variable(e->problem->self, e->noisiest, &name);
    message_note(&s->message,
                 "from t = %.6g on errors of %s are held at %.2g tolerances, because round-off in "
                 "the equations allows no less. Where it counts, write the equations with less "
                 "cancellation, or give derivatives that are more exact",
                 e->t, text_string(&name), e->held_at);
    s->reported_noise = true;
    text_free(&name);
}
