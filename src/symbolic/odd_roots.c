#include "symbolic/odd_roots.h"

#include "symbolic/derive.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

/* An expression X, and the unknown that stands for its root. */
typedef struct named {
    sym of, leaf;
} named;

typedef struct roots {
    sym_system *system;
    sym_graph *g;
    arena *a;
    const sym_equation *e; /* under examination */
    LIST(named) named;
    named side_of; /* the root whose sides are looked at, ... */
    bool below;    /* ... and the side: X < 0 */
} roots;

/* --- multiples --- */

/* The first number of a sum, or 1: of f as a multiple of anything. */
static double leading(const sym_graph *g, sym f)
{
    sym_view v = sym_look(g, f);
    return v.op == SYM_SUM && v.count > 0 ? v.factor[0] : 1;
}

/* Whether f is a number times `of`, and that number. */
static bool find_ratio(const roots *o, sym f, sym of, double *ratio)
{
    sym_graph *g = o->g;
    sym_view v = sym_look(g, f);
    bool scaled = v.op == SYM_SUM && v.count == 1 && sym_is(g, sym_number(g, v.value), 0);
    *ratio = 1;
    if (f == of) return true;
    if (scaled && v.argument[0] == of) {
        *ratio = v.factor[0];
        return true;
    }
    sym_view w = sym_look(g, of);
    if (v.op != SYM_SUM || w.op != SYM_SUM || v.count != w.count) return false;
    if (v.argument[0] != w.argument[0]) return false;
    *ratio = sym_calculate(g, TRACED_QUOTIENT, leading(g, f), leading(g, of));
    sym multiple = sym_multiply(g, sym_number(g, *ratio), of);
    return sym_is(g, sym_subtract(g, f, multiple), 0);
}

static bool is_above_zero(const roots *o, double number)
{
    return sym_ask(o->g, IS_LESS, 0, number);
}

/* --- one side of a root --- */

/* Whether f is c |X| on this side, with c > 0. */
static bool is_size(const roots *o, sym f, double *c)
{
    if (!find_ratio(o, f, o->side_of.of, c)) return false;
    if (o->below) *c = sym_calculate(o->g, TRACED_PRODUCT, -1, *c);
    return is_above_zero(o, *c);
}

/* The factors of f = number * product; `one`: room for the exponent of a single factor. */
static sym_view as_product(const roots *o, const sym *f, const double *one, sym *number)
{
    sym_graph *g = o->g;
    sym_view v = sym_look(g, *f);
    *number = sym_number(g, 1);
    if (v.op == SYM_SUM && v.count == 1 && sym_is(g, sym_number(g, v.value), 0)) {
        *number = sym_number(g, v.factor[0]);
        f = v.argument;
        v = sym_look(g, *f);
    }
    return v.op == SYM_PRODUCT ? v : (sym_view){.count = 1, .argument = f, .factor = one};
}

/* Everything but factor i. */
static sym without(const roots *o, const sym_view *v, uint32_t i, sym number)
{
    for (uint32_t k = 0; k < v->count; k++) {
        sym factor = sym_power_number(o->g, v->argument[k], v->factor[k]);
        if (k != i) number = sym_multiply(o->g, number, factor);
    }
    return number;
}

/* The root of f = c |X| R on this side is |w| times *root: sqrt(c R). */
static bool take_root(const roots *o, sym f, sym *root)
{
    sym_graph *g = o->g;
    const double one = 1;
    double c;
    sym rest, number;
    sym_view v = as_product(o, &f, &one, &number);
    if (is_size(o, f, &c)) {
        rest = sym_number(g, c);
    } else {
        uint32_t i = 0;
        while (i < v.count &&
               !(v.factor[i] == 1 && find_ratio(o, v.argument[i], o->side_of.of, &c)))
            i++;
        if (i == v.count) return false;
        rest = without(o, &v, i, sym_multiply(g, number, sym_number(g, c)));
        if (o->below) rest = sym_negate(g, rest);
    }
    *root = sym_power_number(g, rest, 0.5);
    return true;
}

/* A factor of a product on this side as f * sign * w^power. */
typedef struct taken {
    sym f;
    int power, sign;
} taken;

/* (w R)^exponent: what has been a root before. */
static bool take_leaf(const roots *o, sym factor, double exponent, taken *t)
{
    const double one = 1;
    sym number;
    sym_view v = as_product(o, &factor, &one, &number);
    for (uint32_t i = 0; i < v.count && fabs(exponent) == 1; i++) {
        if (v.argument[i] != o->side_of.leaf || v.factor[i] != 1) continue;
        sym rest = sym_power_number(o->g, without(o, &v, i, number), exponent);
        *t = (taken){rest, exponent > 0 ? 1 : -1, 1};
        return true;
    }
    return false;
}

