#include "symbolic/flat_laws.h"

#include "symbolic/derive.h"
#include "symbolic/graph.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

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

/* The branches of f below and above the joint. */
static void find_sides(laws *l, sym f, sym *side)
{
    side[0] = side[1] = f;
    for (int k = 0; k < 2; k++) {
        l->below = k == 0;
        sym_transform(l->g, 1, &side[k], take_side, l);
    }
}

static bool is_continuous(laws *l, const sym_equation *e)
{
    sym side[2];
    find_sides(l, residual(l, e), side);
    sym jump = sym_subtract(l->g, side[0], side[1]);
    return vanish_there(l, 1, &jump);
}

/* Whether both sides have the same value at the joint, and no slope in its variable. */
static bool meet_flat(laws *l, sym f)
{
    sym side[2];
    find_sides(l, f, side);
    sym of[] = {sym_subtract(l->g, side[0], side[1]), slope_in(l, side[0]), slope_in(l, side[1])};
    return vanish_there(l, 3, of);
}

static bool has_no_slope(laws *l, sym f)
{
    sym slope = slope_in(l, f);
    return vanish_there(l, 1, &slope);
}

/* How an expression changes at the joint. */
typedef enum bearing { APART, FLAT, OTHERWISE } bearing;

/* What an expression is asked for: whether it has to do with the joint, and whether it is flat. */
typedef struct question {
    bool (*concerns)(laws *l, sym f);
    bool (*is_so)(laws *l, sym f);
} question;

static bool changes_anywhere(laws *l, sym f)
{
    bool less;
    const sym *node;
    size_t count = sym_keep_reached(l->g, 1, &f, &node);
    for (size_t k = 0; k < count; k++)
        if (changes_there(l, node[k], &less)) return true;
    return false;
}

/* Whether v is a product with an odd power of argument i, above 1. */
static bool is_odd_power(const sym_view *v, uint32_t i)
{
    return v->op == SYM_PRODUCT && v->factor[i] >= 3 && fmod(v->factor[i], 2) == 1;
}

static bool holds_power(laws *l, sym f)
{
    const sym *node;
    size_t count = sym_keep_reached(l->g, 1, &f, &node);
    for (size_t k = 0; k < count; k++) {
        sym_view v = sym_look(l->g, node[k]);
        for (uint32_t i = 0; i < v.count; i++)
            if (v.argument[i] == l->joint.leaf && is_odd_power(&v, i)) return true;
    }
    return false;
}

/* The outermost `if` of f between branches that the joint does not choose. */
static sym outer_choice(laws *l, sym f)
{
    const sym *node;
    size_t count = sym_keep_reached(l->g, 1, &f, &node);
    for (size_t k = count; k-- > 0;) {
        sym_view v = sym_look(l->g, node[k]);
        if (v.op == SYM_IF && !changes_anywhere(l, v.argument[0])) return node[k];
    }
    return SYM_NONE;
}

/* A sym_image: one branch of an `if`. */
typedef struct branch {
    sym_graph *g;
    sym of;
    uint32_t which;
} branch;

static sym take_branch(void *context, sym old, sym rebuilt)
{
    const branch *b = context;
    sym_view v = sym_look(b->g, rebuilt);
    return old == b->of && v.op == SYM_IF ? v.argument[b->which] : rebuilt;
}

/* A valve that is open or closed, if open then h = q*abs(q) else q = 0, is flat where it is open.
 */
static bearing bearing_of(laws *l, sym f, const question *asked, int depth)
{
    enum { DEEPEST = 6 };
    if (!asked->concerns(l, f)) return APART;
    if (asked->is_so(l, f)) return FLAT;
    sym choice = outer_choice(l, f);
    if (choice == SYM_NONE || depth == DEEPEST) return OTHERWISE;
    bearing found[2];
    for (uint32_t k = 0; k < 2; k++) {
        sym one = f;
        sym_transform(l->g, 1, &one, take_branch, &(branch){l->g, choice, k + 1});
        found[k] = bearing_of(l, one, asked, depth + 1);
        if (found[k] == OTHERWISE) return OTHERWISE;
    }
    return found[0] == FLAT ? FLAT : found[1];
}

static bool is_flat(laws *l, const sym_equation *e)
{
    const question asked = {changes_anywhere, meet_flat};
    return bearing_of(l, residual(l, e), &asked, 0) == FLAT;
}

/* --- branches --- */

/* The sign of what f gains as the joint's variable rises from the joint; 0: it is not known. */
static int direction_of(laws *l, sym f)
{
    double number;
    l->below = false;
    sym_transform(l->g, 1, &f, take_side, l);
    for (int order = 1; order <= 2; order++) {
        f = slope_in(l, f);
        sym at_joint = f;
        sym_substitute_leaf(l->g, 1, &at_joint, l->joint.leaf, l->joint.at);
        if (!sym_number_of(l->g, at_joint, &number)) return 0;
        if (sym_ask(l->g, IS_LESS, 0, number)) return 1;
        if (sym_ask(l->g, IS_LESS, number, 0)) return -1;
    }
    return 0;
}

/* Lets both branches of 0 = if open then h - q*abs(q) else q rise with the variable, or fall: where
 * a solution slides between them, some mean of both then vanishes. */
static void align_branches(laws *l, sym_equation *e)
{
    sym_graph *g = l->g;
    sym f = residual(l, e);
    sym_view v = sym_look(g, f);
    bool negated = v.op == SYM_SUM && v.count == 1 && sym_negate(g, f) == v.argument[0];
    if (negated) v = sym_look(g, v.argument[0]);
    if (v.op != SYM_IF || changes_anywhere(l, v.argument[0])) return;
    if (direction_of(l, v.argument[1]) * direction_of(l, v.argument[2]) >= 0) return;
    e->lhs = sym_if(g, v.argument[0], v.argument[1], sym_negate(g, v.argument[2]));
    e->rhs = sym_number(g, 0);
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
    align_branches(l, e);
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
    for (uint32_t i = 0; i < v.count; i++) {
        sym_leaf leaf;
        if (!is_odd_power(&v, i) || !sym_as_leaf(l->g, v.argument[i], &leaf) || leaf.order > 0)
            continue;
        if (l->moves[leaf.id]) continue;
        l->joint = (joint){leaf.node, sym_number(l->g, 0), leaf.id};
        const question asked = {holds_power, has_no_slope};
        if (bearing_of(l, residual(l, e), &asked, 0) == FLAT) note_flat(l, e);
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
    const uint64_t compared = SYM_BIT(SYM_LESS) | SYM_BIT(SYM_LESS_EQUAL) | SYM_BIT(SYM_ABS) |
                              SYM_BIT(SYM_MIN) | SYM_BIT(SYM_MAX);
    bool compares = sym_occurs(l.g, compared); /* else there are no joints: find_compared() */
    for (size_t i = 0; compares && i < system->equation.count; i++) follow_definition(&l, i);
    for (size_t i = 0; i < system->equation.count; i++) {
        sym_equation *e = &system->equation.item[i];
        const sym *reached;
        arena_mark here = arena_here(l.g->scratch);
        size_t count = sym_reach(l.g, 2, (sym[]){e->lhs, e->rhs}, &reached);
        const sym *node = arena_duplicate(l.g->scratch, reached, count, sizeof *node);
        for (size_t k = 0; k < count; k++) {
            if (compares) look_at_node(&l, e, node[k]);
            look_at_powers(&l, e, node[k]);
        }
        arena_back(l.g->scratch, here);
    }
}
