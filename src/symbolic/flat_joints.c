/* Where branches of an equation meet at a value of a variable, and how they do. */
#include "symbolic/flat_joints.h"

#include "symbolic/derive.h"
#include "symbolic/graph.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

/* Whether a - b changes its sign at one value of an algebraic variable; *rises with it. */
bool flat_find_joint(const flat_laws *l, sym a, sym b, flat_joint *found, bool *rises)
{
    sym_graph *g = l->g;
    const sym_leaf *leaf;
    sym slope, rest, difference = sym_subtract(g, a, b);
    if (sym_leaves(g, difference, &leaf) != 1 || sym_holds_time(g, 1, &difference)) return false;
    if (leaf->order > 0 || l->moves[leaf->id]) return false;
    *found = (flat_joint){.leaf = leaf->node, .id = leaf->id};
    if (!sym_split_linear(g, difference, found->leaf, &slope, &rest)) return false;
    *rises = sym_is(g, slope, 1);
    found->at = *rises ? sym_negate(g, rest) : rest;
    return *rises || sym_is(g, slope, -1);
}

/* What a node compares: a < b, min(a, b), abs(a) with b = 0. */
bool flat_find_compared(const flat_laws *l, sym node, sym *a, sym *b)
{
    sym_view v = sym_look(l->g, node);
    bool relation = (v.op == SYM_LESS || v.op == SYM_LESS_EQUAL) && sym_is_relation(l->g, node);
    if (v.op == SYM_ABS) *a = v.argument[0], *b = sym_number(l->g, 0);
    if (relation || v.op == SYM_MIN || v.op == SYM_MAX) *a = v.argument[0], *b = v.argument[1];
    return relation || v.op == SYM_ABS || v.op == SYM_MIN || v.op == SYM_MAX;
}

/* Whether a node changes at the joint; *less: the first of what it compares is the smaller one on
 * the present side. */
static bool changes_there(const flat_laws *l, sym node, bool *less)
{
    sym a, b;
    flat_joint j;
    bool rises;
    if (!flat_find_compared(l, node, &a, &b) || !flat_find_joint(l, a, b, &j, &rises)) return false;
    *less = rises == l->below;
    return j.leaf == l->joint.leaf && j.at == l->joint.at;
}

/* A sym_image: the branch on one side of the joint. */
static sym take_side(void *context, sym old, sym rebuilt)
{
    const flat_laws *l = context;
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
    flat_laws *l = context;
    bool below;
    if (!sym_is_relation(l->g, old)) return rebuilt;
    l->below = true;
    if (!changes_there(l, old, &below)) return rebuilt;
    sym_view v = sym_look(l->g, rebuilt);
    sym_op op = l->straight == 0 ? v.op : below == (l->straight < 0) ? SYM_LESS_EQUAL : SYM_LESS;
    return v.count == 2 ? sym_binary(l->g, op, v.argument[0], v.argument[1]) : rebuilt;
}

void flat_make_literal(flat_laws *l, sym_equation *e)
{
    sym_transform(l->g, 1, &e->lhs, make_literal, l);
    sym_transform(l->g, 1, &e->rhs, make_literal, l);
}

static sym slope_in(const flat_laws *l, sym f)
{
    sym_partials list = {0};
    sym_gradient(l->g, f, &list);
    for (size_t k = 0; k < list.count; k++)
        if (list.item[k].leaf == l->joint.leaf) return list.item[k].value;
    return sym_number(l->g, 0);
}

/* Whether all of them vanish at the joint, whatever other variables are. */
static bool vanish_there(const flat_laws *l, size_t count, sym *f)
{
    bool all = true;
    sym_substitute_leaf(l->g, count, f, l->joint.leaf, l->joint.at);
    for (size_t k = 0; k < count; k++) all = all && sym_is(l->g, f[k], 0);
    return all;
}

sym flat_residual(const flat_laws *l, const sym_equation *e)
{
    return sym_subtract(l->g, e->lhs, e->rhs);
}

/* The branches of f below and above the joint. */
static void find_sides(flat_laws *l, sym f, sym *side)
{
    side[0] = side[1] = f;
    for (int k = 0; k < 2; k++) {
        l->below = k == 0;
        sym_transform(l->g, 1, &side[k], take_side, l);
    }
}

bool flat_is_continuous(flat_laws *l, const sym_equation *e)
{
    sym side[2];
    find_sides(l, flat_residual(l, e), side);
    sym jump = sym_subtract(l->g, side[0], side[1]);
    return vanish_there(l, 1, &jump);
}