/* `divides`: the product divides by w, so that X is sign * w^2 and X/sqrt(abs(X)) is w. */
static taken take_factor(const roots *o, sym factor, double exponent, bool divides)
{
    sym_graph *g = o->g;
    int side = o->below ? -1 : 1;
    taken t;
    double c;
    sym root;
    if (fabs(exponent) == 0.5 && take_root(o, factor, &root))
        return (taken){sym_power_number(g, root, 2 * exponent), exponent > 0 ? 1 : -1, side};
    if (divides && exponent == 1 && find_ratio(o, factor, o->side_of.of, &c))
        return (taken){sym_number(g, c), 2, side};
    if (take_leaf(o, factor, exponent, &t)) return t;
    return (taken){sym_power_number(g, factor, exponent), 0, 1};
}

/* A product, or a number times one, on this side, with w in the place of roots. */
static sym root_of_product(const roots *o, sym f)
{
    sym_graph *g = o->g;
    const double one = 1;
    sym product;
    bool divides = false;
    int power = 0, sign = 1;
    sym_view v = as_product(o, &f, &one, &product);
    for (uint32_t i = 0; i < v.count; i++)
        divides = divides || take_factor(o, v.argument[i], v.factor[i], false).power < 0;
    for (uint32_t i = 0; i < v.count; i++) {
        taken t = take_factor(o, v.argument[i], v.factor[i], divides);
        product = sym_multiply(g, product, t.f);
        power += t.power;
        sign *= t.sign;
    }
    sym w = sym_power_number(g, o->side_of.leaf, power);
    return power > 0 ? sym_multiply(g, product, sym_scale(g, sign, w)) : f;
}

/* Whether a relation holds on this side; false: it is not one between X and 0. */
static bool find_truth(const roots *o, const sym_view *v, bool *holds)
{
    double c;
    sym difference = sym_subtract(o->g, v->argument[1], v->argument[0]);
    if (!find_ratio(o, difference, o->side_of.of, &c)) return false;
    *holds = is_above_zero(o, c) != o->below;
    return true;
}

/* A sym_image: what stands for a node on this side. */
static sym take_side(void *context, sym old, sym rebuilt)
{
    const roots *o = context;
    double c;
    bool holds;
    sym_view v = sym_look(o->g, rebuilt);
    (void)old;
    if (v.op == SYM_PRODUCT || v.op == SYM_SUM) return root_of_product(o, rebuilt);
    if (v.op == SYM_LESS || v.op == SYM_LESS_EQUAL)
        return find_truth(o, &v, &holds) ? sym_number(o->g, holds) : rebuilt;
    if (v.op == SYM_MIN || v.op == SYM_MAX)
        return find_truth(o, &v, &holds) ? v.argument[holds == (v.op == SYM_MAX)] : rebuilt;
    if (v.op != SYM_ABS && v.op != SYM_SIGN) return rebuilt;
    if (!find_ratio(o, v.argument[0], o->side_of.of, &c)) return rebuilt;
    bool rises = is_above_zero(o, c) != o->below;
    if (v.op == SYM_SIGN) return sym_number(o->g, rises ? 1 : -1);
    return rises ? v.argument[0] : sym_negate(o->g, v.argument[0]);
}

/* --- both sides --- */

/* Whether f vanishes with w, and holds it. */
static bool vanishes_with_root(const roots *o, sym f)
{
    sym at_zero = f;
    sym_substitute_leaf(o->g, 1, &at_zero, o->side_of.leaf, sym_number(o->g, 0));
    return at_zero != f && sym_is(o->g, at_zero, 0);
}

/* Whether one side rises with w and the other one falls, as those of sqrt(abs(X)) do. */
static bool turns(const roots *o, const sym *side)
{
    double ratio;
    return find_ratio(o, side[0], side[1], &ratio) && !is_above_zero(o, ratio);
}

/* What vanishes with w on one side of X = 0 and is 0 on the other one, as the flow of a valve that
 * lets it pass one way: with max(w, 0), or min(w, 0), in the place of w. */
static sym of_one_side(const roots *o, sym f, sym_op bound)
{
    sym_graph *g = o->g;
    sym_substitute_leaf(g, 1, &f, o->side_of.leaf,
                        sym_binary(g, bound, o->side_of.leaf, sym_number(g, 0)));
    return f;
}

/* Whether X is a difference of variables, which may rest at 0 together with others. A level that
 * runs empty ends its branch at an event. */
static bool compares_several(const roots *o)
{
    const sym_leaf *leaf;
    return sym_leaves(o->g, o->side_of.of, &leaf) > 1;
}

