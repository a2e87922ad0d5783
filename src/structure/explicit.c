#include "structure/explicit.h"

#include "structure/explicit_choice.h"
#include "structure/signature.h"
#include "structure/time_factors.h"
#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/simplify.h"

#include <string.h>

/* The number of nodes, after substitution, of a definition that is used more than once may not
 * exceed this. Each equation that contains it is differentiated down to its leaves, so a chain of n
 * definitions, each also used elsewhere, would need n^2. */
enum { LARGEST_DEPTH = 200 };

/* An equation is solved for v only if v is not so much larger than what gives it, in nominal sizes.
 * Otherwise what is small beside its nominal size, and would be seen by v alone, is not seen. */
static const double STEEPEST_SOLVED = 1e5;

/* Of x = y, the variable that is less suited as a state is replaced. */
static bool left_stays(const choice *c, sym lhs, sym rhs)
{
    sym_view a = sym_look(c->g, lhs), b = sym_look(c->g, rhs);
    if (a.op != SYM_VARIABLE || b.op != SYM_VARIABLE) return false;
    const sym_unknown *x = &c->system->unknown.item[a.id], *y = &c->system->unknown.item[b.id];
    if (c->highest[a.id] != c->highest[b.id]) return c->highest[a.id] > c->highest[b.id];
    if (x->fixed != y->fixed) return x->fixed;
    if (x->start_given != y->start_given) return x->start_given;
    return true;
}

/* Whether everything that `v`'s definition needs is expressed in remaining unknowns. What is not is
 * pushed, to be closed first. */
static bool ready(choice *c, uint32_t v, const bool *closed)
{
    const sym_leaf *leaf;
    bool all = true;
    size_t leaves = sym_leaves(c->g, c->definition[v], &leaf);
    for (size_t k = 0; k < leaves; k++) {
        uint32_t id = leaf[k].id;
        if (c->definition[id] == SYM_NONE || closed[id]) continue;
        list_push(c->a, &c->pending, id);
        all = false;
    }
    return all;
}

static size_t count_unknowns(choice *c, sym expression)
{
    const sym_leaf *leaf;
    size_t count = 0, leaves = sym_leaves(c->g, expression, &leaf);
    c->round++;
    for (size_t k = 0; k < leaves; k++) {
        count += c->front[DOWN].seen[leaf[k].id] != c->round;
        c->front[DOWN].seen[leaf[k].id] = c->round;
    }
    return count;
}

static void become_equation(choice *c, uint32_t v)
{
    c->definition[v] = SYM_NONE;
    c->defines[c->given_by[v]] = false;
    c->given_by[v] = INCIDENCE_NONE;
}

/* Close a definition. If its substitution would create too many entries, or expressions too long,
 * it becomes an equation again. */
static void close_definition(choice *c, uint32_t v)
{
    sym closed = c->definition[v];
    bool names = explicit_is_derivative(c, closed);
    const sym *node;
    sym_substitute_definitions(c->g, 1, &closed, c->definition);
    if (c->solved[v] && !explicit_is_gentle(c, closed, v, STEEPEST_SOLVED)) {
        become_equation(c, v);
        return;
    }
    if (c->uses[v] > 2) {
        size_t count = count_unknowns(c, closed);
        bool fills = count > 1 && (count - 1) * (c->uses[v] - 2) > c->largest_fill;
        bool stays = fills && (count >= MANY || !names || c->largest_fill == 0);
        if (stays || (!names && sym_reach(c->g, 1, &closed, &node) > LARGEST_DEPTH)) {
            become_equation(c, v);
            return;
        }
    }
    c->definition[v] = closed;
}

/* Express every definition in remaining unknowns. No definition depends on itself. */
static void close_definitions(choice *c)
{
    bool *closed = arena_array(c->a, c->unknowns, sizeof *closed);
    for (uint32_t v = 0; v < c->unknowns; v++) {
        if (c->definition[v] == SYM_NONE || closed[v]) continue;
        c->pending.count = 0;
        list_push(c->a, &c->pending, v);
        while (c->pending.count) {
            uint32_t next = c->pending.item[c->pending.count - 1];
            if (!closed[next] && !ready(c, next, closed)) continue;
            if (!closed[next]) close_definition(c, next);
            closed[next] = true;
            c->pending.count--;
        }
    }
}

