/* Starts within the bounds that an author gives, min and max. */
#include "formulation/prolonged_bounds.h"
#include "initial/consistent.h"
#include "solve/model_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value may be outside by this much, in nominal sizes; and has left its guess by more than this.
 */
static const double OUTSIDE = 1e-6;

/* How far within its bound a variable is sought, in parts of how far it was beyond it. */
static const double WITHIN[] = {1, 0.1, 10};

size_t start_bounds_entry(const formulation *f, uint32_t id)
{
    sym_view value = sym_look(f->p->g, f->core->value[id]);
    if (value.op == SYM_VARIABLE) return prolongation_slot(f->p, &value) - 1;
    for (size_t k = 0; k < f->start->extras; k++)
        if (f->start->extra[k] == id) return f->p->size + k;
    return SIZE_MAX;
}

double start_bounds_beyond(const sym_unknown *u, double value)
{
    double allowed = OUTSIDE * u->nominal;
    if (!u->bounded || u->fixed || u->discrete) return 0;
    if (value < u->min - allowed) return value - u->min;
    return value > u->max + allowed ? value - u->max : 0;
}

size_t start_bounds_outside(model_simulation *m, double t, const double *z)
{
    const formulation *f = m->formulation;
    size_t count = 0;
    author_lift(f->author, t, z, m->base.value, NULL);
    for (uint32_t id = 0; id < m->system->unknown.count; id++)
        count += start_bounds_beyond(&m->system->unknown.item[id], m->base.value[id]) != 0;
    return count;
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
    prolonged_bounds *bounds; /* of explicit variables; NULL: none has bounds */
    start_system system;      /* with those that are held */
} within;

/* Whether the search may bring a variable within its bounds: a start value that was kept is its
 * author's own choice. */
static bool may_move(const within *w, const sym_unknown *u, size_t entry)
{
    const start_system *start = &w->m->formulation->start->start;
    return fabs(w->found[entry] - start->guess[entry]) > OUTSIDE * u->nominal;
}

double start_bounds_within(const sym_unknown *u, double off, double part)
{
    double bound = off < 0 ? u->min : u->max, other = off < 0 ? u->max : u->min;
    double value = bound - part * off;
    bool beyond_other = isfinite(other) && fabs(value - bound) > fabs(other - bound);
    return beyond_other ? bound + 0.5 * (other - bound) : value;
}

static const sym_unknown *unknown_of(const within *w, size_t k)
{
    return &w->m->system->unknown.item[w->bounds->id[k]];
}

/* Makes guesses of what gives the explicit variables that are outside: the nearest ones by which
 * these are within. Returns whether there are any. */
static bool guess_explicit_within(const within *w, double part)
{
    const model_simulation *m = w->m;
    prolonged_bounds *b = w->bounds;
    size_t rank;
    if (!b) return false;
    b->held = 0;
    for (size_t k = 0; k < b->count; k++) {
        double off = start_bounds_beyond(unknown_of(w, k), m->base.value[b->id[k]]);
        if (off == 0) continue;
        b->target[k] = start_bounds_within(unknown_of(w, k), off, part);
        b->which[b->held++] = k;
    }
    start_system from = m->formulation->start->start;
    from.guess = w->guess;
    from.held = from.fixed;
    bool any = b->held > 0;
    if (any) {
        start_system system = prolonged_bounds_system(b, m->home, &from, true);
        any = initial_near(&system, w->t, m->z, &rank) == DAE_OK;
    }
    for (size_t j = 0; any && j < from.size; j++) w->given[j] |= m->z[j] != w->guess[j];
    if (any) memcpy(w->guess, m->z, from.size * sizeof *w->guess);
    b->held = 0;
    return any;
}

/* Guesses within bounds for what is outside by the values looked at last. Returns whether that
 * changes anything. */
static bool guess_within(const within *w, double part)
{
    const model_simulation *m = w->m;
    const start_system *start = &m->formulation->start->start;
    bool any = false;
    memcpy(w->guess, start->guess, start->size * sizeof *w->guess);
    memcpy(w->given, start->given, start->size * sizeof *w->given);
    for (uint32_t id = 0; id < m->system->unknown.count; id++) {
        const sym_unknown *u = &m->system->unknown.item[id];
        size_t entry = start_bounds_entry(m->formulation, id);
        double off = start_bounds_beyond(u, m->base.value[id]);
        if (off == 0 || entry == SIZE_MAX || !may_move(w, u, entry)) continue;
        w->guess[entry] = start_bounds_within(u, off, part);
        w->given[entry] = any = true;
    }
    return guess_explicit_within(w, part) || any;
}

