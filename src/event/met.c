/* Root functions of states that are brought back to the equations.
 *
 * Within a step algebraic variables are often less exact than the states, so that a root that
 * depends on them is judged where they are solved for. That is turned round where the equations
 * make much of little: the current (u - v)/R through an ideal diode of R = 1e-9 follows from the
 * states with 1e9 times their errors, while the integrator holds its own error as small as theirs.
 * Within a step the polynomial of v, which is right to its tolerance, then says nothing of it. */
#include "event/changes.h"

#include "problem/problem.h"

#include <math.h>
#include <string.h>

/* From this ratio of the two errors on a root is judged by the polynomial. */
static const double LOOSE = 10;

/* What errors of the states make of a root may be as much larger within a step. Where a root where
 * the equations are met is farther from that on the polynomial, this is less exact than they are,
 * as that of q in h = q*abs(q) is, whose slope is infinite near by. */
static const double EXPLAINED = 5;

bool events_root_moves(const events *v, size_t k)
{
    const event_source_ops *ops = v->source->ops;
    return ops->met_roots && !(ops->stays && ops->stays(v->source->self, k));
}

dae_status events_met_roots(events *v, engine *e, double t, size_t k)
{
    const event_source_ops *ops = v->source->ops;
    events_take_state(v, e, t);
    bool met = events_root_moves(v, k) && !v->loose[k];
    return (met ? ops->met_roots : ops->roots)(v->source->self, t, v->y, v->yp, v->value);
}

/* Root k on the polynomial, and what errors of the unknowns make of it; or where the equations are
 * met, and those of the states. */
static dae_status effect(events *v, engine *e, double t, size_t k, bool met, double *value,
                         double *by)
{
    const event_source_ops *ops = v->source->ops;
    dae_status (*look)(void *, double, const double *, const double *, double *);
    look = met ? ops->met_roots : ops->roots;
    events_take_state(v, e, t);
    dae_status status = look(v->source->self, t, v->y, v->yp, v->value);
    *value = v->value[k];
    events_take_state(v, e, t);
    events_move_unknowns(v, e, !met);
    if (status == DAE_OK) status = look(v->source->self, t, v->y, v->yp, v->value);
    *by = fabs(v->value[k] - *value);
    return status;
}

/* Errors of variables of a higher index are not held to the tolerance. */
dae_status events_look_how_loose(events *v, engine *e, double t, size_t k)
{
    double met = 0, own = 0, at = 0, on = 0;
    v->loose[k] = false;
    if (!events_root_moves(v, k) || problem_highest_index(e->problem) > 1) return DAE_OK;
    dae_status status = effect(v, e, t, k, true, &at, &met);
    if (status == DAE_OK) status = effect(v, e, t, k, false, &on, &own);
    v->loose[k] = status == DAE_OK && met > LOOSE * own && fabs(at - on) <= EXPLAINED * met;
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

dae_status events_polynomial_tells(events *v, engine *e, double t, size_t k, bool *tells)
{
    double met = 0, own = 0, at = 0, on = 0;
    dae_status status = effect(v, e, t, k, true, &at, &met);
    if (status == DAE_OK) status = effect(v, e, t, k, false, &on, &own);
    *tells = status == DAE_OK && fabs(at - on) > own;
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}