/* From 0 = if ..., define the first variable that each piece gives. Where the piece changes, the
 * equation as it stands jumps, so the solution is as good as one written in that form. */
static bool define_by_pieces(choice *c, uint32_t equation, sym side, sym pieces)
{
    const sym_leaf *leaf;
    if (!sym_is(c->g, side, 0) || sym_look(c->g, pieces).op != SYM_IF) return false;
    size_t leaves = sym_leaves(c->g, pieces, &leaf);
    for (size_t k = 0; k < leaves; k++) {
        uint32_t id = leaf[k].id;
        sym solution = structure_solve_pieces(c->g, pieces, id);
        if (solution != SYM_NONE &&
            explicit_define(c, equation, sym_variable(c->g, id, 0), solution))
            return true;
    }
    return false;
}

/* The variables of an equation that may be solved for: algebraic, without start values of their
 * own, and in a sum only if they occur in no more than one other equation, so that nothing is
 * filled in. Those in fewest equations come first. Returns how many there are, at most MANY. There
 * is none if another equation of an algebraic one changes its variables with modes, because modes
 * are judged by the equations as their author wrote them. */
static size_t find_candidates(const choice *c, size_t leaves, const sym_leaf *leaf,
                              uint32_t *candidate)
{
    size_t count = 0;
    for (size_t k = 0; k < leaves && leaves <= MANY; k++) {
        uint32_t id = leaf[k].id;
        if (c->switched[id] && c->highest[id] == 0) return 0;
        bool free = c->highest[id] == 0 && c->definition[id] == SYM_NONE &&
                    !c->system->unknown.item[id].start_given;
        if (!free || (leaves > 2 && c->uses[id] > 2)) continue;
        size_t at = count++;
        for (; at > 0 && c->uses[candidate[at - 1]] > c->uses[id]; at--)
            candidate[at] = candidate[at - 1];
        candidate[at] = id;
    }
    return count;
}

static bool is_cell(sym_op op)
{
    return op == SYM_CELL;
}

static bool may_reinit(const choice *c)
{
    const sym_discrete_part *d = &c->system->discrete;
    for (size_t i = 0; i < d->action.count; i++)
        if (d->action.item[i].kind == SYM_REINIT) return true;
    return false;
}

/* Whether an equation holds a variable that its author has named a derivative, as a = der(v). Where
 * reinit() sets v, the equation that holds der(v) has the impulse of that (event/impulse.h). Solved
 * for a force, it would give each equation with the force a part of it, so that nothing would tell
 * a body that is struck from those that springs join to it. */
static bool holds_named_derivative(choice *c, sym residual)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(c->g, residual, &leaf);
    c->round++;
    c->pending.count = 0;
    for (size_t k = 0; k < leaves; k++) list_push(c->a, &c->pending, leaf[k].id);
    while (c->pending.count) {
        uint32_t v = c->pending.item[--c->pending.count];
        if (c->front[DOWN].seen[v] == c->round || c->definition[v] == SYM_NONE) continue;
        c->front[DOWN].seen[v] = c->round;
        if (explicit_is_derivative(c, c->definition[v])) return true;
        leaves = sym_leaves(c->g, c->definition[v], &leaf);
        for (size_t k = 0; k < leaves; k++) list_push(c->a, &c->pending, leaf[k].id);
    }
    return false;
}

/* Solve an equation with numbers as slopes of some variables, such as a balance of flows, for one
 * of them. What contains derivatives, has pieces, or holds discrete variables, which an event seeks
 * together with the others, stays as its author wrote it. */
static bool define_by_solving(choice *c, uint32_t equation)
{
    const sym_leaf *leaf;
    uint32_t candidate[MANY];
    sym residual = sym_residual(c->system, equation);
    if (c->extent < EXPLICIT_SOLVED || sym_highest_order(c->g, residual) > 0 ||
        sym_has_pieces(c->g, residual) || sym_any(c->g, 1, &residual, is_cell) ||
        (c->reinit && holds_named_derivative(c, residual)))
        return false;
    size_t leaves = sym_leaves(c->g, residual, &leaf),
           count = find_candidates(c, leaves, leaf, candidate);
    for (size_t k = 0; k < count; k++) {
        uint32_t v = candidate[k];
        sym solution = structure_solve_pieces(c->g, residual, v);
        c->solved[v] = solution != SYM_NONE &&
                       explicit_define(c, equation, sym_variable(c->g, v, 0), solution);
        if (c->solved[v]) return true;
    }
    return false;
}

