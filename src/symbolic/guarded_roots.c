#include "symbolic/guarded_roots.h"
#include "symbolic/graph.h"

#include "base/round_off.h"
#include "symbolic/derive.h"
#include "symbolic/graph.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

/* Expressions that are not negative within a branch. */
typedef LIST(sym) sizes;

typedef struct opening {
    sym_graph *g;
    arena *a;
    sizes known;
} opening;

/* Adds what a condition says where it is true, or false. */
static void add_known(opening *o, sym condition, bool holds)
{
    sym_view v = sym_look(o->g, condition);
    switch (v.op) {
    case SYM_NOT: add_known(o, v.argument[0], !holds); return;
    case SYM_AND:
    case SYM_OR:
        if ((v.op == SYM_AND) != holds) return;
        add_known(o, v.argument[0], holds);
        add_known(o, v.argument[1], holds);
        return;
    case SYM_LESS:
    case SYM_LESS_EQUAL:
        list_push(o->a, &o->known,
                  sym_subtract(o->g, v.argument[holds ? 1 : 0], v.argument[holds ? 0 : 1]));
        return;
    default: return;
    }
}

/* The expression as a sum; *one: room for the factor of a single term. */
static sym_view as_sum(const sym_graph *g, const sym *f, const double *one)
{
    sym_view v = sym_look(g, *f);
    return v.op == SYM_SUM ? v : (sym_view){.count = 1, .argument = f, .factor = one};
}

/* Whether f is a positive multiple of another expression. */
static bool is_multiple(const sym_graph *g, sym f, sym other)
{
    const double one = 1;
    sym_view a = as_sum(g, &f, &one), b = as_sum(g, &other, &one);
    if (f == other) return true;
    if (a.count != b.count || a.count == 0) return false;
    double ratio = sym_value(g, a.factor[0]) / sym_value(g, b.factor[0]);
    bool same = ratio > 0;
    for (uint32_t i = 0; i < a.count && same; i++) {
        double x = sym_value(g, a.factor[i]), y = ratio * sym_value(g, b.factor[i]);
        same = a.argument[i] == b.argument[i] && fabs(x - y) <= ROUND_OFF_VALUE * fabs(x);
    }
    double x = sym_value(g, a.value), y = ratio * sym_value(g, b.value);
    return same && fabs(x - y) <= ROUND_OFF_VALUE * fabs(x);
}

static bool is_known(const opening *o, sym f)
{
    for (size_t i = 0; i < o->known.count; i++)
        if (is_multiple(o->g, f, o->known.item[i])) return true;
    return false;
}

static bool is_broken(double exponent)
{
    return exponent != floor(exponent);
}

static bool is_logarithm(sym_op op)
{
    return op == SYM_LOG || op == SYM_LOG10;
}

/* f where f has a value, and 0 or its image in |u| where u is negative. No product of 0 and an
 * infinite slope stands in the derivative, as that of sqrt(max(u, 0)) is. */
static sym open_at(opening *o, sym f, sym u, const sym *argument, uint32_t i, bool vanishes)
{
    sym beyond = sym_number(o->g, 0);
    sym_view v = sym_look(o->g, f);
    if (!vanishes) {
        sym *other = arena_duplicate(o->a, argument, v.count, sizeof *other);
        other[i] = sym_negate(o->g, u);
        beyond = sym_rebuild(o->g, f, other);
    }
    return sym_if(o->g, sym_binary(o->g, SYM_LESS, u, sym_number(o->g, 0)), beyond, f);
}

/* A sym_image: values beyond for what is known in the node's own roots. */
static sym open_root(void *context, sym old, sym rebuilt)
{
    opening *o = context;
    sym_view v = sym_look(o->g, rebuilt);
    (void)old;
    bool product = v.op == SYM_PRODUCT;
    if (!product && v.op != SYM_POWER && !is_logarithm(v.op)) return rebuilt;
    for (uint32_t i = 0; i < (product ? v.count : 1); i++) {
        double exponent = product ? sym_value(o->g, v.factor[i]) : -0.5;
        if (is_broken(exponent) && is_known(o, v.argument[i]))
            return open_at(o, rebuilt, v.argument[i], v.argument, i, exponent > 0);
    }
    return rebuilt;
}

/* A branch under its condition. */
static sym open_branch(opening *o, sym condition, bool holds, sym branch)
{
    o->known.count = 0;
    add_known(o, condition, holds);
    if (o->known.count) sym_transform(o->g, 1, &branch, open_root, o);
    return branch;
}

static bool holds_root(const sym_view *v, const sym_graph *g)
{
    if (is_logarithm(v->op) || v->op == SYM_POWER) return true;
    for (uint32_t i = 0; v->op == SYM_PRODUCT && i < v->count; i++)
        if (is_broken(sym_value(g, v->factor[i]))) return true;
    return false;
}

/* Whether an expression has roots or logarithms. */
static bool has_root(sym_graph *g, sym f)
{
    const sym *node;
    bool root = false;
    size_t count = sym_reach(g, 1, &f, &node);
    for (size_t i = 0; i < count && !root; i++) {
        sym_view v = sym_look(g, node[i]);
        root = holds_root(&v, g);
    }
    return root;
}

/* A sym_image: innermost conditions first. */
static sym open_conditional(void *context, sym old, sym rebuilt)
{
    opening *o = context;
    (void)old;
    sym_view v = sym_look(o->g, rebuilt);
    if (v.op != SYM_IF) return rebuilt;
    sym condition = v.argument[0], yes = v.argument[1], no = v.argument[2];
    if (!has_root(o->g, yes) || !has_root(o->g, no)) return rebuilt;
    return sym_if(o->g, condition, open_branch(o, condition, true, yes),
                  open_branch(o, condition, false, no));
}

/* Whether a side is worth the work: it has conditions and roots. */
static bool has_both(sym_graph *g, sym side)
{
    const sym *node;
    bool conditional = false, root = false;
    size_t count = sym_reach(g, 1, &side, &node);
    for (size_t i = 0; i < count; i++) {
        sym_view v = sym_look(g, node[i]);
        conditional = conditional || v.op == SYM_IF;
        root = root || holds_root(&v, g);
    }
    return conditional && root;
}

void sym_open_guarded_roots(sym_system *system)
{
    opening o = {.g = system->graph, .a = system->memory};
    if (!sym_occurs(o.g, SYM_BIT(SYM_IF))) return;
    for (size_t i = 0; i < system->equation.count; i++) {
        sym *side[2] = {&system->equation.item[i].lhs, &system->equation.item[i].rhs};
        for (int k = 0; k < 2; k++)
            if (has_both(o.g, *side[k])) sym_transform(o.g, 1, side[k], open_conditional, &o);
    }
}
