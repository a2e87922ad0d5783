#include "integrate/mebdf.h"

#include "integrate/mebdf_parts.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
double tune(const char *name, double value);

/* A step beyond the end by so much of itself is round-off. */
static const double BEYOND = 1e-6;

/* Derivatives that no equation holds are not known. */
static void mebdf_start(engine *base, double t, const double *y, const double *yp)
{
    mebdf *e = (mebdf *)base;
    size_t n = base->problem->n;
    base->t = t;
    memcpy(base->y, y, n * sizeof *y);
    for (size_t k = 0; k < n; k++) base->yp[k] = base->problem->dynamic[k] ? yp[k] : 0;
    e->steps = 1;
    e->steady = e->failures = e->unsteady = 0;
    e->has_guess = false;
    corrector_restart(&e->corrector);
    e->corrector.newton.rtol = base->options.fixed_step > 0 ? 1 : e->stepping.rtol;
    stepping_start(&e->stepping, base);
    history_start(&e->past, t, e->stepping.step * base->options.direction, y, base->yp);
}

/* Which variable makes the step shorter, in case it becomes too short. */
static void blame_error(mebdf *e)
{
    const double *weight = e->stepping.weight;
    size_t worst = 0;
    for (size_t k = 1; k < e->past.n; k++)
        if (fabs(e->error[k]) * weight[k] >= fabs(e->error[worst]) * weight[worst]) worst = k;
    e->base.trouble.cause = DAE_ERROR_TEST;
    e->base.trouble.worst = worst;
}

/* The degree up to which differences are those of points at the present spacing. */
static int degree(const mebdf *e)
{
    return e->past.known < e->steps + 1 ? e->past.known : e->steps + 1;
}

/* The points lie at the spacing h, and the newest where the engine is. */
static void align(mebdf *e, double h)
{
    if (e->past.h != h) {
        history_respace(&e->past, tune("DEG",0) ? degree(e) : e->steps, h);
        e->steady = 0;
        e->has_guess = false;
    }
    e->past.t = e->base.t;
}

static void accept(mebdf *e, double h)
{
    engine *base = &e->base;
    size_t n = base->problem->n;
    double t = base->t;
    for (size_t k = 0; k < n; k++) e->guess[k] = e->end[k] - e->predicted[k];
    history_advance(&e->past, e->steps, e->guess);
    history_interpolate(&e->past, degree(e), &base->dense);
    base->dense.t = t;
    memcpy(base->y, e->end, n * sizeof *e->end);
    memcpy(base->yp, e->end_slope, n * sizeof *e->end_slope);
    base->t = t + h;
    base->counts.steps++;
    corrector_leave(&e->corrector);
    e->steady++;
    if (e->steady > e->steps) e->unsteady = 0;
    e->failures = 0;
}

/* Nothing is evaluated beyond the end: there BDF makes the step. */
static dae_status solve_rest(mebdf *e, double h, bool last)
{
    size_t n = e->past.n;
    if (!last) {
        dae_status status = mebdf_solve_others(e, h);
        e->has_guess = status == DAE_OK;
        return status;
    }
    e->has_guess = false;
    memcpy(e->end, e->first, n * sizeof *e->end);
    memcpy(e->end_slope, e->first_slope, n * sizeof *e->end_slope);
    return DAE_OK;
}

/* Two estimates of the error of stage 1. */
static dae_status solve(mebdf *e, double h, bool last, double *size)
{
    dae_status status = mebdf_solve_first(e, h);
    if (status != DAE_OK) return status;
    *size = mebdf_size(e, e->steps, e->first_change);
    if (*size >= 1 && !(e->base.options.fixed_step > 0)) return DAE_OK;
    status = solve_rest(e, h, last);
    if (status == DAE_OK && !last && tune("CORR",1)) {
        double ee = corrector_norm(&e->corrector, e->correction, e->stepping.weight, h);
        if (ee > *size) { *size = ee; memcpy(e->error, e->correction, e->past.n * sizeof(double)); }
    }
    return status;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    mebdf *e = (mebdf *)base;
    bool fixed = base->options.fixed_step > 0;
    double size = 0;
    align(e, h);
    size_t its = e->corrector.all_iterations, fac = base->problem->counts.factorizations;
    dae_status status = solve(e, h, last, &size);
    if (tune("TRACE", 0)) fprintf(stderr, "t=%.10g h=%.3g k=%d size=%.3g status %d it=%zu rate=%.2g steady=%d fac %zu\n", base->t, h, e->steps, size, status, e->corrector.all_iterations-its, e->corrector.newton.rate, e->steady, base->problem->counts.factorizations-fac);
    double ee = 0, dd = 0;
    if (e->has_guess) ee = corrector_norm(&e->corrector, e->correction, e->stepping.weight, h), dd = mebdf_size(e, e->steps, e->second_change);
    if (tune("TRACE", 0)) fprintf(stderr, "     correction %.3g second %.3g\n", ee, dd);
    if (status != DAE_OK) return status;
    *accepted = fixed || size < 1;
    if (*accepted) {
        accept(e, h);
        if (fixed) {
            if (e->steps < e->most) e->steps++;
            return DAE_OK;
        }
        if (!last) e->stepping.step = fabs(h);
        mebdf_choose(e, size);
        return DAE_OK;
    }
    blame_error(e);
    base->counts.rejected++;
    e->failures++;
    mebdf_retreat(e, size);
    return DAE_OK;
}

