#include "event/enclosure.h"

#include "base/arena.h"
#include "base/round_off.h"
#include "symbolic/cells.h"
#include "symbolic/lists.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

static void find_arguments(arena *a, enclosure *c)
{
    size_t all = 0;
    c->first = arena_array(a, c->nodes + 1, sizeof *c->first);
    for (size_t k = 0; k < c->nodes; k++) all += sym_look(c->g, c->node[k]).count;
    c->argument = arena_array(a, all + 1, sizeof *c->argument);
    size_t *next = c->argument;
    for (size_t k = 0; k < c->nodes; k++) {
        sym_view v = sym_look(c->g, c->node[k]);
        c->first[k] = (size_t)(next - c->argument);
        for (uint32_t i = 0; i < v.count; i++)
            *next++ = sym_place(c->nodes, c->node, v.argument[i]);
    }
}

void enclosure_make(enclosure *c, arena *a, sym_graph *g, sym value, sym slope)
{
    sym root[2] = {value, slope};
    *c = (enclosure){.g = g};
    c->nodes = sym_keep_reached(g, 2, root, &c->node);
    c->value = sym_place(c->nodes, c->node, value);
    c->slope = sym_place(c->nodes, c->node, slope);
    find_arguments(a, c);
}

/* --- interval arithmetic; rounding is left to the margins of those who search --- */

static const range ANY = {-HUGE_VAL, HUGE_VAL};

/* What has no value: it is beyond neither side of 0. */
static const range NOWHERE = {HUGE_VAL, -HUGE_VAL};

static bool is_nowhere(range x)
{
    return x.low > x.high;
}

static range hull(double a, double b)
{
    if (isnan(a) || isnan(b)) return ANY;
    return (range){fmin(a, b), fmax(a, b)};
}

/* Of numbers, neither of them NaN: without the calls that fmin() and fmax() are. */
static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* 0 times an infinite end is 0: the end is not reached. */
static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static range scale(double factor, range a)
{
    double p = times(factor, a.low), q = times(factor, a.high);
    return factor < 0 ? (range){q, p} : (range){p, q};
}

static range multiply(range a, range b)
{
    if (a.low == a.high) return scale(a.low, b);
    double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low),
           s = times(a.high, b.high);
    return (range){lesser(lesser(p, q), lesser(r, s)), larger(larger(p, q), larger(r, s))};
}

static range power(range x, double e)
{
    if (e == 1) return x;
    bool whole = e == floor(e), even = whole && fmod(e, 2) == 0;
    if (!whole && x.high < 0) return NOWHERE;
    if (!whole) x.low = fmax(x.low, 0);
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
    if (x.low == x.high && isinf(x.low)) return NOWHERE;
    if (x.low == x.high) return hull(sin(x.low + shift), sin(x.low + shift));
    if (!(x.high - x.low < 4 * quarter)) return (range){-1, 1};
    range s = hull(sin(x.low + shift), sin(x.high + shift));
    if (reaches(x, quarter - shift)) s.high = 1;
    if (reaches(x, -quarter - shift)) s.low = -1;
    return s;
}

/* Between its poles a tangent rises. */
static range tangent(range x)
{
    double half = 2 * acos(0), pole = acos(0);
    bool apart = floor((x.high - pole) / half) > floor((x.low - pole) / half);
    return apart ? ANY : hull(tan(x.low), tan(x.high));
}

/* A function of two arguments that is monotone in each of them: its extrema are at corners. */
static range of_corners(sym_op op, range x, range y)
{
    range one = hull(sym_operate(op, x.low, y.low, 0), sym_operate(op, x.low, y.high, 0)),
          two = hull(sym_operate(op, x.high, y.low, 0), sym_operate(op, x.high, y.high, 0));
    return (range){fmin(one.low, two.low), fmax(one.high, two.high)};
}

/* The angle jumps where y changes its sign at negative x: anything is said of it there. */
static range angle(range y, range x)
{
    bool jumps = x.low <= 0 && y.low <= 0 && y.high >= 0 && !(y.low == 0 && y.high == 0);
    return jumps ? ANY : of_corners(SYM_ATAN2, y, x);
}

