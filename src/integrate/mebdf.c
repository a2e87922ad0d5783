#include "integrate/engines.h"

#include "integrate/mebdf_parts.h"

#include <math.h>
#include <stdlib.h>
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

/* The values of derivatives that no equation determines are dropped. */
static void mebdf_start(engine *base)
{
    mebdf *e = (mebdf *)base;
    engine_forget_yp(base);
    e->steps = e->starter.engine ? e->most : 1;
    e->points = 1;
    e->steady = e->failures = e->unsteady = 0;
    e->failed_step = 0;
    e->has_guess = false;
    corrector_restart(&e->corrector);
    stepping_start(&e->stepping, base);
    history_start(&e->past, base->t, e->stepping.step * base->options.direction, base->y, base->yp);
}

/* Moves the points of the history to the spacing h, and the newest one to the engine's time. */
static void align(mebdf *e, double h)
{
    if (e->past.h != h) {
        engine_polynomial(&e->base);
        if (history_respace(&e->past, e->steps, h)) e->steady = 0;
        e->has_guess = false;
    }
    e->past.t = e->base.t;
}

static void accept(mebdf *e, double h)
{
    engine *base = &e->base;
    size_t n = base->problem->n;
    int degree = e->past.known <= e->steps ? e->past.known + 1 : e->steps + 1;
    for (size_t k = 0; k < n; k++) e->guess[k] = e->end[k] - e->predicted[k];
    history_advance(&e->past, e->steps, e->guess);
    base->dense = e->polynomial;
    base->dense.t = base->t;
    base->dense.h = e->past.h;
    base->dense.degree = degree;
    base->interpolates = true;
    memcpy(base->y, e->end, n * sizeof *e->end);
    memcpy(base->yp, e->end_yp, n * sizeof *e->end_yp);
    base->t += h;
    base->counts.steps++;
    corrector_leave(&e->corrector);
    e->steady++;
    if (e->steady > e->steps) e->unsteady = 0;
    e->failures = 0;
}

/* The correction by stage 3 is an error of stage 1 as well. It also sees what stage 2 has met
 * beyond the step. */
static void judge_correction(mebdf *e, double h, double *size)
{
    double corrected = corrector_norm(&e->corrector, e->correction, e->stepping.weight, h);
    if (corrected <= *size) return;
    *size = corrected;
    memcpy(e->error, e->correction, e->past.n * sizeof *e->error);
}

/* The end of the step and its error, 1 being the limit. Nothing is evaluated beyond the end of the
 * run. There the step is one of BDF, whose error is the one that is estimated. */
