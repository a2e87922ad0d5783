#include "event/time_roots.h"

#include "base/round_off.h"
#include "symbolic/cells.h"
#include "symbolic/derive.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

/* The first interval is this part of the time, or this long; each next one is twice as long. */
static const double FIRST = 1e-6;

/* How many times as long an interval is that is sampled where bounds tell nothing of the first. */
static const double SAMPLED = 100;

/* The most evaluations of a search, and the latest time of interest. */
enum { MOST_EVALUATIONS = 4000 };
static const double LATEST = 1e15;

typedef struct range {
    double low, high;
} range;

/* One function, with the nodes that it is made of: a search costs no more than these. */
typedef struct curve {
    size_t nodes;
    const sym *node;
    size_t *first, *argument; /* nodes + 1; each node's arguments, by their places */
    size_t value, slope;      /* places of f and its derivative among the nodes */
} curve;

struct time_roots {
    sym_graph *g;
    size_t count;
    curve *curve;          /* count */
    const struct curve *c; /* the one that is searched */
    range *of;             /* of its nodes */
    size_t evaluations;
};

/* Whether a term has a value of one of two expressions. */
static bool chooses(sym_op op)
{
    return op == SYM_MIN || op == SYM_MAX || op == SYM_IF || op == SYM_ABS;
}

/* The place of a term of a sum that chooses; v->count where there is none, or more of them than are
 * written out. */
static uint32_t choosing_term(const sym_graph *g, const sym_view *v)
{
    enum { MOST_CHOICES = 4 };
    uint32_t at = v->count, choices = 0;
    for (uint32_t i = v->op == SYM_SUM ? v->count : 0; i-- > 0;) {
        if (!chooses(sym_look(g, v->argument[i]).op)) continue;
        choices++;
        at = i;
    }
    return choices <= MOST_CHOICES ? at : v->count;
}

/* Writes x + max(a, b) as max(x + a, x + b), and the like of min, if and abs(a) = max(a, -a): where
 * one of a and b cancels x, bounds show that f is 0, as v >= max(v, w) has it while v is the
 * largest. */
static sym spread(sym_graph *g, sym f)
{
    sym_view v = sym_look(g, f);
    uint32_t at = choosing_term(g, &v);
    if (at == v.count || v.op != SYM_SUM) return f;
    double factor = sym_value(g, v.factor[at]);
    sym chosen = v.argument[at];
    sym_view by = sym_look(g, chosen);
    bool selects = by.op == SYM_IF;
    sym condition = by.argument[0], one = by.argument[selects];
    sym other = by.op == SYM_ABS ? sym_scale(g, -1, one) : by.argument[1 + selects];
    bool largest = (by.op == SYM_MAX || by.op == SYM_ABS) == (factor > 0);
    sym rest = sym_subtract(g, f, sym_scale(g, factor, chosen));
    one = spread(g, sym_add(g, rest, sym_scale(g, factor, one)));
    other = spread(g, sym_add(g, rest, sym_scale(g, factor, other)));
    return selects ? sym_if(g, condition, one, other)
                   : sym_binary(g, largest ? SYM_MAX : SYM_MIN, one, other);
}

static void find_arguments(arena *a, const sym_graph *g, curve *c)
{
    size_t all = 0;
    c->first = arena_array(a, c->nodes + 1, sizeof *c->first);
    for (size_t k = 0; k < c->nodes; k++) all += sym_look(g, c->node[k]).count;
    c->argument = arena_array(a, all + 1, sizeof *c->argument);
    size_t *next = c->argument;
    for (size_t k = 0; k < c->nodes; k++) {
        sym_view v = sym_look(g, c->node[k]);
        c->first[k] = (size_t)(next - c->argument);
        for (uint32_t i = 0; i < v.count; i++)
            *next++ = sym_place(c->nodes, c->node, v.argument[i]);
    }
}

time_roots *time_roots_create(sym_graph *g, size_t count, const sym *f)
{
    arena *a = sym_graph_arena(g);
    time_roots *r = arena_take(a, sizeof *r);
    *r = (time_roots){.g = g, .count = count};
    r->curve = arena_array(a, count + 1, sizeof *r->curve);
    size_t most = 0;
    for (size_t k = 0; k < count; k++) {
        curve *c = &r->curve[k];
        sym spread_out = spread(g, f[k]);
        sym root[2] = {spread_out, sym_time_derivative(g, spread_out)};
        c->nodes = sym_keep_reached(g, 2, root, &c->node);
        c->value = sym_place(c->nodes, c->node, root[0]);
        c->slope = sym_place(c->nodes, c->node, root[1]);
        find_arguments(a, g, c);
        if (c->nodes > most) most = c->nodes;
    }
    r->of = arena_array(a, most + 1, sizeof *r->of);
    return r;
}

/* --- interval arithmetic; rounding is left to the margin of the search --- */

static const range ANY = {-HUGE_VAL, HUGE_VAL};

static range hull(double a, double b)
{
    if (isnan(a) || isnan(b)) return ANY;
    return (range){fmin(a, b), fmax(a, b)};
}