/* The bound of an explicit variable that is held; SIZE_MAX: none. */
static size_t bound_of(const prolonged_bounds *b, uint32_t id)
{
    for (size_t k = 0; b && k < b->count; k++)
        if (b->id[k] == id) return k;
    return SIZE_MAX;
}

static bool is_held(const prolonged_bounds *b, size_t k)
{
    for (size_t i = 0; i < b->held; i++)
        if (b->which[i] == k) return true;
    return false;
}

/* Holds at its bound what is farthest outside by the values looked at last: with it, others may be
 * within. Returns whether there is anything. */
static bool hold_at_bound(within *w)
{
    const model_simulation *m = w->m;
    uint32_t farthest = UINT32_MAX;
    double most = 0;
    for (uint32_t id = 0; id < m->system->unknown.count; id++) {
        const sym_unknown *u = &m->system->unknown.item[id];
        double off = fabs(start_bounds_beyond(u, m->base.value[id])) / u->nominal;
        if (off <= most) continue;
        size_t entry = start_bounds_entry(m->formulation, id), k = bound_of(w->bounds, id);
        if (entry == SIZE_MAX && (k == SIZE_MAX || is_held(w->bounds, k))) continue;
        if (entry != SIZE_MAX && (w->fixed[entry] || !may_move(w, u, entry))) continue;
        most = off;
        farthest = id;
    }
    if (farthest == UINT32_MAX) return false;
    const sym_unknown *u = &m->system->unknown.item[farthest];
    double bound = m->base.value[farthest] < u->min ? u->min : u->max;
    size_t entry = start_bounds_entry(m->formulation, farthest);
    if (entry != SIZE_MAX) {
        w->guess[entry] = bound;
        w->fixed[entry] = true;
        return true;
    }
    prolonged_bounds *b = w->bounds;
    size_t k = bound_of(b, farthest);
    b->target[k] = bound;
    b->which[b->held++] = k;
    w->system = prolonged_bounds_system(b, m->home, &m->formulation->start->start, false);
    return true;
}

static bool search_from(const within *w, const bool *fixed)
{
    start_system system = fixed ? w->system : w->m->formulation->start->start;
    system.start = system.guess;
    system.guess = w->guess;
    system.given = w->given;
    if (fixed) system.fixed = fixed;
    message_free(w->told);
    return start_search(&w->m->base, &system, w->t, w->m->z, w->told) == DAE_OK;
}

/* The nearest start within bounds, in m->z: of what is outside the nearest values are the bounds.
 * Sought once more from there, so that notes tell which conditions are missing. */
static bool find_at_bounds(within *w)
{
    enum { MOST_ROUNDS = 30 };
    model_simulation *m = w->m;
    const start_system *start = &m->formulation->start->start;
    memcpy(w->guess, start->guess, start->size * sizeof *w->guess);
    memcpy(w->given, start->given, start->size * sizeof *w->given);
    memcpy(w->fixed, start->fixed, start->size * sizeof *w->fixed);
    memcpy(m->z, w->found, start->size * sizeof *m->z);
    w->system = *start;
    for (int round = 0; start_bounds_outside(m, w->t, m->z) > 0; round++)
        if (round == MOST_ROUNDS || !hold_at_bound(w) || !search_from(w, w->fixed)) return false;
    memcpy(w->guess, m->z, start->size * sizeof *w->guess);
    return search_from(w, NULL) && start_bounds_outside(m, w->t, m->z) == 0;
}

static bool is_better(const within *w)
{
    return search_from(w, NULL) && start_bounds_outside(w->m, w->t, w->m->z) < w->outside;
}

/* The guesses become the point that violates the rows least while what is outside by the values
 * looked at last is held within its bounds, at the guesses. Unknowns of which these are outside by
 * others, as x is of y = x^3, are led there. */
