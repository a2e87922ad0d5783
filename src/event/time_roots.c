#include "event/time_roots.h"

#include "base/round_off.h"
#include "event/bracket.h"
#include "event/enclosure.h"
#include "symbolic/derive.h"
#include "symbolic/lists.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

/* The first interval is this part of the time, or this long; each next one is twice as long. */
static const double FIRST = 1e-6;

/* How many times as long an interval is that is sampled where bounds tell nothing of the first. */
static const double SAMPLED = 100;

/* What is open by so much of the terms of f is left open by a jump, and not by rounding alone. */
static const double JUMP = 1e-6;

/* The most evaluations of a search, and the latest time of interest. */
enum { MOST_EVALUATIONS = 4000 };
static const double LATEST = 1e15;

struct time_roots {
    sym_graph *g;
    size_t count;
    enclosure *curve;   /* count */
    bool *jumps;        /* count: it has jumps, of which its slope says nothing */
    const enclosure *c; /* the one that is searched, */
    bool continuous;    /* and whether it has no jumps; */
    bool zero;          /* 0 belongs to the side on which it is */
    range *of, *wide;   /* of its nodes */
    size_t evaluations;
};

/* Whether a term has a value of one of two expressions. */
static bool chooses(sym_op op)
{
    return op == SYM_MIN || op == SYM_MAX || op == SYM_IF || op == SYM_ABS;
}

/* Choices within choices double what is written out. */
enum { MOST_NESTED = 6 };

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
static sym spread(sym_graph *g, sym f, int depth)
{
    sym_view v = sym_look(g, f);
    uint32_t at = choosing_term(g, &v);
    if (at == v.count || v.op != SYM_SUM || depth == 0) return f;
    double factor = sym_value(g, v.factor[at]);
    sym chosen = v.argument[at];
    sym_view by = sym_look(g, chosen);
    bool selects = by.op == SYM_IF;
    sym condition = by.argument[0], one = by.argument[selects];
    sym other = by.op == SYM_ABS ? sym_scale(g, -1, one) : by.argument[1 + selects];
    bool largest = (by.op == SYM_MAX || by.op == SYM_ABS) == (factor > 0);
    sym rest = sym_subtract(g, f, sym_scale(g, factor, chosen));
    one = spread(g, sym_add(g, rest, sym_scale(g, factor, one)), depth - 1);
    other = spread(g, sym_add(g, rest, sym_scale(g, factor, other)), depth - 1);
    return selects ? sym_if(g, condition, one, other)
                   : sym_binary(g, largest ? SYM_MAX : SYM_MIN, one, other);
}

static bool may_jump(sym_op op)
{
    bool chooses_value = op == SYM_IF || op == SYM_SIGN || op == SYM_FLOOR || op == SYM_CEIL;
    bool relates = op == SYM_LESS || op == SYM_LESS_EQUAL || op == SYM_EQUAL;
    return chooses_value || sym_chooses(op) || relates || op == SYM_AND || op == SYM_OR ||
           op == SYM_NOT;
}

time_roots *time_roots_create(sym_graph *g, size_t count, const sym *f)
{
    arena *a = sym_graph_arena(g);
    time_roots *r = arena_take(a, sizeof *r);
    *r = (time_roots){.g = g, .count = count};
    r->curve = arena_array(a, count + 1, sizeof *r->curve);
    r->jumps = arena_array(a, count + 1, sizeof *r->jumps);
    size_t most = 0;
    for (size_t k = 0; k < count; k++) {
        sym spread_out = spread(g, f[k], MOST_NESTED);
        r->jumps[k] = sym_any(g, 1, &spread_out, may_jump);
        enclosure_make(&r->curve[k], a, g, spread_out, sym_time_derivative(g, spread_out));
        if (r->curve[k].nodes > most) most = r->curve[k].nodes;
    }
    r->of = arena_array(a, most + 1, sizeof *r->of);
    r->wide = arena_array(a, most + 1, sizeof *r->wide);
    return r;
}

/* Rounding is left to the margin of the search. */
static void evaluate(time_roots *r, double a, double b)
{
    r->evaluations++;
    enclosure_evaluate(r->c, (range){fmin(a, b), fmax(a, b)}, NULL, NULL, r->of);
}

static double value_at(time_roots *r, double t)
{
    r->evaluations++;
    enclosure_evaluate_value(r->c, t, r->of);
    return r->of[r->c->value].low;
}

/* What rounding leaves open of f at t; low > high: it has no value. */
static range rounded_at(time_roots *r, double t)
{
    const enclosure *c = r->c;
    r->evaluations++;
    enclosure_evaluate_rounded(c, t, r->of, r->wide);
    range value = r->of[c->value], wide = r->wide[c->value];
    if (value.low > value.high) return value;
    double rounding = ROUND_OFF_SUM * enclosure_terms(c, c->value, r->of);
    bool sums = sym_look(r->g, c->node[c->value]).op == SYM_SUM;
    if (!sums) return wide;
    return (range){fmin(wide.low, value.low - rounding), fmax(wide.high, value.high + rounding)};
}

