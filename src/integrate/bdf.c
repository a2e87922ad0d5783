/* Variable BDF: quasi-constant steps, numerical differentiation formulas of order 1 to 5.
 *
 * The past is kept as backward differences at one spacing (history.h) and not as Nordsieck's scaled
 * derivatives: the two are the same polynomial, but differences make the estimates of three orders
 * without a product, and a projected newest point changes all of them by the same amount.
 *
 * Within a step the polynomial misses what the error test knows: |s (s + 1) ... (s + k)| / (k + 1)!
 * of nabla^(k+1) y, -1 < s < 0, which is less than half of the formula's own constant. */
#include "integrate/bdf_parts.h"
#include "integrate/refusal.h"
#include "method/method.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ANEW = 3,    /* the most restarts of an iteration where it has stopped */
    FEW_FAILURES = 2, /* so many failures of a step, with an error in algebraic variables alone, */
    MANY_FAILURES = 4 /* or so many with any error: the error should have fallen with the step */
};

/* The values of derivatives that no equation determines are dropped. */
void bdf_begin(bdf *e)
{
    engine *base = &e->base;
    engine_forget_yp(base);
    e->steady = e->failures = e->unsteady = 0;
    corrector_restart(&e->corrector);
    base->order_level = 1;
    bdf_begin_leading(e);
    stepping_start(base);
}

void bdf_begin_history(bdf *e)
{
    engine_polynomial(&e->base);
    e->order = 1;
    e->steady = e->unsteady = 0;
    e->has_guess = false;
    history_start(&e->past, e->base.t, e->past.h, e->base.y, e->guess_yp);
}

static void bdf_start(engine *base)
{
    bdf *e = (bdf *)base;
    e->order = base->options.fixed_step > 0 && base->starter.engine ? 0 : 1;
    e->chooses = false;
    bdf_begin(e);
    bdf_propose_step(e);
    history_start(&e->past, base->t, base->stepping.step * base->options.direction, base->y,
                  base->yp);
}

void bdf_accept(bdf *e, const double *change, int degree)
{
    engine *base = &e->base;
    history_advance(&e->past, e->order, change);
    base->dense = base->next;
    base->dense.t = base->t; /* exactly, for an event may be there */
    base->dense.h = e->past.h;
    base->dense.degree = degree;
    base->interpolates = true;
    engine_arrive(base, e->past.t, e->end, e->end_yp);
    corrector_leave(&e->corrector);
    e->steady++;
    if (e->steady > e->order) e->unsteady = 0;
    e->failures = 0;
    e->takes_over = false;
}

/* Makes a fixed step with the starting method. Afterwards the polynomial has one degree more. */
static dae_status begin(bdf *e, double h)
{
    const engine *s = e->base.starter.engine;
    dae_status status = starter_step(&e->base, &e->corrector, e->base.t + h);
    if (status != DAE_OK) return status;
    history_evaluate(&e->past, e->order, 1, e->guess, NULL);
    for (size_t k = 0; k < e->past.n; k++) e->change[k] = s->y[k] - e->guess[k];
    history_advance(&e->past, e->order, e->change);
    engine_arrive(&e->base, e->past.t, s->y, s->yp);
    e->order++;
    return DAE_OK;
}

/* Whether the error, before any scaling or filtering, is within the limit in all differential
 * variables. */
static bool is_algebraic_alone(const bdf *e)
{
    const bool *dynamic = e->base.problem->dynamic;
    for (size_t k = 0; k < e->past.n; k++)
        if (dynamic[k] && fabs(e->error[k]) * e->base.stepping.weight[k] > 1) return false;
    return true;
}

static bool is_of_the_beginning(bdf *e, double size)
{
    int failures = e->order > 1 && is_algebraic_alone(e) ? FEW_FAILURES : MANY_FAILURES;
    if (e->failures < failures || !(size > 0.5 * e->last_error)) return false;
    return corrector_norm_of_dynamic(&e->corrector, e->error, e->past.h) < 1;
}

/* An error that does not fall with the step comes from the point at which the step began, where
 * algebraic variables were not quite solved for. The end of the short step meets the equations, so
 * the run starts anew from there. Steps of order 1 would have to be far shorter. Where those
 * variables are sensitive to a stiff direction, such steps would also show what a longer step
 * damps. */
