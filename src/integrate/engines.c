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
dae_status engine_create(engine **created, problem *p, const method *which,
                         const engine_options *options, message *m)
{
    dae_status status = engine_make(created, engine_of(which), p, which, options, m);
    bool of_tableau = which->stages > 0 && which->family != METHOD_ROSENBROCK;
    if (status == DAE_OK) (*created)->is_explicit = of_tableau && method_is_explicit(which);
    return status;
}
