/* The events of a model that is followed as a mechanism.
 *
 * Relations, definitions and actions are those of the model's own formulation (model_events.c). The
 * state of the mechanism gives the state of that formulation, in which events are settled; after
 * one, the mechanism goes on from the coordinates and velocities there. Its functions read the same
 * modes and cells, because they are compiled from the same graph. */
#include "solve/mechanism_simulation.h"

#include <string.h>

static mechanical_simulation *inner_of(const model_simulation *m)
{
    return (mechanical_simulation *)m->base.followed;
}

/* The state of the model's formulation at the point of the inner simulation. */
static dae_status take_state(model_simulation *m, double t, double *z)
{
    dae_status status = mechanism_simulation_take(m, t, &inner_of(m)->point);
    memcpy(z, m->z, m->formulation->p->size * sizeof *z);
    if (status == DAE_OK) mechanism_lift_entries(m->mechanism->lift, t, z);
    return status;
}

static dae_status evaluate(model_simulation *m, double t, const double *y, const double *yp)
{
    simulation *inner = m->base.followed;
    inner->segment_formulation = inner->formulation_number;
    return inner->ops->evaluate(inner, t, y, yp, SIMULATION_UNMET);
}

static dae_status mechanism_state(model_simulation *m, double t, const double *y, const double *yp,
                                  double *z)
{
    dae_status status = evaluate(m, t, y, yp);
    return status == DAE_OK ? take_state(m, t, z) : status;
}

/* The constraints are met whatever the projection is: formulations drift off them, and penalties
 * never meet them. */
static dae_status mechanism_before(model_simulation *m, double t, const double *y, const double *yp,
                                   double *z)
{
    mechanical_simulation *k = inner_of(m);
    dae_status status = evaluate(m, t, y, yp);
    if (status == DAE_OK) status = mechanical_project(k->system, t, k->point.q, k->point.v, false);
    if (status == DAE_OK) status = mechanical_simulation_accelerate(k, t);
    if (status == DAE_OK) status = take_state(m, t, z);
    if (status != DAE_OK || m->mechanism->lift->all) return status;
    message told = {0};
    status = model_events_settle(m, t, z, &told);
    message_free(&told);
    return status == DAE_STOPPED ? status : DAE_OK;
}

/* A switching_resolve. Masses, constraints and directions of reactions do not switch, so that the
 * model's formulation serves all modes but a sliding motion. */
static dae_status resolve(void *self, double t, switching **s, double **z, message *to)
{
    model_simulation *m = self;
    (void)s;
    m->mechanism->slides = m->modes->sliding > 0;
    if (m->mechanism->slides) return message_fail(to, DAE_EVENT, "a sliding motion");
    if (*z != m->z_out) memcpy(m->z_out, *z, m->formulation->p->size * sizeof **z);
    *z = m->z_out;
    return model_events_settle(m, t, *z, to);
}

static dae_status mechanism_fail(model_simulation *m, double t, dae_status status)
{
    if (!m->mechanism->slides || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    text named = {0};
    for (size_t k = 0; k < m->modes->relations; k++) {
        const switching_relation *r = &m->switching->relation[k];
        if (!m->modes->relation[k].slides || r->kind != RELATION_STATE || named.length) continue;
        switching_name(m->switching, r->root, &named);
    }
    message_replace(m->base.solver.message, DAE_EVENT,
                    "at t = %.9g the solution begins to slide along the surface of a relation%s%s, "
                    "which a model that is followed as a mechanism on request cannot do\n  remedy: "
                    "--formulation index1",
                    t, named.length ? ", " : "", text_string(&named));
    text_free(&named);
    return DAE_EVENT;
}

static dae_status mechanism_settle(model_simulation *m, double t, bool replaced, double *y,
                                   double *yp)
{
    simulation *c = &m->base;
    event_outcome none = {0};
    (void)replaced;
    if (!mechanism_simulation_take_own(m, t)) return DAE_NOT_EVALUABLE;
    dae_status status = mechanical_simulation_events.settle(c->followed, t, m->mechanism->given, y,
                                                            yp, &none);
    c->formulation_number = c->followed->formulation_number;
    return status;
}

const model_events_way mechanism_simulation_events = {.state = mechanism_state,
                                                      .before = mechanism_before,
                                                      .resolve = resolve,
                                                      .settle = mechanism_settle,
                                                      .fail = mechanism_fail};