static void shortened(engine *base, dae_status status, double *factor)
{
    mebdf *e = (mebdf *)base;
    double suggested = e->corrector.newton.suggested;
    if (status == DAE_NEWTON && suggested > 0) *factor = fmin(0.5, fmax(0.1, suggested));
    e->failures++;
    e->steady = 0;
    e->has_guess = false;
}

/* Two steps of equal length lead to the end, where one would not and two would lead beyond. */
static dae_status mebdf_step(engine *base, double t_end)
{
    static const stepping_engine row = {.attempt = attempt, .shortened = shortened};
    stepping *s = &((mebdf *)base)->stepping;
    double left = fabs(t_end - base->t);
    if (!(base->options.fixed_step > 0) && s->step * 1.01 < left && 2 * s->step > left * (1 + BEYOND))
        s->step = left / 2;
    return stepping_advance(s, base, &row, t_end);
}

static void mebdf_replace(engine *base, const double *y, const double *yp)
{
    mebdf *e = (mebdf *)base;
    size_t n = base->problem->n;
    for (size_t k = 0; k < n; k++) e->guess[k] = y[k] - base->y[k];
    history_move_newest(&e->past, e->guess);
    memcpy(base->y, y, n * sizeof *y);
    for (size_t k = 0; yp && k < n; k++)
        if (base->problem->dynamic[k]) base->yp[k] = yp[k];
}

static void mebdf_free(engine *base)
{
    workspace_free(&((mebdf *)base)->space);
    free(base);
}

static const engine_row mebdf_engine = {
    .start = mebdf_start,
    .step = mebdf_step,
    .replace = mebdf_replace,
    .free = mebdf_free,
};

static void carve(mebdf *e, workspace *space)
{
    size_t n = e->base.problem->n;
    double **vector[] = {&e->base.y,      &e->base.yp,       &e->stepping.weight, &e->predicted,
                         &e->first,       &e->first_slope,   &e->first_change,    &e->second,
                         &e->second_slope, &e->second_change, &e->end,            &e->end_slope,
                         &e->correction,  &e->guess,         &e->guess_slope,     &e->error, &e->last_change};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        *vector[k] = workspace_doubles(space, n);
    e->base.dense.n = n;
    e->base.dense.coefficient = workspace_doubles(space, n * (size_t)(e->most + 2));
    history_carve(&e->past, space, n, e->most + 1);
    corrector_carve(&e->corrector, space, e->base.problem);
}

static void choose_formulas(mebdf *e, const method *which)
{
    int order = e->base.options.max_order;
    e->most = (int)tune("MAXK", which->multistep->steps - 1);
    if (order > 0 && order - 1 < e->most) e->most = order > 2 ? order - 1 : 1;
    for (int k = 1; k <= e->most; k++) e->formula[k] = mebdf_formula_make(k);
}

dae_status mebdf_create(engine **created, problem *p, const method *which,
                        const engine_options *options)
{
    mebdf *e = calloc(1, sizeof *e);
    if (!e) return DAE_NO_MEMORY;
    e->base = (engine){.row = &mebdf_engine, .problem = p, .options = *options};
    choose_formulas(e, which);
    stepping_hold(&e->stepping, options, e->most, e->most + 1, 0);
    e->stepping.rtol *= tune("SHARE", 1);
    e->stepping.share *= tune("SHARE", 1);
    e->corrector.exactly = options->fixed_step > 0;
    e->corrector.newton.tolerance = tune("NEWTON", 0.05);
    carve(e, &e->space);
    dae_status status = workspace_allocate(&e->space);
    if (status == DAE_OK) {
        carve(e, &e->space);
        status = corrector_reserve(&e->corrector);
    }
    if (status != DAE_OK) {
        mebdf_free(&e->base);
        return status;
    }
    *created = &e->base;
    return DAE_OK;
}
