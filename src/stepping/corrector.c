#include "stepping/corrector.h"

#include "stepping/control.h"
#include "stepping/trouble.h"

#include <math.h>
#include <string.h>

/* Factors serve while c / c_0 lies between this and its inverse. */
static const double KEEP_FACTORS = 0.6;

/* Slower, and the next step takes another matrix. */
static const double SLOW = 0.3;

/* The rate of convergence that is expected before the iteration tells its own lies between these.
 * Rates are seen only where two corrections are needed; those that are are not the best ones. */
static const double LEAST_RATE = 0.15, MOST_RATE = 0.5;

/* An older Jacobian, in steps, is not factored once more. One that has become much too large makes
 * corrections small, and the iteration look as if it had converged. */
enum { OLD = 20 };

void corrector_carve(corrector *q, workspace *space, problem *p)
{
    q->problem = p;
    q->correction = workspace_doubles(space, p->n);
    q->softened = workspace_doubles(space, p->n);
}

dae_status corrector_reserve(corrector *q)
{
    return problem_reserve(q->problem, 1, (const bool[]){false});
}

void corrector_hold(corrector *q, const engine_options *options, double rtol)
{
    q->exactly = options->fixed_step > 0;
    q->newton.rtol = q->exactly ? 1 : rtol;
}

void corrector_restart(corrector *q)
{
    q->rate = MOST_RATE;
    q->linearized = q->fresh = false;
    q->factored = 0;
}

void corrector_shorten(corrector *q, dae_status status, double *factor)
{
    newton_shorten(&q->newton, status, factor);
    corrector_restart(q);
}

void corrector_reject(corrector *q)
{
    if (q->fresh && !q->problem->constant) corrector_restart(q);
}

void corrector_leave(corrector *q)
{
    q->fresh = false;
    q->age++;
}

double corrector_norm(corrector *q, const double *x, const double *weight, double h)
{
    const problem *p = q->problem;
    if (p->softs > 0 && fabs(h) < 1) {
        problem_soften(p, fabs(h), x, q->softened);
        x = q->softened;
    }
    return control_norm(p->n, x, weight, problem_depth(p), fmin(1, fabs(h)));
}

/* (c F_y' + F_y)^-1 c F_y' tends, as c = O(1/h) grows, to a projection along the null space of
 * F_y': where no variable is algebraic by itself, combinations of them are. */
double corrector_norm_of_dynamic(corrector *q, double *x, const double *weight, double h)
{
    problem *p = q->problem;
    if (q->factored != 0) {
        p->form->multiply(p->self, x, q->correction);
        for (size_t k = 0; k < p->n; k++) x[k] = q->factored * q->correction[k];
        problem_solve(p, 0, x);
    }
    for (size_t k = 0; k < p->n; k++)
        if (!p->dynamic[k]) x[k] = 0;
    return corrector_norm(q, x, weight, h);
}

/* Jacobian and factors, as far as those at hand will not do. */
static dae_status prepare(corrector *q, const corrector_point *at)
{
    problem *p = q->problem;
    double ratio = q->factored != 0 ? at->c / q->factored : 0;
    if (ratio > KEEP_FACTORS && ratio * KEEP_FACTORS < 1) return DAE_OK;
    q->factored = 0;
    if (!q->linearized || (q->age > OLD && !p->constant)) {
        dae_status status = problem_linearize(p, at->t, at->predicted, at->slope);
        q->linearized = status == DAE_OK;
        q->fresh = true; /* nothing newer can be had here, where it failed either */
        if (status != DAE_OK) return status;
        q->age = 0;
    }
    dae_status status = problem_factor(p, 0, at->c, 1);
    if (status == DAE_OK) q->factored = at->c;
    return status;
}

/* A point that is being solved. */
typedef struct correcting {
    corrector *q;
    const corrector_point *at;
    double *change, *y, *yp;
} correcting;

static dae_status correct(void *self, double *size)
{
    const correcting *w = self;
    corrector *q = w->q;
    size_t n = q->problem->n;
    dae_status status = problem_residual(q->problem, w->at->t, w->y, w->yp, q->correction);
    if (status != DAE_OK) return status;
    problem_solve(q->problem, 0, q->correction);
    double factor = -2 / (1 + w->at->c / q->factored);
    for (size_t k = 0; k < n; k++) {
        w->change[k] += factor * q->correction[k];
        w->y[k] = w->at->predicted[k] + w->change[k];
        w->yp[k] = w->at->slope[k] + w->at->c * w->change[k];
    }
    *size = fabs(factor) * corrector_norm(q, q->correction, w->at->weight, w->at->h);
    return isfinite(*size) ? DAE_OK : DAE_NEWTON;
}

static dae_status iterate(const correcting *w)
{
    corrector *q = w->q;
    size_t n = q->problem->n;
    memset(w->change, 0, n * sizeof *w->change);
    memcpy(w->y, w->at->predicted, n * sizeof *w->y);
    memcpy(w->yp, w->at->slope, n * sizeof *w->yp);
    dae_status status = q->exactly ? newton_solve_exactly(&q->newton, correct, (void *)w)
                                   : newton_solve(&q->newton, correct, (void *)w);
    q->all_iterations += (size_t)q->newton.iterations;
    return status;
}

/* The variable whose correction was the largest, and of its equations the one with the largest
 * residual. */
static void name_trouble(const correcting *w, dae_status cause)
{
    problem *p = w->q->problem;
    engine_trouble *trouble = w->at->trouble;
    double *residual = w->q->softened;
    trouble_of_problem(trouble, p, cause);
    if (cause != DAE_NEWTON) return;
    trouble_find_variable(trouble, p->n, w->q->correction, w->at->weight);
    if (problem_residual(p, w->at->t, w->at->predicted, w->at->slope, residual) == DAE_OK)
        trouble_find_equation(trouble, p, residual);
}

/* Whether the matrix is an old one; then the next prepare() makes another. */
static bool renew(corrector *q, double c)
{
    bool old_jacobian = !q->fresh && !q->problem->constant;
    bool old_factors = q->factored != 0 && q->factored != c;
    if (old_jacobian) q->linearized = false;
    if (old_jacobian || old_factors) q->factored = 0;
    return old_jacobian || old_factors;
}

dae_status corrector_solve(corrector *q, const corrector_point *at, double *change, double *y,
                           double *yp)
{
    const correcting work = {.q = q, .at = at, .change = change, .y = y, .yp = yp};
    dae_status status;
    if (q->exactly) renew(q, at->c);
    q->newton.expected = q->expects ? fmax(LEAST_RATE, fmin(MOST_RATE, q->rate)) : 0;
    do {
        status = prepare(q, at);
        if (status == DAE_OK) status = iterate(&work);
    } while ((status == DAE_NEWTON || status == DAE_SINGULAR) && renew(q, at->c));
    if (status == DAE_OK && q->newton.iterations > 1) q->rate = q->newton.rate;
    if (status == DAE_OK && q->newton.rate > SLOW) renew(q, at->c);
    if (status != DAE_OK) name_trouble(&work, status);
    return status;
}
