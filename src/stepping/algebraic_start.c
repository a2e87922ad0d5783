#include "stepping/stepping.h"

#include "base/scatter.h"

#include <math.h>
#include <string.h>

/* Far from the solution of an exponential, each iteration changes its argument by about one. */
enum { MOST_ITERATIONS = 60, MOST_HALVINGS = 50 };

/* Corrections of this part of the tolerance end the iteration. */
static const double CONVERGED = 1e-3;

/* Number of changes by the tolerance that show how much a row responds: in a single one, its terms
 * may cancel. */
enum { SAMPLES = 2 };

/* In the tolerances that are used internally. */
static const double MOST_MOVED = 100, LEAST_MOVED = 0.1;

/* The Newton correction at (y, yp) with the factors at hand, into `correction`, and its size. */
static dae_status correct(const engine *e, const double *y, const double *yp, double *correction,
                          double *size)
{
    problem *p = e->problem;
    dae_status status = problem_residual(p, e->t, y, yp, correction);
    if (status != DAE_OK) return status;
    problem_solve(p, p->real_slot, correction);
    *size = control_norm(p->n, correction, e->stepping.weight, NULL, 1);
    return isfinite(*size) ? DAE_OK : DAE_NOT_EVALUABLE;
}

static void move(const stepping *a, size_t n, double part, double delta)
{
    for (size_t k = 0; k < n; k++) {
        a->trial[k] = a->y[k] - part * a->previous[k];
        a->trial_yp[k] = a->yp[k] - part * a->previous[k] / delta;
    }
}

/* Makes one damped correction by a->previous, of that size, with the factors of the iterate. It is
 * accepted if the next correction is smaller. */
static dae_status descend(engine *e, double delta, double size)
{
    stepping *a = &e->stepping;
    size_t bytes = e->problem->n * sizeof *a->y;
    double part = 1, next;
    for (int i = 0; i < MOST_HALVINGS; i++, part /= 2) {
        move(a, e->problem->n, part, delta);
        dae_status status = correct(e, a->trial, a->trial_yp, a->correction, &next);
        if (status != DAE_OK && status != DAE_NOT_EVALUABLE) return status;
        if (status != DAE_OK || next > (1 - part / 4) * size) continue;
        memcpy(a->y, a->trial, bytes);
        memcpy(a->yp, a->trial_yp, bytes);
        return DAE_OK;
    }
    return DAE_NEWTON;
}

static dae_status iterate(engine *e, double delta)
{
    stepping *a = &e->stepping;
    problem *p = e->problem;
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        double size;
        dae_status status = problem_linearize(p, e->t, a->y, a->yp);
        if (status == DAE_OK) status = problem_factor(p, p->real_slot, 1 / delta, 1);
        if (status == DAE_OK) status = correct(e, a->y, a->yp, a->previous, &size);
        if (status != DAE_OK) return status;
        if (size < CONVERGED) return DAE_OK;
        status = descend(e, delta, size);
        if (status != DAE_OK) return status;
    }
    return DAE_NEWTON;
}

/* How far differential variables have moved: the part of the whole change that F_y' / delta
 * sees. */
static double moved(engine *e, double delta)
{
    stepping *a = &e->stepping;
    problem *p = e->problem;
    for (size_t k = 0; k < p->n; k++) a->previous[k] = (a->y[k] - e->y[k]) / delta;
    problem_multiply(p, a->previous, a->correction);
    problem_solve(p, p->real_slot, a->correction);
    return control_norm(p->n, a->correction, a->weight, NULL, 1);
}

/* How far all variables have moved. A large move does not lead to a value within the tolerance but
 * to another branch, as beside a fold. */
static double moved_in_all(engine *e)
{
    stepping *a = &e->stepping;
    for (size_t k = 0; k < e->problem->n; k++) a->previous[k] = a->y[k] - e->y[k];
    return control_norm(e->problem->n, a->previous, a->weight, NULL, 1);
}

/* Whether the state does not meet its equations: a row is off by far more than changes of all
 * variables by their tolerances would make it. Then the state lies on no branch that might be
 * left. */
static bool misses(engine *e)
{
    stepping *a = &e->stepping;
    problem *p = e->problem;
    size_t n = p->n;
    double *residual = a->correction, *scale = a->previous, *changed = a->trial_yp;
    if (problem_residual(p, e->t, e->y, e->yp, residual) != DAE_OK) return false;
    memset(scale, 0, n * sizeof *scale);
    for (size_t sample = 0; sample < SAMPLES; sample++) {
        for (size_t k = 0; k < n; k++)
            a->trial[k] = e->y[k] + copysign(1, scattered(sample * n + k)) / a->weight[k];
        if (problem_residual(p, e->t, a->trial, e->yp, changed) != DAE_OK) return false;
        for (size_t k = 0; k < n; k++) scale[k] = fmax(scale[k], fabs(changed[k] - residual[k]));
    }
    for (size_t k = 0; k < n; k++)
        if (scale[k] > 0 && fabs(residual[k]) > MOST_MOVED * scale[k]) return true;
    return false;
}

bool algebraic_start_solve(engine *e, double delta)
{
    stepping *a = &e->stepping;
    const problem *p = e->problem;
    size_t bytes = p->n * sizeof *a->y;
    if (!p->has_real_slot || problem_highest_index(p) > 1) return false;
    memcpy(a->y, e->y, bytes);
    memcpy(a->yp, e->yp, bytes);
    if (iterate(e, delta) != DAE_OK) return false;
    if (!(moved(e, delta) < 1)) return false;
    double all = moved_in_all(e);
    if (all < LEAST_MOVED || (!(all < MOST_MOVED) && !misses(e))) return false;
    memcpy(e->y, a->y, bytes);
    memcpy(e->yp, a->yp, bytes);
    return true;
}