static void choose_definitions(choice *c)
{
    for (uint32_t i = 0; i < c->system->equation.count; i++) {
        const sym_equation *e = &c->system->equation.item[i];
        sym first = e->lhs, second = e->rhs;
        if (left_stays(c, first, second)) first = e->rhs, second = e->lhs;
        c->defines[i] = explicit_define(c, i, first, second) ||
                        explicit_define(c, i, second, first);
    }
    for (uint32_t i = 0; i < c->system->equation.count; i++) { /* the remaining equations */
        const sym_equation *e = &c->system->equation.item[i];
        c->defines[i] = c->defines[i] || define_by_pieces(c, i, e->lhs, e->rhs) ||
                        define_by_pieces(c, i, e->rhs, e->lhs) || define_by_solving(c, i);
    }
    close_definitions(c);
}

typedef struct core_of {
    sym_graph *g;
    const explicit_core *core;
} core_of;

static sym replace_defined(void *context, sym leaf)
{
    const core_of *c = context;
    sym_view view = sym_look(c->g, leaf);
    if (c->core->column_of[view.id] != INCIDENCE_NONE) return leaf;
    sym value = c->core->value[view.id];
    for (uint32_t k = 0; k < view.order; k++) value = sym_time_derivative(c->g, value);
    return value;
}

void structure_to_core(const sym_system *system, const explicit_core *core, size_t count,
                       sym *roots)
{
    core_of c = {system->graph, core};
    sym_substitute(c.g, count, roots, replace_defined, &c);
}

static explicit_core *collect(const choice *c)
{
    const sym_system *system = c->system;
    size_t equations = system->equation.count, kept = 0;
    explicit_core *core = arena_take(c->a, sizeof *core);
    core->residual = arena_array(c->a, equations, sizeof *core->residual);
    core->equation = arena_array(c->a, equations, sizeof *core->equation);
    core->unknown = arena_array(c->a, c->unknowns, sizeof *core->unknown);
    core->column_of = arena_array(c->a, c->unknowns, sizeof *core->column_of);
    core->value = arena_array(c->a, c->unknowns, sizeof *core->value);
    core->given_by = c->given_by;
    core->highest = c->highest;
    for (uint32_t i = 0; i < equations; i++) {
        if (c->defines[i]) continue;
        core->equation[core->n] = i;
        core->residual[core->n++] = structure_without_time_factors(c->g, sym_residual(system, i));
    }
    for (uint32_t v = 0; v < c->unknowns; v++) {
        bool stays = c->definition[v] == SYM_NONE;
        core->value[v] = stays ? sym_variable(c->g, v, 0) : c->definition[v];
        core->column_of[v] = stays ? (uint32_t)kept : INCIDENCE_NONE;
        if (stays) core->unknown[kept++] = v;
    }
    if (kept < c->unknowns) structure_to_core(system, core, core->n, core->residual);
    return core;
}

/* What the choice needed and the core does not. */
static void give_back(const choice *c)
{
    size_t n = c->unknowns;
    arena_return(c->a, c->uses, n, sizeof *c->uses);
    arena_return(c->a, c->switched, n, sizeof *c->switched);
    arena_return(c->a, c->chained, n, sizeof *c->chained);
    arena_return(c->a, c->definition, n, sizeof *c->definition);
    arena_return(c->a, c->solved, n, sizeof *c->solved);
    arena_return(c->a, c->defines, c->system->equation.count, sizeof *c->defines);
    arena_return(c->a, c->need.item, c->need.capacity, sizeof *c->need.item);
    arena_return(c->a, c->pending.item, c->pending.capacity, sizeof *c->pending.item);
    for (const front *f = c->front; f < c->front + 2; f++) {
        arena_return(c->a, f->seen, n, sizeof *f->seen);
        arena_return(c->a, f->first, n, sizeof *f->first);
    }
}

