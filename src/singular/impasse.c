#include "singular/impasse.h"

#include "base/round_off.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The steps along the curve in which something has to be found, and to come back clearly in time
 * after a turn. */
enum { MOST_STEPS = 300, MOST_RETURN = 60 };

/* A turn counts where time has come back by this part of its unit, or by so many roundings:
 * towards a logarithmic singularity dt/ds falls to round-off and may change its sign there. */
static const double CLEAR = 1e-9, CLEAR_ROUNDINGS = 1e4;

/* A variable that is GROWS times as large as at the start, with time nearly at rest, has a pole. */
static const double GROWS = 30;

/* Poles of a higher order than this count as exponential growth, which has no end. */
static const double HIGHEST_ORDER = 8;

/* Where dt/ds is this small at the start, the start may be the point itself. */
static const double AT_REST = 1e-5;

/* The derivative is infinite at an instant if dt/ds is below LOW there and RISES times as large
 * after it. */
static const double LOW = 1e-4, RISES = 100;

/* No rise steeper than this power counts as a power of the arc length. */
static const double HIGHEST_POWER = 8;

/* The equations lose rank where their smallest singular value falls to this part of what it is
 * beside the point. */
static const double LOST = 1e-3;

/* Iterations to the place of a turn. */
enum { MOST_ITERATIONS = 60 };

/* Unknowns are named whose part of the tangent is at least this large. */
static const double NAMED = 0.2;

static double time_of(const solution_curve *c, const curve_point *at)
{
    return at->u[curve_order(c)];
}

/* dt/ds in units of arc length. */
static double rate_of(const solution_curve *c, const curve_point *at)
{
    return at->slope[curve_order(c)] / curve_scale(c)[curve_order(c)];
}

/* --- the place of a turn --- */

/* The part of the last step at which a function of its points changes sign, by regula falsi after
 * Illinois. The function is dt/ds, or the orientation. */
static bool find_part(solution_curve *c, double first, double last, bool by_orientation,
                      double *part)
{
    double low = 0, high = 1, below = first, above = last;
    const curve_point *at;
    int side = 0;
    for (int i = 0; i < MOST_ITERATIONS && high - low > ROUND_OFF_VALUE; i++) {
        double middle = by_orientation || i % 4 == 3 ? 0.5 * (low + high)
                                                     : low - below * (high - low) / (above - below);
        if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
        if (curve_within(c, middle, &at) != DAE_OK) return false;
        double value = by_orientation ? at->orientation * first : rate_of(c, at);
        if (value == 0) {
            low = high = middle;
        } else if (value * first > 0) {
            low = middle, below = value;
            if (side == 1) above *= 0.5;
            side = 1;
        } else {
            high = middle, above = value;
            if (side == -1) below *= 0.5;
            side = -1;
        }
    }
    *part = high;
    return curve_within(c, high, &at) == DAE_OK;
}

bool singular_turns(solution_curve *c, double way, double *part)
{
    double first = rate_of(c, curve_here(c)), last = rate_of(c, curve_next(c));
    if (!(last * way < 0)) return false;
    if (!(first * way > 0)) { /* the step has begun at the turn itself */
        *part = DBL_EPSILON;
        const curve_point *at;
        return curve_within(c, *part, &at) == DAE_OK;
    }
    return find_part(c, first, last, false, part);
}

/* --- what a point is --- */

/* Names the largest entries of the tangent without time. */
static void name_turning(const solution_curve *c, const curve_point *at, singular_point *found)
{
    size_t order = curve_order(c);
    const double *scale = curve_scale(c);
    double largest = 0;
    found->named = 0;
    for (size_t j = 0; j < order; j++) largest = fmax(largest, fabs(at->slope[j] / scale[j]));
    for (double above = HUGE_VAL; found->named < SINGULAR_MOST_NAMED;) {
        size_t best = order;
        double size = NAMED * largest;
        for (size_t j = 0; j < order; j++) {
            double is = fabs(at->slope[j] / scale[j]);
            bool taken = false;
            for (size_t k = 0; k < found->named; k++) taken |= found->unknown[k] == j;
            if (!taken && is <= above && is >= size) best = j, size = is;
        }
        if (best == order) return;
        found->unknown[found->named++] = best;
        above = size;
    }
}

/* k where dt/ds ~ s^k at the turn: t* - t ~ s^(k+1), so that y' grows as (t* - t)^(-k/(k+1)). */
static double exponent_at(solution_curve *c, double part)
{
    const curve_point *at;
    double way = fmin(part, 0.5), near = 0, far = 0;
    if (way < ROUND_OFF_SUM) return -0.5;
    if (curve_within(c, part - 0.5 * way, &at) == DAE_OK) near = fabs(rate_of(c, at));
    if (curve_within(c, part - 0.99 * way, &at) == DAE_OK) far = fabs(rate_of(c, at));
    double k = near > 0 && far > 0 ? round(log(far / near) / log(0.99 / 0.5)) : 1;
    k = fmax(k, 1);
    return -k / (k + 1);
}