static range of_function(sym_op op, range x)
{
    if (op == SYM_SIN) return sine(x, 0);
    if (op == SYM_COS) return sine(x, acos(0));
    double a = sym_operate(op, x.low, 0, 0), b = sym_operate(op, x.high, 0, 0);
    if (x.low == x.high && isnan(a)) return NOWHERE;
    if ((op == SYM_LOG || op == SYM_LOG10) && x.low < 0)
        return x.high < 0 ? NOWHERE : (range){-HUGE_VAL, b};
    if (op == SYM_ACOSH && x.low < 1) return x.high < 1 ? NOWHERE : (range){0, b};
    switch (op) {
    case SYM_TAN: return tangent(x);
    case SYM_ABS: return x.low < 0 && x.high > 0 ? (range){0, fmax(a, b)} : hull(a, b);
    case SYM_ASIN:
    case SYM_ATAN:
    case SYM_SINH:
    case SYM_ASINH:
    case SYM_TANH:
    case SYM_EXP:
    case SYM_LOG:
    case SYM_LOG10:
    case SYM_SIGN:
    case SYM_FLOOR:
    case SYM_CEIL:
    case SYM_ACOS:
    case SYM_ACOSH: return hull(a, b);
    case SYM_COSH: return x.low < 0 && x.high > 0 ? (range){1, fmax(a, b)} : hull(a, b);
    default: return ANY;
    }
}

/* Between events a relation that has a mode is what that says. */
static range of_relation(sym_op op, sym_mode mode, range a, range b)
{
    if (mode != SYM_FREE) return (range){mode == SYM_HELD_TRUE, mode == SYM_HELD_TRUE};
    bool always = op == SYM_LESS         ? a.high < b.low
                  : op == SYM_LESS_EQUAL ? a.high <= b.low
                                         : a.low == b.high && a.high == b.low;
    bool never = op == SYM_LESS         ? a.low >= b.high
                 : op == SYM_LESS_EQUAL ? a.low > b.high
                                        : a.low > b.high || a.high < b.low;
    return (range){always, !never};
}

/* Of numbers anything is known. */
static range of_point(const sym_view *v, const range *x)
{
    for (uint32_t i = 0; i < v->count && i < 3; i++)
        if (x[i].low != x[i].high) return ANY;
    double value = sym_operate(v->op, x[0].low, x[1].low, x[2].low);
    return hull(value, value);
}

/* All elements whose numbers are within a range. */
static range of_element(const sym_list *l, range number)
{
    double first = sym_choose(l, SYM_ELEMENT, number.low), last = (double)(l->count - 1);
    range all = {first, first};
    double from = fmin(fmax(ceil(number.low - 0.5), 0), last); /* it is rounded to a whole one */
    for (size_t k = (size_t)from; k < l->count && (double)k <= number.high + 0.5; k++)
        all = (range){fmin(all.low, l->value[k]), fmax(all.high, l->value[k])};
    return all;
}

/* at: the places of its arguments. */
static range of_node(const enclosure *c, sym node, const sym_view *v, const size_t *at,
                     const range *of)
{
    if (v->op != SYM_IF && v->op != SYM_AND && v->op != SYM_OR)
        for (uint32_t i = 0; i < v->count; i++)
            if (is_nowhere(of[at[i]])) return NOWHERE;
    double number = v->op == SYM_CONSTANT || v->op == SYM_SUM ? sym_value(c->g, v->value) : 0;
    range x[3] = {ANY, ANY, ANY}, all = {number, number};
    for (uint32_t i = 0; i < v->count && i < 3; i++) x[i] = of[at[i]];
    switch (v->op) {
    case SYM_CONSTANT: return all;
    case SYM_CELL: number = sym_cell_value(c->g, v->id); return hull(number, number);
    case SYM_SUM:
        for (uint32_t i = 0; i < v->count; i++) {
            double f = sym_value(c->g, v->factor[i]);
            range term = scale(f, of[at[i]]);
            all = (range){all.low + term.low, all.high + term.high};
        }
        return all;
    case SYM_PRODUCT:
        all = (range){1, 1};
        for (uint32_t i = 0; i < v->count; i++) {
            x[0] = power(of[at[i]], sym_value(c->g, v->factor[i]));
            if (is_nowhere(x[0])) return NOWHERE;
            all = multiply(all, x[0]);
        }
        return all;
    case SYM_MIN: return (range){fmin(x[0].low, x[1].low), fmin(x[0].high, x[1].high)};
    case SYM_MAX: return (range){fmax(x[0].low, x[1].low), fmax(x[0].high, x[1].high)};
    case SYM_LESS:
    case SYM_LESS_EQUAL:
    case SYM_EQUAL: return of_relation(v->op, sym_mode_of(c->g, node), x[0], x[1]);
    case SYM_AND: return (range){x[0].low && x[1].low, x[0].high && x[1].high};
    case SYM_OR: return (range){x[0].low || x[1].low, x[0].high || x[1].high};
    case SYM_NOT: return (range){!x[0].high, !x[0].low};
    case SYM_IF:
        if (x[0].low != 0) return x[1];
        if (x[0].high == 0) return x[2];
        return (range){fmin(x[1].low, x[2].low), fmax(x[1].high, x[2].high)};
    case SYM_ATAN2: return angle(x[0], x[1]);
    case SYM_ELEMENT: return of_element(sym_list_of(c->g, v->id), x[0]);
    case SYM_INTERVAL:
        return hull(sym_choose(sym_list_of(c->g, v->id), v->op, x[0].low),
                    sym_choose(sym_list_of(c->g, v->id), v->op, x[0].high));
    case SYM_POWER: return x[0].low > 0 ? of_corners(SYM_POWER, x[0], x[1]) : of_point(v, x);
    default: return sym_is_function(v->op) ? of_function(v->op, x[0]) : ANY;
    }
}