/* 0 times an infinite end is 0: the end is not reached. */
static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static range multiply(range a, range b)
{
    double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low),
           s = times(a.high, b.high);
    return (range){fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
}

static range power(range x, double e)
{
    bool whole = e == floor(e), even = whole && fmod(e, 2) == 0;
    if (!whole && x.low < 0) return ANY;
    if (e < 0 && x.low <= 0 && x.high >= 0) return ANY;
    range p = hull(pow(x.low, e), pow(x.high, e));
    if (even && x.low < 0 && x.high > 0) p.low = 0;
    return p;
}

/* Of a sine: whether an extremum at phase + 2 pi n lies within. */
static bool reaches(range x, double phase)
{
    double turn = 4 * acos(0);
    return floor((x.high - phase) / turn) > floor((x.low - phase) / turn) ||
           fmod(x.low - phase, turn) == 0;
}

static range sine(range x, double shift)
{
    double quarter = acos(0);
    if (!(x.high - x.low < 4 * quarter)) return (range){-1, 1};
    range s = hull(sin(x.low + shift), sin(x.high + shift));
    if (reaches(x, quarter - shift)) s.high = 1;
    if (reaches(x, -quarter - shift)) s.low = -1;
    return s;
}

static range of_function(sym_op op, range x)
{
    double a = sym_operate(op, x.low, 0, 0), b = sym_operate(op, x.high, 0, 0);
    switch (op) {
    case SYM_SIN: return sine(x, 0);
    case SYM_COS: return sine(x, acos(0));
    case SYM_ABS: return x.low < 0 && x.high > 0 ? (range){0, fmax(a, b)} : hull(a, b);
    case SYM_ASIN:
    case SYM_ATAN:
    case SYM_SINH:
    case SYM_TANH:
    case SYM_EXP:
    case SYM_LOG:
    case SYM_LOG10:
    case SYM_SIGN:
    case SYM_FLOOR:
    case SYM_CEIL:
    case SYM_ACOS: return hull(a, b);
    case SYM_COSH: return x.low < 0 && x.high > 0 ? (range){1, fmax(a, b)} : hull(a, b);
    default: return ANY;
    }
}

/* Between events a relation that has a mode is what that says. */
static range of_relation(sym_op op, sym_mode mode, range a, range b)
{
    if (mode != SYM_FREE) return (range){mode == SYM_HELD_TRUE, mode == SYM_HELD_TRUE};
    bool always = op == SYM_LESS ? a.high < b.low : op == SYM_LESS_EQUAL ? a.high <= b.low : false;
    bool never = op == SYM_LESS         ? a.low >= b.high
                 : op == SYM_LESS_EQUAL ? a.low > b.high
                                        : a.low > b.high || a.high < b.low;
    return (range){always, !never};
}

/* at: the places of its arguments. */
static range of_node(const time_roots *r, sym node, const sym_view *v, const size_t *at)
{
    range x[3] = {ANY, ANY, ANY}, all = {sym_value(r->g, v->value), sym_value(r->g, v->value)};
    for (uint32_t i = 0; i < v->count && i < 3; i++) x[i] = r->of[at[i]];
    switch (v->op) {
    case SYM_CONSTANT: return all;
    case SYM_CELL: return hull(sym_cell_value(r->g, v->id), sym_cell_value(r->g, v->id));
    case SYM_SUM:
        for (uint32_t i = 0; i < v->count; i++) {
            double f = sym_value(r->g, v->factor[i]);
            range term = multiply((range){f, f}, r->of[at[i]]);
            all = (range){all.low + term.low, all.high + term.high};
        }
        return all;
    case SYM_PRODUCT:
        all = (range){1, 1};
        for (uint32_t i = 0; i < v->count; i++)
            all = multiply(all, power(r->of[at[i]], sym_value(r->g, v->factor[i])));
        return all;
    case SYM_MIN: return (range){fmin(x[0].low, x[1].low), fmin(x[0].high, x[1].high)};
    case SYM_MAX: return (range){fmax(x[0].low, x[1].low), fmax(x[0].high, x[1].high)};
    case SYM_LESS:
    case SYM_LESS_EQUAL:
    case SYM_EQUAL: return of_relation(v->op, sym_mode_of(r->g, node), x[0], x[1]);
    case SYM_AND: return (range){x[0].low && x[1].low, x[0].high && x[1].high};
    case SYM_OR: return (range){x[0].low || x[1].low, x[0].high || x[1].high};
    case SYM_NOT: return (range){!x[0].high, !x[0].low};
    case SYM_IF:
        if (x[0].low != 0) return x[1];
        if (x[0].high == 0) return x[2];
        return (range){fmin(x[1].low, x[2].low), fmax(x[1].high, x[2].high)};
    default: return sym_is_function(v->op) ? of_function(v->op, x[0]) : ANY;
    }
}