static explicit_core *make_core(const sym_system *system, explicit_extent extent, const bool *plain)
{
    choice c = {.system = system,
                .g = system->graph,
                .a = system->memory,
                .unknowns = system->unknown.count,
                .largest_fill = extent >= EXPLICIT_LITTLE_FILL ? LARGEST_FILL : 0,
                .extent = extent,
                .plain = plain};
    c.reinit = may_reinit(&c);
    c.uses = arena_array(c.a, c.unknowns, sizeof *c.uses);
    c.switched = arena_array(c.a, c.unknowns, sizeof *c.switched);
    c.highest = arena_array(c.a, c.unknowns, sizeof *c.highest);
    c.chained = arena_array(c.a, c.unknowns, sizeof *c.chained);
    c.definition = arena_array(c.a, c.unknowns, sizeof *c.definition);
    c.solved = arena_array(c.a, c.unknowns, sizeof *c.solved);
    for (front *f = c.front; f < c.front + 2; f++) {
        f->seen = arena_array(c.a, c.unknowns, sizeof *f->seen);
        f->first = arena_array(c.a, c.unknowns, sizeof *f->first);
    }
    c.defines = arena_array(c.a, system->equation.count, sizeof *c.defines);
    c.given_by = arena_array(c.a, c.unknowns, sizeof *c.given_by);
    for (size_t v = 0; v < c.unknowns; v++) {
        c.definition[v] = SYM_NONE;
        c.given_by[v] = INCIDENCE_NONE;
        c.front[DOWN].first[v] = c.front[UP].first[v] = NO_NEED;
    }
    if (extent != EXPLICIT_NONE) {
        explicit_count(&c);
        choose_definitions(&c);
    }
    explicit_core *core = collect(&c);
    give_back(&c);
    return core;
}

/* The order of each unknown's highest derivative in a core, the leading one; 0: none. */
static uint32_t *leading_orders(const sym_system *system, const explicit_core *core)
{
    uint32_t *order = arena_array(system->memory, system->unknown.count, sizeof *order);
    for (size_t i = 0; i < core->n; i++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(system->graph, core->residual[i], &leaf);
        for (size_t k = 0; k < leaves; k++)
            if (leaf[k].order > order[leaf[k].id]) order[leaf[k].id] = leaf[k].order;
    }
    return order;
}

static bool is_leading(void *context, const sym_view *leaf)
{
    const uint32_t *order = context;
    return leaf->op == SYM_VARIABLE && leaf->order > 0 && leaf->order == order[leaf->id];
}

/* Whether an expression contains leading derivatives, of unknowns that are `among` (NULL: all);
 * these unknowns are marked (NULL: not). */
static bool holds_leading(sym_graph *g, sym f, const uint32_t *order, const bool *among, bool *mark)
{
    const sym_leaf *leaf;
    bool any = false;
    size_t leaves = sym_leaves(g, f, &leaf);
    for (size_t k = 0; k < leaves; k++) {
        uint32_t id = leaf[k].id;
        if (leaf[k].order == 0 || leaf[k].order != order[id] || (among && !among[id])) continue;
        any = true;
        if (mark) mark[id] = true;
    }
    return any;
}

/* Find whether an equation of the core is not linear in leading derivatives. Mark in `plain` the
 * unknowns that are replaced by an expression in one of these. Returns whether there are any. */
static bool mark_bent(const sym_system *system, explicit_core *core, bool *plain)
{
    sym_graph *g = system->graph;
    uint32_t *order = leading_orders(system, core);
    bool any = false, *bent = arena_array(system->memory, system->unknown.count, sizeof *bent);
    for (size_t i = 0; i < core->n; i++)
        if (!sym_is_affine(g, 1, &core->residual[i], is_leading, order) &&
            holds_leading(g, core->residual[i], order, NULL, bent))
            core->bent = true;
    for (size_t v = 0; core->bent && v < system->unknown.count; v++)
        if (core->column_of[v] == INCIDENCE_NONE &&
            holds_leading(g, core->value[v], order, bent, NULL))
            any = plain[v] = true;
    arena_return(system->memory, bent, system->unknown.count, sizeof *bent);
    arena_return(system->memory, order, system->unknown.count, sizeof *order);
    return any;
}

explicit_core *structure_explicit(const sym_system *system, explicit_extent extent)
{
    bool *plain = arena_array(system->memory, system->unknown.count, sizeof *plain);
    explicit_core *core = make_core(system, extent, plain);
    if (extent == EXPLICIT_NONE || !mark_bent(system, core, plain)) return core;
    core = make_core(system, extent, plain);
    mark_bent(system, core, plain);
    return core;
}
