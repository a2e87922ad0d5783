#include "structure/explicit.h"

#include "structure/signature.h"
#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/simplify.h"

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

/* The unknowns of an expression; complete if there are fewer than MANY. */
typedef struct content {
    uint32_t count, id[MANY];
} content;

/* `user`'s definition contains `used`; linked in two lists. */
typedef struct need {
    uint32_t user, used;
    uint32_t next_used; /* the next need of the same user, NO_NEED after the last */
    uint32_t next_user; /* the next need of the same `used` */
} need;

enum { NO_NEED = INT32_MAX };

/* One of the two directions of a search through the definitions. */
typedef struct front {
    uint32_t *seen; /* unknowns: round of the last search that met it */
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
    sym *definition;    /* unknowns: the expression as it stands, SYM_NONE */
    bool *defines;      /* equations: whether it is used as a definition */
    uint32_t *given_by; /* unknowns: the equation that defines it */
    LIST(need) need;
    uint32_t *first_used; /* unknowns: the first need of its definition */
    uint32_t *first_user; /* unknowns: the first need of others for it */
    front down, up;       /* towards needed unknowns; towards unknowns that need it */
    uint32_t round;
    LIST(uint32_t) pending;
    size_t largest_fill;
    content *content;  /* unknowns: contents of their closed definitions */
    const bool *plain; /* unknowns: may only be replaced by an expression without derivatives */
} choice;

