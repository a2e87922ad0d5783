/* Changes of sign that the points of a step do not show. */
#include "event/changes.h"

#include "base/round_off.h"

#include <math.h>
#include <string.h>

/* The most stretches of a part of a step whose bounds are looked at for one root: the longest
 * first, so that what bounds tell nothing of is looked at in equal distances. */
enum { MOST_STRETCHES = 256 };

/* Unknowns are polynomials: between points they go no further beyond the values there than this
 * part of the distance of these. */
static const double BEYOND = 0.25;

/* Widens a box to the unknowns at a time of the step. */
static void widen(events *v, engine *e, double x, bool first)
{
    events_take_state(v, e, events_time_at(e, x));
    const double *at[2] = {v->y, v->yp};
    double *low[2] = {v->y_low, v->yp_low}, *high[2] = {v->y_high, v->yp_high};
    for (int d = 0; d < 2; d++) {
        for (size_t i = 0; i < v->n; i++) {
            low[d][i] = first ? at[d][i] : fmin(low[d][i], at[d][i]);
            high[d][i] = first ? at[d][i] : fmax(high[d][i], at[d][i]);
        }
    }
}

/* The box of the unknowns from a to b of the step, by so many points. */
static void take_box(events *v, engine *e, double a, double b, int points)
{
    for (int i = 0; i < points; i++) widen(v, e, a + (b - a) * i / (points - 1), i == 0);
    double *low[2] = {v->y_low, v->yp_low}, *high[2] = {v->y_high, v->yp_high};
    for (int d = 0; d < 2; d++) {
        for (size_t i = 0; i < v->n; i++) {
            double more = BEYOND * (high[d][i] - low[d][i]);
            low[d][i] -= more;
            high[d][i] += more;
        }
    }
}

static void enclose(events *v, engine *e, size_t k, double a, double b, event_bounds *bounds)
{
    double t[2] = {events_time_at(e, a), events_time_at(e, b)};
    const event_box box = {fmin(t[0], t[1]), fmax(t[0], t[1]), v->y_low,
                           v->y_high,        v->yp_low,        v->yp_high};
    v->source->ops->enclose(v->source->self, k, &box, bounds);
}

/* Whether root k surely has its sign from a to b of the step, if it has it at both ends. at_middle:
 * its value there. */
static bool keeps(events *v, engine *e, size_t k, double a, double b, int points, double *at_middle)
{
    double middle = a + 0.5 * (b - a), half = fabs(events_time_at(e, b) - events_time_at(e, a)) / 2;
    event_bounds of, there;
    widen(v, e, middle, true);
    enclose(v, e, k, middle, middle, &there);
    *at_middle = there.low;
    take_box(v, e, a, b, points);
    enclose(v, e, k, a, b, &of);
    if (v->sign[k] > 0 ? of.low > 0 : of.high < 0) return true;
    if (!isfinite(of.low) || !isfinite(of.high)) return false;
    if (of.slope_low > 0 || of.slope_high < 0) return true; /* its extrema are at the ends */
    double steepest = fmax(fabs(of.slope_low), fabs(of.slope_high));
    return *at_middle * v->sign[k] > steepest * half;
}

/* Looks for a point of the part that is looked at where root k has another sign. */
static bool find_other_sign(events *v, engine *e, size_t k, double *x)
{
    double from[MOST_STRETCHES], to[MOST_STRETCHES], value;
    int count = 1, points = 5;
    from[0] = v->begin, to[0] = v->end;
    for (int i = 0; i < count; i++) {
        if (keeps(v, e, k, from[i], to[i], points, &value)) continue;
        double middle = from[i] + 0.5 * (to[i] - from[i]);
        if (value * v->sign[k] < 0 && isfinite(value)) {
            *x = middle;
            return true;
        }
        points = 3;
        if (count + 2 > MOST_STRETCHES || to[i] - from[i] < ROUND_OFF_AMPLIFIED) continue;
        from[count] = from[i], to[count++] = middle;
        from[count] = middle, to[count++] = to[i];
    }
    return false;
}

/* Whether points show nothing of root k where it may change its sign all the same. */
static bool is_open(const events *v, size_t k)
{
    const event_source_ops *ops = v->source->ops;
    return v->sign[k] != 0 && v->band[k] == 0 && v->now[k] * v->sign[k] > 0 &&
           v->at_end[k] * v->sign[k] > 0 && ops->bends(v->source->self, k);
}

bool hidden_find(events *v, engine *e, double *x)
{
    bool any = false;
    if (!v->source->ops->bends || v->source->direction) return false;
    for (size_t k = 0; k < v->count; k++) {
        double found;
        if (!is_open(v, k) || !find_other_sign(v, e, k, &found)) continue;
        if (events_roots_at(v, e, events_time_at(e, found), v->value) != DAE_OK) continue;
        v->source->ops->rounding(v->source->self, v->at_high);
        if (!(v->value[k] * v->sign[k] < -v->at_high[k])) continue;
        *x = any ? fmin(*x, found) : found;
        any = true;
    }
    return any;
}