static void evaluate(time_roots *r, double a, double b)
{
    const curve *c = r->c;
    r->evaluations++;
    for (size_t k = 0; k < c->nodes; k++) {
        sym_view v = sym_look(r->g, c->node[k]);
        r->of[k] = v.op == SYM_TIME ? (range){fmin(a, b), fmax(a, b)}
                                    : of_node(r, c->node[k], &v, c->argument + c->first[k]);
        if (isnan(r->of[k].low) || isnan(r->of[k].high)) r->of[k] = ANY;
    }
}

static double value_at(time_roots *r, double t)
{
    evaluate(r, t, t);
    return r->of[r->c->value].low;
}

/* The sign of f at t; 0: it is not clear, by no more than the rounding of its terms, which may
 * leave either sign where it only touches 0. */
static signed char clear_sign(time_roots *r, double t)
{
    const curve *c = r->c;
    double value = value_at(r, t), terms = 0;
    sym_view v = sym_look(r->g, c->node[c->value]);
    if (v.op == SYM_SUM) terms = fabs(sym_value(r->g, v.value));
    for (uint32_t i = 0; v.op == SYM_SUM && i < v.count; i++) {
        range x = r->of[c->argument[c->first[c->value] + i]];
        terms += fabs(sym_value(r->g, v.factor[i])) * fmax(fabs(x.low), fabs(x.high));
    }
    return fabs(value) > ROUND_OFF_SUM * terms ? (value > 0) - (value < 0) : 0;
}

/* Whether f has clearly another sign at t. */
static bool has_crossed(time_roots *r, double t, signed char sign)
{
    return clear_sign(r, t) * sign < 0;
}

/* --- the search --- */

static double bisect(time_roots *r, double a, double b, signed char sign)
{
    for (;;) {
        double middle = a + 0.5 * (b - a);
        if (middle == a || middle == b) return b;
        if (value_at(r, middle) * sign > 0)
            a = middle;
        else
            b = middle;
    }
}

/* Whether all values are on the side of `sign`, to which 0 belongs or does not. */
static bool is_on_side(range f, signed char sign, bool zero)
{
    double nearest = sign > 0 ? f.low : -f.high;
    return nearest > 0 || (zero && nearest == 0);
}

/* The first time from a to b at which f is on another side than `sign`, to which 0 belongs if
 * `zero`; NaN: there is none. *known: up to where that is certain. */
static double search(time_roots *r, double a, double b, signed char sign, bool zero, double *known)
{
    double shortest = 2 * ROUND_OFF_VALUE * fmax(fabs(a), fabs(b)), sure = a;
    double end[128];
    int depth = 0;
    end[depth++] = b;
    while (depth > 0) {
        b = end[depth - 1];
        *known = a;
        if (r->evaluations > MOST_EVALUATIONS) return (double)NAN;
        evaluate(r, a, b);
        range f = r->of[r->c->value], slope = r->of[r->c->slope];
        bool stays = is_on_side(f, sign, zero);
        bool monotone = slope.low > 0 || slope.high < 0;
        if (!zero && f.low == 0 && f.high == 0) return bisect(r, sure, b, sign);
        if (stays) {
            sure = b;
        } else if (monotone || fabs(b - a) <= shortest || depth == 128) {
            if (has_crossed(r, b, sign)) return bisect(r, a, b, sign);
        } else {
            end[depth++] = a + 0.5 * (b - a);
            continue;
        }
        a = b;
        depth--;
    }
    *known = b;
    return (double)NAN;
}

/* The same where the bounds tell nothing: at points so near to each other. */
static double sample(time_roots *r, double a, double b, signed char sign)
{
    enum { POINTS = 64 };
    for (int i = 1; i <= POINTS; i++) {
        double next = i < POINTS ? a + (b - a) / (POINTS + 1 - i) : b;
        if (has_crossed(r, next, sign)) return bisect(r, a, next, sign);
        a = next;
    }
    return b;
}

double time_roots_next(time_roots *r, size_t k, double t, double direction, signed char sign,
                       bool zero)
{
    double shortest = FIRST * fmax(1, fabs(t)), length = shortest, known = t;
    double a = t + direction * ROUND_OFF_VALUE * fabs(t);
    r->c = &r->curve[k];
    r->evaluations = 0;
    while (fabs(a) < LATEST) {
        double b = a + direction * length, found = search(r, a, b, sign, zero, &known);
        if (!isnan(found)) return found;
        if (known != b && fabs(known - t) > shortest) return known;
        if (known != b) return sample(r, a, t + direction * SAMPLED * shortest, sign);
        a = b;
        length *= 2;
    }
    return direction * HUGE_VAL;
}

signed char time_roots_sign_behind(time_roots *r, size_t k, double t, double direction)
{
    static const double GROWTH = 4, LEAST = 1e-18;
    double last = SAMPLED * FIRST * fmax(1, fabs(t));
    signed char sign = 0;
    r->c = &r->curve[k];
    for (double h = fmax(LEAST, ROUND_OFF_VALUE * fabs(t)); !sign && h < last; h *= GROWTH)
        sign = clear_sign(r, t + direction * h);
    return sign;
}
