/* The state of a mechanical system behind an event. */
#include "solve/mechanical_simulation.h"

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
    return status == DAE_OK ? mechanical_simulation_accelerate(k, t) : status;
}

static dae_status mechanical_settle(simulation *c, double t, const double *own, double *y,
                                    double *yp, event_outcome *outcome)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    mechanical_formulation *f = k->formulation;
    (void)outcome;
    memcpy(c->value, own, c->n * sizeof *own);
    dae_status status = meet_constraints(k, t);
    if (status == DAE_OK && f->ops->renew) status = f->ops->renew(f, t, &k->point);
    c->formulation_number = f->renewals;
    if (status == DAE_OK) status = f->ops->lower(f, t, &k->point, y, yp);
    if (status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    message *m = c->solver.message;
    message_fail(m, status, "%s", "");
    mechanical_simulation_report(k, k->system, status, &m->sentence);
    return status;
}

const author_events_way mechanical_simulation_events = {mechanical_state_at, mechanical_settle};
