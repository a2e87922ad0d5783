/* From a solution along the solutions to the one nearest to a point. */
#include "base/round_off.h"
#include "nonlinear/gauss_newton_parts.h"

#include <math.h>
#include <string.h>

/* For a solution x: the step to the point of the tangent at x that is nearest to `from`. */
static dae_status tangential_step(gauss_newton *gn, const double *x, const double *from,
                                  const double *weight, double *step)
{
    const nonlinear_system *s = gn->system;
    dae_status status = gauss_newton_decompose(gn, x, weight);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < s->columns; j++) step[j] = from[j] - x[j];
    if (gn->ordered) {
        lexicographic_solve(gn->ordered, gn->residual, step);
        return DAE_OK;
    }
    /* the shortest change from `from` that solves c + A (from - x) = 0 */
    memcpy(gn->trial, step, s->columns * sizeof *step);
    sparse_add_product(s->pattern, gn->value, gn->trial, gn->residual);
    min_norm_solve(gn->linear, gn->residual, step);
    for (size_t j = 0; j < s->columns; j++) step[j] += from[j] - x[j];
    return DAE_OK;
}

/* The length of a step in the part where it is longest. */
static double longest(gauss_newton *gn, const double *x, const double *step, const double *nominal)
{
    double most = 0;
    gauss_newton_measure(gn, x, step, nominal);
    for (size_t k = 0; k < gn->parts; k++) most = fmax(most, gn->part[k].length);
    return isnan(most) ? HUGE_VAL : most;
}

/* The distance in the columns of a level, or in all. */
static double distance(const gauss_newton *gn, const double *x, const double *from,
                       const double *weight, size_t level)
{
    const gauss_newton_order *order = gn->order;
    double sum = 0;
    for (size_t j = 0; j < gn->system->columns; j++) {
        if (order && order->level[j] != level) continue;
        double part = (x[j] - from[j]) / (order ? order->scale[j] : weight[j]);
        sum += part * part;
    }
    return sum;
}

/* Whether a solution is nearer than another one, in the highest level in which they differ. */
static bool is_nearer(const gauss_newton *gn, const double *next, const double *x,
                      const double *from, const double *weight)
{
    for (size_t level = gn->order ? gn->order->levels : 1; level-- > 0;) {
        double before = distance(gn, x, from, weight, level),
               now = distance(gn, next, from, weight, level);
        if (!gn->order || fabs(now - before) > ROUND_OFF_SOLVED * before) return now < before;
    }
    return false;
}

/* Go along `step` as far as that leads to a nearer solution, into `next`; false if nothing does.
 * Near the end distances differ by round-off; whole steps are made there as long as they get
 * shorter. */
static bool come_nearer(gauss_newton *gn, const double *x, const double *step, const double *from,
                        const double *weight, const double *nominal, bool ends, double *fraction,
                        double *next)
{
    enum { MOST_ITERATIONS = 10 };
    static const double SHORTEST = 1e-3;
    for (; *fraction > SHORTEST; *fraction /= 2) {
        for (size_t j = 0; j < gn->system->columns; j++) next[j] = x[j] + *fraction * step[j];
        if (gauss_newton_solve(gn, next, weight, nominal, MOST_ITERATIONS) != DAE_OK) continue;
        if ((ends && *fraction == 1) || is_nearer(gn, next, x, from, weight)) return true;
    }
    return false;
}

/* Near the end steps are made whole, and one that leads no nearer is round-off. */
static const double NEAR = 1e-3;

/* What a step that leads no nearer means, by what it was to change in the highest level. */
static approach_end end_of_way(const gauss_newton *gn, const double *step, const double *weight)
{
    const gauss_newton_order *order = gn->order;
    for (size_t j = 0; j < gn->system->columns; j++) {
        if (order && (size_t)order->level[j] + 1 != order->levels) continue;
        if (!(fabs(step[j]) <= NEAR * (order ? order->scale[j] : weight[j]))) return APPROACH_STUCK;
    }
    return APPROACH_ON_THE_WAY;
}

/* How many columns of levels below the highest the rows determine. */
static size_t lower_rank_of(const gauss_newton *gn)
{
    size_t count = 0;
    if (gn->ordered) return lexicographic_lower_rank(gn->ordered);
    for (size_t j = 0; j < gn->system->columns; j++)
        count += (size_t)gn->order->level[j] + 1 < gn->order->levels;
    return count;
}

static approach_end go_to_nearest(gauss_newton *gn, double *x, const double *from,
                                  const double *weight, const double *nominal, size_t most_sweeps,
                                  size_t *lower_rank)
{
    static const double SHORTER = 0.5;
    size_t n = gn->system->columns;
    double *step = gn->tangent, *next = gn->nearer, fraction = 1, last = HUGE_VAL;
    for (size_t sweep = 0; sweep < most_sweeps; sweep++) {
        if (tangential_step(gn, x, from, weight, step) != DAE_OK) return APPROACH_STUCK;
        if (sweep == 0 && gn->order) *lower_rank = lower_rank_of(gn);
        double length = longest(gn, x, step, nominal);
        if (length < NEARLY_CONVERGED) return APPROACH_NEAREST;
        bool ends = length < NEAR && length < SHORTER * last;
        if (!come_nearer(gn, x, step, from, weight, nominal, ends, &fraction, next))
            return end_of_way(gn, step, weight);
        memcpy(x, next, n * sizeof *x);
        fraction = fmin(1, 2 * fraction);
        last = length;
    }
    return APPROACH_ON_THE_WAY;
}

approach_end gauss_newton_approach(gauss_newton *gn, double *x, const double *from,
                                   const double *weight, const double *nominal, size_t most_sweeps)
{
    size_t lower_rank = 0;
    approach_end end = go_to_nearest(gn, x, from, weight, nominal, most_sweeps, &lower_rank);
    if (!gn->order || gauss_newton_decompose(gn, x, weight) != DAE_OK) return end;
    /* an end at which the rows determine less of the others than before is one of solutions */
    return lower_rank_of(gn) < lower_rank ? APPROACH_STUCK : end;
}