/* The sign of f by its values at t and on both sides of it, each told from 0 by the rounding of the
 * terms of f; 0: they do not agree. Bounds by rounding of a rounded quotient, which is corrected
 * where it is about to be another whole number (whole_part.c), are those of all corrections
 * together. */
static signed char agreed_sign(time_roots *r, double t)
{
    static const double LEAST = 1e-18;
    double near = fmax(LEAST, 4 * ROUND_OFF_VALUE * fabs(t));
    signed char sign = 0;
    for (int i = -1; i <= 1; i++) {
        double value = value_at(r, t + i * near);
        double rounding = ROUND_OFF_SUM * enclosure_terms(r->c, r->c->value, r->of);
        signed char here = (signed char)((value > rounding) - (value < -rounding));
        if (here == 0 || (sign && here != sign)) return 0;
        sign = here;
    }
    return sign;
}

/* The sign of f at t; 0: it is not clear, by no more than the rounding of what it is made of, which
 * may leave either sign where it only touches 0. */
static signed char clear_sign(time_roots *r, double t)
{
    range f = rounded_at(r, t);
    if (f.low > f.high) return 0;
    double terms = enclosure_terms(r->c, r->c->value, r->of);
    bool jumps = !r->continuous && f.high - f.low > JUMP * terms;
    if (f.low <= 0 && f.high >= 0 && jumps) return agreed_sign(r, t);
    return (signed char)((f.low > 0) - (f.high < 0));
}

/* Whether f is 0 from a to b, rounding of it included. */
static bool is_zero(time_roots *r, range f, double a, double b)
{
    if (f.low != 0 || f.high != 0) return false;
    range wide = rounded_at(r, a + 0.5 * (b - a));
    return wide.low == 0 && wide.high == 0;
}

/* The sign that f, which is 0 at t, has soon in that direction of time; 0: it stays 0. */
static signed char sign_behind(time_roots *r, double t, double direction)
{
    static const double GROWTH = 4, LEAST = 1e-18, SOON = 1e-4, LAST = 0.1;
    double unit = fmax(1, fabs(t));
    signed char sign = 0;
    for (double h = fmax(LEAST, ROUND_OFF_VALUE * fabs(t)); !sign && h < LAST * unit; h *= GROWTH) {
        double later = t + direction * h;
        if (h > SOON * unit && is_zero(r, rounded_at(r, later), later, later)) break;
        sign = clear_sign(r, later);
    }
    return sign;
}

/* --- the search --- */

/* An end of a bracket of a change. */
static bracket_end end_at(time_roots *r, double t, signed char sign)
{
    double value = value_at(r, t);
    bool stays = value * sign > 0 || (r->zero && value == 0);
    return (bracket_end){t, value, !stays};
}

/* The instant of a change between a, where f is on the side of `sign`, and b: the first one where
 * it is not, as rounding has it. The last points are so near to each other that only halves lie
 * between them. */
static double locate(time_roots *r, double a, double b, signed char sign)
{
    double resolution = ROUND_OFF_VALUE * fmax(fabs(a), fabs(b)), t;
    bracket between;
    bracket_end first = {a, value_at(r, a), false}, last = {b, value_at(r, b), true};
    bracket_begin(&between, first, last, resolution);
    while (bracket_next(&between, &t)) bracket_take(&between, end_at(r, t, sign));
    a = bracket_before(&between)->x;
    b = bracket_behind(&between)->x;
    for (;;) {
        double middle = a + 0.5 * (b - a);
        if (middle == a || middle == b) return b;
        if (end_at(r, middle, sign).behind)
            b = middle;
        else
            a = middle;
    }
}

/* Whether all values are on the side of `sign`, to which 0 belongs or does not. */
static bool is_on_side(range f, signed char sign, bool zero)
{
    double nearest = sign > 0 ? f.low : -f.high;
    return nearest > 0 || (zero && nearest == 0);
}

/* What is known of f from one time to another one. */
typedef enum stretch { STAYS, ZERO, MONOTONE, ROUNDING, OPEN } stretch;

/* Whether f may jump over an interval, by the ranges of its nodes there: a choice is open, or what
 * is rounded comes to another whole number. */
static bool may_jump_within(const time_roots *r)
{
    const enclosure *c = r->c;
    if (r->continuous) return false;
    for (size_t k = 0; k <= c->value; k++) {
        sym_op op = sym_look(r->g, c->node[k]).op;
        bool rounds = op == SYM_SIGN || op == SYM_FLOOR || op == SYM_CEIL || op == SYM_INTERVAL;
        if (!rounds && op != SYM_IF && op != SYM_ELEMENT) continue;
        range by = r->of[rounds ? k : c->argument[c->first[k]]];
        if (by.low != by.high) return true;
    }
    return false;
}

