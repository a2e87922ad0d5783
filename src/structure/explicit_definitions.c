/* Which equations may define which variables. */
#include "structure/explicit_choice.h"
#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/simplify.h"

#include <string.h>

/* A state is computed from others only if a change of those by their nominal sizes changes it by no
 * more than this many times its own. */
static const double STEEPEST = 1000;

static bool have_same_leaves(sym_graph *g, sym a, sym b)
{
    const sym_leaf *of_a, *of_b;
    size_t leaves = sym_leaves(g, a, &of_a);
    if (leaves != sym_leaves(g, b, &of_b)) return false;
    for (size_t k = 0; k < leaves; k++)
        if (of_a[k].node != of_b[k].node) return false;
    return true;
}

/* Whether pieces of an equation contain different variables, as those of an ideal diode. */
static bool changes_structure(choice *c, sym residual)
{
    const sym *reached;
    bool changes = false;
    if (!sym_has_pieces(c->g, residual)) return false;
    size_t nodes = sym_reach(c->g, 1, &residual, &reached);
    sym *node = arena_duplicate(c->a, reached, nodes, sizeof *node);
    for (size_t k = 0; k < nodes && !changes; k++) {
        sym_view view = sym_look(c->g, node[k]);
        changes = view.op == SYM_IF && !have_same_leaves(c->g, view.argument[1], view.argument[2]);
    }
    arena_return(c->a, node, nodes, sizeof *node);
    return changes;
}

static void count_uses(choice *c)
{
    for (size_t i = 0; i < c->system->equation.count; i++) {
        const sym_equation *e = &c->system->equation.item[i];
        sym residual = sym_residual(c->system, i);
        const sym_leaf *leaf;
        bool pieces = e->selected || changes_structure(c, residual);
        size_t leaves = sym_leaves(c->g, residual, &leaf);
        c->round++;
        for (size_t k = 0; k < leaves; k++) {
            uint32_t id = leaf[k].id;
            if (leaf[k].order > c->highest[id]) c->highest[id] = leaf[k].order;
            c->switched[id] = c->switched[id] || pieces;
            if (c->front[DOWN].seen[id] == c->round) continue;
            c->front[DOWN].seen[id] = c->round;
            c->uses[id]++;
        }
    }
}

/* Of v = der(x) and a = der(v), x is differentiated twice. More than that makes no difference.
 * Returns whether this equation has told something new. */
static bool chain(choice *c, sym name, sym derivative)
{
    sym_view of = sym_look(c->g, derivative), v = sym_look(c->g, name);
    if (of.op != SYM_VARIABLE || v.op != SYM_VARIABLE || of.order == 0 || v.order > 0) return false;
    uint32_t order = of.order + c->chained[v.id];
    bool more = order > c->chained[of.id] && c->chained[of.id] < 2;
    if (more) c->chained[of.id] = order;
    return more;
}

static void count_chains(choice *c)
{
    bool again = true;
    memcpy(c->chained, c->highest, c->unknowns * sizeof *c->chained);
    while (again) {
        again = false;
        for (size_t i = 0; i < c->system->equation.count; i++) {
            const sym_equation *e = &c->system->equation.item[i];
            again = chain(c, e->lhs, e->rhs) || chain(c, e->rhs, e->lhs) || again;
        }
    }
}

void explicit_count(choice *c)
{
    count_uses(c);
    count_chains(c);
}

static void meet(choice *c, front *f, uint32_t v)
{
    f->work++;
    if (f->seen[v] == c->round) return;
    f->seen[v] = c->round;
    list_push(c->a, &f->pending, v);
}

static void advance(choice *c, int direction)
{
    front *f = &c->front[direction];
    uint32_t v = f->pending.item[--f->pending.count];
    for (uint32_t k = f->first[v]; k != NO_NEED; k = c->need.item[k].next[direction])
        meet(c, f, c->need.item[k].to[direction]);
}

/* Whether the expression with these leaves depends on v, through earlier definitions. The search
 * goes down from the leaves and up from v alternately, until one side has seen all that it can
 * reach. So the shorter side of a chain decides, whatever the order in which its links are
 * written. */
static bool depends(choice *c, size_t leaves, const sym_leaf *leaf, uint32_t v)
{
    front *down = &c->front[DOWN], *up = &c->front[UP];
    c->round++;
    down->pending.count = up->pending.count = down->work = up->work = 0;
    for (size_t k = 0; k < leaves; k++) meet(c, down, leaf[k].id);
    meet(c, up, v);
    while (down->pending.count && up->pending.count) {
        uint32_t lower = down->pending.item[down->pending.count - 1];
        uint32_t upper = up->pending.item[up->pending.count - 1];
        if (up->seen[lower] == c->round || down->seen[upper] == c->round) return true;
        advance(c, down->work <= up->work ? DOWN : UP);
    }
    return false;
}

