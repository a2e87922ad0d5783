#include "symbolic/flat_laws.h"

#include "symbolic/cells.h"
#include "symbolic/derive.h"
#include "symbolic/flat_joints.h"
#include "symbolic/graph.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

/* The nodes of an equation, until the scratch of the graph goes back. */
static size_t nodes_of(const flat_laws *l, const sym_equation *e, const sym **node)
{
    const sym *reached;
    size_t count = sym_reach(l->g, 2, (sym[]){e->lhs, e->rhs}, &reached);
    *node = arena_duplicate(l->g->scratch, reached, count, sizeof **node);
    return count;
}

/* --- branches --- */

/* Lets both branches of 0 = if open then h - q*abs(q) else q rise with the variable, or fall: where
 * a solution slides between them, some mean of both then vanishes. */
static void align_branches(flat_laws *l, sym_equation *e)
{
    sym_graph *g = l->g;
    sym f = flat_residual(l, e);
    sym_view v = sym_look(g, f);
    bool negated = v.op == SYM_SUM && v.count == 1 && sym_negate(g, f) == v.argument[0];
    if (negated) v = sym_look(g, v.argument[0]);
    if (v.op != SYM_IF || flat_changes_anywhere(l, v.argument[0])) return;
    if (flat_direction(l, v.argument[1]) * flat_direction(l, v.argument[2]) >= 0) return;
    e->lhs = sym_if(g, v.argument[0], v.argument[1], sym_negate(g, v.argument[2]));
    e->rhs = sym_number(g, 0);
}

/* --- definitions --- */

/* Whether an equation says what an algebraic variable is by one other, as a = abs(q) does. */
static bool is_definition(const flat_laws *l, const sym_equation *e, sym_leaf *defined, sym *value)
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
static bool has_joint(flat_laws *l, sym value)
{
    const sym *node;
    sym a, b;
    bool rises;
    size_t count = sym_reach(l->g, 1, &value, &node);
    for (size_t k = 0; k < count; k++)
        if (flat_find_compared(l, node[k], &a, &b) && flat_find_joint(l, a, b, &l->joint, &rises))
            return true;
    return false;
}

static bool holds(const flat_laws *l, const sym_equation *e, sym wanted)
{
    const sym *reached;
    size_t count = sym_reach(l->g, 2, (sym[]){e->lhs, e->rhs}, &reached);
    for (size_t k = 0; k < count; k++)
        if (reached[k] == wanted) return true;
    return false;
}

/* Where an equation is flat once the value stands in it, it does. */
static void follow_definition(flat_laws *l, size_t which)
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
        bool flat = flat_is_law(l, &as);
        if (flat) all[i] = as;
        followed += flat;
        held += !flat;
    }
    l->is_told[which] = followed > 0 && held == 0 && flat_is_continuous(l, &all[which]);
    if (l->is_told[which]) flat_make_literal(l, &all[which]);
}

/* --- conditions --- */

/* Whether an expression remembers nothing, and no other discrete variable is in it. */
static bool has_no_cells(const flat_laws *l, sym f)
{
    const sym *reached;
    size_t count = sym_reach(l->g, 1, &f, &reached);
    for (size_t k = 0; k < count; k++)
        if (sym_look(l->g, reached[k]).op == SYM_CELL) return false;
    return true;
}

/* Boolean variables that stand for what is compared, as open = s > 0. */
static void find_conditions(flat_laws *l)
{
    const sym_discrete_part *d = &l->system->discrete;
    l->stands_for = arena_array(l->a, sym_cell_count(l->g) + 1, sizeof *l->stands_for);
    for (size_t k = 0; k < sym_cell_count(l->g); k++) l->stands_for[k] = SYM_NONE;
    for (size_t k = 0; k < d->variable.count; k++) {
        const sym_discrete *v = &d->variable.item[k];
        bool plain = v->type == SYM_BOOLEAN_TYPE && !v->is_condition;
        if (plain && has_no_cells(l, v->definition)) l->stands_for[v->cell] = v->definition;
    }
}

/* What a node stands for; SYM_NONE: it is no such variable. */
static sym meaning(const flat_laws *l, sym node)
{
    sym_view v = sym_look(l->g, node);
    return v.op == SYM_CELL ? l->stands_for[v.id] : SYM_NONE;
}

