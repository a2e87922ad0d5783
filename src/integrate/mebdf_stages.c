/* The three stages of a step of modified extended BDF, each an equation F(t, Y + x, Y' + c x) = 0
 * in x with the same c = H_k / h:
 *
 *   1. BDF to t + h:      Y, Y' are those of the polynomial of degree k through the last points;
 *   2. BDF to t + 2 h:    the same, the result of stage 1 being the last point;
 *   3. the corrected end: Y is the result of stage 1, Y' its slope less c times the correction of
 *                         mebdf_formula.h times x of stage 2. */
#include "integrate/mebdf_parts.h"

#include <math.h>
#include <string.h>
#include <stdio.h>
double tune(const char *name, double value);

/* Solve for x, which holds a first guess. */
static dae_status solve(mebdf *e, double t, double h, double *x, double *y, double *slope)
{
    size_t n = e->past.n;
    double c = e->formula[e->steps].leading / h;
    const corrector_point at = {.t = t,
                                .h = h,
                                .c = c,
                                .predicted = e->guess,
                                .slope = e->guess_slope,
                                .weight = e->stepping.weight,
                                .trouble = &e->base.trouble};
    for (size_t k = 0; k < n; k++) {
        e->guess[k] += x[k];
        e->guess_slope[k] += c * x[k];
    }
    size_t before = e->corrector.all_iterations;
    e->corrector.newton.expected = fmax(tune("FLOOR", 0.15), fmin(0.5, e->rate));
    dae_status status = corrector_solve(&e->corrector, &at, e->error, y, slope);
    if (tune("TRACE", 0) > 1) fprintf(stderr, "IT %d %zu xcorr %.3g k=%d steady %d guess %d\n", x == e->first_change ? 1 : x == e->second_change ? 2 : 3, e->corrector.all_iterations - before, corrector_norm(&e->corrector, e->error, e->stepping.weight, h), e->steps, e->steady, e->has_guess);
    e->base.counts.newton_iterations += e->corrector.all_iterations - before;
    if (e->corrector.newton.iterations > 1) e->rate = e->corrector.newton.rate;
    for (size_t k = 0; k < n; k++) x[k] += e->error[k];
    return status;
}

/* Where the last step was like this one, its stage 2 has been at this point; since then the newest
 * point has moved by the correction, which stiff components hardly see and others by its
 * coefficient in BDF, k / H_k. */
dae_status mebdf_solve_first(mebdf *e, double h)
{
    size_t n = e->past.n;
    memcpy(e->last_change, e->first_change, n * sizeof(double));
    double *x = e->first_change, moved = e->steps / e->formula[e->steps].leading;
    history_evaluate(&e->past, e->steps, 1, e->guess, e->guess_slope);
    memcpy(e->predicted, e->guess, n * sizeof *e->predicted);
    for (size_t k = 0; k < n; k++)
        x[k] = e->has_guess ? e->second[k] + moved * e->correction[k] - e->predicted[k] : 0;
    return solve(e, e->base.t + h, h, x, e->first, e->first_slope);
}

/* The polynomial at s = 2, with the result of stage 1: (k + 1) and ((k + 1) H_k - k) are what
 * nabla^(k+1) adds to its values and to its slopes. */
static dae_status solve_second(mebdf *e, double h)
{
    double steps = e->steps, value = steps + 1;
    double slope = (value * e->formula[e->steps].leading - steps) / h;
    double *x = e->second_change;
    bool g2 = tune("G2", 1), g3 = tune("G3", 1);
    e->had_guess = e->has_guess;
    if (!g3) memset(e->correction, 0, e->past.n * sizeof(double));
    history_evaluate(&e->past, e->steps, 2, e->guess, e->guess_slope);
    for (size_t k = 0; k < e->past.n; k++) {
        e->guess[k] += value * e->first_change[k];
        e->guess_slope[k] += slope * e->first_change[k];
        x[k] = e->first_change[k] + (e->had_guess && g2 ? x[k] - e->last_change[k] : 0);
    }
    double tol = e->corrector.newton.tolerance;
    e->corrector.newton.tolerance *= fmax(1, tune("T2", 0.5) / -e->formula[e->steps].correction);
    dae_status status = solve(e, e->base.t + 2 * h, h, x, e->second, e->second_slope);
    e->corrector.newton.tolerance = tol;
    return status;
}

static dae_status solve_third(mebdf *e, double h)
{
    const mebdf_formula *f = &e->formula[e->steps];
    for (size_t k = 0; k < e->past.n; k++) {
        e->guess[k] = e->first[k];
        e->guess_slope[k] = e->first_slope[k] -
                            f->leading / h * f->correction * e->second_change[k];
        if (!e->had_guess) e->correction[k] = 0;
    }
    return solve(e, e->base.t + h, h, e->correction, e->end, e->end_slope);
}

dae_status mebdf_solve_others(mebdf *e, double h)
{
    dae_status status = solve_second(e, h);
    return status == DAE_OK ? solve_third(e, h) : status;
}
