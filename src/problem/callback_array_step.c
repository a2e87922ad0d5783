/* The step and the units of a derivative array by differences. The chosen step is the one that
 * halving changes least. */
#include "base/round_off.h"
#include "problem/callback_array_parts.h"
#include "problem/callback_state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Steps that are tried, as powers of 2. */
enum { LONGEST = -3, SHORTEST = -41 };

static double power_of_2(double x)
{
    return x > 0 && isfinite(x) ? exp2(round(log2(x))) : 1;
}

/* Scale the rows to a largest entry of about 1, over F_y and F_y' / h together. */
static void find_units(callback_array *g)
{
    size_t n = g->n;
    for (size_t i = 0; i < n; i++) {
        double most = 0;
        for (size_t j = 0; j < n; j++)
            most = fmax(most, fmax(fabs(g->jacobian[j * n + i]), fabs(g->mass[j * n + i])));
        g->row[i] = most > 0 ? power_of_2(g->row[i] / most) : 1;
    }
}

/* The first and second derivative (n each) of F along the polynomial, by nodes that are `factor` h
 * apart, in units of h^-1 and h^-2. */
static dae_status derivatives(callback_array *g, double t, const double *y, const double *rest,
                              double factor, double *found)
{
    const double(*weight)[NODES] = CALLBACK_WEIGHT[g->side];
    size_t n = g->n;
    dae_status status = callback_array_sample(g, t, y, rest, factor);
    memset(found, 0, 2 * n * sizeof *found);
    for (size_t node = 0; status == DAE_OK && node < NODES; node++) {
        if (callback_array_passed_over(g, weight, (int)node)) continue;
        const double *sample = g->sample + node * n;
        double first = weight[1][node] / factor, second = 2 * weight[2][node] / (factor * factor);
        for (size_t j = 0; j < n; j++) found[j] += first * sample[j];
        for (size_t j = 0; j < n; j++) found[n + j] += second * sample[j];
    }
    return status;
}

/* The difference between the last sample of an equation at the point and the polynomial through the
 * samples around the point. */
static double miss_of_middle(const callback_array *g, size_t equation)
{
    static const double WEIGHT[] = {56.0 / 70, -28.0 / 70, 8.0 / 70, -1.0 / 70};
    const double *middle = g->sample + 4 * g->n + equation;
    double miss = *middle;
    if (g->side != AROUND) return 0;
    for (size_t k = 1; k <= 4; k++)
        miss -= WEIGHT[k - 1] * (*(middle - k * g->n) + *(middle + k * g->n));
    return fabs(miss);
}

/* The sum of the sizes of an equation's terms at y and c_1, by the matrices as linearised last. */
static double terms_of(const callback_array *g, size_t equation, const double *y,
                       const double *rest)
{
    double sum = g->size[equation] * g->row[equation];
    for (size_t j = 0; j < g->n; j++) {
        size_t entry = j * g->n + equation;
        sum += fabs(g->jacobian[entry] * y[j] / g->column[j]) + fabs(g->mass[entry] * rest[j]);
    }
    return sum;
}

/* Whether a miss comes from a pulse or a jump between the nodes. Differences without a weight in
 * the middle do not see it, and nodes half as far apart do not reduce it. */
static bool is_pulse(double miss, double by_half, double terms)
{
    static const double STAYS = 0.7;
    return by_half > STAYS * miss && by_half > ROUND_OFF_DIFFERENCE * terms;
}

/* The rounding error of a second derivative, for terms of size 1. */

dae_status callback_array_halve(callback_array *g, double t, const double *y, const double *rest,
                                double *error)
{
    size_t n = g->n;
    double *one = g->trial, *other = g->trial + 2 * n;
    dae_status status = derivatives(g, t, y, rest, 1, one);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < n; i++) error[i] = miss_of_middle(g, i);
    status = derivatives(g, t, y, rest, 0.5, other);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < n && g->orders > 1; i++) {
        bool pulse = is_pulse(error[i], miss_of_middle(g, i), terms_of(g, i, y, rest));
        error[n + i] = pulse ? CALLBACK_UNKNOWN : fabs(one[i] - other[i]);
        if (g->orders > 2) error[2 * n + i] = fabs(one[n + i] - other[n + i]) / 2;
    }
    memset(error, 0, n * sizeof *error);
    return DAE_OK;
}

/* The disagreement of two steps, one half of the other, in units of each equation's terms.
 * HUGE_VAL: not known. */
static double disagreement(callback_array *g, double t, const double *y, const double *rest,
                           double factor)
{
    double worst = 0, *one = g->trial, *other = g->trial + 2 * g->n;
    if (derivatives(g, t, y, rest, factor, one) != DAE_OK) return HUGE_VAL;
    if (derivatives(g, t, y, rest, factor / 2, other) != DAE_OK) return HUGE_VAL;
    for (size_t i = 0; i < 2 * g->n; i++) {
        double size = g->size[i % g->n] * g->row[i % g->n];
        worst = fmax(worst, fabs(one[i] - other[i]) / size);
    }
    /* Rounding of terms of size 1 in a second derivative. */
    return isfinite(worst) ? worst + DBL_EPSILON / (factor * factor) : HUGE_VAL;
}

/* The size of each equation's terms, so that no equation is judged in units of another. */
static void find_sizes(callback_array *g, const double *rest)
{
    size_t n = g->n;
    for (size_t i = 0; i < n; i++) {
        double most = 0, least = 0;
        for (size_t j = 0; j < n; j++) {
            double by_yp = fabs(g->mass[j * n + i]);
            most = fmax(most, fmax(fabs(g->jacobian[j * n + i]), by_yp * fabs(rest[j])));
            least = fmax(least, by_yp);
        }
        g->size[i] = most > 0 ? most : least > 0 ? least : 1;
    }
}

