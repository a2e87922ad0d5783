/* How variable BDF and modified extended BDF go on after an event: a Radau IIA method leads, until
 * a formula can take over from its polynomial.
 *
 * A formula of order 1 needs very short steps, and each higher order several of them. One step of a
 * one-step method has the values from which a formula of its order begins (C. W. Gear, "Runge-Kutta
 * starters for multistep methods", ACM TOMS 6 (1980) 263; R. W. Brankin, I. Gladwell & L. F.
 * Shampine, "Starting BDF and Adams codes at optimal order", J. Comput. Appl. Math. 21 (1988) 357).
 * The stages of Radau IIA meet the equations, those of a higher index as well, and lie on a slow
 * motion even if the step begins beside it. So the values are taken from the second step on, which
 * begins there. */
#include "integrate/bdf_parts.h"
#include "integrate/runge_kutta_parts.h"

#include <math.h>
#include <string.h>

/* A step of the starter costs about as much as so many of a formula. A formula takes over where its
 * step is at least that part of the starter's. */
static const double STEPS_WORTH = 8;

/* A starter whose next step is longer by more than this has not found its step yet. Such steps, as
 * after a first one that a fast transient shortened, do not count. */
static const double STILL_GROWING = 2;

/* Work of a start: for the starter the matrices of two lengths and six iterations of its stages;
 * for formulas from order 1 on matrices, and iterations of so many steps. The starter's steps reach
 * further, so it may take DEARER times as much. */
static const double MATRICES = 2, ITERATIONS = 6, MATRICES_FROM_1 = 4.5, ITERATIONS_FROM_1 = 30;
static const double DEARER = 1.6;

/* Between events that follow fast, most steps have matrices of their own. There an attempt of the
 * starter costs as much as so many of a formula; the search for events on its longer steps is
 * counted in. Instructions of whole runs: 3.3 with one variable, 5.9 with 80 sparse ones. */
static const double ATTEMPTS_WORTH = 5;

/* The share of the newest interval in the mean effort from one event to the next. */
static const double NEWEST = 0.25;

enum {
    FEWEST_STEPS = 2,  /* of the starter */
    MOST_FAILURES = 2, /* of a formula that takes over */
    MOST_STEPS = 5,    /* that hardly grew; then a formula takes over in any case */
    LEAST_WAITS = 3,   /* starts before order 1 is tried: the starter finds its step in them */
    MOST_WAITS = 63    /* the same at most, after trials that took more effort */
};

/* Whether the starter is worth its matrices, of which it factors a real and two complex ones for
 * each length of its step. */
static bool is_worth(const engine *base)
{
    const problem *p = base->problem;
    const runge_kutta *s = (const runge_kutta *)base->starter.engine;
    problem_costs formula = {0};
    reuse other = {0};
    if (!p->form->costs) return true; /* nothing is known of them */
    reuse_estimate(&other, p, s->stages.scheme);
    problem_estimate_costs(p, 0, &formula);
    double iterations = ITERATIONS_FROM_1 * (formula.residual + formula.solve);
    return MATRICES * other.factors + ITERATIONS * other.iteration <=
           DEARER * (iterations + MATRICES_FROM_1 * formula.factor);
}

/* All attempts up to now, in those of a formula. */
static double find_effort(const engine *base)
{
    const engine_counts *led = &base->starter.engine->counts;
    return (double)base->counts.attempts + (ATTEMPTS_WORTH - 1) * (double)led->attempts;
}

/* Notes the effort since the last event. */
static void note_effort(bdf *e)
{
    double now = find_effort(&e->base), share = e->effort[1] > 0 ? NEWEST : 1;
    e->effort[e->from_1] += share * (now - e->begun - e->effort[e->from_1]);
    e->begun = now;
}

/* Whether order 1 is to begin after an event. Where events follow so fast that the starter leads
 * from one to the next, steps of order 1 may reach as far with less effort. They are tried, and
 * kept while they do. A trial begins with a mean that lets a few intervals count. */
static bool prefers_order_1(bdf *e)
{
    note_effort(e);
    if (e->waits == 0) {
        e->wait = e->waits = LEAST_WAITS;
        return false;
    }
    if (e->from_1) {
        if (e->effort[1] <= e->effort[0]) return true;
        if (e->waits < MOST_WAITS) e->waits = 2 * e->waits + 1;
        e->wait = e->waits;
        return false;
    }
    if (!e->leads) return false;
    if (e->wait > 0) e->wait--;
    if (e->wait > 0) return false;
    e->effort[1] = e->effort[0] / 2;
    return true;
}

/* Whether the starter leads after an event. */
static bool leads_after_event(bdf *e)
{
    if (!is_worth(&e->base)) return false;
    e->from_1 = prefers_order_1(e);
    return !e->from_1;
}

