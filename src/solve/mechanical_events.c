/* The state of a mechanical system behind an event. */
#include "solve/mechanical_simulation.h"

#include "base/round_off.h"

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

/* An impact with Newton's restitution (Pfeiffer & Glocker (1996), Sec. 6.3): the velocity along the
 * blow becomes -restitution times that before. */
static dae_status strike(mechanical_simulation *k, const event_outcome *o, message *to)
{
    size_t nv = k->system->nv, nq = k->system->nq;
    mechanical_point *p = &k->point;
    double *change = malloc((nv + 1) * sizeof *change);
    if (!change) return DAE_NO_MEMORY;
    /* Without constraints w.M^-1 w, which is at least (w.w)^2 / w.M w (Cauchy). */
    mechanical_mass_times(k->system, o->blow, change);
    double size = product(nv, o->blow, o->blow);
    double least = size * size / product(nv, o->blow, change);
    memcpy(change, o->blow, nv * sizeof *change);
    dae_status status = mechanical_blow(k->system, p->v, change);
    double effect = product(nv, o->blow, change);
    if (status == DAE_OK && !(effect > ROUND_OFF_ITERATED * least))
        status = message_fail(to, DAE_EVENT,
                              "the blow moves nothing: it is 0 or not finite, or the constraints "
                              "take it up");
    double along = o->restitution * product(nv, o->blow, o->before + nq) +
                   product(nv, o->blow, p->v);
    for (size_t i = 0; i < nv && status == DAE_OK; i++) p->v[i] -= along / effect * change[i];
    free(change);
    return status;
}

static dae_status mechanical_settle(simulation *c, double t, double *own, double *y, double *yp,
                                    event_outcome *outcome)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    mechanical_formulation *f = k->formulation;
    memcpy(c->value, own, c->n * sizeof *own);
    dae_status status = meet_constraints(k, t);
    if (status == DAE_OK && outcome->blow) status = strike(k, outcome, c->solver.message);
    if (status == DAE_OK) status = mechanical_simulation_accelerate(k, t);
    bool moves = status == DAE_OK;
    if (status == DAE_OK && f->ops->renew) status = f->ops->renew(f, t, &k->point);
    c->formulation_number = f->renewals;
    if (status == DAE_OK) status = f->ops->lower(f, t, &k->point, y, yp);
    if (status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    message *m = c->solver.message;
    if (m->status != DAE_OK) return status;
    if (moves && status == DAE_SINGULAR)
        return message_fail(m, DAE_EVENT,
                            "the event changes how many constraints are independent, and the "
                            "formulation %s keeps their number\n  remedy: take the formulation "
                            "elimination, index1 or ggl",
                            c->formulation);
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
                                                        true, mechanical_stays};