/* An expression by w that is `node` on both sides of X = 0; SYM_NONE: it is none. */
static sym in_root(roots *o, sym node)
{
    sym_graph *g = o->g;
    sym side[2] = {node, node};
    bool vanishes[2], is_zero[2];
    for (int k = 0; k < 2; k++) {
        o->below = k == 0;
        sym_transform(g, 1, &side[k], take_side, o);
        vanishes[k] = vanishes_with_root(o, side[k]);
        is_zero[k] = sym_is(g, side[k], 0);
    }
    if (is_zero[0] && vanishes[1] && compares_several(o)) return of_one_side(o, side[1], SYM_MAX);
    if (is_zero[1] && vanishes[0] && compares_several(o)) return of_one_side(o, side[0], SYM_MIN);
    if (!vanishes[0] || !vanishes[1] || turns(o, side)) return SYM_NONE;
    sym below = sym_binary(g, SYM_LESS, o->side_of.leaf, sym_number(g, 0));
    return side[0] == side[1] ? side[0] : sym_if(g, below, side[0], side[1]);
}

/* --- where a root may stand --- */

/* The difference that a choice compares with 0; SYM_NONE: it does not. */
static sym compared(const roots *o, const sym_view *v)
{
    if (v->op == SYM_MIN || v->op == SYM_MAX)
        return sym_subtract(o->g, v->argument[1], v->argument[0]);
    if (v->op != SYM_IF) return SYM_NONE;
    sym_view c = sym_look(o->g, v->argument[0]);
    bool relation = c.op == SYM_LESS || c.op == SYM_LESS_EQUAL;
    return relation ? sym_subtract(o->g, c.argument[1], c.argument[0]) : SYM_NONE;
}

/* The Y of a base |Y| R or max(Y, 0) R; SYM_NONE: it has no such factor. */
static sym sized_in(const roots *o, sym base)
{
    const double one = 1;
    sym number;
    sym_view v = as_product(o, &base, &one, &number);
    for (uint32_t i = 0; i < v.count; i++) {
        sym_view size = sym_look(o->g, v.argument[i]);
        if (v.factor[i] != 1) continue;
        sym of = size.op == SYM_ABS ? size.argument[0] : compared(o, &size);
        if (of != SYM_NONE) return of;
    }
    return SYM_NONE;
}

/* The same of a factor, in its root or in a root within it; SYM_NONE. */
static sym size_below(const roots *o, sym factor, double exponent)
{
    const double one = 1;
    sym number, found = SYM_NONE;
    if (fabs(exponent) == 0.5) return sized_in(o, factor);
    sym_view v = as_product(o, &factor, &one, &number);
    for (uint32_t i = 0; exponent == -1 && i < v.count && found == SYM_NONE; i++)
        if (fabs(v.factor[i]) == 0.5) found = sized_in(o, v.argument[i]);
    return found;
}

/* The X of which a node may be the root; SYM_NONE. */
static sym candidate(const roots *o, sym node)
{
    sym_view v = sym_look(o->g, node);
    sym found = SYM_NONE;
    for (uint32_t i = 0; v.op == SYM_PRODUCT && i < v.count && found == SYM_NONE; i++)
        found = size_below(o, v.argument[i], v.factor[i]);
    return v.op == SYM_IF ? compared(o, &v) : found;
}

static bool holds_leaves(const sym_leaf *all, size_t count, const sym_leaf *some, size_t wanted)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < wanted; k++) found += all[i].node == some[k].node;
    return found == wanted;
}

/* Whether a condition compares X with anything but 0. */
static bool limits(roots *o, sym condition, sym of, const sym_leaf *leaf, size_t leaves)
{
    const sym *node;
    size_t count = sym_keep_reached(o->g, 1, &condition, &node);
    for (size_t i = 0; i < count; i++) {
        double c;
        const sym_leaf *in;
        sym_view v = sym_look(o->g, node[i]);
        if (v.op != SYM_LESS && v.op != SYM_LESS_EQUAL) continue;
        sym difference = sym_subtract(o->g, v.argument[1], v.argument[0]);
        size_t held = sym_leaves(o->g, difference, &in);
        if (holds_leaves(in, held, leaf, leaves) && !find_ratio(o, difference, of, &c)) return true;
    }
    return false;
}

static bool reaches(const roots *o, size_t count, const sym *from, sym wanted)
{
    const sym *node;
    size_t reached = sym_reach(o->g, count, from, &node);
    return node[sym_place(reached, node, wanted)] == wanted;
}

/* Whether the root stands in a branch that is taken away from X = 0 alone, as where a law is linear
 * near 0. */