static bool guess_nearest(const within *w)
{
    const model_simulation *m = w->m;
    const start_system *start = &m->formulation->start->start;
    start_system system = *start;
    bool any = false;
    memcpy(w->fixed, start->fixed, start->size * sizeof *w->fixed);
    for (uint32_t id = 0; id < m->system->unknown.count; id++) {
        const sym_unknown *u = &m->system->unknown.item[id];
        size_t entry = start_bounds_entry(m->formulation, id);
        if (start_bounds_beyond(u, m->base.value[id]) == 0 || entry == SIZE_MAX ||
            !may_move(w, u, entry))
            continue;
        w->fixed[entry] = any = true;
    }
    if (!any) return false;
    double *nearest = malloc((start->size + 1) * sizeof *nearest);
    if (!nearest) return false;
    memcpy(nearest, w->guess, start->size * sizeof *nearest);
    system.start = start->guess;
    system.guess = w->guess;
    system.given = w->given;
    system.fixed = w->fixed;
    system.nearest = nearest;
    message_free(w->told);
    if (start_search(&m->base, &system, w->t, m->z, w->told) == DAE_OK)
        memcpy(nearest, m->z, start->size * sizeof *nearest);
    memcpy(w->guess, nearest, start->size * sizeof *w->guess);
    free(nearest);
    return w->told->status != DAE_STOPPED;
}

/* A start from guesses within bounds, in m->z, at which fewer unknowns are outside. */
static bool find_within(within *w)
{
    if (find_at_bounds(w)) return true;
    for (size_t k = 0; k < sizeof WITHIN / sizeof *WITHIN; k++) {
        start_bounds_outside(w->m, w->t, w->found);
        if (!guess_within(w, WITHIN[k])) return false;
        if (is_better(w)) return true;
        start_bounds_outside(w->m, w->t, w->found);
        if (guess_nearest(w) && is_better(w)) return true;
    }
    return false;
}

/* The explicit variables with bounds. What is delayed has no value here. */
static prolonged_bounds *find_bounds(const within *w)
{
    const model_simulation *m = w->m;
    const formulation *f = m->formulation;
    uint32_t *id = arena_array(m->home, m->system->unknown.count, sizeof *id);
    size_t count = 0;
    for (uint32_t k = 0; k < m->system->unknown.count && m->system->delay.count == 0; k++) {
        const sym_unknown *u = &m->system->unknown.item[k];
        bool bounded = u->bounded && !u->fixed && !u->discrete;
        if (bounded && start_bounds_entry(f, k) == SIZE_MAX) id[count++] = k;
    }
    return count > 0 ? prolonged_bounds_create(m->home, f->start, count, id) : NULL;
}

typedef struct finding {
    within *w;
    bool found;
} finding;

static void find(void *self)
{
    finding *f = self;
    f->w->bounds = find_bounds(f->w);
    f->found = find_within(f->w);
}

static void note_outside(const model_simulation *m, message *told)
{
    enum { MOST_NAMED = 5 };
    text list = {0};
    size_t count = 0;
    for (uint32_t id = 0; id < m->system->unknown.count; id++) {
        const sym_unknown *u = &m->system->unknown.item[id];
        double off = start_bounds_beyond(u, m->base.value[id]);
        if (off == 0 || count++ >= MOST_NAMED) continue;
        text_format(&list, "%s%s = %.6g %s%s its %s of %g", count > 1 ? ", " : "", u->name,
                    m->base.value[id], count > 1 ? "" : "starts ", off < 0 ? "below" : "above",
                    off < 0 ? "min" : "max", off < 0 ? u->min : u->max);
    }
    if (count > MOST_NAMED) text_format(&list, " and %zu more", count - MOST_NAMED);
    if (count > 0) message_note(told, "%s, and no start within was found", text_string(&list));
    text_free(&list);
}

dae_status start_come_within(model_simulation *m, double t, message *told)
{
    size_t size = m->formulation->start->start.size, outside = start_bounds_outside(m, t, m->z);
    if (outside == 0) return DAE_OK;
    double *found = calloc(2 * size + 1, sizeof *found);
    bool *given = calloc(2 * size + 1, sizeof *given);
    message second = {0};
    bool is_within = false;
    dae_status status = found && given ? DAE_OK : DAE_NO_MEMORY;
    if (status == DAE_OK) {
        within w = {.m = m,
                    .t = t,
                    .found = found,
                    .outside = outside,
                    .guess = found + size,
                    .given = given,
                    .fixed = given + size,
                    .told = &second};
        finding f = {.w = &w};
        memcpy(found, m->z, size * sizeof *found);
        status = arena_protect(m->home, find, &f);
        is_within = status == DAE_OK && f.found;
        if (!is_within) memcpy(m->z, found, size * sizeof *found);
    }
    bool stopped = second.status == DAE_STOPPED;
    if (is_within || stopped) {
        message_free(told);
        *told = second;
    } else {
        message_free(&second);
    }
    if (!stopped && start_bounds_outside(m, t, m->z) > 0) note_outside(m, told);
    if (stopped) status = DAE_STOPPED;
    free(found);
    free(given);
    return status;
}