void bdf_begin_leading(bdf *e)
{
    engine *base = &e->base, *s = base->starter.engine;
    if (e->again) return; /* what has been found about the formula that failed is of no matter */
    bool is_event = s && !(base->options.fixed_step > 0) && base->start_level > 0 && !base->undone;
    bool undone = base->undone && e->leads; /* a step of the starter is made again by it */
    e->leads = undone || (is_event && leads_after_event(e));
    e->led = e->settled = 0;
    e->takes_over = false;
    if (e->leads) {
        s->options.direction = base->options.direction;
        engine_restart(s, base->t, base->y, base->yp, base->options.first_step, 0);
    } else if (is_event) {
        base->options.first_step = 0; /* of a step of the starter */
    }
}

static void copy_noise(engine *to, const engine *from)
{
    size_t size = to->problem->n * sizeof(double);
    to->noise = from->noise;
    to->noisiest = from->noisiest;
    to->noise_everywhere = from->noise_everywhere;
    to->held_at = from->held_at;
    memcpy(to->stepping.noise, from->stepping.noise, size);
    memcpy(to->stepping.largest, from->stepping.largest, size);
}

/* How much more exact the starter has to be than by itself. It is held between its own tolerance
 * and that of the formulas: its estimate, which is of a lower order than its steps, would ask for
 * too short ones there. */
static double care_of_starter(const engine *base)
{
    return sqrt(fmax(1, base->starter.engine->stepping.rtol / base->stepping.rtol));
}

/* Hands on what may have changed since the last step. */
static void hand_on(engine *base)
{
    engine *s = base->starter.engine;
    size_t size = base->problem->n * sizeof *s->y;
    s->care = fmax(1, base->care) * care_of_starter(base);
    s->options.direction = base->options.direction;
    s->options.max_step = base->options.max_step;
    copy_noise(s, base);
    s->t = base->t;
    memcpy(s->y, base->y, size);
    memcpy(s->yp, base->yp, size);
}

static void add_counts(engine_counts *all, const engine_counts *before, const engine_counts *now)
{
    all->steps += now->steps - before->steps;
    all->rejected += now->rejected - before->rejected;
    all->attempts += now->attempts - before->attempts;
    all->newton_iterations += now->newton_iterations - before->newton_iterations;
}

/* What the error of the starter's polynomial at the place x of its step is made of: the integral of
 * (x - c_1) ... (x - c_s) from 0 to x, because the derivative of the polynomial meets the equations
 * at the nodes c_i; and x (x - c_1) ... (x - c_s), for variables that follow from others there. */
static void find_parts(const scheme *s, double x, double part[2])
{
    double power[METHOD_MOST_STAGES + 1] = {1}, sum = 0, product = x;
    for (int i = 0; i < s->stages; i++) {
        product *= x - s->c[i];
        for (int k = i + 1; k >= 0; k--)
            power[k] = (k > 0 ? power[k - 1] : 0) - s->c[i] * (k <= i ? power[k] : 0);
    }
    for (int k = s->stages; k >= 0; k--) sum = x * (sum + power[k] / (k + 1));
    part[0] = sum;
    part[1] = product;
}

/* The error of the polynomial `now` at a place before its step, where `last` has the value. */
static void find_error(const dense_output *now, const dense_output *last, double x, double *error,
                       double *value)
{
    double t = now->t + x * now->h;
    dense_output_evaluate_at(now, t, x, error, NULL);
    dense_output_evaluate_at(last, t, 1 + x * now->h / last->h, value, NULL);
    for (size_t k = 0; k < now->n; k++) error[k] -= value[k];
}

/* The factors of both parts, from two values of the last step. */
static void find_factors(const bdf *e, const scheme *m, const dense_output *last, double *first,
                         double *second)
{
    const dense_output *now = &e->base.starter.engine->dense;
    double far = -fmin(0.5, fabs(last->h / now->h)), a[2], b[2];
    find_parts(m, far, a);
    find_parts(m, far / 2, b);
    find_error(now, last, far, first, e->guess);
    find_error(now, last, far / 2, second, e->guess);
    double determinant = a[0] * b[1] - a[1] * b[0];
    for (size_t k = 0; k < e->past.n; k++) {
        double one = first[k], other = second[k];
        first[k] = (one * b[1] - other * a[1]) / determinant;
        second[k] = (other * a[0] - one * b[0]) / determinant;
    }
}

/* Fills the history from the starter's last polynomial, less its error, which `last`, the one
 * before, shows. The error within the step is small, but beyond it and in the differences it
 * counts. */