/* A sym_image: variables that change at the joint are what they stand for. */
static sym write_condition(void *context, sym old, sym rebuilt)
{
    flat_laws *l = context;
    sym means = meaning(l, old);
    return means != SYM_NONE && flat_changes_anywhere(l, means) ? means : rebuilt;
}

/* Where an equation is flat once that is written in it, h = if open then s^2 else s, it is. Or, at
 * the joint of a law that is flat on one side, where it is continuous. The variable itself changes
 * at events. */
static void follow_condition(flat_laws *l, sym_equation *e, sym node, bool beside)
{
    sym means = meaning(l, node);
    if (means == SYM_NONE || !has_joint(l, means)) return;
    if (beside && l->half[l->joint.id].at != l->joint.at) return;
    sym_equation as = *e;
    sym_transform(l->g, 1, &as.lhs, write_condition, l);
    sym_transform(l->g, 1, &as.rhs, write_condition, l);
    if (beside ? flat_is_continuous(l, &as) : flat_is_law(l, &as)) *e = as;
}

/* --- what follows --- */

static void note_flat(flat_laws *l, const sym_equation *e)
{
    sym_system *s = l->system;
    const sym_flat found = {l->joint.id, (size_t)(e - s->equation.item)};
    for (size_t k = 0; k < s->flat.count; k++)
        if (s->flat.item[k].unknown == found.unknown) return;
    list_push(l->a, &s->flat, found);
}

/* Whether an equation that holds `node` is not flat at the joint. */
static bool is_held_elsewhere(flat_laws *l, sym node)
{
    for (size_t i = 0; i < l->system->equation.count; i++) {
        const sym_equation *e = &l->system->equation.item[i];
        if (!l->is_told[i] && holds(l, e, node) && !flat_is_law(l, e)) return true;
    }
    return false;
}

/* The bend of this node is not watched any more. */
static void leave_bend(flat_laws *l, sym node)
{
    sym a, b;
    sym_discrete_part *d = &l->system->discrete;
    if (sym_is_relation(l->g, node) || !flat_find_compared(l, node, &a, &b)) return;
    sym less = sym_relation(l->g, SYM_LESS, a, b);
    size_t left = 0;
    for (size_t k = 0; k < d->watched.count; k++) {
        const sym_watched *w = &d->watched.item[k];
        if (!w->kink || w->relation != less) d->watched.item[left++] = *w;
    }
    d->watched.count = left;
}

/* The law that a definition has been written into says what states leave at the joint, and not the
 * definition, which holds the variable that it defines. */
static void note_half(flat_laws *l, const sym_equation *e)
{
    const flat_joint *j = &l->joint;
    size_t at = (size_t)(e - l->system->equation.item);
    if (l->is_told[at] && l->half[j->id].at != SYM_NONE) return;
    bool whole = flat_meets_half(l, e); /* not in a branch alone */
    l->half[j->id] = (flat_half){j->leaf, j->at, at, whole ? l->rises : 0, SYM_NONE};
}

static void look_at_node(flat_laws *l, sym_equation *e, sym node)
{
    sym a, b;
    bool rises;
    if (!flat_find_compared(l, node, &a, &b) || !flat_find_joint(l, a, b, &l->joint, &rises))
        return;
    if (!flat_is_law(l, e)) return;
    if (l->straight != 0) note_half(l, e);
    note_flat(l, e);
    align_branches(l, e);
    if (sym_is_relation(l->g, node)) {
        flat_make_literal(l, e);
    } else if (!is_held_elsewhere(l, node)) {
        leave_bend(l, node);
    }
}

/* Notes a variable of which this product holds an odd power, if its equation is flat at 0. */
static void look_at_powers(flat_laws *l, const sym_equation *e, sym node)
{
    sym_view v = sym_look(l->g, node);
    for (uint32_t i = 0; i < v.count; i++) {
        sym_leaf leaf;
        if (!flat_is_odd_power(&v, i) || !sym_as_leaf(l->g, v.argument[i], &leaf) || leaf.order > 0)
            continue;
        if (l->moves[leaf.id]) continue;
        l->joint = (flat_joint){leaf.node, sym_number(l->g, 0), leaf.id};
        if (flat_holds_power(l, e)) note_flat(l, e);
    }
}