static bool is_guarded(roots *o, sym at, sym of, const sym_leaf *leaf, size_t leaves)
{
    const sym *node;
    size_t count = sym_keep_reached(o->g, 2, (sym[]){o->e->lhs, o->e->rhs}, &node);
    for (size_t i = 0; i < count; i++) {
        sym_view v = sym_look(o->g, node[i]);
        if (v.op == SYM_IF && reaches(o, 2, v.argument + 1, at) &&
            limits(o, v.argument[0], of, leaf, leaves))
            return true;
    }
    return false;
}

/* Whether X is one that may have a root of its own. */
static bool suits(roots *o, sym at, sym of)
{
    const sym_leaf *leaf;
    size_t count = sym_leaves(o->g, of, &leaf);
    for (size_t i = 0; i < count; i++)
        if (leaf[i].order > 0) return false;
    return count > 0 && !is_guarded(o, at, of, leaf, count);
}

/* --- all equations --- */

/* The root of X or of a multiple of it; one that is new has no equation yet. */
static named find_named(const roots *o, sym of)
{
    double c;
    for (size_t k = 0; k < o->named.count; k++)
        if (find_ratio(o, of, o->named.item[k].of, &c)) return o->named.item[k];
    return (named){of, sym_variable(o->g, (uint32_t)o->system->unknown.count, 0)};
}

static bool is_named(const roots *o, sym of)
{
    double c;
    for (size_t k = 0; k < o->named.count; k++)
        if (find_ratio(o, of, o->named.item[k].of, &c)) return true;
    return false;
}

/* A sym_image: w in the place of roots. */
static sym put_root(void *context, sym old, sym rebuilt)
{
    roots *o = context;
    sym of = candidate(o, rebuilt);
    if (of == SYM_NONE || !suits(o, old, of)) return rebuilt;
    o->side_of = find_named(o, of);
    sym image = in_root(o, rebuilt);
    if (image == SYM_NONE) return rebuilt;
    bool is_new = o->side_of.leaf == sym_variable(o->g, (uint32_t)o->system->unknown.count, 0);
    if (is_new) sym_add_odd_root(o->system, o->e, o->side_of.of);
    if (is_new) list_push(o->a, &o->named, o->side_of);
    return image;
}

/* Whether one of the sides has a root. */
static bool has_root(sym_graph *g, const sym_equation *e)
{
    const sym *node;
    size_t count = sym_reach(g, 2, (sym[]){e->lhs, e->rhs}, &node);
    for (size_t i = 0; i < count; i++) {
        sym_view v = sym_look(g, node[i]);
        for (uint32_t k = 0; v.op == SYM_PRODUCT && k < v.count; k++)
            if (fabs(v.factor[k]) == 0.5) return true;
    }
    return false;
}

/* Whether one of these nodes bends where a = b. */
static bool bends(const roots *o, size_t count, const sym *node, sym a, sym b)
{
    for (size_t i = 0; i < count; i++) {
        sym_view v = sym_look(o->g, node[i]);
        bool size = v.op == SYM_ABS && v.argument[0] == a;
        bool choice = v.op == SYM_MIN || v.op == SYM_MAX;
        if (size || (choice && v.argument[0] == a && v.argument[1] == b)) return true;
    }
    return false;
}

/* Bends of sizes that no equation holds any more are not watched. */
static void leave_bends(roots *o, size_t equations)
{
    const sym *node;
    sym *side = arena_array(o->a, 2 * equations, sizeof *side);
    for (size_t i = 0; i < equations; i++) {
        side[2 * i] = o->system->equation.item[i].lhs;
        side[2 * i + 1] = o->system->equation.item[i].rhs;
    }
    size_t count = sym_keep_reached(o->g, 2 * equations, side, &node), left = 0;
    sym_discrete_part *d = &o->system->discrete;
    for (size_t k = 0; k < d->watched.count; k++) {
        const sym_watched *w = &d->watched.item[k];
        sym_view v = sym_look(o->g, w->relation);
        bool of_root = v.count == 2 && sym_is(o->g, v.argument[1], 0) && is_named(o, v.argument[0]);
        if (!w->kink || !of_root || bends(o, count, node, v.argument[0], v.argument[1]))
            d->watched.item[left++] = *w;
    }
    d->watched.count = left;
}

void sym_name_odd_roots(sym_system *system)
{
    roots o = {.system = system, .g = system->graph, .a = system->memory};
    size_t count = system->equation.count;
    for (size_t i = 0; i < count; i++) {
        sym_equation e = system->equation.item[i];
        if (!has_root(o.g, &e)) continue;
        o.e = &e;
        sym side[2] = {e.lhs, e.rhs};
        sym_transform(o.g, 2, side, put_root, &o);
        system->equation.item[i].lhs = side[0];
        system->equation.item[i].rhs = side[1];
    }
    if (o.named.count > 0) leave_bends(&o, count);
}
