/* Bounds choose between solutions at an event.
 *
 * Of two values of an algebraic variable, as q with q^2 = h, the one that Newton's iteration comes
 * to from the value before the event may be outside min and max, or none may be found from there:
 * q = 0 before it tells no side. As at a start (start_bounds.c), the equations are met from values
 * within. States stay as they are, and what determines a variable has no other solution. */
#include "solve/model_simulation.h"

#include "projection/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far within its bound a variable is sought, in parts of how far it was beyond it; where
 * nothing was found, how far from its value before, in nominal sizes. */
static const double WITHIN[] = {1, 0.1, 10};

/* The entry of an algebraic variable that has bounds; SIZE_MAX: it is none. */
static size_t algebraic_entry(const model_simulation *m, uint32_t id)
{
    const sym_unknown *u = &m->system->unknown.item[id];
    const prolongation *p = m->formulation->p;
    uint32_t column = id < m->base.n ? p->column_of[id] : INCIDENCE_NONE;
    bool bounded = u->bounded && !u->fixed && !u->discrete;
    if (!bounded || column == INCIDENCE_NONE || p->d[column] > 0) return SIZE_MAX;
    return start_bounds_entry(m->formulation, id);
}

/* A value within the bounds for what was found beyond one; where nothing was found, one that is
 * farther from the nearest bound than that before the event. NaN: there is nothing to move. */
static double value_within(const sym_unknown *u, double found, double before, bool met, double part)
{
    double off = met ? start_bounds_beyond(u, found) : 0;
    if (met) return off != 0 ? start_bounds_within(u, off, part) : (double)NAN;
    double way = before - u->min < u->max - before ? part * u->nominal : -part * u->nominal;
    return fmin(fmax(before + way, u->min), u->max);
}

/* Guesses from the values before, with those within for what was outside. Whether any is. */
static bool guess(const model_simulation *m, const double *before, const double *found, bool met,
                  double part, double *z)
{
    bool any = false;
    memcpy(z, before, m->formulation->p->size * sizeof *z);
    for (uint32_t id = 0; id < m->system->unknown.count; id++) {
        size_t entry = algebraic_entry(m, id);
        if (entry == SIZE_MAX) continue;
        const sym_unknown *u = &m->system->unknown.item[id];
        double value = value_within(u, found[entry], before[entry], met, part);
        if (isnan(value)) continue;
        z[entry] = value;
        any = true;
    }
    return any;
}

static bool any_bounded(const model_simulation *m)
{
    for (uint32_t id = 0; id < m->system->unknown.count; id++)
        if (algebraic_entry(m, id) != SIZE_MAX) return true;
    return false;
}

/* The same for room of z (tried). */
static bool find_within(model_simulation *m, double t, const double *before, bool met, double *z,
                        double *tried)
{
    size_t level, row, outside = met ? start_bounds_outside(m, t, z) : SIZE_MAX;
    double missed;
    for (size_t k = 0; outside > 0 && k < sizeof WITHIN / sizeof *WITHIN; k++) {
        if (!guess(m, before, z, met, WITHIN[k], tried)) return false;
        dae_status status = projection_settle(m->settles, t, tried, MODEL_SETTLE_OFF, &missed,
                                              &level, &row);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return false;
        if (status != DAE_OK || missed > MODEL_SETTLE_OFF) continue;
        if (!(start_bounds_outside(m, t, tried) < outside)) continue;
        memcpy(z, tried, m->formulation->p->size * sizeof *z);
        return true;
    }
    return false;
}

bool settle_within_bounds(model_simulation *m, double t, const double *before, bool met, double *z)
{
    size_t unknowns = m->system->unknown.count;
    if (!any_bounded(m)) return false;
    double *tried = malloc((m->formulation->p->size + unknowns + 1) * sizeof *tried);
    if (!tried) return false;
    double *value = tried + m->formulation->p->size;
    memcpy(value, m->base.value, unknowns * sizeof *value);
    bool found = find_within(m, t, before, met, z, tried);
    memcpy(m->base.value, value, unknowns * sizeof *value);
    free(tried);
    return found;
}
