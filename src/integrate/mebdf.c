#include "integrate/bdf_parts.h"

#include <math.h>
#include <string.h>

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
    e->order = e->starter.engine ? e->most : 1;
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

/* The end of the step and its error, 1 being the limit. Nothing is evaluated beyond the end of the
 * run. There the step is one of BDF, whose error is the one that is estimated. */
static dae_status solve(bdf *e, double h, bool last, double *size)
{
    size_t n = e->past.n;
    dae_status status = mebdf_solve_first(e, h);
    if (status != DAE_OK) return status;
    *size = bdf_size(e, e->order, e->change);
    if (!(*size < 1) && !e->starter.engine) return DAE_OK;
    if (!last) {
        status = mebdf_solve_others(e, h);
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
static void begin_anew(bdf *e, double h)
{
    size_t n = e->past.n;
    memcpy(e->end, e->first, n * sizeof *e->end);
    memcpy(e->end_yp, e->first_yp, n * sizeof *e->end_yp);
    accept(e);
    engine_polynomial(&e->base);
    e->order = 1;
    e->steady = e->unsteady = 0;
    e->has_guess = false;
    for (size_t k = 0; k < n; k++) e->guess_yp[k] = e->base.problem->dynamic[k] ? e->base.yp[k] : 0;
    history_start(&e->past, e->base.t, h, e->base.y, e->guess_yp);
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
    mebdf_retreat(e, size);
}

static dae_status attempt_fixed(bdf *e, double h, bool last, bool *accepted)
{
    double unused;
    bool starts = mebdf_is_to_start(e, h);
    if (!starts) bdf_align(e, h);
    dae_status status = starts ? mebdf_begin(e, h) : solve(e, h, last, &unused);
    *accepted = status == DAE_OK;
    if (*accepted && !starts) accept(e);
    return status;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    bdf *e = (bdf *)base;
    double size = 0;
    if (e->starter.engine) return attempt_fixed(e, h, last, accepted);
    bdf_align(e, h);
    dae_status status = solve(e, h, last, &size);
    if (status != DAE_OK) return status;
    *accepted = size < 1;
    if (*accepted) {
        accept(e);
        base->stepping.step = last ? fmin(e->base.stepping.step, GROWTH_AFTER_CUT * fabs(h))
                                   : fabs(h);
        bdf_look_back(e);
        mebdf_choose(e, size, last);
        return DAE_OK;
    }
    stepping_blame_error(base, h, size, e->error);
    *accepted = is_jump(e, h, size);
    if (*accepted)
        begin_anew(e, h);
    else
        reject(e, size);
    return DAE_OK;
}

static void shortened(engine *base, dae_status status, double *factor)
{
    bdf *e = (bdf *)base;
    corrector_shorten(&e->corrector, status, factor);
    e->failures++;
    e->has_guess = false;
}

/* If one step does not reach the end and two would pass it, two equal steps are made. */
static void prepare(engine *base, double t_end)
{
    bdf *e = (bdf *)base;
    const engine_options *o = &base->options;
    double left = fabs(t_end - base->t), h = base->stepping.step;
    e->t_end = t_end;
    if (e->starter.engine) return;
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
    e->starts_with = fixed ? starter_name(base->problem, e->most + 1) : NULL;
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
    .release = bdf_release,
    .start = mebdf_start,
    .begin = prepare,
    .attempt = attempt,
    .shortened = shortened,
    .replace = bdf_replace,
    .carry = bdf_carry,
    .interpolate = bdf_interpolate,
    .lend = bdf_lend,
    .state = bdf_state,
};
