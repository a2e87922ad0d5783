/* The polynomial within a Runge-Kutta step, and its distance from the solution. */
#include "integrate/runge_kutta_parts.h"

#include <math.h>
#include <string.h>

/* The point within the step, 0 to 1, at which the polynomial is checked. It is not the middle,
 * where the derivative of a cubic Hermite interpolant's error has a zero. */
static const double LOOK = 0.75;

/* That error is C (x (1 - x))^2. Its largest value is this times its derivative at LOOK. */
static const double PART_OF_DEFECT = 1. / 3;

dae_status runge_kutta_interpolate(runge_kutta *e, double h)
{
    size_t n = e->base.problem->n;
    const scheme *s = e->stages.scheme;
    dense_output *d = &e->base.next;
    d->t = e->base.t;
    d->h = h;
    bool whole = !e->solves_end && s->degree > 0;
    if (!whole) {
        dense_output_make_hermite(d, e->base.y, e->base.yp, e->end, e->end_yp);
        return DAE_OK;
    }
    dae_status status = s->extra > 0 ? stages_solve_extra(&e->stages, h) : DAE_OK;
    if (status != DAE_OK) return status;
    memcpy(d->coefficient, e->base.y, n * sizeof *e->base.y);
    d->degree = s->degree;
    for (int m = 0; m < s->degree; m++) {
        double *row = d->coefficient + (size_t)(m + 1) * n;
        memset(row, 0, n * sizeof *row);
        stages_add(&e->stages, s->stages + s->extra, s->interpolant[m], h, row);
    }
    return DAE_OK;
}

dae_status runge_kutta_correction(runge_kutta *e, double t, const double *y, const double *yp,
                                  double *off)
{
    const scheme *s = e->stages.scheme;
    dae_status status = problem_residual(e->base.problem, t, y, yp, off);
    if (status != DAE_OK) return status;
    stages_solve_part(&e->stages, &s->block[s->blocks - 1].part[0], false, off);
    return DAE_OK;
}

/* The part of h (P' - y'(P)) that is an error of P: control of the defect (W. H. Enright, J.
 * Comput. Appl. Math. 125 (2000)). */
static dae_status defect(runge_kutta *e, double t, double h, const double *y, const double *yp,
                         double *off)
{
    size_t n = e->base.problem->n;
    memcpy(off, yp, n * sizeof *off);
    dae_status status = stages_find_yp(&e->stages, t, y, off);
    for (size_t k = 0; k < n; k++) off[k] = PART_OF_DEFECT * h * (yp[k] - off[k]);
    return status;
}

/* The size of the error `off` in the user's tolerance. This is for errors that do not add up from
 * step to step. */
static dae_status measure(runge_kutta *e, double h, double *off, double *size)
{
    const problem *p = e->base.problem;
    for (size_t k = 0; k < p->n; k++) /* constraints hold at the ends only */
        if (p->index && p->index[k] > 1 && !p->dynamic[k]) off[k] = 0;
    *size = e->base.stepping.share * stages_norm(&e->stages, off, h);
    return isfinite(*size) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* Checks the derivative of a polynomial that passes through stages only, where the step begins (at
 * = 0) or ends (1) at y. If no stage is an end, an input that jumps between an end and the nearest
 * stage shows in no difference of stages. Such methods hardly damp stiff components, so the error
 * of y itself in them is removed first where it would count, as in the estimate of the extra
 * node. */
static dae_status judge_end(runge_kutta *e, int at, double h, const double *y, double *size)
{
    size_t n = e->base.problem->n;
    double *yp = e->rate, *off = e->stages.z, *there = e->stages.residual; /* free by now */
    double error, t = e->base.t + at * h;
    dense_output_evaluate_at(&e->base.next, t, at, there, yp);
    dae_status status = runge_kutta_correction(e, t, y, yp, off);
    if (status == DAE_OK) status = measure(e, h, off, &error);
    if (status == DAE_OK && error > *size) {
        for (size_t k = 0; k < n; k++) there[k] = y[k] - off[k];
        status = runge_kutta_correction(e, t, there, yp, off);
        if (status == DAE_OK) status = measure(e, h, off, &error);
    }
    if (status == DAE_OK) control_raise(e->base.problem->n, error, off, size, e->error);
    return status;
}

dae_status runge_kutta_judge_within(runge_kutta *e, double h, double *size)
{
    const scheme *s = e->stages.scheme;
    if (s->estimate != SCHEME_EMBEDDED) return DAE_OK;
    if (s->is_implicit && s->degree > 0 && !e->solves_end) {
        dae_status begins = judge_end(e, 0, h, e->base.y, size);
        if (begins != DAE_OK || *size >= 1) return begins;
        return judge_end(e, 1, h, e->end, size);
    }
    if (e->base.stepping.within == 0) return DAE_OK;
    double *y = e->stages.value, *yp = e->rate, *off = e->stages.z; /* free by now */
    double t = e->base.t + LOOK * h;
    dense_output_evaluate(&e->base.next, t, y, yp);
    dae_status status = s->is_implicit ? runge_kutta_correction(e, t, y, yp, off)
                                       : defect(e, t, h, y, yp, off);
    double error;
    if (status == DAE_OK) status = measure(e, h, off, &error);
    if (status == DAE_OK) control_raise(e->base.problem->n, error, off, size, e->error);
    return status;
}
