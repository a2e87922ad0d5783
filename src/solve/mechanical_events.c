/* The state of a mechanical system after an event. */
#include "solve/mechanical_simulation.h"

#include "base/round_off.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dae_status mechanical_state_at(simulation *c, double t, const double *y, const double *yp,
                                      double *own, double *own_yp)
{
    c->segment_formulation = c->formulation_number;
    dae_status status = c->ops->evaluate(c, t, y, yp, SIMULATION_UNMET);
    memcpy(own, c->value, c->n * sizeof *own);
    memcpy(own_yp, c->value_yp, c->n * sizeof *own_yp);
    return status;
}

/* Velocities that the constraints forbid are changed by impulses along these, M (v - v_0) = G^T
 * Lambda, which is the nearest change in the norm of the mass (F. Pfeiffer & C. Glocker, Multibody
 * Dynamics with Unilateral Contacts (1996), Sec. 6.2). A mass that is singular has no such norm. */
static dae_status meet_constraints(mechanical_simulation *k, double t)
{
    mechanical_point *p = &k->point;
    dae_status status = mechanical_project(k->system, t, p->q, p->v, true);
    if (status == DAE_SINGULAR) status = mechanical_project(k->system, t, p->q, p->v, false);
    if (status == DAE_OK && k->form->given.invariants > 0)
        status = mechanical_invariants(k->system, t, p->q, p->v, k->kept);
    return status;
}

static double product(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* The blow (nv) in units of its largest entry, so that no product of it over- or underflows. False
 * where that is 0 or not finite. */
static bool scale_blow(size_t nv, const double *blow, double *unit)
{
    double largest = 0;
    for (size_t i = 0; i < nv; i++)
        largest = isnan(blow[i]) ? HUGE_VAL : fmax(largest, fabs(blow[i]));
    if (!(largest > 0) || !isfinite(largest)) return false;
    for (size_t i = 0; i < nv; i++) unit[i] = blow[i] / largest;
    return true;
}

/* What the blow does to velocities, into change (nv), and how much of it is along the blow; false
 * in *moves: no more than errors of the state, because the constraints take it up. */
static dae_status find_change(const mechanical_simulation *k, const double *unit, double *change,
                              double *effect, bool *moves)
{
    size_t nv = k->system->nv;
    /* Without constraints w.M^-1 w, which is at least (w.w)^2 / w.M w (Cauchy). */
    mechanical_mass_times(k->system, unit, change);
    double size = product(nv, unit, unit);
    double least = size * size / product(nv, unit, change);
    memcpy(change, unit, nv * sizeof *change);
    dae_status status = mechanical_blow(k->system, k->point.v, change);
    *effect = product(nv, unit, change);
    *moves = *effect > ROUND_OFF_ITERATED * least;
    return status;
}

/* An impact with Newton's restitution (Pfeiffer & Glocker (1996), Sec. 6.3): the velocity along the
 * blow becomes -restitution times that before. A blow that the constraints take up moves nothing;
 * there is nothing to do where that velocity is right already, but for tolerances. */
static dae_status strike(mechanical_simulation *k, const event_outcome *o, double *unit,
                         double *change)
{
    size_t nv = k->system->nv, nq = k->system->nq;
    message *to = k->base.solver.message;
    const dae_options *options = k->base.solver.options;
    double *v = k->point.v, effect, along = 0, tolerance = 0;
    bool moves;
    if (!scale_blow(nv, o->blow, unit))
        return message_fail(to, DAE_EVENT, "the blow is 0 or not finite");
    dae_status status = find_change(k, unit, change, &effect, &moves);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < nv; i++) {
        double before = o->restitution * o->before[nq + i], size = fabs(before) + fabs(v[i]);
        along += unit[i] * (before + v[i]);
        tolerance += fabs(unit[i]) * (options->atol + options->rtol * size);
    }
    if (!moves && fabs(along) <= tolerance) return DAE_OK;
    if (!moves)
        return message_fail(to, DAE_EVENT,
                            "the blow moves nothing, because the constraints take it up");
    for (size_t i = 0; i < nv; i++) v[i] -= along / effect * change[i];
    return DAE_OK;
}

