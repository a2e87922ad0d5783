/* Starts within the bounds that an author gives, min and max. */
#include "solve/model_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value may be outside by this much, in nominal sizes; and has left its guess by more than this.
 */
static const double OUTSIDE = 1e-6;

/* How far within its bound a variable is sought, in parts of how far it was beyond it. */
static const double WITHIN[] = {1, 0.1, 10};

/* The entry of z that is an unknown; SIZE_MAX: it is none, because its equation gives it. */
static size_t entry_of(const formulation *f, uint32_t id)
{
    uint32_t column = f->core->column_of[id];
    if (column != INCIDENCE_NONE) return f->p->first[column];
    for (size_t k = 0; k < f->start->extras; k++)
        if (f->start->extra[k] == id) return f->p->size + k;
    return SIZE_MAX;
}

/* By how much a value is beyond a bound: below it negative. */
static double beyond(const sym_unknown *u, double value)
{
    double allowed = OUTSIDE * u->nominal;
    if (!u->bounded || u->fixed || u->discrete) return 0;
    if (value < u->min - allowed) return value - u->min;
    return value > u->max + allowed ? value - u->max : 0;
}

/* How many unknowns are outside at z. m->base.value becomes their values. */
static size_t count_outside(model_simulation *m, double t, const double *z)
{
    const formulation *f = m->formulation;
    size_t count = 0;
    author_lift(f->author, t, z, m->base.value, NULL);
    for (uint32_t id = 0; id < m->system->unknown.count; id++)
        count += beyond(&m->system->unknown.item[id], m->base.value[id]) != 0;
    return count;
}

/* Guesses within bounds for what is outside by the values looked at last. Returns whether that
 * changes anything. A start value that was kept is its author's own choice. */
static bool guess_within(const model_simulation *m, const double *z, double part, double *guess,
                         bool *given)
{
    const formulation *f = m->formulation;
    const start_system *start = &f->start->start;
    bool any = false;
    memcpy(guess, start->guess, start->size * sizeof *guess);
    memcpy(given, start->given, start->size * sizeof *given);
    for (uint32_t id = 0; id < m->system->unknown.count; id++) {
        const sym_unknown *u = &m->system->unknown.item[id];
        size_t entry = entry_of(f, id);
        double off = beyond(u, m->base.value[id]);
        if (off == 0 || entry == SIZE_MAX) continue;
        if (fabs(z[entry] - start->guess[entry]) <= OUTSIDE * u->nominal) continue;
        double bound = off < 0 ? u->min : u->max, other = off < 0 ? u->max : u->min;
        double within = bound - part * off;
        if (isfinite(other) && fabs(within - bound) > fabs(other - bound))
            within = bound + 0.5 * (other - bound);
        guess[entry] = within;
        given[entry] = any = true;
    }
    return any;
}

/* Where the search for a start within bounds is. */
typedef struct within {
    model_simulation *m;
    double t;
    const double *found; /* the start without regard to bounds, ... */
    size_t outside;      /* ... and how many unknowns are outside there */
    double *guess;
    bool *given, *fixed;
    message *told;
} within;

/* Holds at its bound what is farthest outside by the values looked at last: with it, others may be
 * within. Returns whether there is anything. A start value that was kept is its author's own
 * choice. */
static bool hold_at_bound(const within *w)
{
    const model_simulation *m = w->m;
    const start_system *start = &m->formulation->start->start;
    const sym_unknown *farthest = NULL;
    size_t held = SIZE_MAX;
    double most = 0;
    for (uint32_t id = 0; id < m->system->unknown.count; id++) {
        const sym_unknown *u = &m->system->unknown.item[id];
        size_t entry = entry_of(m->formulation, id);
        double off = fabs(beyond(u, m->base.value[id])) / u->nominal;
        if (off <= most || entry == SIZE_MAX || w->fixed[entry]) continue;
        if (fabs(w->found[entry] - start->guess[entry]) <= OUTSIDE * u->nominal) continue;
        most = off;
        held = entry;
        farthest = u;
    }
    if (!farthest) return false;
    w->guess[held] = m->base.value[farthest - m->system->unknown.item] < farthest->min
                         ? farthest->min
                         : farthest->max;
    w->fixed[held] = true;
    return true;
}