static void change_step(callback_array *g, double factor, double *rest)
{
    double power = 1;
    g->h *= factor;
    for (size_t i = 0; i < CALLBACK_ARRAY_MOST; i++) {
        power *= factor;
        for (size_t j = 0; j < g->n; j++) rest[i * g->n + j] *= power;
    }
}

/* Whether the unknowns change by more than their sizes over `factor` h. Then matrices at one point
 * say little about the next. */
static bool is_far(const callback_array *g, const double *y, const double *rest, double factor)
{
    double power = 1;
    for (size_t i = 0; i < g->orders; i++) {
        power *= factor;
        for (size_t j = 0; j < g->n; j++)
            if (fabs(rest[i * g->n + j]) * power > fmax(1, fabs(y[j]) / g->column[j])) return true;
    }
    return false;
}

/* Take the step among h 2^first, ..., h 2^last that halving changes least, by nodes on the first
 * side that has values. */
static bool find_step(callback_array *g, double t, const double *y, double *rest, int first,
                      int last)
{
    double least = HUGE_VAL, best = 0, tick = nextafter(fabs(t), HUGE_VAL) - fabs(t);
    int tried = 0;
    do {
        for (int e = first; e >= last; e--) {
            if (CLOSER * g->h * exp2(e) < tick)
                continue; /* t is late: rounding would displace the nodes */
            if (e > last && is_far(g, y, rest, exp2(e))) continue;
            double size = disagreement(g, t, y, rest, exp2(e));
            if (size < least) least = size, best = exp2(e);
        }
    } while (best == 0 && callback_array_try_other_side(g, DAE_NOT_EVALUABLE, &tried));
    if (best > 0) change_step(g, best, rest);
    return best > 0;
}

bool callback_array_is_longest(const callback_array *g, double unit)
{
    return g->h >= exp2(LONGEST) * unit;
}

/* The column of the only nonzero of a row; n: there is none, or more than one. */
static size_t only_entry(size_t n, const double *m, size_t row)
{
    size_t found = n;
    for (size_t j = 0; j < n; j++) {
        if (m[j * n + row] == 0) continue;
        if (found < n) return n;
        found = j;
    }
    return found;
}

/* Enlarge the units of speeds; returns whether there are any. A variable that is 0 at the start and
 * has no nominal size gives no hint of how large it becomes. Where x' = v and v' is known, v
 * reaches a size of sqrt(|x v'|), as at the end of a fall. In a far smaller unit, the steps in
 * which v changes by one unit would be far too short. */
static bool enlarge_speeds(callback_array *g, const double *yp)
{
    static const double FAR = 1000;
    const bool *dynamic = g->c->problem.dynamic;
    bool any = false;
    for (size_t i = 0; i < g->n; i++) {
        size_t x = only_entry(g->n, g->mass, i), v = only_entry(g->n, g->jacobian, i);
        if (x == g->n || v == g->n || x == v || !dynamic[v]) continue;
        double size = sqrt(g->column[x] * fabs(yp[v]));
        if (!(size > FAR * g->column[v])) continue;
        g->column[v] = power_of_2(size);
        any = true;
    }
    return any;
}

dae_status callback_array_calibrate(callback_array *g, double t, const double *y, const double *yp,
                                    double unit, double *rest)
{
    const double *nominal = g->c->problem.nominal;
    memset(rest, 0, CALLBACK_ARRAY_MOST * g->n * sizeof *rest);
    g->h = unit;
    for (size_t j = 0; j < g->n; j++) {
        g->row[j] = 1;
        g->column[j] = power_of_2(fmax(fabs(y[j]), nominal[j]));
        if (g->c->problem.dynamic[j]) rest[j] = yp[j] * g->h / g->column[j];
    }
    dae_status status = callback_array_at_point(g, t, y, yp);
    if (status == DAE_OK && enlarge_speeds(g, yp)) {
        for (size_t j = 0; j < g->n; j++)
            if (g->c->problem.dynamic[j]) rest[j] = yp[j] * g->h / g->column[j];
        status = callback_array_at_point(g, t, y, yp);
    }
    if (status != DAE_OK) return status;
    find_sizes(g, rest);
    if (!find_step(g, t, y, rest, LONGEST, SHORTEST)) return DAE_NOT_EVALUABLE;
    status = callback_array_at_point(g, t, y, yp); /* with the new step */
    if (status == DAE_OK) find_units(g);
    return status;
}

/* The range of steps to try beside the present one, as powers of 2; and how often to try again
 * while they grow, because a fast motion leaves steps that are far too short for what follows. */
enum { LONGER = 1, SHORTER = -2, MOST_LONGER = 8 };

dae_status callback_array_retune(callback_array *g, double t, const double *y, const double *yp,
                                 bool noisy, double *rest)
{
    double before = g->h, last = 0;
    for (int k = 0; k < MOST_LONGER && g->h > last; k++) {
        last = g->h;
        int longer = noisy || !callback_array_is_longest(g, g->c->problem.time_unit) ? LONGER : 0;
        if (!find_step(g, t, y, rest, longer, k > 0 ? 0 : SHORTER)) return DAE_NOT_EVALUABLE;
    }
    if (g->h == before) return DAE_OK;
    dae_status status = callback_array_at_point(g, t, y, yp);
    if (status == DAE_OK) find_units(g);
    return status;
}
