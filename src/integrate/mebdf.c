#include "base/round_off.h"
#include "integrate/bdf_parts.h"

#include <math.h>
#include <string.h>

mebdf_formula mebdf_formula_make(int steps)
{
    double sum = 0, k = steps;
    for (int j = 1; j <= steps; j++) sum += 1.0 / j;
    /* next = -1 for the moment: nabla^(k+1) vanishes if now / (k+1) = H_(k+1); the coefficient of
     * y_(n+1) is now H_k - (H_1 + ... + H_k) = now H_k - ((k+1) H_(k+1) - (k+1)) */
    double now = (k + 1) * sum + 1;
    double whole = now * sum - (now - (k + 1));
    return (mebdf_formula){.steps = steps,
                           .leading = sum,
                           .now = now / whole,
                           .next = -1 / whole,
                           .correction = -sum / whole,
                           .error = 1 / (1 + (k + 1) * sum)};
}

static bool is_fixed(const bdf *e)
{
    return e->base.options.fixed_step > 0;
}

/* --- stages and start --- */

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

static double time_after(const bdf *e, double h)
{
    double t = e->base.t + h;
    return (t - e->t_end) * h > 0 ? e->t_end : t;
}

/* Solves for x, which holds a first guess; e->guess and e->guess_yp hold Y and Y'. */
static dae_status solve_stage(bdf *e, double t, double h, double *x, double *y, double *yp)
{
    double c = e->formula[e->order].leading / h;
    for (size_t k = 0; k < e->past.n; k++) {
        e->guess[k] += x[k];
        e->guess_yp[k] += c * x[k];
    }
    return bdf_solve(e, t, h, true, x, y, yp);
}

/* If the last step had this formula and spacing, its stage 2 has already solved at this point.
 * Since then the newest point has moved by the correction. Stiff components hardly respond to that;
 * the others respond with the coefficient of this point in BDF, k / H_k. */
static dae_status solve_first(bdf *e, double h)
{
    size_t n = e->past.n;
    double *x = e->change, moved = e->order / e->formula[e->order].leading;
    history_evaluate(&e->past, e->order, 1, e->guess, e->guess_yp);
    memcpy(e->predicted, e->guess, n * sizeof *e->predicted);
    memcpy(e->last_change, x, n * sizeof *x);
    for (size_t k = 0; k < n; k++)
        x[k] = e->has_guess ? e->second[k] + moved * e->correction[k] - e->predicted[k] : 0;
    e->corrector.newton.tolerance = e->tolerance;
    return solve_stage(e, time_after(e, h), h, x, e->first, e->first_yp);
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
    return solve_stage(e, time_after(e, 2 * h), h, x, e->second, e->second_yp);
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
    return solve_stage(e, time_after(e, h), h, e->correction, e->end, e->end_yp);
}

static dae_status solve_others(bdf *e, double h)
{
    dae_status status = solve_second(e, h);
    if (status == DAE_OK) status = solve_third(e, h);
    e->has_guess = status == DAE_OK;
    return status;
}

/* How modified extended BDF starts with fixed steps: by a method of Radau IIA with the same step.
 */

/* Whether the run ends between the two points of a step and a second one. The second stage would be
 * solved at the end in place of the second point, and the step would lose its order. */
static bool passes_end(const bdf *e, double h)
{
    double left = (e->t_end - e->base.t) / h;
    return left > 1 + ROUND_OFF_AMPLIFIED && left < 2 - ROUND_OFF_AMPLIFIED;
}

