/* Assertions that fail for a short time between the points at which they are judged.
 *
 * Their relations turn where left - right passes 0. Within a step that is seen by the values at
 * five points, and, where these have one sign, at the vertex of a parabola through three of them if
 * it is nearer to 0. Where nothing comes near 0, by the values at both ends, the points within are
 * not evaluated. */
#include "formulation/author.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

enum { POINTS = 5, REFINEMENTS = 6 };

/* A relation is quiet where it changes over a step by no more than this part of its distance from
 * 0. */
static const double QUIET = 0.1;

/* A vertex is looked at where left - right is no farther from 0 there than so many times the bend
 * over the parabola. */
static const double NEAR = 0.25;

/* The points of a parabola around a vertex come closer together by this factor. */
static const double CLOSER = 0.25;

typedef struct look {
    dae_solver *s;
    const dense_output *step;
    size_t count;
    double *at;     /* POINTS x count: at the points ... */
    double *beside; /* count: ... and at another one */
    solve_turn *turn;
    size_t turns;
} look;

static double time_of(const look *l, double x)
{
    return l->step->t + l->step->h * x;
}

/* The value of relation k at x (0 to 1 over the step); NAN: none. */
static double value_at(look *l, size_t k, double x)
{
    bool has = solve_take_margins(l->s, time_of(l, x), l->step, l->beside);
    return has ? l->beside[k] : (double)NAN;
}

/* At 0 a relation belongs to either side, by what it is; after 0 it has turned. */
static bool differ(double a, double b)
{
    return (a < 0 && b > 0) || (a > 0 && b < 0);
}

/* Relation k, with a value of this sign at `low`, turns before `high`. */
static void bisect(look *l, size_t k, double low, double at_low, double high)
{
    double before = time_of(l, low), behind = time_of(l, high);
    for (int i = 0; i < SOLVE_BISECTIONS; i++) {
        double middle = before + 0.5 * (behind - before);
        if (middle == before || middle == behind) break;
        if (!solve_take_margins(l->s, middle, l->step, l->beside)) return;
        *(differ(l->beside[k], at_low) ? &behind : &before) = middle;
    }
    if (l->turns < SOLVE_MOST_TURNS)
        l->turn[l->turns++] = (solve_turn){.before = before, .behind = behind};
}

/* Whether all relations stay on their sides of 0, by their values at both ends. */
static bool is_quiet(const look *l)
{
    const double *first = l->at, *last = l->at + (POINTS - 1) * l->count;
    for (size_t k = 0; k < l->count; k++) {
        double nearer = fmin(fabs(first[k]), fabs(last[k]));
        if (!(fabs(last[k] - first[k]) <= QUIET * nearer) || differ(first[k], last[k]))
            return false;
    }
    return true;
}

/* Three values at x - h, x and x + h. */
typedef struct parabola {
    double x, h, low, middle, high;
} parabola;

/* Goes to the vertex, if that is within the parabola, bends away from 0 and is near it. */
static bool find_vertex(parabola *p)
{
    double bend = p->low - 2 * p->middle + p->high, slope = 0.5 * (p->high - p->low);
    if (bend == 0 || differ(bend, p->middle)) return false;
    double away = -slope / bend, least = p->middle - 0.5 * slope * slope / bend;
    if (!(fabs(away) <= 1) || (!differ(least, p->middle) ? fabs(least) > NEAR * fabs(bend) : 0))
        return false;
    p->x += away * p->h;
    p->h *= CLOSER;
    return true;
}

/* Whether relation k has the other sign at x, between `low` and `high` with this one: it turns on
 * both sides. *value becomes its value at x. */
static bool turns_at(look *l, size_t k, double low, double high, double sign, double x,
                     double *value)
{
    *value = value_at(l, k, x);
    if (isnan(*value) || !differ(*value, sign)) return false;
    const double there = *value;
    bisect(l, k, low, sign, x);
    bisect(l, k, x, there, high);
    return true;
}

/* Relation k has one sign at the points of p: looks for the other one between. */
static void look_at_vertex(look *l, size_t k, parabola p)
{
    double low = p.x - p.h, high = p.x + p.h, sign = p.middle;
    for (int i = 0; i < REFINEMENTS && find_vertex(&p); i++) {
        p.h = fmin(p.h, fmin(p.x - low, high - p.x));
        if (!(p.h > 0) || turns_at(l, k, low, high, sign, p.x, &p.middle) ||
            turns_at(l, k, low, high, sign, p.x - p.h, &p.low) ||
            turns_at(l, k, low, high, sign, p.x + p.h, &p.high))
            return;
    }
}

static void look_at_relation(look *l, size_t k)
{
    const double spacing = 1.0 / (POINTS - 1);
    double value[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        value[i] = l->at[i * l->count + k];
        if (isnan(value[i])) return;
    }
    double side = value[0];
    for (size_t i = 1; i < POINTS; i++) {
        if (differ(side, value[i]))
            bisect(l, k, (double)(i - 1) * spacing, side, (double)i * spacing);
        if (value[i] != 0) side = value[i];
    }
    for (size_t i = 1; i + 1 < POINTS; i++) {
        if (differ(value[i - 1], value[i]) || differ(value[i], value[i + 1])) continue;
        parabola p = {(double)i * spacing, spacing, value[i - 1], value[i], value[i + 1]};
        look_at_vertex(l, k, p);
    }
}

/* By insertion. */
static void sort(const look *l)
{
    for (size_t i = 1; i < l->turns; i++) {
        solve_turn moved = l->turn[i];
        size_t at = i;
        for (; at > 0 && (l->turn[at - 1].behind - moved.behind) * l->step->h > 0; at--)
            l->turn[at] = l->turn[at - 1];
        l->turn[at] = moved;
    }
}

size_t solve_find_turns(dae_solver *s, solve_turn *turn)
{
    simulation *c = s->simulation;
    look l = {.s = s, .step = engine_polynomial(s->engine), .turn = turn};
    if (!c->ops->margins || (l.count = c->ops->margins(c, &l.at)) == 0) return 0;
    l.beside = l.at + POINTS * l.count;
    static const size_t ORDER[POINTS] = {0, POINTS - 1, 1, 2, 3};
    for (size_t i = 0; i < POINTS; i++) {
        double x = (double)ORDER[i] / (POINTS - 1);
        if (!solve_take_margins(s, time_of(&l, x), l.step, l.at + ORDER[i] * l.count)) return 0;
        if (i == 1 && is_quiet(&l)) return 0;
    }
    for (size_t k = 0; k < l.count && l.turns < SOLVE_MOST_TURNS; k++) look_at_relation(&l, k);
    sort(&l);
    return l.turns;
}