static dae_status solve(mebdf *e, double h, bool last, double *size)
{
    size_t n = e->past.n;
    dae_status status = mebdf_solve_first(e, h);
    if (status != DAE_OK) return status;
    *size = mebdf_size(e, e->steps, e->first_change);
    if (!(*size < 1) && !e->starter.engine) return DAE_OK;
    if (!last) {
        status = mebdf_solve_others(e, h);
        if (status == DAE_OK) judge_correction(e, h, size);
        return status;
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
static bool is_jump(mebdf *e, double h, double size)
{
    static const double MOST_MADE = 1e7;
    bool within = fabs(e->base.t + h - e->failed_from) <= fabs(e->failed_step);
    bool falls = size < 0.5 * e->failed_size || fabs(h) > TELLS * fabs(e->failed_step);
    if (!within || falls) return false;
    double others = corrector_norm_of_dynamic(&e->corrector, e->error, e->stepping.weight, h);
    return others < 1 && (size < 2 * e->failed_size || others * MOST_MADE < size);
}

/* The end of stage 1 meets the equations, so the history starts anew from there. */
static void begin_anew(mebdf *e, double h)
{
    size_t n = e->past.n;
    memcpy(e->end, e->first, n * sizeof *e->end);
    memcpy(e->end_yp, e->first_yp, n * sizeof *e->end_yp);
    accept(e, h);
    engine_polynomial(&e->base);
    e->steps = 1;
    e->steady = e->unsteady = 0;
    e->has_guess = false;
    for (size_t k = 0; k < n; k++) e->guess_yp[k] = e->base.problem->dynamic[k] ? e->base.yp[k] : 0;
    history_start(&e->past, e->base.t, h, e->base.y, e->guess_yp);
}

static void reject(mebdf *e, double size)
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

static dae_status attempt_fixed(mebdf *e, double h, bool last, bool *accepted)
{
    double unused;
    bool starts = mebdf_is_to_start(e, h);
    if (!starts) align(e, h);
    dae_status status = starts ? mebdf_begin(e, h) : solve(e, h, last, &unused);
    *accepted = status == DAE_OK;
    if (*accepted && !starts) accept(e, h);
    return status;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    mebdf *e = (mebdf *)base;
    double size = 0;
    if (e->starter.engine) return attempt_fixed(e, h, last, accepted);
    align(e, h);
    dae_status status = solve(e, h, last, &size);
    if (status != DAE_OK) return status;
    *accepted = size < 1;
    if (*accepted) {
        accept(e, h);
        e->stepping.step = last ? fmin(e->stepping.step, GROWTH_AFTER_CUT * fabs(h)) : fabs(h);
        mebdf_look_back(e);
        mebdf_choose(e, size, last);
        return DAE_OK;
    }
    stepping_blame_error(&e->stepping, base, h, size, e->error);
    *accepted = is_jump(e, h, size);
    if (*accepted)
        begin_anew(e, h);
    else
        reject(e, size);
    return DAE_OK;
}

static void shortened(engine *base, dae_status status, double *factor)
{
    mebdf *e = (mebdf *)base;
    corrector_shorten(&e->corrector, status, factor);
    e->failures++;
    e->has_guess = false;
}

/* If one step does not reach the end and two would pass it, two equal steps are made. */
static void share_what_is_left(mebdf *e)
{
    const engine_options *o = &e->base.options;
    double left = fabs(e->t_end - e->base.t), h = e->stepping.step;
    if (o->max_step > 0) h = fmin(h, o->max_step);
    if (1.01 * h < left && 2 * h > (1 + BEYOND) * left) e->stepping.step = left / 2;
}

static dae_status mebdf_step(engine *base, double t_end)
{
    static const stepping_engine row = {.attempt = attempt, .shortened = shortened};
    mebdf *e = (mebdf *)base;
    e->t_end = t_end;
    if (!e->starter.engine) share_what_is_left(e);
    return stepping_advance(&e->stepping, base, &row, t_end);
}

static void mebdf_replace(engine *base, const double *y)
{
    mebdf *e = (mebdf *)base;
    for (size_t k = 0; k < e->past.n; k++) e->guess[k] = y[k] - base->y[k];
    history_move_newest(&e->past, e->guess);
}

/* The matrix belongs to the former unknowns. */
static dae_status mebdf_carry(engine *base, point_map map, void *self)
{
    mebdf *e = (mebdf *)base;
    corrector_restart(&e->corrector);
    e->has_guess = false;
    return history_carry(&e->past, map, self);
}

static void mebdf_interpolate(engine *base)
{
    double t = base->dense.t;
    history_interpolate(&((mebdf *)base)->past, base->dense.degree, &base->dense);
    base->dense.t = t;
}

static void mebdf_lend(engine *base)
{
    corrector_restart(&((mebdf *)base)->corrector);
}

static void mebdf_free(engine *base)
{
    mebdf *e = (mebdf *)base;
    starter_free(&e->starter);
    workspace_free(&e->space);
    free(e);
}

static void mebdf_state(engine *base, state_visit *s)
{
    mebdf *e = (mebdf *)base;
    stepping_state(&e->stepping, e->past.n, s);
    history_state(&e->past, s);
    corrector_state(&e->corrector, s);
    STATE(s, e->t_end);
    STATE_MEMBERS(s, mebdf, e, steps, predicted);
    double *const guesses[] = {e->last_change, e->first_change, e->second, e->second_change,
                               e->correction};
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++)
        state_doubles(s, guesses[i], e->past.n);
    STATE(s, e->points);
    starter_state(&e->starter, base, e->polynomial.coefficient, s);
}

static const engine_ops mebdf_engine = {
    .start = mebdf_start,
    .step = mebdf_step,
    .replace = mebdf_replace,
    .carry = mebdf_carry,
    .interpolate = mebdf_interpolate,
    .lend = mebdf_lend,
    .state = mebdf_state,
    .free = mebdf_free,
};

static void carve(mebdf *e, workspace *space)
{
    size_t n = e->base.problem->n;
    double **const vectors[] = {
        &e->base.y,       &e->base.yp, &e->predicted, &e->last_change,   &e->first, &e->first_yp,
        &e->first_change, &e->second,  &e->second_yp, &e->second_change, &e->end,   &e->end_yp,
        &e->correction,   &e->guess,   &e->guess_yp,  &e->error};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = workspace_doubles(space, n);
    e->base.dense.n = e->polynomial.n = n;
    e->polynomial.coefficient = workspace_doubles(space, n * (size_t)(e->most + 2));
    stepping_carve(&e->stepping, space, n);
    history_carve(&e->past, space, n, e->most + 1);
    corrector_carve(&e->corrector, space, e->base.problem);
    e->corrector.effect_weight = e->stepping.effect_weight;
}

/* A formula of k steps is of order k + 1. */
static void make_formulas(mebdf *e, const method *which)
{
    int order = which->multistep->steps, most = e->base.options.max_order;
    if (most > 0 && most < order) order = most;
    e->most = order > 2 ? order - 1 : 1;
    for (int k = 1; k <= e->most; k++) e->formula[k] = mebdf_formula_make(k);
}

static void hold(mebdf *e)
{
    int index = problem_highest_index(e->base.problem);
    stepping_hold_differences(&e->stepping, &e->base, e->most, e->most + 1);
    corrector_hold(&e->corrector, &e->base.options, e->stepping.rtol);
    e->corrector.expects = true;
    e->tolerance = index > 2 ? NEWTON_SHARE_OF_INDEX_3 : NEWTON_SHARE;
}

static dae_status allocate(mebdf *e)
{
    carve(e, &e->space);
    dae_status status = workspace_allocate(&e->space);
    if (status == DAE_OK) carve(e, &e->space);
    return status;
}

dae_status mebdf_create(engine **created, problem *p, const method *which,
                        const engine_options *options, message *m)
{
    mebdf *e = calloc(1, sizeof *e);
    if (!e) return DAE_NO_MEMORY;
    e->base = (engine){.ops = &mebdf_engine, .problem = p, .options = *options};
    make_formulas(e, which);
    hold(e);
    dae_status status = allocate(e);
    if (status == DAE_OK && options->fixed_step > 0)
        status = starter_create(&e->starter, &e->base, starter_name(p, e->most + 1), m);
    else if (status == DAE_OK)
        status = corrector_reserve(&e->corrector);
    if (status == DAE_OK)
        *created = &e->base;
    else
        mebdf_free(&e->base);
    return status;
}
