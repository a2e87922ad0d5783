#include "integrate/engine.h"

#include "integrate/bdf.h"
#include "integrate/half_explicit.h"
#include "integrate/mebdf.h"
#include "integrate/multistep.h"
#include "integrate/rosenbrock.h"
#include "integrate/runge_kutta.h"
#include "method/derived.h"

#include <string.h>

dae_status engine_create(engine **created, problem *p, const method *which,
                         const engine_options *options, message *m)
{
    if (which->family == METHOD_ROSENBROCK) return rosenbrock_create(created, p, which, options, m);
    if (which->family == METHOD_MEBDF) return mebdf_create(created, p, which, options, m);
    if (which->family == METHOD_BDF && which->multistep->variable)
        return bdf_create(created, p, which, options, m);
    if (which->multistep) return multistep_create(created, p, which, options, m);
    bool explicit_stages = which->family == METHOD_STATE_SPACE && method_is_explicit(which);
    if (which->family == METHOD_HALF_EXPLICIT || explicit_stages)
        return half_explicit_create(created, p, which, options, m);
    return runge_kutta_create(created, p, which, options, m);
}

void engine_start(engine *e, double t, const double *y, const double *yp)
{
    size_t n = e->problem->n;
    e->t = t;
    memcpy(e->y, y, n * sizeof *y);
    memcpy(e->yp, yp, n * sizeof *yp);
    e->row->start(e);
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
    size_t n = e->problem->n;
    if (e->row->replace) e->row->replace(e, y);
    memcpy(e->y, y, n * sizeof *y);
    for (size_t k = 0; yp && k < n; k++)
        if (e->problem->dynamic[k]) e->yp[k] = yp[k];
}

void engine_forget_slopes(engine *e)
{
    for (size_t k = 0; k < e->problem->n; k++)
        if (!e->problem->dynamic[k]) e->yp[k] = 0;
}

void engine_free(engine *e)
{
    if (e) e->row->free(e);
}