/* k points have to lie at the spacing h. A shorter step at the end makes them useless. */
static bool is_to_start(const bdf *e, double h)
{
    return is_fixed(e) && (e->points < e->most || passes_end(e, h) ||
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

static dae_status begin(bdf *e, double h)
{
    engine *base = &e->base;
    const engine *s = e->base.starter.engine;
    bool whole = fabs(h) >= (1 - ROUND_OFF_AMPLIFIED) * base->options.fixed_step;
    dae_status status = starter_step(base, &e->corrector, time_after(e, h));
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

/* --- order and step --- */

/* The step length that an error allows is divided by these: for a formula of one step less, of as
 * many, and of one more (Cash & Considine 1992). */
static const double FEWER_CAUTION = 1.6, CAUTION = 1.5, MORE_CAUTION = 1.7;

/* Bounds for the factor of a step: when it grows, and when it shrinks after a failure. Smaller
 * changes are not made, because the matrix serves as long as steps change little. */
static const double LEAST_GROWTH = 1.05, MOST_GROWTH = 8, LEAST_SHRINKING = 0.9,
                    MOST_SHRINKING = 0.1;

enum {
    WAIT = 2,    /* step or order change only after this many steps more than the formula has */
    PATIENCE = 3 /* after this many failures without steady points in between, the order falls */
};

/* The factor by which a step with an error of that size can grow. */
static double factor_for(int steps, double size, double caution)
{
    return bdf_longest(steps, size) / caution;
}

/* The factor to the longest step, and the steps of the formula that allows it. */
static double find_longest(bdf *e, double size, int *steps)
{
    int k = e->order;
    double factor = factor_for(k, size, CAUTION);
    *steps = k;
    if (k > 1) {
        double fewer = factor_for(k - 1, bdf_size(e, k - 1, history_row(&e->past, k)),
                                  FEWER_CAUTION);
        if (fewer > factor) factor = fewer, *steps = k - 1;
    }
    if (k < e->most && e->past.known >= k + 2) {
        double more = factor_for(k + 1, bdf_size(e, k + 1, history_row(&e->past, k + 2)),
                                 MORE_CAUTION);
        if (more > factor) factor = more, *steps = k + 1;
    }
    return factor;
}

/* If a formula with fewer steps would do as well, it is taken even where h stays the same.
 * Otherwise a step bounded by the stability of a high order would stay bounded by it. */
static void choose(bdf *e, double size, bool last)
{
    int steps;
    if (e->steady < e->order + WAIT) {
        if (last) stepping_pass_end(&e->base, e->past.h, factor_for(e->order, size, CAUTION));
        return;
    }
    double factor = find_longest(e, size, &steps);
    if (factor < LEAST_SHRINKING || factor > LEAST_GROWTH)
        bdf_change(e, steps, fmin(MOST_GROWTH, factor));
    else if (steps < e->order)
        bdf_change(e, steps, 1);
}

/* After repeated interpolation to ever shorter spacings, the high differences of the points no
 * longer fall with the spacing. */
static void retreat(bdf *e, double size)
{
    int k = e->order, steps = k;
    double factor = factor_for(k, size, CAUTION);
    e->unsteady++;
    if (k > 1) {
        const double *newest = history_row(&e->past, k);
        for (size_t i = 0; i < e->past.n; i++) e->guess[i] = newest[i] + e->change[i];
        double fewer = factor_for(k - 1, bdf_size(e, k - 1, e->guess), FEWER_CAUTION);
        if (fewer > factor || e->unsteady > PATIENCE) factor = fewer, steps--;
    }
    if (e->failures > 1) factor = fmin(factor, 0.5);
    bdf_change(e, steps, fmax(MOST_SHRINKING, fmin(factor, LEAST_SHRINKING)));
}

/* --- the engine --- */

/* A step that passes the end by no more than this part of itself does so through round-off. */
static const double BEYOND = 1e-6;

/* The share of the tolerance that Newton's iteration may leave. It is smaller for index 3, where
 * velocities and multipliers follow from positions by division by h and h^2. */
static const double NEWTON_SHARE = 0.05, NEWTON_SHARE_OF_INDEX_3 = 0.005;

/* The step after one that was cut short is at most this many times as long, because differences of
 * points close together do not predict a longer step. */
static const double GROWTH_AFTER_CUT = 2;

/* The errors of two steps can be compared only if one is at most this part of the other. */
static const double TELLS = 0.2;

static void mebdf_start(engine *base)
{
    bdf *e = (bdf *)base;
    e->order = is_fixed(e) ? e->most : 1;
    e->points = 1;
    e->failed_step = 0;
    e->has_guess = false;
    bdf_begin(e);
    history_start(&e->past, base->t, base->stepping.step * base->options.direction, base->y,
                  base->yp);
}

static void accept(bdf *e)
{
    double t = e->base.t;
    int degree = e->past.known <= e->order ? e->past.known + 1 : e->order + 1;
    for (size_t k = 0; k < e->past.n; k++) e->guess[k] = e->end[k] - e->predicted[k];
    bdf_accept(e, e->guess, degree);
    e->base.dense.t = t;
}

/* A first step of no more than this many roundings of the time can hardly be shorter. By how much
 * algebraic variables change over it is then no error, only by how much they bend. In longer ones
 * the change counts: first steps, which are of order 1, would hide flights between impacts. */
static const double SHORT_FIRST = 1e4;

/* The size of the error of stage 1. */
static double size_of_first(bdf *e, double h)
{
    double size = bdf_size(e, e->order, e->change);
    bool begins = e->past.known == 1 && !is_fixed(e);
    bool is_short = fabs(h) <= SHORT_FIRST * ROUND_OFF_VALUE * fabs(e->base.t);
    return !(size < 1) && begins && is_short ? bdf_size_of_step(e) : size;
}

/* The end of the step and its error, 1 being the limit. Nothing is evaluated beyond the end of the
 * run. There the step is one of BDF, whose error is the one that is estimated. */
static dae_status solve(bdf *e, double h, bool last, double *size)
{
    size_t n = e->past.n;
    dae_status status = solve_first(e, h);
    if (status != DAE_OK) return status;
    *size = size_of_first(e, h);
    if (!(*size < 1) && !is_fixed(e)) return DAE_OK;
    if (!last) {
        status = solve_others(e, h);
        if (status != DAE_OK) return status;
        /* The correction by stage 3 is an error of stage 1 as well. It also sees what stage 2 has
         * met beyond the step. */
        double corrected = corrector_norm(&e->corrector, e->correction, h);
        control_raise(n, corrected, e->correction, size, e->error);
        return DAE_OK;
    }
    e->has_guess = false;
    memcpy(e->end, e->first, n * sizeof *e->end);
    memcpy(e->end_yp, e->first_yp, n * sizeof *e->end_yp);
    return DAE_OK;
}

/* Whether an error of a longer step that covers this one has not fallen with the step, and is one
 * of algebraic variables alone. The algebraic variables at the end follow from the other variables
 * there, in whatever way these got their values. An error that grows may be caused by an error of
 * those variables, unless that is far too small. */
static bool is_jump(bdf *e, double h, double size)
{
    static const double MOST_MADE = 1e7;
    bool within = fabs(e->base.t + h - e->failed_from) <= fabs(e->failed_step);
    bool falls = size < 0.5 * e->failed_size || fabs(h) > TELLS * fabs(e->failed_step);
    if (!within || falls) return false;
    double others = corrector_norm_of_dynamic(&e->corrector, e->error, h);
    return others < 1 && (size < 2 * e->failed_size || others * MOST_MADE < size);
}

/* The end of stage 1 meets the equations, so the history starts anew from there. */
static void begin_anew(bdf *e)
{
    size_t n = e->past.n;
    memcpy(e->end, e->first, n * sizeof *e->end);
    memcpy(e->end_yp, e->first_yp, n * sizeof *e->end_yp);
    accept(e);
    for (size_t k = 0; k < n; k++) e->guess_yp[k] = e->base.problem->dynamic[k] ? e->base.yp[k] : 0;
    bdf_begin_history(e);
}

static void reject(bdf *e, double size)
{
    bool report = fabs(e->past.h) <= TELLS * fabs(e->failed_step);
    if (e->failures == 0 || e->failed_step == 0 || report) {
        e->failed_from = e->base.t;
        e->failed_step = e->past.h;
        e->failed_size = size;
    }
    corrector_reject(&e->corrector);
    e->base.counts.rejected++;
    e->failures++;
    retreat(e, size);
    bdf_lead_again(e);
}

static dae_status attempt_fixed(bdf *e, double h, bool last, bool *accepted)
{
    double unused;
    bool starts = is_to_start(e, h);
    if (!starts) bdf_align(e, h);
    dae_status status = starts ? begin(e, h) : solve(e, h, last, &unused);
    *accepted = status == DAE_OK;
    if (*accepted && !starts) accept(e);
    return status;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    bdf *e = (bdf *)base;
    double size = 0;
    if (is_fixed(e)) return attempt_fixed(e, h, last, accepted);
    bdf_align(e, h);
    dae_status status = solve(e, h, last, &size);
    if (status != DAE_OK) return status;
    *accepted = size < 1;
    if (*accepted) {
        accept(e);
        base->stepping.step = last ? fmin(e->base.stepping.step, GROWTH_AFTER_CUT * fabs(h))
                                   : fabs(h);
        bdf_look_back(e);
        choose(e, size, last);
        return DAE_OK;
    }
    stepping_blame_error(base, h, size, e->error);
    *accepted = is_jump(e, h, size);
    if (*accepted)
        begin_anew(e);
    else
        reject(e, size);
    return DAE_OK;
}

/* If one step does not reach the end and two would pass it, two equal steps are made. */
static void prepare(engine *base, double t_end)
{
    bdf *e = (bdf *)base;
    const engine_options *o = &base->options;
    e->t_end = t_end;
    bdf_end_leading(e, t_end);
    double left = fabs(t_end - base->t), h = base->stepping.step;
    if (is_fixed(e) || e->leads) return;
    if (o->max_step > 0) h = fmin(h, o->max_step);
    if (1.01 * h < left && 2 * h > (1 + BEYOND) * left) e->base.stepping.step = left / 2;
}

/* A formula of k steps is of order k + 1. */
static void make_formulas(bdf *e, const method *which)
{
    int order = which->multistep->steps, most = e->base.options.max_order;
    if (most > 0 && most < order) order = most;
    e->most = order > 2 ? order - 1 : 1;
    e->base.next.degree = e->most + 1;
    for (int k = 1; k <= e->most; k++) e->formula[k] = mebdf_formula_make(k);
}

static dae_status mebdf_create(engine *base, const method *which, message *m)
{
    (void)m;
    bdf *e = (bdf *)base;
    bool fixed = base->options.fixed_step > 0, third = problem_highest_index(base->problem) > 2;
    make_formulas(e, which);
    stepping_hold_differences(base, e->most, e->most + 1);
    corrector_hold(&e->corrector, base);
    e->corrector.expects = true;
    e->tolerance = third ? NEWTON_SHARE_OF_INDEX_3 : NEWTON_SHARE;
    e->caution = CAUTION;
    if (fixed) e->starts_with = starter_name(base->problem, e->most + 1);
    if (!fixed && bdf_leads_ever(e)) e->starts_with = BDF_STARTER;
    return DAE_OK;
}

static void mebdf_carve(engine *base, workspace *space)
{
    bdf *e = (bdf *)base;
    bdf_carve(base, space);
    workspace_vectors(space, base->problem->n,
                      (double **[]){&e->predicted, &e->last_change, &e->first, &e->first_yp,
                                    &e->second, &e->second_yp, &e->second_change, &e->correction,
                                    NULL});
}

const engine_ops mebdf_engine = {
    .size = sizeof(bdf),
    .create = mebdf_create,
    .carve = mebdf_carve,
    .reserve = bdf_reserve,
    .start = mebdf_start,
    .begin = prepare,
    .lead = bdf_lead,
    .attempt = attempt,
    .shortened = bdf_shortened,
    .follow = bdf_follow,
    .replace = bdf_replace,
    .carry = bdf_carry,
    .interpolate = bdf_interpolate,
    .lend = bdf_lend,
    .state = bdf_state,
};
