/* The end of a step of projected methods and of implicit ones on the state-space form. */
#include "integrate/runge_kutta_parts.h"

#include <string.h>

dae_status runge_kutta_prepare_end(runge_kutta *e, double h)
{
    dae_status status = instant_look(&e->instant);
    if (status == DAE_OK && e->instant.delta == 0) status = instant_factor(&e->instant, h);
    if (status == DAE_OK && !e->has_polynomial)
        instant_begin_slopes(&e->instant, e->base.t, h, e->base.y, e->base.yp);
    return status;
}

/* Onto the constraints along f_z, which is to be that at the end of the step: with that at its
 * beginning, or of another z, the errors of the stages, which the projection is to take away, would
 * leave a part behind. So z is solved for before as well. */
static dae_status project(runge_kutta *e, const instant_task *task)
{
    problem *p = e->base.problem;
    if (e->instant.positions == 0) return DAE_OK;
    dae_status status = instant_solve(&e->instant, task);
    if (status == DAE_OK && !p->constant) {
        e->stages.factored_step = 0;
        e->linearized_ahead = true;
        status = instant_renew(&e->instant, task);
    }
    return status == DAE_OK ? instant_project(&e->instant, task) : status;
}

/* y by the weights stands in e->end. What the last stage says of y' and algebraic variables is the
 * first guess: their formal derivatives, by which the weights carry them on, say less. */
dae_status runge_kutta_solve_end(runge_kutta *e, const stages_step *step)
{
    size_t n = e->base.problem->n, last = (size_t)(e->stages.scheme->stages - 1) * n;
    const instant_task task = {.kind = INSTANT_ALONG,
                               .t = step->t + step->h,
                               .h = step->h,
                               .y = e->end,
                               .yp = e->end_slope,
                               .weight = step->weight,
                               .trouble = step->trouble};
    for (size_t k = 0; k < n; k++) {
        e->end_slope[k] = e->stages.slope[last + k];
        if (!e->base.problem->dynamic[k]) e->end[k] = step->y[k] + e->stages.z[last + k];
    }
    dae_status status = project(e, &task);
    if (status == DAE_OK) status = instant_solve(&e->instant, &task);
    if (status != DAE_OK) return status;
    return instant_find_slopes(&e->instant, step->t, step->h, e->base.options.dense, e->base.y,
                               e->base.yp, e->end, e->end_slope);
}