/* The sign of what f gains as the joint's variable rises from the joint; 0: it is not known. */
static int sign_beyond(const flat_laws *l, sym f)
{
    double number;
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

/* A sym_image: of an `if` that something else decides at the joint, the branch that holds there. */
static sym take_decided(void *context, sym old, sym rebuilt)
{
    const flat_laws *l = context;
    sym_view v = sym_look(l->g, rebuilt);
    double holds;
    (void)old;
    if (v.op != SYM_IF) return rebuilt;
    sym condition = v.argument[0];
    sym_substitute_leaf(l->g, 1, &condition, l->joint.leaf, l->joint.at);
    if (!sym_number_of(l->g, condition, &holds)) return rebuilt;
    return v.argument[holds != 0 ? 1 : 2];
}

/* Whether one side of f has no slope at the joint, though it depends on the variable, and the other
 * one leads on from it, as those of a check valve with the parameter s, if s > 0 then s^2 else s.
 */
static bool lead_on(flat_laws *l, const sym *side, const sym *slope, size_t flat)
{
    sym near[] = {slope[0], slope[1]};
    sym_transform(l->g, 2, near, take_decided, l);
    if (sym_is(l->g, near[flat], 0) || sym_is(l->g, near[1 - flat], 0)) return false;
    int bent = sign_beyond(l, side[flat]), straight = sign_beyond(l, side[1 - flat]);
    /* below the joint s^2 falls as s rises */
    return flat == 0 ? bent * straight <= 0 : bent * straight >= 0;
}

/* Whether both sides have the same value at the joint, and one of them at least no slope in its
 * variable. */
static bool meet_flat(flat_laws *l, sym f)
{
    sym side[2];
    find_sides(l, f, side);
    sym jump = sym_subtract(l->g, side[0], side[1]);
    if (!vanish_there(l, 1, &jump)) return false;
    sym slope[] = {slope_in(l, side[0]), slope_in(l, side[1])}, there[] = {slope[0], slope[1]};
    bool flat[] = {vanish_there(l, 1, &there[0]), vanish_there(l, 1, &there[1])};
    if (flat[0] && flat[1]) return true;
    bool half = (flat[0] || flat[1]) && lead_on(l, side, slope, flat[0] ? 0 : 1);
    if (!half) return false;
    l->straight = flat[0] ? 1 : -1;
    l->rises = sign_beyond(l, side[flat[0] ? 1 : 0]);
    return true;
}

bool flat_meets_half(flat_laws *l, const sym_equation *e)
{
    l->straight = 0;
    return meet_flat(l, flat_residual(l, e)) && l->straight != 0;
}

static bool has_no_slope(flat_laws *l, sym f)
{
    sym slope = slope_in(l, f);
    return vanish_there(l, 1, &slope);
}

/* How an expression changes at the joint. */
typedef enum bearing { APART, FLAT, OTHERWISE } bearing;

/* What an expression is asked for: whether it has to do with the joint, and whether it is flat. */
typedef struct question {
    bool (*concerns)(flat_laws *l, sym f);
    bool (*is_so)(flat_laws *l, sym f);
} question;

bool flat_changes_anywhere(flat_laws *l, sym f)
{
    bool less;
    const sym *node;
    size_t count = sym_keep_reached(l->g, 1, &f, &node);
    for (size_t k = 0; k < count; k++)
        if (changes_there(l, node[k], &less)) return true;
    return false;
}

/* Whether v is a product with an odd power of argument i, above 1. */
bool flat_is_odd_power(const sym_view *v, uint32_t i)
{
    return v->op == SYM_PRODUCT && v->factor[i] >= 3 && fmod(v->factor[i], 2) == 1;
}

static bool holds_power(flat_laws *l, sym f)
{
    const sym *node;
    size_t count = sym_keep_reached(l->g, 1, &f, &node);
    for (size_t k = 0; k < count; k++) {
        sym_view v = sym_look(l->g, node[k]);
        for (uint32_t i = 0; i < v.count; i++)
            if (v.argument[i] == l->joint.leaf && flat_is_odd_power(&v, i)) return true;
    }
    return false;
}

/* The outermost `if` of f between branches that the joint does not choose. */
static sym outer_choice(flat_laws *l, sym f)
{
    const sym *node;
    size_t count = sym_keep_reached(l->g, 1, &f, &node);
    for (size_t k = count; k-- > 0;) {
        sym_view v = sym_look(l->g, node[k]);
        if (v.op == SYM_IF && !flat_changes_anywhere(l, v.argument[0])) return node[k];
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
static bearing bearing_of(flat_laws *l, sym f, const question *asked, int depth)
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

bool flat_is_law(flat_laws *l, const sym_equation *e)
{
    const question asked = {flat_changes_anywhere, meet_flat};
    l->straight = 0;
    return bearing_of(l, flat_residual(l, e), &asked, 0) == FLAT;
}

/* The same for the branch above the joint. */
int flat_direction(flat_laws *l, sym f)
{
    l->below = false;
    sym_transform(l->g, 1, &f, take_side, l);
    return sign_beyond(l, f);
}

bool flat_holds_power(flat_laws *l, const sym_equation *e)
{
    const question asked = {holds_power, has_no_slope};
    return bearing_of(l, flat_residual(l, e), &asked, 0) == FLAT;
}