/* Of as many nodes: arguments stand before what is made of them. */
static void evaluate(const enclosure *c, size_t nodes, range time, enclosure_leaf leaf,
                     const void *context, range *of)
{
    for (size_t k = 0; k < nodes; k++) {
        sym_view v = sym_look(c->g, c->node[k]);
        if (v.op == SYM_TIME)
            of[k] = time;
        else if (v.op == SYM_VARIABLE && leaf)
            of[k] = leaf(context, &v);
        else
            of[k] = of_node(c, c->node[k], &v, c->argument + c->first[k], of);
        if (isnan(of[k].low) || isnan(of[k].high)) of[k] = ANY;
    }
}

void enclosure_evaluate(const enclosure *c, range time, enclosure_leaf leaf, const void *context,
                        range *of)
{
    evaluate(c, c->nodes, time, leaf, context, of);
}

void enclosure_evaluate_value(const enclosure *c, double time, range *of)
{
    evaluate(c, c->value + 1, (range){time, time}, NULL, NULL, of);
}

/* --- rounding --- */

/* Whether a node's value is one of its arguments, a whole number or given: it is not rounded. */
static bool is_exact(sym_op op)
{
    switch (op) {
    case SYM_CONSTANT:
    case SYM_CELL:
    case SYM_TIME:
    case SYM_VARIABLE:
    case SYM_MIN:
    case SYM_MAX:
    case SYM_IF:
    case SYM_ABS:
    case SYM_SIGN:
    case SYM_FLOOR:
    case SYM_CEIL:
    case SYM_LESS:
    case SYM_LESS_EQUAL:
    case SYM_EQUAL:
    case SYM_AND:
    case SYM_OR:
    case SYM_NOT:
    case SYM_ELEMENT:
    case SYM_INTERVAL: return true;
    default: return false;
    }
}

static double largest(range x)
{
    return fmax(fabs(x.low), fabs(x.high));
}

double enclosure_terms(const enclosure *c, size_t k, const range *of)
{
    sym_view v = sym_look(c->g, c->node[k]);
    if (v.op != SYM_SUM) return largest(of[k]);
    double terms = fabs(sym_value(c->g, v.value));
    for (uint32_t i = 0; i < v.count; i++)
        terms += fabs(sym_value(c->g, v.factor[i])) * largest(of[c->argument[c->first[k] + i]]);
    return terms;
}

/* The value of node k with its rounding, where that of its arguments is known. */
static range round_node(const enclosure *c, size_t k, const range *of, const range *wide)
{
    sym_view v = sym_look(c->g, c->node[k]);
    range x = v.op == SYM_TIME ? of[k]
                               : of_node(c, c->node[k], &v, c->argument + c->first[k], wide);
    bool open = !isfinite(x.low) || !isfinite(x.high) || is_nowhere(x);
    if (open) x = of[k];
    if (is_exact(v.op)) return x;
    double rounding = ROUND_OFF_VALUE * enclosure_terms(c, k, of);
    return (range){x.low - rounding, x.high + rounding};
}

void enclosure_evaluate_rounded(const enclosure *c, double time, range *of, range *wide)
{
    enclosure_evaluate_value(c, time, of);
    for (size_t k = 0; k <= c->value; k++) wide[k] = round_node(c, k, of, wide);
}
