#include "structure/explicit.h"

#include "structure/signature.h"
#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/simplify.h"

#include <string.h>

/* The fill, (variables in the expression - 1) (equations with v - 2), may not exceed LARGEST_FILL,
 * whether the expression is taken as it stands or in the remaining unknowns. Otherwise a chain of
 * small definitions, each also used elsewhere, would fill half a matrix. MANY variables exceed it
 * in any case. */
enum { LARGEST_FILL = 12, MANY = LARGEST_FILL + 2 };

/* The number of nodes, after substitution, of a definition that is used more than once may not
 * exceed this. Each equation that contains it is differentiated down to its leaves, so a chain of n
 * definitions, each also used elsewhere, would need n^2. */
enum { LARGEST_DEPTH = 200 };

/* A state is computed from others only if a change of those by their nominal sizes changes it by no
 * more than this many times its own. */
static const double STEEPEST = 1000;

/* The two directions of a search through the definitions: towards needed unknowns, and towards
 * unknowns that need one. */
enum { DOWN, UP };

/* The definition of to[UP] contains to[DOWN]; linked in two lists. */
typedef struct need {
    uint32_t to[2];
    uint32_t next[2]; /* the next need of the same unknown, NO_NEED after the last */
} need;

enum { NO_NEED = INT32_MAX };

/* One direction of a search. */
typedef struct front {
    uint32_t *seen;  /* unknowns: round of the last search that met it */
    uint32_t *first; /* unknowns: its first need */
    LIST(uint32_t) pending;
    size_t work; /* needs visited in this round */
} front;

typedef struct choice {
    const sym_system *system;
    sym_graph *g;
    arena *a;
    size_t unknowns;
    uint32_t *uses;     /* unknowns: equations in which it occurs */
    uint32_t *highest;  /* unknowns: highest derivative that occurs */
    uint32_t *chained;  /* unknowns: the same, with those of the names of its derivatives */
    sym *definition;    /* unknowns: the expression as it stands, SYM_NONE */
    bool *defines;      /* equations: whether it is used as a definition */
    uint32_t *given_by; /* unknowns: the equation that defines it */
    LIST(need) need;
    front front[2]; /* DOWN, UP */
    uint32_t round;
    LIST(uint32_t) pending;
    size_t largest_fill;
    const bool *plain; /* unknowns: may only be replaced by an expression without derivatives */
} choice;

