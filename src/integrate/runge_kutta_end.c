/* The end of a step of three kinds of methods: projected ones, implicit ones on the state-space
 * form, and those whose end is no stage. */
#include "integrate/runge_kutta_parts.h"
#include "stepping/newton.h"

#include <math.h>

/* How much the end of a step may miss algebraic equations, relative to the limit of the error. A
 * polynomial that begins at such an end but passes through stages that meet the equations bends:
 * the error estimated within its step is 15 times as large (gauss3). */
static const double MISSED = 0.01;

enum { MOST_CORRECTIONS = 4 };

dae_status runge_kutta_prepare_end(runge_kutta *e, double h)
{
    dae_status status = instant_look(&e->instant);
    if (status == DAE_OK && e->instant.delta == 0) status = instant_factor(&e->instant, h);
    if (status == DAE_OK && !e->has_polynomial)
        instant_begin_yp(&e->instant, e->base.t, h, e->base.y, e->base.yp);
    return status;
}

/* Projects onto the constraints along f_z at the end of the step. With f_z at the beginning, or
 * with that of another z, a part of the stages' errors would remain, which the projection has to
 * remove. So z is solved for before the projection as well. */
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

/* e->end holds y by the weights. The first guess of y' and algebraic variables is the last stage.
 * The weights carry algebraic variables on by their formal derivatives, which would be a worse
 * guess. */
dae_status runge_kutta_solve_end(runge_kutta *e, double h)
{
    size_t n = e->base.problem->n, last = (size_t)(e->stages.scheme->stages - 1) * n;
    const instant_task task = {
        .kind = INSTANT_ALONG, .t = e->base.t + h, .h = h, .y = e->end, .yp = e->end_yp};
    for (size_t k = 0; k < n; k++) {
        e->end_yp[k] = e->stages.yp[last + k];
        if (!e->base.problem->dynamic[k]) e->end[k] = e->base.y[k] + e->stages.z[last + k];
    }
    dae_status status = project(e, &task);
    if (status == DAE_OK) status = instant_solve(&e->instant, &task);
    if (status != DAE_OK) return status;
    return instant_find_yp(&e->instant, e->base.t, h, e->base.y, e->base.yp, e->end, e->end_yp);
}

/* Finds by how much y at t misses the algebraic equations, into e->error: the part of Newton's
 * correction that F_y' does not see. The rest is what (lambda/h F_y' + F_y)^-1 lambda/h F_y' leaves
 * unchanged. */
static dae_status find_missed(runge_kutta *e, double t, const double *y, const double *yp,
                              double *size)
{
    problem *p = e->base.problem;
    const scheme_part *part = &e->stages.scheme->block[0].part[0];
    double *missed = e->error, *seen = e->rate;
    dae_status status = problem_residual(p, t, y, yp, missed);
    if (status != DAE_OK) return status;
    stages_solve_part(&e->stages, part, false, missed);
    problem_multiply(p, missed, seen);
    stages_solve_part(&e->stages, part, true, seen);
    for (size_t k = 0; k < p->n; k++) missed[k] -= seen[k];
    *size = stages_norm(&e->stages, missed, e->stages.factored_step);
    return isfinite(*size) ? DAE_OK : DAE_NOT_EVALUABLE;
}

bool runge_kutta_carries_missed(const runge_kutta *e)
{
    const scheme *s = e->stages.scheme;
    const problem *p = e->base.problem;
    bool whole = s->blocks == 1 && s->block[0].is_implicit;
    return whole && !s->stiffly_accurate && !e->solves_end && !(e->base.options.fixed_step > 0) &&
           problem_highest_index(p) == 1 && p->hidden_directions == 0;
}

dae_status runge_kutta_meet_algebraic(runge_kutta *e, double t, double *y, const double *yp)
{
    size_t n = e->base.problem->n;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        double size;
        dae_status status = find_missed(e, t, y, yp, &size);
        if (status != DAE_OK || size < MISSED) return status;
        for (size_t j = 0; j < n; j++) y[j] -= e->error[j];
    }
    bool found = problem_residual(e->base.problem, t, y, yp, e->rate) == DAE_OK;
    failure_of_newton(&e->base.failure, e->base.problem, 1, e->error, e->base.stepping.weight,
                      found ? e->rate : NULL);
    return DAE_NEWTON;
}
