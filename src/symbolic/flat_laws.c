#include "symbolic/flat_laws.h"

#include "symbolic/derive.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"

#include <math.h>

/* The value of a variable at which branches meet. */
typedef struct joint {
    sym leaf, at;
    uint32_t id; /* of the variable */
} joint;

typedef struct laws {
    sym_system *system;
    sym_graph *g;
    arena *a;
    bool *moves;   /* of each unknown: its derivative occurs */
    bool *is_told; /* of each equation: it says what a variable is that no other one holds */
    joint joint;   /* under examination, and */
    bool below;    /* the side of it that is looked at */
} laws;

/* --- joints --- */

/* Whether a - b changes its sign at one value of an algebraic variable; *rises with it. */
static bool find_joint(const laws *l, sym a, sym b, joint *found, bool *rises)
{
    sym_graph *g = l->g;
    const sym_leaf *leaf;
    sym slope, rest, difference = sym_subtract(g, a, b);
    if (sym_leaves(g, difference, &leaf) != 1 || sym_holds_time(g, 1, &difference)) return false;
    if (leaf->order > 0 || l->moves[leaf->id]) return false;
    *found = (joint){.leaf = leaf->node, .id = leaf->id};
    if (!sym_split_linear(g, difference, found->leaf, &slope, &rest)) return false;
    *rises = sym_is(g, slope, 1);
    found->at = *rises ? sym_negate(g, rest) : rest;
    return *rises || sym_is(g, slope, -1);
}

/* What a node compares: a < b, min(a, b), abs(a) with b = 0. */
static bool find_compared(const laws *l, sym node, sym *a, sym *b)
{
    sym_view v = sym_look(l->g, node);
    bool relation = (v.op == SYM_LESS || v.op == SYM_LESS_EQUAL) && sym_is_relation(l->g, node);
    if (v.op == SYM_ABS) *a = v.argument[0], *b = sym_number(l->g, 0);
    if (relation || v.op == SYM_MIN || v.op == SYM_MAX) *a = v.argument[0], *b = v.argument[1];
    return relation || v.op == SYM_ABS || v.op == SYM_MIN || v.op == SYM_MAX;
}

/* Whether a node changes at the joint; *less: the first of what it compares is the smaller one on
 * the present side. */
static bool changes_there(const laws *l, sym node, bool *less)
{
    sym a, b;
    joint j;
    bool rises;
    if (!find_compared(l, node, &a, &b) || !find_joint(l, a, b, &j, &rises)) return false;
    *less = rises == l->below;
    return j.leaf == l->joint.leaf && j.at == l->joint.at;
}

/* --- flat equations --- */

/* A sym_image: the branch on one side of the joint. */
static sym take_side(void *context, sym old, sym rebuilt)
{
    const laws *l = context;
    bool less;
    if (!changes_there(l, old, &less)) return rebuilt;
    sym_view v = sym_look(l->g, rebuilt);
    switch (sym_look(l->g, old).op) {
    case SYM_ABS:
        if (v.op != SYM_ABS) return rebuilt;
        return less ? sym_negate(l->g, v.argument[0]) : v.argument[0];
    case SYM_MIN: return v.op == SYM_MIN ? v.argument[less ? 0 : 1] : rebuilt;
    case SYM_MAX: return v.op == SYM_MAX ? v.argument[less ? 1 : 0] : rebuilt;
    default: return sym_number(l->g, less);
    }
}

/* A sym_image: relations at the joint are evaluated literally. */
static sym make_literal(void *context, sym old, sym rebuilt)
{
    const laws *l = context;
    bool less;
    if (!sym_is_relation(l->g, old) || !changes_there(l, old, &less)) return rebuilt;
    sym_view v = sym_look(l->g, rebuilt);
    return v.count == 2 ? sym_binary(l->g, v.op, v.argument[0], v.argument[1]) : rebuilt;
}

static sym slope_in(const laws *l, sym f)
{
    sym_partials list = {0};
    sym_gradient(l->g, f, &list);
    for (size_t k = 0; k < list.count; k++)
        if (list.item[k].leaf == l->joint.leaf) return list.item[k].value;
    return sym_number(l->g, 0);
}

