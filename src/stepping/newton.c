#include "stepping/newton.h"
#include "base/round_off.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { MOST_ITERATIONS_TIGHT = 50, PATIENCE = 3 };

/* Corrections of this size relative to the variables are round-off. */

/* Beside stiff equations round-off is larger. An iteration whose corrections hardly shrink below
 * this part of the tolerance has reached round-off, and shorter steps would not reduce it. */
static const double HEADWAY = 0.95, SMALL = 0.01;

/* The same of the norm where tolerances have been raised to a multiple of the noise of the
 * equations (stepping.c): corrections below this part of them are that noise. */
static const double NOISE = 0.1;

/* Smaller rates are not believed: a rate found from corrections far beyond the tolerance says
 * nothing about convergence near the solution. */
static const double LEAST_RATE = 1e-3;

/* If a rate is this much smaller than the one before, it is no rate of convergence: the earlier
 * corrections had another cause. Then the larger of the two rates is used, up to MOST_BELIEVED. */
static const double SUDDEN = 0.01, MOST_BELIEVED = 0.9;

/* The first corrections may grow: they put positions right. Only after that can velocities and
 * multipliers follow, whose errors are those of positions divided by h and h^2. */
static const double FIRST_RATE = 2;

/* An iteration down to round-off ends if corrections have found no new minimum in PATIENCE
 * iterations and the minimum is below this size: on index 3 round-off is amplified by h^-2. Below
 * ROUND_OFF_ITERATED one correction that is no smaller is enough. */
static const double STAGNATION = 1e-6;

/* Whether the iteration will converge in time at its rate. If not, suggests a step with which it
 * might. */
static bool will_converge(newton *w, int left, double size)
{
    double expected = pow(w->rate, left) / (1 - w->rate) * size / w->tolerance;
    if (expected < 1) return true;
    double q = fmax(1e-4, fmin(20, expected));
    w->suggested = 0.8 * pow(q, -1.0 / (4 + left));
    return false;
}

/* RADAU5's FNEWT; and by how much the tolerance stays above round-off. */
static const double LARGEST_SHARE = 0.03, ABOVE_ROUND_OFF = 10;

void newton_hold(newton *w, double rtol, double share)
{
    if (share == NEWTON_OF_STAGES) share = fmin(LARGEST_SHARE, sqrt(rtol));
    w->rtol = rtol;
    w->tolerance = fmax(ABOVE_ROUND_OFF * DBL_EPSILON / rtol, share);
}

/* The size below which corrections that hardly shrink are only round-off. */
static double round_off_of(const newton *w)
{
    return fmax(ROUND_OFF_ITERATED / w->rtol, w->noisy && *w->noisy ? NOISE : 0);
}

static dae_status iterate(newton *w, newton_correction correct, void *self)
{
    int most = NEWTON_MOST_ITERATIONS + w->more;
    double size = 0, last = 0, last_rate = 0;
    double eta = w->expected > 0 ? w->expected / (1 - w->expected) : 1; /* rate / (1 - rate) */
    w->suggested = 0;
    w->rate = 0;
    for (w->iterations = 1; w->iterations <= most; w->iterations++) {
        dae_status status = correct(self, &size);
        if (status != DAE_OK) return status;
        if (size == 0) return DAE_OK;
        if (w->iterations > 1) {
            double rate = size / last;
            w->rate = w->iterations == 2 ? rate : sqrt(rate * last_rate);
            bool sudden = w->iterations > 2 && rate < SUDDEN * last_rate;
            double before = last_rate;
            last_rate = rate;
            bool stays = w->iterations > 2 && size >= HEADWAY * last;
            if (size >= 0.5 * last && size < round_off_of(w))
                return DAE_OK; /* corrections no longer shrink: only round-off is left */
            if (stays && fmax(size, last) < SMALL) return DAE_OK;
            if (w->rate >= (w->iterations == 2 ? FIRST_RATE : 0.99)) break;
            double believed = fmax(w->rate, fmax(w->least, LEAST_RATE));
            if (sudden) believed = fmax(believed, fmin(before, MOST_BELIEVED));
            eta = believed < 1 ? believed / (1 - believed) : HUGE_VAL;
            if (w->iterations > 2 && w->iterations < most &&
                !will_converge(w, most - 1 - w->iterations, size))
                break;
        }
        last = size;
        if (eta * size <= w->tolerance) return DAE_OK;
    }
    return DAE_NEWTON;
}

static dae_status iterate_exactly(newton *w, newton_correction correct, void *self)
{
    double size = 0, least = HUGE_VAL, first = 0;
    int stale = 0;
    w->suggested = 0;
    for (w->iterations = 1; w->iterations <= MOST_ITERATIONS_TIGHT; w->iterations++) {
        dae_status status = correct(self, &size);
        if (status != DAE_OK) return status;
        if (size < DBL_EPSILON) return DAE_OK;
        if (w->iterations == 1) first = size;
        stale = size < 0.9 * least ? 0 : stale + 1;
        least = fmin(least, size);
        if (stale >= PATIENCE && least < STAGNATION) return DAE_OK;
        if (stale > 0 && least < ROUND_OFF_ITERATED) return DAE_OK;
        if (size > 1e3 * first) break; /* it runs away */
    }
    return DAE_NEWTON;
}

dae_status newton_solve(newton *w, newton_correction correct, void *self)
{
    dae_status status = (w->exactly ? iterate_exactly : iterate)(w, correct, self);
    if (w->count) *w->count += (size_t)w->iterations;
    return status;
}

void newton_state(newton *w, state_visit *s)
{
    STATE_MEMBERS(s, newton, w, exactly, count);
}

void newton_shorten(const newton *w, dae_status status, double *factor)
{
    if (status == DAE_NEWTON && w->suggested > 0) *factor = fmin(0.5, fmax(0.1, w->suggested));
}

void failure_of_problem(step_failure *failure, const problem *p, dae_status cause)
{
    failure->cause = cause;
    failure->worst = p->bad_column;
    failure->worst_row = p->bad_row;
}

void failure_find_variable(step_failure *failure, size_t n, int stages, const double *x,
                           const double *weight)
{
    double worst = -1;
    for (size_t k = 0; k < n * (size_t)stages; k++) {
        double part = fabs(x[k]) * weight[k % n];
        if (part > worst) worst = part, failure->worst = k % n;
    }
}

void failure_of_newton(step_failure *failure, const problem *p, int stages,
                       const double *correction, const double *weight, const double *residual)
{
    size_t all = p->n * (size_t)stages;
    double worst = -1;
    failure_of_problem(failure, p, DAE_NEWTON);
    failure->worst = 0; /* where no correction is a number */
    if (residual || failure->worst_row == PROBLEM_NOWHERE) failure->worst_row = 0;
    failure_find_variable(failure, p->n, stages, correction, weight);
    for (size_t k = 0; residual && k < all; k++) {
        if (!p->form->occurs(p->self, k % p->n, failure->worst)) continue;
        if (fabs(residual[k]) > worst) worst = fabs(residual[k]), failure->worst_row = k % p->n;
    }
}