static void reject(bdf *e, double size, bool *accepted)
{
    stepping_blame_error(&e->base, e->past.h, size, e->error);
    if (is_of_the_beginning(e, size)) {
        bdf_accept(e, e->change, e->order);
        bdf_begin_history(e);
        *accepted = true;
        return;
    }
    corrector_reject(&e->corrector);
    e->last_error = size;
    e->base.counts.rejected++;
    e->failures++;
    bdf_retreat(e, size);
    bdf_lead_again(e);
}

void bdf_align(bdf *e, double h)
{
    if (e->past.h != h) {
        engine_polynomial(&e->base);
        if (history_respace(&e->past, e->order, h)) e->steady = 0;
        e->has_guess = false;
    }
    e->past.t = e->base.t;
}

dae_status bdf_solve(bdf *e, double t, double h, bool at_any_rate, double *x, double *y, double *yp)
{
    size_t n = e->past.n;
    corrector *q = &e->corrector;
    const corrector_point at = {.t = t,
                                .h = h,
                                .c = e->formula[e->order].leading / h,
                                .predicted = e->guess,
                                .yp = e->guess_yp,
                                .change = e->error,
                                .end = y,
                                .end_yp = yp};
    int most = e->failures < MOST_ANEW ? e->failures : MOST_ANEW;
    for (int anew = 0;; anew++) {
        dae_status status = corrector_solve(q, &at);
        for (size_t k = 0; k < n; k++) x[k] += e->error[k];
        bool hopeless = anew == 0 && !at_any_rate && !(q->newton.rate < 1);
        if (status != DAE_NEWTON || hopeless || anew == most) return status;
        memcpy(e->guess, y, n * sizeof *y);
        memcpy(e->guess_yp, yp, n * sizeof *yp);
        corrector_restart(q);
    }
}

static dae_status solve(bdf *e, double h)
{
    history_evaluate(&e->past, e->order, 1, e->guess, e->guess_yp);
    memset(e->change, 0, e->past.n * sizeof *e->change);
    return bdf_solve(e, e->base.t + h, h, false, e->change, e->end, e->end_yp);
}

/* A fixed step uses the highest order; the starter makes the first ones. */
static dae_status attempt_fixed(bdf *e, double h, bool *accepted)
{
    dae_status status;
    if (e->order < e->most) {
        status = begin(e, h);
    } else {
        status = solve(e, h);
        if (status == DAE_OK) bdf_accept(e, e->change, e->order);
    }
    *accepted = status == DAE_OK;
    return status;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    bdf *e = (bdf *)base;
    bdf_align(e, h);
    if (base->options.fixed_step > 0) return attempt_fixed(e, h, accepted);
    dae_status status = solve(e, h);
    if (status != DAE_OK) return status;
    double size = bdf_size_of_step(e);
    *accepted = size < 1;
    if (!*accepted) {
        reject(e, size, accepted);
        return DAE_OK;
    }
    bdf_note_first(e, size);
    base->evidence = corrector_evidence(&e->corrector);
    bdf_accept(e, e->change, e->order);
    e->accepted = size;
    if (!last) e->base.stepping.step = fabs(h);
    bdf_look_back(e);
    e->chooses = true;
    e->ended = last;
    return DAE_OK;
}

void bdf_shortened(engine *base, dae_status status, double *factor)
{
    bdf *e = (bdf *)base;
    corrector_shorten(&e->corrector, status, factor);
    e->failures++;
    e->last_error = HUGE_VAL;
    e->has_guess = false;
    bdf_lead_again(e);
}

/* If more than one step and less than two are left, two equal steps are made. The differences of a
 * very short step would not predict a long one. */
static void prepare(engine *base, double t_end)
{
    stepping *s = &base->stepping;
    bdf *e = (bdf *)base;
    bdf_end_leading(e, t_end);
    if (e->chooses) bdf_choose(e);
    double left = fabs(t_end - base->t);
    if (!e->leads && !(base->options.fixed_step > 0) && left > 1.01 * s->step && left < 2 * s->step)
        s->step = left / 2;
}