/* Whether all of them vanish at the joint, whatever other variables are. */
static bool vanish_there(const laws *l, size_t count, sym *f)
{
    bool all = true;
    sym_substitute_leaf(l->g, count, f, l->joint.leaf, l->joint.at);
    for (size_t k = 0; k < count; k++) all = all && sym_is(l->g, f[k], 0);
    return all;
}

static sym residual(const laws *l, const sym_equation *e)
{
    return sym_subtract(l->g, e->lhs, e->rhs);
}

/* The residual's branches below and above the joint. */
static void find_sides(laws *l, const sym_equation *e, sym *side)
{
    side[0] = side[1] = residual(l, e);
    for (int k = 0; k < 2; k++) {
        l->below = k == 0;
        sym_transform(l->g, 1, &side[k], take_side, l);
    }
}

static bool is_continuous(laws *l, const sym_equation *e)
{
    sym side[2];
    find_sides(l, e, side);
    sym jump = sym_subtract(l->g, side[0], side[1]);
    return vanish_there(l, 1, &jump);
}

/* Whether both branches have the same value at the joint, and no slope in its variable. */
static bool is_flat(laws *l, const sym_equation *e)
{
    sym side[2];
    find_sides(l, e, side);
    sym f[] = {sym_subtract(l->g, side[0], side[1]), slope_in(l, side[0]), slope_in(l, side[1])};
    return vanish_there(l, 3, f);
}

/* --- definitions --- */

/* Whether an equation says what an algebraic variable is by one other, as a = abs(q) does. */
static bool is_definition(const laws *l, const sym_equation *e, sym_leaf *defined, sym *value)
{
    const sym_leaf *leaf;
    for (int k = 0; k < 2; k++) {
        sym name = k == 0 ? e->lhs : e->rhs;
        *value = k == 0 ? e->rhs : e->lhs;
        if (!sym_as_leaf(l->g, name, defined) || defined->order > 0) continue;
        bool of_one = sym_leaves(l->g, *value, &leaf) == 1 && !sym_holds_time(l->g, 1, value);
        if (of_one && leaf->id != defined->id && !l->moves[defined->id]) return true;
    }
    return false;
}

/* Whether branches of `value` meet at a joint, which is left in l. */
static bool has_joint(laws *l, sym value)
{
    const sym *node;
    sym a, b;
    bool rises;
    size_t count = sym_reach(l->g, 1, &value, &node);
    for (size_t k = 0; k < count; k++)
        if (find_compared(l, node[k], &a, &b) && find_joint(l, a, b, &l->joint, &rises))
            return true;
    return false;
}

static bool holds(const laws *l, const sym_equation *e, sym wanted)
{
    const sym *reached;
    size_t count = sym_reach(l->g, 2, (sym[]){e->lhs, e->rhs}, &reached);
    for (size_t k = 0; k < count; k++)
        if (reached[k] == wanted) return true;
    return false;
}

static void make_literal_in(laws *l, sym_equation *e)
{
    sym_transform(l->g, 1, &e->lhs, make_literal, l);
    sym_transform(l->g, 1, &e->rhs, make_literal, l);
}

/* Where an equation is flat once the value stands in it, it does. */
static void follow_definition(laws *l, size_t which)
{
    sym_equation *all = l->system->equation.item;
    sym_leaf defined;
    sym value;
    if (!is_definition(l, &all[which], &defined, &value) || !has_joint(l, value)) return;
    size_t followed = 0, held = 0;
    for (size_t i = 0; i < l->system->equation.count; i++) {
        if (i == which || !holds(l, &all[i], defined.node)) continue;
        sym_equation as = all[i];
        sym_substitute_leaf(l->g, 1, &as.lhs, defined.node, value);
        sym_substitute_leaf(l->g, 1, &as.rhs, defined.node, value);
        bool flat = is_flat(l, &as);
        if (flat) all[i] = as;
        followed += flat;
        held += !flat;
    }
    l->is_told[which] = followed > 0 && held == 0 && is_continuous(l, &all[which]);
    if (l->is_told[which]) make_literal_in(l, &all[which]);
}