static void count_uses(choice *c)
{
    for (size_t i = 0; i < c->system->equation.count; i++) {
        const sym_equation *e = &c->system->equation.item[i];
        sym residual = sym_subtract(c->g, e->lhs, e->rhs);
        const sym *leaf;
        size_t leaves = sym_leaves(c->g, residual, &leaf);
        c->round++;
        for (size_t k = 0; k < leaves; k++) {
            sym_view view = sym_look(c->g, leaf[k]);
            if (view.order > c->highest[view.id]) c->highest[view.id] = view.order;
            if (c->down.seen[view.id] == c->round) continue;
            c->down.seen[view.id] = c->round;
            c->uses[view.id]++;
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

static void go_down(choice *c)
{
    uint32_t v = c->down.pending.item[--c->down.pending.count];
    for (uint32_t k = c->first_used[v]; k != NO_NEED; k = c->need.item[k].next_used)
        meet(c, &c->down, c->need.item[k].used);
}

static void go_up(choice *c)
{
    uint32_t v = c->up.pending.item[--c->up.pending.count];
    for (uint32_t k = c->first_user[v]; k != NO_NEED; k = c->need.item[k].next_user)
        meet(c, &c->up, c->need.item[k].user);
}

/* Whether the expression with these leaves depends on v, through earlier definitions. The search
 * goes down from the leaves and up from v alternately, until one side has seen all that it can
 * reach. So the shorter side of a chain decides, whatever the order in which its links are
 * written. */
static bool depends(choice *c, size_t leaves, const sym *leaf, uint32_t v)
{
    c->round++;
    c->down.pending.count = c->up.pending.count = 0;
    c->down.work = c->up.work = 0;
    for (size_t k = 0; k < leaves; k++) meet(c, &c->down, sym_look(c->g, leaf[k]).id);
    meet(c, &c->up, v);
    while (c->down.pending.count && c->up.pending.count) {
        uint32_t lower = c->down.pending.item[c->down.pending.count - 1];
        uint32_t upper = c->up.pending.item[c->up.pending.count - 1];
        if (c->up.seen[lower] == c->round || c->down.seen[upper] == c->round) return true;
        if (c->down.work <= c->up.work)
            go_down(c);
        else
            go_up(c);
    }
    return false;
}

static void keep_needs(choice *c, size_t leaves, const sym *leaf, uint32_t v)
{
    for (size_t k = 0; k < leaves; k++) {
        uint32_t used = sym_look(c->g, leaf[k]).id, at = (uint32_t)c->need.count;
        list_push(c->a, &c->need, ((need){v, used, c->first_used[v], c->first_user[used]}));
        c->first_used[v] = c->first_user[used] = at;
    }
}

static bool is_derivative(const choice *c, sym expression)
{
    sym_view view = sym_look(c->g, expression);
    return view.op == SYM_VARIABLE && view.order == 1;
}

static bool holds_derivative(choice *c, sym expression)
{
    const sym *leaf;
    size_t leaves = sym_leaves(c->g, expression, &leaf);
    for (size_t k = 0; k < leaves; k++)
        if (sym_look(c->g, leaf[k]).order > 0) return true;
    return false;
}

/* Whether an expression makes a constraint among states: only differentiated variables, none of
 * them as a derivative. */
static bool among_states(choice *c, sym expression)
{
    const sym *leaf;
    size_t leaves = sym_leaves(c->g, expression, &leaf);
    for (size_t k = 0; k < leaves; k++) {
        sym_view view = sym_look(c->g, leaf[k]);
        if (view.order > 0 || c->highest[view.id] == 0) return false;
    }
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

static bool fills(choice *c, sym expression, uint32_t v)
{
    const sym *leaf;
    size_t leaves = sym_leaves(c->g, expression, &leaf);
    return leaves > 1 && c->uses[v] > 2 && (leaves - 1) * (c->uses[v] - 2) > c->largest_fill;
}

/* Take the equation v = expression as the definition of v, if that is allowed. */
static bool define(choice *c, uint32_t equation, sym side, sym expression)
{
    sym_view view = sym_look(c->g, side);
    if (view.op != SYM_VARIABLE || view.order > 0) return false;
    uint32_t v = view.id;
    const sym_unknown *u = &c->system->unknown.item[v];
    if (c->definition[v] != SYM_NONE || u->parameter) return false;
    if (c->plain[v] && holds_derivative(c, expression)) return false;
    if (!is_derivative(c, expression)) {
        if (u->select >= SYM_SELECT_PREFER || fills(c, expression, v)) return false;
        bool state = c->highest[v] > 0;
        if (state && !(among_states(c, expression) && is_gentle(c, expression, v))) return false;
    }
    const sym *leaf;
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

static sym replace_leaf(void *context, sym leaf)
{
    choice *c = context;
    sym_view view = sym_look(c->g, leaf);
    sym value = c->definition[view.id];
    if (value == SYM_NONE) return leaf;
    for (uint32_t k = 0; k < view.order; k++) value = sym_time_derivative(c->g, value);
    return value;
}

/* Whether everything that `v`'s definition needs is expressed in remaining unknowns. What is not is
 * pushed, to be closed first. */
static bool ready(choice *c, uint32_t v, const bool *closed)
{
    const sym *leaf;
    bool all = true;
    size_t leaves = sym_leaves(c->g, c->definition[v], &leaf);
    for (size_t k = 0; k < leaves; k++) {
        uint32_t id = sym_look(c->g, leaf[k]).id;
        if (c->definition[id] == SYM_NONE || closed[id]) continue;
        list_push(c->a, &c->pending, id);
        all = false;
    }
    return all;
}

static void add_content(content *to, uint32_t id)
{
    for (uint32_t k = 0; k < to->count; k++)
        if (to->id[k] == id) return;
    if (to->count < MANY) to->id[to->count++] = id;
}

/* Find the unknowns in v's definition; the definitions that it needs are closed. */
static void find_content(choice *c, uint32_t v)
{
    const sym *leaf;
    content *all = &c->content[v];
    size_t leaves = sym_leaves(c->g, c->definition[v], &leaf);
    for (size_t k = 0; k < leaves && all->count < MANY; k++) {
        uint32_t id = sym_look(c->g, leaf[k]).id;
        const content *part = &c->content[id];
        if (c->definition[id] == SYM_NONE) add_content(all, id);
        for (uint32_t i = 0; c->definition[id] != SYM_NONE && i < part->count; i++)
            add_content(all, part->id[i]);
    }
}

static void withdraw(choice *c, uint32_t v)
{
    c->definition[v] = SYM_NONE;
    c->defines[c->given_by[v]] = false;
    c->given_by[v] = INCIDENCE_NONE;
}

/* Close a definition. If its substitution would create too many entries, or expressions too long,
 * it becomes an equation again. */
static void close_definition(choice *c, uint32_t v)
{
    find_content(c, v);
    uint32_t count = c->content[v].count;
    bool fills = c->uses[v] > 2 && (count - 1) * (c->uses[v] - 2) > c->largest_fill;
    bool names = is_derivative(c, c->definition[v]);
    if (count > 1 && fills && (count == MANY || !names || c->largest_fill == 0)) {
        withdraw(c, v);
        return;
    }
    sym_substitute(c->g, 1, &c->definition[v], replace_leaf, c);
    const sym *node;
    bool repeated = c->uses[v] > 2 && !names;
    if (repeated && sym_reach(c->g, 1, &c->definition[v], &node) > LARGEST_DEPTH) withdraw(c, v);
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
    const sym *leaf;
    if (!sym_is(c->g, side, 0) || sym_look(c->g, pieces).op != SYM_IF) return false;
    size_t leaves = sym_leaves(c->g, pieces, &leaf);
    uint32_t *id = arena_array(c->a, leaves, sizeof *id); /* the next walk overwrites the leaves */
    for (size_t k = 0; k < leaves; k++) id[k] = sym_look(c->g, leaf[k]).id;
    for (size_t k = 0; k < leaves; k++) {
        sym solution = structure_solve_pieces(c->g, pieces, id[k]);
        if (solution != SYM_NONE && define(c, equation, sym_variable(c->g, id[k], 0), solution))
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

void structure_to_core(const sym_system *system, const explicit_core *core, size_t count,
                       sym *roots)
{
    choice c = {.system = system, .g = system->graph};
    sym *definition = arena_array(system->memory, system->unknown.count, sizeof *definition);
    for (size_t v = 0; v < system->unknown.count; v++)
        definition[v] = core->column_of[v] == INCIDENCE_NONE ? core->value[v] : SYM_NONE;
    c.definition = definition;
    sym_substitute(c.g, count, roots, replace_leaf, &c);
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
    bool replace = extent != EXPLICIT_NONE;
    choice c = {.system = system,
                .g = system->graph,
                .a = system->memory,
                .unknowns = system->unknown.count,
                .largest_fill = extent == EXPLICIT_LITTLE_FILL ? LARGEST_FILL : 0,
                .plain = plain};
    c.uses = arena_array(c.a, c.unknowns, sizeof *c.uses);
    c.highest = arena_array(c.a, c.unknowns, sizeof *c.highest);
    c.definition = arena_array(c.a, c.unknowns, sizeof *c.definition);
    c.down.seen = arena_array(c.a, c.unknowns, sizeof *c.down.seen);
    c.up.seen = arena_array(c.a, c.unknowns, sizeof *c.up.seen);
    c.first_used = arena_array(c.a, c.unknowns, sizeof *c.first_used);
    c.first_user = arena_array(c.a, c.unknowns, sizeof *c.first_user);
    c.defines = arena_array(c.a, system->equation.count, sizeof *c.defines);
    c.given_by = arena_array(c.a, c.unknowns, sizeof *c.given_by);
    c.content = arena_array(c.a, replace ? c.unknowns : 0, sizeof *c.content);
    for (size_t v = 0; v < c.unknowns; v++) {
        c.definition[v] = SYM_NONE;
        c.given_by[v] = INCIDENCE_NONE;
        c.first_used[v] = c.first_user[v] = NO_NEED;
    }
    if (replace) {
        count_uses(&c);
        choose_definitions(&c);
    }
    return collect(&c);
}

/* The derivatives that are the highest of their unknown in a core. */
typedef struct leading {
    uint32_t *order; /* unknowns: order of that derivative; 0: none */
} leading;

static bool is_leading(void *context, const sym_view *leaf)
{
    const leading *l = context;
    return leaf->op == SYM_VARIABLE && leaf->order > 0 && leaf->order == l->order[leaf->id];
}

static leading find_leading(const sym_system *system, const explicit_core *core)
{
    leading l = {arena_array(system->memory, system->unknown.count, sizeof *l.order)};
    for (size_t i = 0; i < core->n; i++) {
        const sym *leaf;
        size_t leaves = sym_leaves(system->graph, core->residual[i], &leaf);
        for (size_t k = 0; k < leaves; k++) {
            sym_view view = sym_look(system->graph, leaf[k]);
            if (view.order > l.order[view.id]) l.order[view.id] = view.order;
        }
    }
    return l;
}

/* Set bent (unknowns): whether an equation that contains a leading derivative of this unknown is
 * not linear in leading derivatives. */
static bool find_bent(const sym_system *system, const explicit_core *core, leading *l, bool *bent)
{
    bool any = false;
    for (size_t i = 0; i < core->n; i++) {
        const sym *leaf;
        if (sym_is_affine(system->graph, 1, &core->residual[i], is_leading, l)) continue;
        size_t leaves = sym_leaves(system->graph, core->residual[i], &leaf);
        for (size_t k = 0; k < leaves; k++) {
            sym_view view = sym_look(system->graph, leaf[k]);
            if (is_leading(l, &view)) any = bent[view.id] = true;
        }
    }
    return any;
}

/* Mark in `plain` the unknowns that are replaced by an expression in one of these derivatives.
 * Returns whether there are any. */
static bool mark_bent(const sym_system *system, const explicit_core *core, leading *l,
                      const bool *bent, bool *plain)
{
    bool any = false;
    for (size_t v = 0; v < system->unknown.count; v++) {
        const sym *leaf;
        if (core->column_of[v] != INCIDENCE_NONE) continue;
        size_t leaves = sym_leaves(system->graph, core->value[v], &leaf);
        for (size_t k = 0; k < leaves; k++) {
            sym_view view = sym_look(system->graph, leaf[k]);
            if (is_leading(l, &view) && bent[view.id]) any = plain[v] = true;
        }
    }
    return any;
}

explicit_core *structure_explicit(const sym_system *system, explicit_extent extent)
{
    size_t n = system->unknown.count;
    bool *plain = arena_array(system->memory, n, sizeof *plain);
    explicit_core *core = make_core(system, extent, plain);
    if (extent == EXPLICIT_NONE) return core;
    bool *bent = arena_array(system->memory, n, sizeof *bent);
    leading l = find_leading(system, core);
    core->bent = find_bent(system, core, &l, bent);
    if (!core->bent || !mark_bent(system, core, &l, bent, plain)) return core;
    core = make_core(system, extent, plain);
    l = find_leading(system, core);
    core->bent = find_bent(system, core, &l, bent);
    return core;
}