static void find_moving(flat_laws *l)
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

/* --- beside laws that are flat on one side --- */

/* The joint of such a law at which a node changes is left in l. */
static bool is_beside(flat_laws *l, sym node)
{
    sym a, b;
    bool rises;
    return flat_find_compared(l, node, &a, &b) && flat_find_joint(l, a, b, &l->joint, &rises) &&
           l->half[l->joint.id].at == l->joint.at;
}

/* What else changes at that joint, as the flow q = if s > 0 then s else 0, goes on there without an
 * event as well, if it is continuous: s leaves the joint with a rate that is infinite, so that no
 * event tells what follows. */
static void free_beside(flat_laws *l, sym_equation *e, size_t count, const sym *node)
{
    for (size_t k = 0; k < count; k++) follow_condition(l, e, node[k], true);
    count = nodes_of(l, e, &node);
    for (size_t k = 0; k < count; k++) {
        if (!is_beside(l, node[k])) continue;
        l->straight = 0;
        if (flat_is_continuous(l, e))
            flat_make_literal(l, e);
        else
            l->jumps[l->joint.id] = true;
    }
}

/* --- all --- */

typedef void each(flat_laws *l, sym_equation *e, size_t count, const sym *node);

static void for_each(flat_laws *l, each *act)
{
    for (size_t i = 0; i < l->system->equation.count; i++) {
        sym_equation *e = &l->system->equation.item[i];
        const sym *node;
        arena_mark here = arena_here(l->g->scratch);
        size_t count = nodes_of(l, e, &node);
        act(l, e, count, node);
        arena_back(l->g->scratch, here);
    }
}

static void look_at_conditions(flat_laws *l, sym_equation *e, size_t count, const sym *node)
{
    for (size_t k = 0; k < count; k++) follow_condition(l, e, node[k], false);
}

static void look_at_joints(flat_laws *l, sym_equation *e, size_t count, const sym *node)
{
    for (size_t k = 0; k < count; k++) {
        look_at_node(l, e, node[k]);
        look_at_powers(l, e, node[k]);
    }
}

static void look_at_powers_alone(flat_laws *l, sym_equation *e, size_t count, const sym *node)
{
    for (size_t k = 0; k < count; k++) look_at_powers(l, e, node[k]);
}

static void leave_bends(flat_laws *l, sym_equation *e, size_t count, const sym *node)
{
    (void)e;
    for (size_t k = 0; k < count; k++)
        if (is_beside(l, node[k]) && !l->jumps[l->joint.id]) leave_bend(l, node[k]);
}

void sym_free_flat_laws(sym_system *system)
{
    flat_laws l = {.system = system, .g = system->graph, .a = system->memory};
    const uint64_t compared = SYM_BIT(SYM_LESS) | SYM_BIT(SYM_LESS_EQUAL) | SYM_BIT(SYM_ABS) |
                              SYM_BIT(SYM_MIN) | SYM_BIT(SYM_MAX);
    bool any = false;
    find_moving(&l);
    if (!sym_occurs(l.g, compared)) { /* there are no joints: flat_find_compared() */
        for_each(&l, look_at_powers_alone);
        return;
    }
    l.is_told = arena_array(l.a, system->equation.count, sizeof *l.is_told);
    l.half = arena_array(l.a, system->unknown.count, sizeof *l.half);
    l.jumps = arena_array(l.a, system->unknown.count, sizeof *l.jumps);
    for (size_t i = 0; i < system->unknown.count; i++) l.half[i].at = SYM_NONE;
    find_conditions(&l);
    for (size_t i = 0; i < system->equation.count; i++) follow_definition(&l, i);
    for_each(&l, look_at_conditions);
    for_each(&l, look_at_joints);
    for (size_t i = 0; i < system->unknown.count; i++) any = any || l.half[i].at != SYM_NONE;
    if (any) for_each(&l, free_beside);
    if (any) for_each(&l, leave_bends);
    if (any) flat_compare_states(&l);
}
