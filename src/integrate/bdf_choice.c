/* The formulas of variable BDF, their errors, and the choice of order and step. */
#include "integrate/bdf_parts.h"

#include <float.h>
#include <math.h>

/* The numerical differentiation formula of order k (Shampine & Reichelt, SIAM J. Sci. Comput. 18
 * (1997) 1, (6) and Table 1) is
 *
 *   sum_(m = 1..k) nabla^m y_(n+1) / m = h y' + kappa_k gamma_k nabla^(k+1) y_(n+1),
 *
 * gamma_k = 1 + 1/2 + ... + 1/k, with the error (kappa_k gamma_k + 1/(k+1)) nabla^(k+1) y. */
static const double KAPPA[BDF_MOST_ORDER + 1] = {0, -0.1850, -1.0 / 9, -0.0823, -0.0415, 0};
static const double GAMMA[BDF_MOST_ORDER + 1] = {0,          1,           3.0 / 2,
                                                 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0};

/* The step length that an error allows is divided by this, because a failed step costs more than a
 * short one. Measured on the problems of tests/zoo, 1.2 to 1.4 (as in ode15s of the same authors)
 * takes a tenth more work for the same digits. */
static const double CAUTION = 1.6;

/* A step grows by at least LEAST_GROWTH, because the differences for the next steps have to be
 * interpolated, and by at most MOST_GROWTH at once. After a failure it shrinks to no less than
 * SMALLEST_FACTOR. */
static const double LEAST_GROWTH = 1.1, MOST_GROWTH = 8, SMALLEST_FACTOR = 0.1;

/* The first step is at least this many times the round-off of the time. */
static const double FIRST_IN_ROUND_OFF = 1000;

/* A first step that held at once may be longer by this factor at the next start. */
static const double MORE_AT_NEXT_START = 2;

enum {
    PATIENCE = 2, /* after more failures than this of the same step the order is 1 */
    LOOK_BACK = 3 /* number of steps at one spacing that third differences need */
};

void bdf_make_formulas(bdf *e)
{
    e->caution = CAUTION;
    for (int k = 1; k <= BDF_MOST_ORDER; k++)
        e->formula[k] = (mebdf_formula){.steps = k,
                                        .leading = (1 - KAPPA[k]) * GAMMA[k],
                                        .error = KAPPA[k] * GAMMA[k] + 1.0 / (k + 1)};
}

/* Algebraic variables of index 2 and 3 are left out. Their errors do not fall with h as those of
 * the variables from which they follow (Petzold & Lotstedt, SIAM J. Sci. Stat. Comput. 7 (1986)
 * 720; Brenan, Campbell & Petzold 1996, Sec. 5.4.2). In modified extended BDF all variables count;
 * those of index 2 and 3 with h and h^2 (Cash 2000). */
double bdf_size(bdf *e, int order, const double *x)
{
    const problem *p = e->base.problem;
    double constant = e->formula[order].error;
    for (size_t k = 0; k < p->n; k++) {
        bool left_out = e->leaves_out && p->index && p->index[k] > 1 && !p->dynamic[k];
        e->error[k] = left_out ? 0 : constant * x[k];
    }
    return corrector_error(&e->corrector, e->error, e->past.h);
}

double bdf_size_of_step(bdf *e)
{
    const history *past = &e->past;
    if (past->known > 1 || problem_highest_index(e->base.problem) > 2)
        return bdf_size(e, e->order, e->change);
    const corrector_start at = {.t = past->t,
                                .h = past->h,
                                .y = history_row(past, 0),
                                .rise = history_row(past, 1),
                                .change = e->change,
                                .part = e->formula[e->order].error};
    return corrector_error_at_start(&e->corrector, &at, e->error);
}

void bdf_look_back(bdf *e)
{
    bool looks = e->order == 1 && e->steady >= LOOK_BACK;
    double second = looks ? bdf_size(e, 1, history_row(&e->past, 2)) : 0;
    double third = looks ? bdf_size(e, 1, history_row(&e->past, 3)) : 0;
    stepping_look_back(&e->base, second, third);
}

double bdf_longest(int order, double size)
{
    return pow(fmax(size, 1e-20), -1.0 / (order + 1));
}

/* The factor that is used, which is smaller for caution. */
static double factor_for(int order, double size)
{
    return bdf_longest(order, size) / CAUTION;
}

/* The error of a first step, h^2 y''/2, is near the tolerance where y'' is about y'^2 / y. After an
 * event y'' may be far larger, by a fast transient that no slope shows. Then failed attempts find a
 * step that holds, each by a new matrix. The next start takes the same part of what its slopes
 * propose, because it mostly meets the same transients. */
