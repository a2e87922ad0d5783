#include "integrate/engines.h"

#include "method/catalogue.h"

static const engine_ops *engine_of(const method *which)
{
    if (which->family == METHOD_ROSENBROCK) return &rosenbrock_engine;
    if (which->structural) return &structural_engine;
    if (which->family == METHOD_MEBDF) return &mebdf_engine;
    if (which->family == METHOD_BDF && which->multistep->variable) return &bdf_engine;
    if (which->multistep) return &multistep_engine;
    bool explicit_stages = which->family == METHOD_STATE_SPACE && method_is_explicit(which);
    if (which->family == METHOD_HALF_EXPLICIT || explicit_stages) return &half_explicit_engine;
    return &runge_kutta_engine;
}

/* Rosenbrock methods are not explicit: they have a matrix beside their tableau. */
static bool has_explicit_stages(const method *m)
{
    return m->stages > 0 && m->family != METHOD_ROSENBROCK && !m->structural && !m->multistep &&
           method_is_explicit(m);
}

dae_status engine_create(engine **created, problem *p, const method *which,
                         const engine_options *options, message *m)
{
    dae_status status = engine_make(created, engine_of(which), p, which, options, m);
    if (status == DAE_OK) (*created)->is_explicit = has_explicit_stages(which);
    return status;
}