static void take_history(bdf *e, const dense_output *last)
{
    const engine *s = e->base.starter.engine;
    const scheme *m = ((const runge_kutta *)s)->stages.scheme;
    const dense_output *now = &s->dense;
    double *first = e->error, *second = e->change, part[2];
    find_factors(e, m, last, first, second);
    for (int j = 0; j <= now->degree + 1; j++) {
        double x = 1 - (double)j / now->degree, *row = history_row(&e->past, j);
        find_parts(m, x, part);
        dense_output_evaluate_at(now, now->t + x * now->h, x, row, NULL);
        for (size_t k = 0; k < e->past.n; k++) row[k] -= part[0] * first[k] + part[1] * second[k];
    }
    memcpy(history_row(&e->past, 0), s->y, e->past.n * sizeof *s->y);
    history_take(&e->past, s->t, now->h / now->degree, now->degree + 1);
}

/* Whether the starter has not found its step yet. */
static bool is_growing(const engine *s)
{
    double most = s->options.max_step, next = s->stepping.step;
    if (most > 0) next = fmin(next, most);
    return next > STILL_GROWING * fabs(s->dense.h);
}

/* Takes over the end of the starter's step, with its polynomial. */
static void take_step(bdf *e)
{
    engine *base = &e->base, *s = base->starter.engine;
    size_t size = base->problem->n * sizeof *s->y;
    if (e->led > 0) take_history(e, &base->dense);
    e->led++;
    base->t = s->t;
    memcpy(base->y, s->y, size);
    memcpy(base->yp, s->yp, size);
    e->settled += !is_growing(s);
    base->dense = s->dense;
    base->evidence = s->evidence;
    base->stepping.first = false;
    base->stepping.step = s->stepping.step;
    base->stepping.longest = fmax(base->stepping.longest, s->stepping.longest);
    base->stepping.lacks = s->stepping.lacks;
    copy_noise(base, s);
}

/* Whether another method may get on from the same point. */
static bool is_of_method(dae_status status)
{
    return status == DAE_NEWTON || status == DAE_ERROR_TEST || status == DAE_STEP_TOO_SMALL ||
           status == DAE_SINGULAR || status == DAE_NOT_EVALUABLE;
}

bool bdf_lead(engine *base, double t_end, dae_status *status)
{
    bdf *e = (bdf *)base;
    engine *s = base->starter.engine;
    e->again = false;
    if (!e->leads) return false;
    const engine_counts before = s->counts;
    hand_on(base);
    *status = engine_step(s, t_end);
    add_counts(&base->counts, &before, &s->counts);
    base->failure = s->failure;
    e->shortened = s->counts.rejected > before.rejected;
    if (*status == DAE_OK) take_step(e);
    if (*status == DAE_OK || !is_of_method(*status)) return true;
    base->options.first_step = 0; /* it was the starter's, or the author's first one */
    base->ops->start(base);       /* with order 1, because no level is known any more */
    return false;
}

/* Whether the differences fall up to that order, in steps `factor` times as long. */
static bool falls(bdf *e, int order, double factor)
{
    if (order == 1) return true;
    double own = bdf_size(e, order, history_row(&e->past, order + 1)) / e->formula[order].error;
    double below = bdf_size(e, order - 1, history_row(&e->past, order)) /
                   e->formula[order - 1].error;
    return own * factor < below;
}

/* The order that allows the longest step from the history, none of whose points lies outside of the
 * starter's steps, and the factor to that step. */
static int find_order(bdf *e, double *factor)
{
    int best = 1;
    *factor = 0;
    for (int k = 1; k < e->past.known && k <= e->most; k++) {
        double size = bdf_size(e, k, history_row(&e->past, k + 1));
        double longer = fmin(bdf_longest(k, size) / e->caution, (double)e->past.known / k);
        if (longer > *factor && falls(e, k, longer)) *factor = longer, best = k;
    }
    return best;
}

void bdf_end_leading(bdf *e, double t_end)
{
    engine *base = &e->base;
    if (!e->leads || e->led < FEWEST_STEPS) return;
    double factor, h = fabs(base->dense.h), next = base->stepping.step;
    int order = find_order(e, &factor);
    double step = factor * fabs(e->past.h);
    bool finds = is_growing(base->starter.engine) || e->shortened,
         ends = fabs(t_end - base->t) <= next;
    if (e->settled < MOST_STEPS && (finds || ends || step * STEPS_WORTH < h)) return;
    if (!(step > 0)) return;
    e->leads = false;
    e->takes_over = true;
    e->proposed = 0;
    bdf_change(e, order, factor);
    history_respace(&e->past, e->past.known, factor * e->past.h);
}

/* The starter's polynomial may be less exact than the formulas have to be, as within a fast
 * transient. Order 1 would then have to make steps as short as at a start, along a chord in place
 * of the tangent. */
void bdf_lead_again(bdf *e)
{
    stepping *s = &e->base.stepping;
    bool is_near = s->step * STEPS_WORTH >= fabs(e->base.dense.h);
    if (!e->takes_over || (e->failures < MOST_FAILURES && is_near)) return;
    s->failed_step = 0; /* of a formula */
    e->takes_over = false;
    e->leads = e->again = true;
    e->led = 1; /* of its steps the last one is known */
    e->settled = 0;
}
