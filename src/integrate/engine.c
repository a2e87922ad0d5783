#include "integrate/engine.h"

#include "integrate/bdf.h"
#include "integrate/mebdf.h"
#include "integrate/multistep.h"
#include "integrate/rosenbrock.h"
#include "integrate/runge_kutta.h"

dae_status engine_create(engine **created, problem *p, const method *which,
                         const engine_options *options, message *m)
{
    if (which->family == METHOD_ROSENBROCK) return rosenbrock_create(created, p, which, options, m);
    if (which->family == METHOD_BDF && which->multistep->variable)
        return bdf_create(created, p, which, options, m);
    if (which->family == METHOD_MEBDF) return mebdf_create(created, p, which, options, m);
    if (which->multistep) return multistep_create(created, p, which, options, m);
    return runge_kutta_create(created, p, which, options, m);
}

void engine_start(engine *e, double t, const double *y, const double *yp)
{
    e->row->start(e, t, y, yp);
}

dae_status engine_examine(engine *e, message *m)
{
    return e->row->examine ? e->row->examine(e, m) : DAE_OK;
}

dae_status engine_step(engine *e, double t_end)
{
    return e->row->step(e, t_end);
}

void engine_replace(engine *e, const double *y, const double *yp)
{
    e->row->replace(e, y, yp);
}

void engine_free(engine *e)
{
    if (e) e->row->free(e);
}