bool bdf_follow(engine *base, const double *to, double *y)
{
    bdf *e = (bdf *)base;
    return !e->leads && corrector_follow(&e->corrector, to, y);
}

void bdf_replace(engine *base, const double *y)
{
    bdf *e = (bdf *)base;
    for (size_t k = 0; k < e->past.n; k++) e->error[k] = y[k] - base->y[k];
    history_move_newest(&e->past, e->error);
}

/* The matrix belongs to the former unknowns. */
dae_status bdf_carry(engine *base, point_map map, void *self)
{
    bdf *e = (bdf *)base;
    engine *s = base->starter.engine;
    corrector_restart(&e->corrector);
    e->has_guess = false;
    if (!e->leads) return history_carry(&e->past, map, self);
    e->led = 0;
    engine_restart(s, base->t, base->y, base->yp, base->stepping.step, 0);
    return DAE_OK;
}

void bdf_interpolate(engine *base)
{
    double t = base->dense.t;
    history_interpolate(&((bdf *)base)->past, base->dense.degree, &base->dense);
    base->dense.t = t;
}

void bdf_lend(engine *base)
{
    bdf *e = (bdf *)base;
    corrector_restart(&e->corrector);
    if (e->leads) engine_lend(base->starter.engine);
}

void bdf_state(engine *base, state_visit *s)
{
    bdf *e = (bdf *)base;
    history_state(&e->past, s);
    corrector_state(&e->corrector, s);
    STATE_MEMBERS(s, bdf, e, order, guess);
    double *const kept[] = {e->last_change, e->change, e->second, e->second_change, e->correction};
    for (size_t i = 0; e->second && i < sizeof kept / sizeof *kept; i++)
        state_doubles(s, kept[i], e->past.n);
    starter_state(base, s);
}

void bdf_carve(engine *base, workspace *space)
{
    bdf *e = (bdf *)base;
    workspace_vectors(
        space, base->problem->n,
        (double **[]){&e->guess, &e->guess_yp, &e->change, &e->end, &e->end_yp, &e->error, NULL});
    history_carve(&e->past, space, base->problem->n, base->next.degree);
    corrector_carve(&e->corrector, space, base);
}

dae_status bdf_reserve(engine *base, const method *which, message *m)
{
    bdf *e = (bdf *)base;
    (void)which;
    return e->starts_with ? starter_create(base, e->starts_with, m)
                          : problem_reserve(base->problem, 1, (const bool[]){false});
}

/* Notes the highest index among the variables that bdf_size() leaves out. */
static void note_left_out(const bdf *e, const method *which, message *m)
{
    const problem *p = e->base.problem;
    int highest = 1;
    for (size_t k = 0; p->index && k < p->n; k++)
        if (!p->dynamic[k] && p->index[k] > highest) highest = p->index[k];
    if (highest > 1 && !(e->base.options.fixed_step > 0))
        refusal_note_uncontrolled(which, "leaves out", highest, m);
}

static dae_status bdf_create(engine *base, const method *which, message *m)
{
    bdf *e = (bdf *)base;
    int most = base->options.max_order;
    e->most = which->multistep->steps;
    if (most > 0 && most < e->most) e->most = most;
    base->next.degree = e->most;
    e->leaves_out = true;
    bdf_make_formulas(e);
    /* the rule for all methods, with the order that BDF uses at small tolerances */
    stepping_hold_differences(base, BDF_MOST_ORDER, BDF_MOST_ORDER);
    corrector_hold(&e->corrector, base);
    e->corrector.expects = problem_highest_index(base->problem) < 3; /* see newton.c */
    e->corrector.newton.tolerance = 0.1;
    bool fixed = base->options.fixed_step > 0;
    if (fixed ? e->most > 1 : bdf_leads_ever(e)) e->starts_with = BDF_STARTER;
    note_left_out(e, which, m);
    return DAE_OK;
}

const engine_ops bdf_engine = {
    .size = sizeof(bdf),
    .create = bdf_create,
    .carve = bdf_carve,
    .reserve = bdf_reserve,
    .start = bdf_start,
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
