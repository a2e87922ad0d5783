#include "base/round_off.h"
#include "integrate/bdf_parts.h"

#include <math.h>
#include <string.h>

/* The three stages of a step of modified extended BDF, each an equation F(t, Y + x, Y' + c x) = 0
 * in x with the same c = H_k / h:
 *
 *   1. BDF to t + h:    Y and Y' are those of the polynomial of degree k through the last points;
 *   2. BDF to t + 2 h:  the same, the result of stage 1 being the last point;
 *   3. to t + h again:  Y is the result of stage 1, Y' its derivative less c times the correction
 * of bdf_parts.h times x of stage 2. */

/* Only the part `correction` of stage 2 enters the result. There its iteration may leave this share
 * of the tolerance. */
static const double SECOND_SHARE = 0.5;

double mebdf_time_after(const bdf *e, double h)
{
    double t = e->base.t + h;
    return (t - e->t_end) * h > 0 ? e->t_end : t;
}

/* Solves for x, which holds a first guess; e->guess and e->guess_yp hold Y and Y'. */
static dae_status solve(bdf *e, double t, double h, double *x, double *y, double *yp)
{
    size_t n = e->past.n;
    double c = e->formula[e->order].leading / h;
    const corrector_point at = {.t = t,
                                .h = h,
                                .c = c,
                                .predicted = e->guess,
                                .yp = e->guess_yp,
                                .change = e->error,
                                .end = y,
                                .end_yp = yp};
    for (size_t k = 0; k < n; k++) {
        e->guess[k] += x[k];
        e->guess_yp[k] += c * x[k];
    }
    dae_status status = DAE_NEWTON;
    int most = e->failures < BDF_MOST_ANEW ? e->failures : BDF_MOST_ANEW;
    for (int anew = 0; status == DAE_NEWTON && anew <= most; anew++) {
        if (anew > 0) bdf_go_on_from(e, y, yp);
        status = corrector_solve(&e->corrector, &at);
        for (size_t k = 0; k < n; k++) x[k] += e->error[k];
    }
    return status;
}

/* If the last step had this formula and spacing, its stage 2 has already solved at this point.
 * Since then the newest point has moved by the correction. Stiff components hardly respond to that;
 * the others respond with the coefficient of this point in BDF, k / H_k. */
dae_status mebdf_solve_first(bdf *e, double h)
{
    size_t n = e->past.n;
    double *x = e->change, moved = e->order / e->formula[e->order].leading;
    history_evaluate(&e->past, e->order, 1, e->guess, e->guess_yp);
    memcpy(e->predicted, e->guess, n * sizeof *e->predicted);
    memcpy(e->last_change, x, n * sizeof *x);
    for (size_t k = 0; k < n; k++)
        x[k] = e->has_guess ? e->second[k] + moved * e->correction[k] - e->predicted[k] : 0;
    e->corrector.newton.tolerance = e->tolerance;
    return solve(e, mebdf_time_after(e, h), h, x, e->first, e->first_yp);
}

/* Continues the polynomial by one step, with the result of stage 1. Its nabla^(k+1) adds k + 1
 * times itself to the values and ((k + 1) H_k - k) / h times itself to the derivatives. */
static dae_status solve_second(bdf *e, double h)
{
    const mebdf_formula *f = &e->formula[e->order];
    double value = f->steps + 1, yp = (value * f->leading - f->steps) / h;
    double *x = e->second_change;
    history_evaluate(&e->past, e->order, 2, e->guess, e->guess_yp);
    for (size_t k = 0; k < e->past.n; k++) {
        e->guess[k] += value * e->change[k];
        e->guess_yp[k] += yp * e->change[k];
        x[k] = e->change[k] + (e->has_guess ? x[k] - e->last_change[k] : 0);
    }
    e->corrector.newton.tolerance = e->tolerance * fmax(1, SECOND_SHARE / fabs(f->correction));
    return solve(e, mebdf_time_after(e, 2 * h), h, x, e->second, e->second_yp);
}

static dae_status solve_third(bdf *e, double h)
{
    const mebdf_formula *f = &e->formula[e->order];
    for (size_t k = 0; k < e->past.n; k++) {
        e->guess[k] = e->first[k];
        e->guess_yp[k] = e->first_yp[k] - f->leading / h * f->correction * e->second_change[k];
        if (!e->has_guess) e->correction[k] = 0;
    }
    e->corrector.newton.tolerance = e->tolerance;
    return solve(e, mebdf_time_after(e, h), h, e->correction, e->end, e->end_yp);
}

dae_status mebdf_solve_others(bdf *e, double h)
{
    dae_status status = solve_second(e, h);
    if (status == DAE_OK) status = solve_third(e, h);
    e->has_guess = status == DAE_OK;
    return status;
}

/* How modified extended BDF starts with fixed steps: by a method of Radau IIA with the same step.
 */

/* k points have to lie at the spacing h. A shorter step at the end makes them useless. */
bool mebdf_is_to_start(const bdf *e, double h)
{
    return e->starter.engine && (e->points < e->most ||
                                 fabs(h) < (1 - ROUND_OFF_AMPLIFIED) * e->base.options.fixed_step);
}

static void add_point(bdf *e)
{
    size_t n = e->past.n;
    int order = e->points < e->most ? e->points : e->most;
    history_evaluate(&e->past, order, 1, e->predicted, NULL);
    for (size_t k = 0; k < n; k++) e->guess[k] = e->base.y[k] - e->predicted[k];
    history_advance(&e->past, order, e->guess);
    e->past.t = e->base.t;
    e->points++;
}

dae_status mebdf_begin(bdf *e, double h)
{
    engine *base = &e->base;
    const engine *s = e->starter.engine;
    bool whole = fabs(h) >= (1 - ROUND_OFF_AMPLIFIED) * base->options.fixed_step;
    dae_status status = starter_step(&e->starter, base, &e->corrector, mebdf_time_after(e, h));
    if (status != DAE_OK) return status;
    if (e->points == 1) {
        history_start(&e->past, base->t, h, base->y, base->yp);
        e->past.known = 0; /* the derivative is not a point */
    }
    engine_arrive(base, base->t + h, s->y, s->yp);
    if (whole)
        add_point(e);
    else
        e->points = 1;
    return DAE_OK;
}