dae_status singular_classify(solution_curve *c, double direction, double part,
                             singular_point *found)
{
    const curve_point *at;
    double before = rate_of(c, curve_here(c)), behind = rate_of(c, curve_next(c));
    found->exponent = exponent_at(c, part);
    dae_status status = curve_within(c, part, &at);
    if (status != DAE_OK) return status;
    found->t = time_of(c, at);
    found->accessible = (behind - before) * direction < 0;
    name_turning(c, at, found);
    return curve_singular_values(c, at, &found->square, &found->whole);
}

/* Whether the equations lose rank at a part of the last step. */
static bool loses_rank(solution_curve *c, double part, singular_point *found)
{
    const curve_point *at;
    double square, usual;
    bool known = curve_within(c, part, &at) == DAE_OK &&
                 curve_singular_values(c, at, &found->square, &found->whole) == DAE_OK &&
                 curve_singular_values(c, curve_here(c), &square, &usual) == DAE_OK;
    return known && found->whole < LOST * usual;
}

/* --- the search --- */

typedef struct look {
    solution_curve *curve;
    const singular_search *search;
    singular_point *found;
    double t;               /* time at the start */
    double arc, lowest_arc; /* from there to here, and to the point where |dt/ds| is least */
    size_t growing;         /* the variable that grows; 0.5 GROWS times as large as at the start */
    double grown, time_at_grown;                      /* it has this size, and dt/dy; 0: none has */
    size_t count;                                     /* points from that one on: */
    double rate[MOST_STEPS + 1], way[MOST_STEPS + 1]; /* |dt/ds|, and the arc from there */
} look;

/* After a turn at `turn`, goes on until time has clearly come back. */
static bool comes_back(look *l, double turn)
{
    solution_curve *c = l->curve;
    double unit = curve_scale(c)[curve_order(c)];
    double clear = fmax(CLEAR * unit, CLEAR_ROUNDINGS * DBL_EPSILON * fabs(turn));
    for (int i = 0; i < MOST_RETURN; i++) {
        if ((turn - time_of(c, curve_here(c))) * l->search->direction > clear) return true;
        if (rate_of(c, curve_here(c)) * l->search->direction > 0) return false;
        if (curve_step(c, 0) != DAE_OK) return false;
        curve_move(c, curve_next(c));
    }
    return false;
}

/* Whether the equations change where time turns at a part of the last step. */
static bool switches(look *l, double part)
{
    const singular_search *by = l->search;
    bool any = by->switches && by->switches(by->self, l->curve, part);
    if (any) l->found->kind = SINGULAR_SWITCHES;
    return any;
}

/* Looks at a step within which dt/ds or the orientation changes its sign. Returns whether that ends
 * the search. */
static bool decide(look *l)
{
    solution_curve *c = l->curve;
    singular_point *f = l->found;
    const curve_point *here = curve_here(c), *next = curve_next(c);
    double part;
    bool turns = singular_turns(c, l->search->direction, &part);
    bool crosses = here->orientation * next->orientation < 0;
    if (!turns && !crosses) return false;
    if (!turns && !find_part(c, here->orientation, next->orientation, true, &part)) return true;
    bool lost = crosses && loses_rank(c, part, f);
    if (lost || !turns) { /* a coefficient that changes its sign without a turn has a pole there */
        const curve_point *at;
        f->kind = lost ? SINGULAR_CROSSING : SINGULAR_POLE;
        if (curve_within(c, part, &at) != DAE_OK) return true;
        f->t = time_of(c, at);
        name_turning(c, at, f);
        return true;
    }
    if (singular_classify(c, l->search->direction, part, f) != DAE_OK) return true;
    if (switches(l, part)) return true;
    curve_move(c, curve_next(c));
    if (comes_back(l, f->t)) f->kind = SINGULAR_IMPASSE;
    return true;
}

/* The unknown that has grown most, in sizes at the start. */
static size_t fastest(const look *l, double *times)
{
    const solution_curve *c = l->curve;
    size_t best = 0;
    *times = 0;
    for (size_t j = 0; j < curve_order(c); j++) {
        double is = fabs(curve_here(c)->u[j]) / curve_scale(c)[j];
        if (is > *times) *times = is, best = j;
    }
    return best;
}

/* How much time passes along the curve while a variable changes by its scale. */
static double time_per(const look *l, size_t which)
{
    const solution_curve *c = l->curve;
    const double change = curve_here(c)->slope[which] / curve_scale(c)[which];
    return fabs(rate_of(c, curve_here(c)) / change);
}

