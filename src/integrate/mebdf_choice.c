#include "integrate/bdf_parts.h"

#include <math.h>

/* Order and step of modified extended BDF. */

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
void mebdf_choose(bdf *e, double size, bool last)
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
void mebdf_retreat(bdf *e, double size)
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