void bdf_propose_step(bdf *e)
{
    engine *base = &e->base;
    bool given = base->options.fixed_step > 0 || base->options.first_step > 0;
    e->proposed = 0;
    if (given) return;
    double speed = control_norm(e->past.n, base->yp, base->stepping.weight, NULL, 1);
    if (speed == 0) return;
    double least = FIRST_IN_ROUND_OFF * DBL_EPSILON * fabs(base->t);
    e->proposed = fmax(least, 1 / (speed * sqrt(base->stepping.rtol)));
    base->stepping.step = fmax(least, e->proposed / fmax(1, e->too_long));
}

void bdf_note_first(bdf *e, double size)
{
    double longer = fmin(MORE_AT_NEXT_START, fmax(1, factor_for(1, size)));
    if (!(e->proposed > 0)) return;
    e->too_long = e->failures > 0 ? e->proposed / fabs(e->past.h) : e->too_long / longer;
    e->proposed = 0;
}

/* Whether the differences fail to decrease towards the present order. Then the formula is at the
 * border of its stability region, or the solution is not smooth (Shampine & Gordon 1975, as in
 * DASSL; Brenan, Campbell & Petzold 1996, Sec. 5.2.3). `lower`: the error size at one order
 * less. */
static bool does_not_fall(bdf *e, double size, double lower)
{
    int k = e->order;
    double own = size / e->formula[k].error, below = lower / e->formula[k - 1].error;
    if (k == 2) return below <= 0.5 * own;
    double next = bdf_size(e, k - 2, history_row(&e->past, k - 1)) / e->formula[k - 2].error;
    return fmax(below, next) <= own;
}

/* The order that allows the longest step, and the factor to that step. `size` is the error size at
 * the present order. */
static int best_order(bdf *e, double size, double *factor)
{
    int k = e->order, best = k;
    *factor = factor_for(k, size);
    if (k > 1) {
        double lower = bdf_size(e, k - 1, history_row(&e->past, k));
        double longer = factor_for(k - 1, lower);
        bool must = does_not_fall(e, size, lower);
        if (must) *factor = fmin(1, longer);
        if (must) return k - 1;
        if (longer > *factor) *factor = longer, best = k - 1;
    }
    if (k < e->most) {
        double higher = bdf_size(e, k + 1, history_row(&e->past, k + 2));
        double longer = factor_for(k + 1, higher);
        bool falls = higher / e->formula[k + 1].error < size / e->formula[k].error;
        if (falls && longer > *factor) *factor = longer, best = k + 1;
    }
    return best;
}

void bdf_change(bdf *e, int order, double factor)
{
    if (e->order != order || factor != 1) {
        e->steady = 0;
        e->has_guess = false;
    }
    e->order = e->base.order_level = order;
    e->base.stepping.step = fabs(e->past.h) * factor;
}

/* The choice needs the differences up to order + 2. After order + 2 steps they come from points at
 * the present spacing. */
void bdf_choose(bdf *e)
{
    static const double NEARLY = 0.95; /* the next error test sees what is projected away as well */
    double factor, size = bdf_size(e, e->order, history_row(&e->past, e->order + 1));
    e->chooses = false;
    if (e->steady < e->order + 2) {
        if (e->ended) stepping_pass_end(&e->base, e->past.h, factor_for(e->order, size));
        return;
    }
    int order = best_order(e, size, &factor);
    if (order == e->order) factor = fmin(factor, NEARLY * bdf_longest(order, e->accepted));
    bool shorter = factor < 0.9, longer = factor >= LEAST_GROWTH;
    if (shorter || longer)
        bdf_change(e, order, fmin(MOST_GROWTH, factor));
    else if (order < e->order)
        bdf_change(e, order, 1);
}

void bdf_retreat(bdf *e, double size)
{
    int order = e->order;
    double factor = factor_for(order, size);
    if (e->failures == 1 && order > 1) {
        const double *newest = history_row(&e->past, order);
        for (size_t k = 0; k < e->past.n; k++) e->end[k] = newest[k] + e->change[k];
        double longer = factor_for(order - 1, bdf_size(e, order - 1, e->end));
        if (longer > factor) factor = fmin(1, longer), order--;
    }
    if (e->failures > 1) factor = fmin(0.5, factor);
    if (e->failures > PATIENCE) order = 1;
    bdf_change(e, order, fmax(SMALLEST_FACTOR, factor));
}