/* Whether a variable grows without bound, while time comes to rest. Towards a pole of order k it
 * grows as (t* - t)^-k, so that dt/dy falls as y^(-1 - 1/k), and towards a logarithm faster. Where
 * it goes over to another value within a short time, dt/dy stays or rises. */
static bool has_pole(look *l)
{
    double times;
    size_t which = fastest(l, &times);
    if (times < 0.5 * GROWS) return false;
    double now = time_per(l, which);
    if (l->grown == 0 || l->growing != which) {
        l->growing = which;
        l->grown = times;
        l->time_at_grown = now;
    }
    if (times < GROWS || times < 2 * l->grown * (1 - DBL_EPSILON)) return false;
    bool rests = fabs(rate_of(l->curve, curve_here(l->curve))) <= ROUND_OFF_VALUE;
    bool falls = now < l->time_at_grown * pow(times / l->grown, -1 - 1 / HIGHEST_ORDER);
    if (!falls && !rests) return false;
    *l->found = (singular_point){.kind = SINGULAR_POLE,
                                 .t = time_of(l->curve, curve_here(l->curve)),
                                 .named = 1,
                                 .unknown = {which}};
    return true;
}

/* Notes the present point: where dt/ds is least so far, and how it rises after that. */
static void note_rate(look *l)
{
    const solution_curve *c = l->curve;
    double rate = fabs(rate_of(c, curve_here(c)));
    if (l->count == 0 || rate < l->rate[0]) {
        l->count = 0;
        l->lowest_arc = l->arc;
        name_turning(c, curve_here(c), l->found);
        l->found->t = time_of(c, curve_here(c));
    }
    l->rate[l->count] = rate;
    l->way[l->count++] = l->arc - l->lowest_arc;
}

/* Whether dt/ds has fallen to nearly 0 and risen again without a change of sign. After an instant
 * at which the derivative alone is infinite it rises as a power of s. Where a variable has come
 * back from a logarithmic singularity, which round-off allows, it rises as exp(s). */
static bool has_risen(look *l)
{
    size_t last = l->count - 1, half = last;
    double rate = l->rate[last], way = l->way[last];
    if (!(l->rate[0] < LOW && rate > RISES * l->rate[0] && rate > LOW)) return false;
    while (half > 1 && l->way[half] > 0.5 * way) half--;
    bool power = half == 0 || half == last ||
                 rate < l->rate[half] * pow(way / l->way[half], HIGHEST_POWER);
    l->found->kind = power ? SINGULAR_VERTICAL : SINGULAR_POLE;
    return true;
}

static dae_status follow(look *l)
{
    solution_curve *c = l->curve;
    note_rate(l);
    for (int i = 0; i < MOST_STEPS; i++) {
        dae_status status = curve_step(c, 0);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        if (status != DAE_OK || decide(l) || has_pole(l)) return DAE_OK;
        l->arc += curve_length(c);
        curve_move(c, curve_next(c));
        note_rate(l);
        if (has_risen(l)) return DAE_OK;
        if (fabs(time_of(c, curve_here(c)) - l->t) > l->search->reach) return DAE_OK;
    }
    return DAE_OK;
}

/* At a start where time is at rest: whether time goes on to both sides. Two solutions leave the
 * point then, and none leads to it. */
static dae_status look_at_start(look *l, bool *leaves)
{
    solution_curve *c = l->curve;
    const curve_point *here = curve_here(c);
    *leaves = false;
    if (fabs(rate_of(c, here)) > AT_REST) return DAE_OK;
    bool forward[2] = {false, false};
    for (int k = 0; k < 2; k++) {
        dae_status status = curve_step(c, 0);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        forward[k] = status == DAE_OK && rate_of(c, curve_next(c)) * l->search->direction > 0;
        curve_reverse(c);
    }
    if (!forward[0] || !forward[1]) return DAE_OK;
    *leaves = true;
    *l->found = (singular_point){.kind = SINGULAR_IMPASSE, .t = l->t, .exponent = -0.5};
    name_turning(c, here, l->found);
    return curve_singular_values(c, here, &l->found->square, &l->found->whole);
}

dae_status singular_look(solution_curve *c, const singular_search *search, singular_point *found)
{
    const curve_point *here = curve_here(c);
    *found = (singular_point){.kind = SINGULAR_NONE};
    look l = {.curve = c, .search = search, .found = found, .t = time_of(c, here)};
    bool leaves = false;
    if (here->orientation == 0) { /* the rank is lost at the point itself */
        *found = (singular_point){.kind = SINGULAR_CROSSING, .t = l.t};
        return DAE_OK;
    }
    dae_status status = search->at_start ? look_at_start(&l, &leaves) : DAE_OK;
    if (status != DAE_OK || leaves) return status;
    if (rate_of(c, here) * search->direction < 0) curve_reverse(c);
    return follow(&l);
}