/* --- what follows --- */

static void note_flat(laws *l, const sym_equation *e)
{
    sym_system *s = l->system;
    const sym_flat found = {l->joint.id, (size_t)(e - s->equation.item)};
    for (size_t k = 0; k < s->flat.count; k++)
        if (s->flat.item[k].unknown == found.unknown) return;
    list_push(l->a, &s->flat, found);
}

/* Whether an equation that holds `node` is not flat at the joint. */
static bool is_held_elsewhere(laws *l, sym node)
{
    for (size_t i = 0; i < l->system->equation.count; i++) {
        const sym_equation *e = &l->system->equation.item[i];
        if (!l->is_told[i] && holds(l, e, node) && !is_flat(l, e)) return true;
    }
    return false;
}

/* The bend of this node is not watched any more. */
static void leave_bend(laws *l, sym node)
{
    sym a, b;
    sym_discrete_part *d = &l->system->discrete;
    if (sym_is_relation(l->g, node) || !find_compared(l, node, &a, &b)) return;
    sym less = sym_relation(l->g, SYM_LESS, a, b);
    size_t left = 0;
    for (size_t k = 0; k < d->watched.count; k++) {
        const sym_watched *w = &d->watched.item[k];
        if (!w->kink || w->relation != less) d->watched.item[left++] = *w;
    }
    d->watched.count = left;
}

static void look_at_node(laws *l, sym_equation *e, sym node)
{
    sym a, b;
    bool rises;
    if (!find_compared(l, node, &a, &b) || !find_joint(l, a, b, &l->joint, &rises)) return;
    if (!is_flat(l, e)) return;
    note_flat(l, e);
    if (sym_is_relation(l->g, node)) {
        make_literal_in(l, e);
    } else if (!is_held_elsewhere(l, node)) {
        leave_bend(l, node);
    }
}

/* Notes a variable of which this product holds an odd power, if its equation is flat at 0. */
static void look_at_powers(laws *l, const sym_equation *e, sym node)
{
    sym_view v = sym_look(l->g, node);
    for (uint32_t i = 0; v.op == SYM_PRODUCT && i < v.count; i++) {
        sym_leaf leaf;
        bool odd = v.factor[i] >= 3 && fmod(v.factor[i], 2) == 1;
        if (!odd || !sym_as_leaf(l->g, v.argument[i], &leaf) || leaf.order > 0) continue;
        if (l->moves[leaf.id]) continue;
        l->joint = (joint){leaf.node, sym_number(l->g, 0), leaf.id};
        sym slope = slope_in(l, residual(l, e));
        if (vanish_there(l, 1, &slope)) note_flat(l, e);
    }
}

static void find_moving(laws *l)
{
    const sym *node;
    const sym_equations *e = &l->system->equation;
    l->moves = arena_array(l->a, l->system->unknown.count, sizeof *l->moves);
    for (size_t i = 0; i < e->count; i++) {
        sym side[] = {e->item[i].lhs, e->item[i].rhs};
        size_t count = sym_reach(l->g, 2, side, &node);
        for (size_t k = 0; k < count; k++) {
            sym_view v = sym_look(l->g, node[k]);
            if (v.op == SYM_VARIABLE && v.order > 0) l->moves[v.id] = true;
        }
    }
}

void sym_free_flat_laws(sym_system *system)
{
    laws l = {.system = system, .g = system->graph, .a = system->memory};
    find_moving(&l);
    l.is_told = arena_array(l.a, system->equation.count, sizeof *l.is_told);
    for (size_t i = 0; i < system->equation.count; i++) follow_definition(&l, i);
    for (size_t i = 0; i < system->equation.count; i++) {
        sym_equation *e = &system->equation.item[i];
        const sym *node;
        size_t count = sym_keep_reached(l.g, 2, (sym[]){e->lhs, e->rhs}, &node);
        for (size_t k = 0; k < count; k++) {
            look_at_node(&l, e, node[k]);
            look_at_powers(&l, e, node[k]);
        }
    }
}