static bool search_from(const within *w, const bool *fixed)
{
    start_system system = w->m->formulation->start->start;
    system.start = system.guess;
    system.guess = w->guess;
    system.given = w->given;
    if (fixed) system.fixed = fixed;
    message_free(w->told);
    return start_search(&w->m->base, &system, w->t, w->m->z, w->told) == DAE_OK;
}

/* The nearest start within bounds, in m->z: of what is outside the nearest values are the bounds.
 * Sought once more from there, so that notes tell which conditions are missing. */
static bool find_at_bounds(const within *w)
{
    enum { MOST_ROUNDS = 30 };
    model_simulation *m = w->m;
    const start_system *start = &m->formulation->start->start;
    memcpy(w->guess, start->guess, start->size * sizeof *w->guess);
    memcpy(w->given, start->given, start->size * sizeof *w->given);
    memcpy(w->fixed, start->fixed, start->size * sizeof *w->fixed);
    memcpy(m->z, w->found, start->size * sizeof *m->z);
    for (int round = 0; count_outside(m, w->t, m->z) > 0; round++)
        if (round == MOST_ROUNDS || !hold_at_bound(w) || !search_from(w, w->fixed)) return false;
    memcpy(w->guess, m->z, start->size * sizeof *w->guess);
    return search_from(w, NULL) && count_outside(m, w->t, m->z) == 0;
}

/* A start from guesses within bounds, in m->z, at which fewer unknowns are outside. */
static bool find_within(const within *w)
{
    model_simulation *m = w->m;
    if (find_at_bounds(w)) return true;
    for (size_t k = 0; k < sizeof WITHIN / sizeof *WITHIN; k++) {
        count_outside(m, w->t, w->found);
        if (!guess_within(m, w->found, WITHIN[k], w->guess, w->given)) return false;
        if (search_from(w, NULL) && count_outside(m, w->t, m->z) < w->outside) return true;
    }
    return false;
}

static void note_outside(const model_simulation *m, message *told)
{
    for (uint32_t id = 0; id < m->system->unknown.count; id++) {
        const sym_unknown *u = &m->system->unknown.item[id];
        double off = beyond(u, m->base.value[id]);
        if (off == 0) continue;
        message_note(told, "%s = %.6g starts %s its %s of %g, and no start within was found",
                     u->name, m->base.value[id], off < 0 ? "below" : "above",
                     off < 0 ? "min" : "max", off < 0 ? u->min : u->max);
        return;
    }
}

dae_status start_come_within(model_simulation *m, double t, message *told)
{
    size_t size = m->formulation->start->start.size, outside = count_outside(m, t, m->z);
    if (outside == 0) return DAE_OK;
    double *found = calloc(2 * size + 1, sizeof *found);
    bool *given = calloc(2 * size + 1, sizeof *given);
    message second = {0};
    bool is_within = false;
    if (found && given) {
        memcpy(found, m->z, size * sizeof *found);
        is_within = find_within(
            &(within){m, t, found, outside, found + size, given, given + size, &second});
        if (!is_within) memcpy(m->z, found, size * sizeof *found);
    }
    bool stopped = second.status == DAE_STOPPED;
    if (is_within || stopped) {
        message_free(told);
        *told = second;
    } else {
        message_free(&second);
    }
    if (!stopped && count_outside(m, t, m->z) > 0) note_outside(m, told);
    dae_status status = !found || !given ? DAE_NO_MEMORY : stopped ? DAE_STOPPED : DAE_OK;
    free(found);
    free(given);
    return status;
}