static void keep_needs(choice *c, size_t leaves, const sym_leaf *leaf, uint32_t v)
{
    for (size_t k = 0; k < leaves; k++) {
        uint32_t used = leaf[k].id, at = (uint32_t)c->need.count;
        uint32_t *first = &c->front[DOWN].first[v], *first_up = &c->front[UP].first[used];
        list_push(c->a, &c->need, ((need){{used, v}, {*first, *first_up}}));
        *first = *first_up = at;
    }
}

bool explicit_is_derivative(const choice *c, sym expression)
{
    sym_view view = sym_look(c->g, expression);
    return view.op == SYM_VARIABLE && view.order == 1;
}

/* Whether an expression makes a constraint among states: only differentiated variables, none of
 * them as a derivative. */
static bool among_states(choice *c, sym expression)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(c->g, expression, &leaf);
    for (size_t k = 0; k < leaves; k++)
        if (leaf[k].order > 0 || c->highest[leaf[k].id] == 0) return false;
    return true;
}

bool explicit_is_gentle(choice *c, sym expression, uint32_t v, double steepest)
{
    sym_partials slope = {0};
    sym_gradient(c->g, expression, &slope);
    for (size_t k = 0; k < slope.count; k++) {
        sym_view leaf = sym_look(c->g, slope.item[k].leaf);
        if (leaf.op != SYM_VARIABLE) continue;
        double size = c->system->unknown.item[leaf.id].nominal;
        double change = sym_bound(c->g, slope.item[k].value) * size;
        if (!(change <= steepest * c->system->unknown.item[v].nominal)) return false;
    }
    return true;
}

/* Whether a variable with this value has impulses among its derivatives up to that order. They are
 * lost where the value stands in place of the variable, because its derivative has none. Of the
 * equations of one mode alone, those that have other branches in other modes may jump between them.
 */
static bool has_impulses(choice *c, uint32_t equation, sym expression, uint32_t order)
{
    if (order == 0) return false;
    if (c->system->equation.item[equation].selected) return true;
    return sym_may_jump(c->g, expression) || (order > 1 && sym_has_pieces(c->g, expression));
}

static bool fills(choice *c, sym expression, uint32_t v)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(c->g, expression, &leaf);
    return leaves > 1 && c->uses[v] > 2 && (leaves - 1) * (c->uses[v] - 2) > c->largest_fill;
}

static bool is_input(sym_op op)
{
    return op == SYM_INPUT;
}

/* Whether an expression contains a delay. At the start that stands for what is delayed, which may
 * depend on the variable that the expression gives. */
static bool holds_delay(const choice *c, sym expression)
{
    return c->system->delay.count > 0 && sym_any(c->g, 1, &expression, is_input);
}

static bool is_multiple(const choice *c, sym expression)
{
    sym_view view = sym_look(c->g, expression);
    if (view.op == SYM_SUM && view.count == 1 && view.value == 0)
        view = sym_look(c->g, view.argument[0]);
    return view.op == SYM_VARIABLE;
}

/* Whether an event sets v, which then is a state, or a multiple of one. */
static bool is_reinitialised(const choice *c, uint32_t v)
{
    const sym_discrete_part *d = &c->system->discrete;
    for (size_t i = 0; i < d->action.count; i++)
        if (d->action.item[i].kind == SYM_REINIT && d->action.item[i].unknown == v) return true;
    return false;
}

bool explicit_define(choice *c, uint32_t equation, sym side, sym expression)
{
    sym_view view = sym_look(c->g, side);
    if (view.op != SYM_VARIABLE || view.order > 0) return false;
    uint32_t v = view.id;
    const sym_unknown *u = &c->system->unknown.item[v];
    if (c->definition[v] != SYM_NONE || u->parameter || holds_delay(c, expression)) return false;
    if (c->plain[v] && sym_highest_order(c->g, expression) > 0) return false;
    if (!explicit_is_derivative(c, expression)) {
        if (u->select >= SYM_SELECT_PREFER || fills(c, expression, v)) return false;
        if (is_reinitialised(c, v) && !is_multiple(c, expression)) return false;
        bool state = c->highest[v] > 0;
        if (state &&
            !(among_states(c, expression) && explicit_is_gentle(c, expression, v, STEEPEST)))
            return false;
        if (has_impulses(c, equation, expression, c->chained[v])) return false;
    }
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(c->g, expression, &leaf);
    if (depends(c, leaves, leaf, v)) return false;
    keep_needs(c, leaves, leaf, v);
    c->definition[v] = expression;
    c->given_by[v] = equation;
    return true;
}