static void count_uses(choice *c)
{
    for (size_t i = 0; i < c->system->equation.count; i++) {
        const sym_equation *e = &c->system->equation.item[i];
        sym residual = sym_subtract(c->g, e->lhs, e->rhs);
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(c->g, residual, &leaf);
        c->round++;
        for (size_t k = 0; k < leaves; k++) {
            uint32_t id = leaf[k].id;
            if (leaf[k].order > c->highest[id]) c->highest[id] = leaf[k].order;
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

static bool is_derivative(const choice *c, sym expression)
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

/* Whether errors of the states from which v would be computed do not become much larger errors of
 * v, which as a differentiated variable has a tolerance of its own. A product of amounts with a
 * large equilibrium constant, or a quotient by an amount that may become small, is better solved
 * for the variable that it determines best. */
static bool is_gentle(choice *c, sym expression, uint32_t v)
{
    sym_partials slope = {0};
    sym_gradient(c->g, expression, &slope);
    for (size_t k = 0; k < slope.count; k++) {
        sym_view leaf = sym_look(c->g, slope.item[k].leaf);
        if (leaf.op != SYM_VARIABLE) continue;
        double size = c->system->unknown.item[leaf.id].nominal;
        double change = sym_bound(c->g, slope.item[k].value) * size;
        if (!(change <= STEEPEST * c->system->unknown.item[v].nominal)) return false;
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

/* Take the equation v = expression as the definition of v, if that is allowed. */
static bool define(choice *c, uint32_t equation, sym side, sym expression)
{
    sym_view view = sym_look(c->g, side);
    if (view.op != SYM_VARIABLE || view.order > 0) return false;
    uint32_t v = view.id;
    const sym_unknown *u = &c->system->unknown.item[v];
    if (c->definition[v] != SYM_NONE || u->parameter || holds_delay(c, expression)) return false;
    if (c->plain[v] && sym_highest_order(c->g, expression) > 0) return false;
    if (!is_derivative(c, expression)) {
        if (u->select >= SYM_SELECT_PREFER || fills(c, expression, v)) return false;
        if (is_reinitialised(c, v) && !is_multiple(c, expression)) return false;
        bool state = c->highest[v] > 0;
        if (state && !(among_states(c, expression) && is_gentle(c, expression, v))) return false;
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

/* Close a definition. If its substitution would create too many entries, or expressions too long,
 * it becomes an equation again. */
static void close_definition(choice *c, uint32_t v)
{
    sym closed = c->definition[v];
    bool names = is_derivative(c, closed);
    const sym *node;
    sym_substitute_definitions(c->g, 1, &closed, c->definition);
    if (c->uses[v] > 2) {
        size_t count = count_unknowns(c, closed);
        bool fills = count > 1 && (count - 1) * (c->uses[v] - 2) > c->largest_fill;
        bool stays = fills && (count >= MANY || !names || c->largest_fill == 0);
        if (stays || (!names && sym_reach(c->g, 1, &closed, &node) > LARGEST_DEPTH)) {
            c->definition[v] = SYM_NONE;
            c->defines[c->given_by[v]] = false;
            c->given_by[v] = INCIDENCE_NONE;
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
        if (solution != SYM_NONE && define(c, equation, sym_variable(c->g, id, 0), solution))
            return true;
    }
    return false;
}

static void choose_definitions(choice *c)
{
    for (uint32_t i = 0; i < c->system->equation.count; i++) {
        const sym_equation *e = &c->system->equation.item[i];
        sym first = e->lhs, second = e->rhs;
        if (left_stays(c, first, second)) first = e->rhs, second = e->lhs;
        c->defines[i] = define(c, i, first, second) || define(c, i, second, first);
    }
    for (uint32_t i = 0; i < c->system->equation.count; i++) { /* the remaining equations */
        const sym_equation *e = &c->system->equation.item[i];
        c->defines[i] = c->defines[i] || define_by_pieces(c, i, e->lhs, e->rhs) ||
                        define_by_pieces(c, i, e->rhs, e->lhs);
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
    for (uint32_t i = 0; i < equations; i++) {
        if (c->defines[i]) continue;
        const sym_equation *e = &system->equation.item[i];
        core->equation[core->n] = i;
        core->residual[core->n++] = sym_subtract(c->g, e->lhs, e->rhs);
    }
    for (uint32_t v = 0; v < c->unknowns; v++) {
        bool stays = c->definition[v] == SYM_NONE;
        core->value[v] = stays ? sym_variable(c->g, v, 0) : c->definition[v];
        core->column_of[v] = stays ? (uint32_t)kept : INCIDENCE_NONE;
        if (stays) core->unknown[kept++] = v;
    }
    structure_to_core(system, core, core->n, core->residual);
    return core;
}

static explicit_core *make_core(const sym_system *system, explicit_extent extent, const bool *plain)
{
    choice c = {.system = system,
                .g = system->graph,
                .a = system->memory,
                .unknowns = system->unknown.count,
                .largest_fill = extent == EXPLICIT_LITTLE_FILL ? LARGEST_FILL : 0,
                .plain = plain};
    c.uses = arena_array(c.a, c.unknowns, sizeof *c.uses);
    c.highest = arena_array(c.a, c.unknowns, sizeof *c.highest);
    c.chained = arena_array(c.a, c.unknowns, sizeof *c.chained);
    c.definition = arena_array(c.a, c.unknowns, sizeof *c.definition);
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
        count_uses(&c);
        count_chains(&c);
        choose_definitions(&c);
    }
    return collect(&c);
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