static dae_status take_blow(mechanical_simulation *k, const event_outcome *o)
{
    size_t nv = k->system->nv;
    double *room = malloc((2 * nv + 1) * sizeof *room);
    if (!room) return DAE_NO_MEMORY;
    dae_status status = strike(k, o, room, room + nv);
    free(room);
    return status;
}

void mechanical_simulation_forget_passed(mechanical_simulation *k)
{
    callbacks_free(k->passed_callbacks);
    mechanical_formulation_free(k->passed);
    k->passed_callbacks = NULL;
    k->passed = NULL;
}

/* Nothing was formed: what is kept still belongs to the old equations. */
static void take_back(mechanical_simulation *k)
{
    callbacks_free(k->callbacks);
    mechanical_formulation_free(k->formulation);
    k->formulation = k->passed;
    k->callbacks = k->passed_callbacks;
    k->passed = NULL;
    k->passed_callbacks = NULL;
    k->base.problem = callbacks_problem(k->callbacks);
}

/* Forms the equations anew, for as many freedoms as there are after the event. The engine has the
 * old ones until it is replaced. */
static dae_status form_anew(mechanical_simulation *k, double t, event_outcome *outcome)
{
    const mechanical_formulation *f = k->formulation;
    mechanical_simulation_forget_passed(k);
    k->passed = k->formulation;
    k->passed_callbacks = k->callbacks;
    k->formulation = NULL;
    k->callbacks = NULL;
    dae_status status = mechanical_simulation_formulate(k, f->ops->name, f->without_jacobian, t,
                                                        f->renewals + 1);
    outcome->replaced = status == DAE_OK;
    if (status == DAE_OK) return DAE_OK;
    take_back(k);
    dae_status room = mechanical_simulation_take_inner(k);
    return room == DAE_OK ? status : room;
}

/* The formulation at the state after an event. That of a model's mechanism keeps its number of
 * unknowns. */
static dae_status reformulate(mechanical_simulation *k, double t, double *y, double *yp,
                              event_outcome *outcome)
{
    mechanical_formulation *f = k->formulation;
    bool fits = !f->ops->fits || f->ops->fits(f, t, &k->point);
    if (!fits && !k->of_model) return form_anew(k, t, outcome);
    dae_status status = f->ops->renew ? f->ops->renew(f, t, &k->point) : DAE_OK;
    if (!fits && status == DAE_SINGULAR)
        return message_fail(k->base.solver.message, DAE_EVENT,
                            "the event changes how many constraints are independent, and the "
                            "formulation %s keeps their number\n  remedy: take the formulation "
                            "elimination, index1 or ggl",
                            k->base.formulation);
    return status == DAE_OK ? f->ops->lower(f, t, &k->point, y, yp) : status;
}

static dae_status mechanical_settle(simulation *c, double t, double *own, double *y, double *yp,
                                    event_outcome *outcome)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    memcpy(c->value, own, c->n * sizeof *own);
    dae_status status = meet_constraints(k, t);
    if (status == DAE_OK && outcome->blow) status = take_blow(k, outcome);
    if (status == DAE_OK) status = mechanical_simulation_accelerate(k, t);
    if (status == DAE_OK) status = reformulate(k, t, y, yp, outcome);
    c->formulation_number = k->formulation->renewals;
    if (status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    message *m = c->solver.message;
    if (m->status != DAE_OK) return status;
    message_fail(m, status, "%s", "");
    mechanical_simulation_report(k, k->system, status, &m->sentence);
    return status;
}

/* Velocities are changed by impulses. */
static bool mechanical_stays(const simulation *c, size_t j)
{
    return j < ((const mechanical_simulation *)c)->system->nq;
}

const author_events_way mechanical_simulation_events = {mechanical_state_at, mechanical_settle,
                                                        true, mechanical_stays, NULL};