/* By bounds, and by the value in the middle and the slope (Moore's mean value form). */
static stretch look_at(time_roots *r, double a, double b, signed char sign, bool zero)
{
    evaluate(r, a, b);
    range f = r->of[r->c->value], slope = r->of[r->c->slope];
    bool jumps = may_jump_within(r);
    if (!zero && is_zero(r, f, a, b)) return ZERO;
    if (is_on_side(f, sign, zero)) return STAYS;
    if (!isfinite(f.low) || !isfinite(f.high) || jumps) return OPEN;
    if (slope.low > 0 || slope.high < 0) return MONOTONE;
    range middle = rounded_at(r, a + 0.5 * (b - a));
    double far = 0.5 * fabs(b - a) * fmax(fabs(slope.low), fabs(slope.high));
    if (sign > 0 ? middle.low > far : middle.high < -far) return STAYS;
    double rounding = 0.5 * (middle.high - middle.low);
    bool near = middle.low <= 0 && middle.high >= 0;
    bool within = far <= rounding || (f.low >= -rounding && f.high <= rounding);
    return near && within ? ROUNDING : OPEN;
}

/* Where f is 0 from a to b, it is on the other side: -1, unless that is a touch: 0. What comes to 0
 * by a high power is too small to be a number for a while. */
static int end_of_zero(time_roots *r, double a, double b, signed char sign)
{
    return sign_behind(r, b, b > a ? 1 : -1) == sign ? 0 : -1;
}

/* The first time from a to b at which f is on another side than `sign`, to which 0 belongs if
 * `zero`; NaN: there is none. *known: up to where that is certain; *sure: the last time there at
 * which it is surely on its side. */
static double search(time_roots *r, double a, double b, signed char sign, bool zero, double *known,
                     double *sure)
{
    double shortest = 2 * ROUND_OFF_VALUE * fmax(fabs(a), fabs(b));
    double end[128];
    int depth = 0;
    end[depth++] = b;
    while (depth > 0) {
        b = end[depth - 1];
        *known = a;
        if (r->evaluations > MOST_EVALUATIONS) return (double)NAN;
        stretch is = look_at(r, a, b, sign, zero);
        if (is == OPEN && fabs(b - a) > shortest && depth < 128) {
            end[depth++] = a + 0.5 * (b - a);
            continue;
        }
        int at_end = is == STAYS  ? 1
                     : is == ZERO ? end_of_zero(r, a, b, sign)
                                  : clear_sign(r, b) * sign;
        if (at_end < 0) return locate(r, *sure, b, sign);
        if (at_end > 0) *sure = b;
        a = b;
        depth--;
    }
    *known = b;
    return (double)NAN;
}

/* The same where the bounds tell nothing: at points so near to each other. Where f is not told from
 * 0 at any of them, it has been so for a while, and they become as many times farther apart. */
static double sample(time_roots *r, double a, double length, signed char sign)
{
    enum { POINTS = 64, DOUBLED = 7 };
    double sure = a;
    bool told = false;
    for (int j = 0; j <= DOUBLED && !told; j++, length *= 2) {
        double begin = a;
        for (int i = 1; i <= POINTS; i++) {
            a = begin + length * i / POINTS;
            int here = clear_sign(r, a) * sign;
            if (here < 0) return locate(r, sure, a, sign);
            if (here > 0) sure = a, told = true;
        }
    }
    return a;
}

double time_roots_next(time_roots *r, size_t k, double t, double direction, signed char sign,
                       bool zero, bool *certain)
{
    double shortest = FIRST * fmax(1, fabs(t)), length = shortest, known = t;
    double a = t + direction * ROUND_OFF_VALUE * fabs(t), start = a, sure = a;
    r->c = &r->curve[k];
    r->continuous = !r->jumps[k];
    r->zero = zero;
    r->evaluations = 0;
    *certain = true;
    while (fabs(a) < LATEST) {
        double b = a + direction * length, found = search(r, a, b, sign, zero, &known, &sure);
        if (!isnan(found)) return found;
        bool shown = fabs(known - t) > shortest && sure != start;
        if (known != b && shown) return known;
        *certain = known == b;
        if (!*certain) return sample(r, start, direction * SAMPLED * shortest, sign);
        a = b;
        length *= 2;
    }
    return direction * HUGE_VAL;
}

bool time_roots_is_clear(time_roots *r, size_t k, double t)
{
    r->c = &r->curve[k];
    r->continuous = !r->jumps[k];
    return clear_sign(r, t) != 0;
}

signed char time_roots_sign_behind(time_roots *r, size_t k, double t, double direction)
{
    r->c = &r->curve[k];
    r->continuous = !r->jumps[k];
    return sign_behind(r, t, direction);
}
