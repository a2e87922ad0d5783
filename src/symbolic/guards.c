#include "symbolic/guards.h"

#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/graph.h"
#include "symbolic/traced.h"

#include <float.h>
#include <math.h>

/* The variables of the equations: the algebraic ones, and after them the derivatives. */
typedef struct guards {
    const sym_system *system;
    sym_graph *g;
    arena *a;
    size_t count, unknowns;
    const sym *node;    /* count */
    double *low, *high; /* count: bounds that hold whatever the variables are, and whichever
                           argument min and max are held at */
    bool *moves;        /* unknowns: its derivative occurs, so it is a state */
    bool *implicit;     /* equations: it defines nothing */
    size_t *first;      /* equations: one of its variables; SIZE_MAX: it has none */
    size_t *given_by;   /* 2 unknowns: the equation that defines it; SIZE_MAX: none does */
    size_t *loop;       /* 2 unknowns: another variable of its loop, or itself */
    bool *in_loop;      /* 2 unknowns */
    bool *reached;      /* 2 unknowns, scratch */
    bool *guards;       /* count */
} guards;

enum { SIDES = 2 };

static size_t position(const guards *v, sym node)
{
    return sym_place(v->count, v->node, node);
}

static sym side_of(const guards *v, size_t equation, int side)
{
    const sym_equation *e = &v->system->equation.item[equation];
    return side ? e->rhs : e->lhs;
}

/* The number of the variable that a leaf is; SIZE_MAX: it is none, or a state. */
static size_t variable_of(const guards *v, const sym_view *leaf)
{
    if (leaf->op != SYM_VARIABLE || leaf->id >= v->unknowns) return SIZE_MAX;
    if (leaf->order > 0) return v->unknowns + leaf->id;
    return v->moves[leaf->id] ? SIZE_MAX : leaf->id;
}

/* --- bounds --- */

static void bound_sum(const guards *v, const sym_view *s, double *low, double *high)
{
    *low = *high = sym_value(v->g, s->value);
    for (uint32_t i = 0; i < s->count; i++) {
        double factor = sym_value(v->g, s->factor[i]);
        size_t k = position(v, s->argument[i]);
        *low += factor * (factor > 0 ? v->low[k] : v->high[k]);
        *high += factor * (factor > 0 ? v->high[k] : v->low[k]);
    }
}

/* Only the sign of a product is looked at. */
static void bound_product(const guards *v, const sym_view *s, double *low)
{
    bool positive = true, negative = false;
    for (uint32_t i = 0; i < s->count; i++) {
        double exponent = sym_value(v->g, s->factor[i]);
        size_t k = position(v, s->argument[i]);
        bool even = fmod(exponent, 2) == 0;
        positive = positive && v->low[k] > 0;
        negative = negative || (!even && !(v->low[k] >= 0));
    }
    *low = positive ? DBL_MIN : negative ? -HUGE_VAL : 0;
}

static void bound(guards *v, size_t k)
{
    sym_view s = sym_look(v->g, v->node[k]);
    size_t at[3] = {0, 0, 0};
    double *low = &v->low[k], *high = &v->high[k];
    for (uint32_t i = 0; i < s.count && i < 3; i++) at[i] = position(v, s.argument[i]);
    *low = -HUGE_VAL;
    *high = HUGE_VAL;
    switch (s.op) {
    case SYM_CONSTANT: *low = *high = sym_value(v->g, s.value); break;
    case SYM_SUM: bound_sum(v, &s, low, high); break;
    case SYM_PRODUCT: bound_product(v, &s, low); break;
    case SYM_EXP:
    case SYM_COSH: *low = DBL_MIN; break;
    case SYM_SIN:
    case SYM_COS:
    case SYM_TANH:
    case SYM_SIGN: *low = -1, *high = 1; break;
    case SYM_MIN: /* it may become either argument, and abs(x) either sign */
    case SYM_MAX:
        *low = fmin(v->low[at[0]], v->low[at[1]]);
        *high = fmax(v->high[at[0]], v->high[at[1]]);
        break;
    case SYM_IF:
        *low = fmin(v->low[at[1]], v->low[at[2]]);
        *high = fmax(v->high[at[1]], v->high[at[2]]);
        break;
    default: break;
    }
    if (isnan(*low)) *low = -HUGE_VAL;
    if (isnan(*high)) *high = HUGE_VAL;
}

/* Whether the argument of an operation may have a value at which this has none. */
static bool may_fail(const guards *v, const sym_domain_limit *limit)
{
    size_t k = position(v, limit->argument);
    double low = v->low[k], high = v->high[k];
    switch (limit->op) {
    case SYM_ABS:
    case SYM_SIGN:
    case SYM_ATAN:
    case SYM_ASINH:
    case SYM_TANH:
    case SYM_FLOOR:
    case SYM_CEIL: return false;
    case SYM_ASIN:
    case SYM_ACOS: return !(low >= -1 && high <= 1);
    case SYM_ACOSH: return !(low >= 1);
    case SYM_PRODUCT:
        if (sym_is_divisor(limit)) return !(low > 0 || high < 0);
        return limit->exponent > 0 ? !(low >= 0) : !(low > 0);
    default: return !(low > 0);
    }
}

static bool is_steep(sym_op op)
{
    return op == SYM_EXP || op == SYM_SINH || op == SYM_COSH;
}

/* --- what defines a variable --- */

/* Calls for each variable that an expression is built from. */
static void each_variable(guards *v, sym f, void (*call)(guards *, size_t, size_t), size_t with)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(v->g, f, &leaf);
    for (size_t i = 0; i < leaves; i++) {
        sym_view view = {.op = SYM_VARIABLE, .id = leaf[i].id, .order = leaf[i].order};
        size_t variable = variable_of(v, &view);
        if (variable != SIZE_MAX) call(v, variable, with);
    }
}

static void note_state(guards *v)
{
    for (size_t k = 0; k < v->count; k++) {
        sym_view s = sym_look(v->g, v->node[k]);
        if (s.op == SYM_VARIABLE && s.order > 0 && s.id < v->unknowns) v->moves[s.id] = true;
    }
}

static void mark_reached(guards *v, size_t variable, size_t with)
{
    (void)with;
    v->reached[variable] = true;
}

static bool holds(guards *v, sym f, size_t variable)
{
    v->reached[variable] = false;
    each_variable(v, f, mark_reached, 0);
    return v->reached[variable];
}

/* An equation v = f defines an algebraic variable that f does not hold. */
static bool defines_value(guards *v, size_t equation)
{
    for (int side = 0; side < SIDES; side++) {
        sym_view s = sym_look(v->g, side_of(v, equation, side));
        size_t variable = s.order == 0 ? variable_of(v, &s) : SIZE_MAX;
        if (variable == SIZE_MAX || v->given_by[variable] != SIZE_MAX) continue;
        if (holds(v, side_of(v, equation, 1 - side), variable)) continue;
        v->given_by[variable] = equation;
        return true;
    }
    return false;
}

/* An equation that holds one derivative defines this. */
static bool defines_derivative(guards *v, size_t equation)
{
    size_t found = SIZE_MAX, several = 0;
    for (int side = 0; side < SIDES; side++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(v->g, side_of(v, equation, side), &leaf);
        for (size_t i = 0; i < leaves; i++) {
            if (leaf[i].order == 0 || leaf[i].id >= v->unknowns) continue;
            several += found != SIZE_MAX && found != v->unknowns + leaf[i].id;
            found = v->unknowns + leaf[i].id;
        }
    }
    if (found == SIZE_MAX || several > 0 || v->given_by[found] != SIZE_MAX) return false;
    v->given_by[found] = equation;
    return true;
}

/* --- loops --- */

static size_t loop_of(guards *v, size_t variable)
{
    while (v->loop[variable] != variable) {
        v->loop[variable] = v->loop[v->loop[variable]];
        variable = v->loop[variable];
    }
    return variable;
}

static void unite(guards *v, size_t variable, size_t with)
{
    v->in_loop[variable] = true;
    v->loop[loop_of(v, variable)] = loop_of(v, with);
}

static size_t first_variable(guards *v, size_t equation)
{
    for (int side = 0; side < SIDES; side++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(v->g, side_of(v, equation, side), &leaf);
        for (size_t i = 0; i < leaves; i++) {
            sym_view view = {.op = SYM_VARIABLE, .id = leaf[i].id, .order = leaf[i].order};
            size_t variable = variable_of(v, &view);
            if (variable != SIZE_MAX) return variable;
        }
    }
    return SIZE_MAX;
}

static void unite_sides(guards *v, size_t equation, size_t with)
{
    if (with == SIZE_MAX) return;
    for (int side = 0; side < SIDES; side++)
        each_variable(v, side_of(v, equation, side), unite, with);
}

/* The variables of an equation that defines nothing determine each other, with all that they are
 * defined by. */
static void find_loops(guards *v)
{
    size_t variables = 2 * v->unknowns;
    for (size_t i = 0; i < v->system->equation.count; i++)
        if (v->implicit[i]) unite_sides(v, i, v->first[i] = first_variable(v, i));
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t k = 0; k < variables; k++) {
            if (!v->in_loop[k] || v->reached[k]) continue;
            v->reached[k] = grows = true;
            if (v->given_by[k] != SIZE_MAX) unite_sides(v, v->given_by[k], k);
        }
    }
}

/* --- what arguments depend on --- */

typedef struct walk {
    guards *v;
    LIST(size_t) open;  /* positions of nodes */
    bool *taken, *loop; /* 2 unknowns: variables, and loops by the variable that stands for them */
    bool through_loops, all;
    bool more; /* loops have been taken whose equations are not open yet */
} walk;

static void open_node(walk *w, sym node)
{
    size_t k = position(w->v, node);
    if (w->v->guards[k]) return;
    w->v->guards[k] = true;
    list_push(w->v->a, &w->open, k);
}

static void open_equation(walk *w, size_t equation)
{
    for (int side = 0; side < SIDES; side++) open_node(w, side_of(w->v, equation, side));
}

static void open_loops(walk *w)
{
    guards *v = w->v;
    w->more = false;
    for (size_t i = 0; i < v->system->equation.count; i++)
        if (v->implicit[i] && v->first[i] != SIZE_MAX && w->loop[loop_of(v, v->first[i])])
            open_equation(w, i);
    for (size_t k = 0; k < 2 * v->unknowns; k++)
        if (v->in_loop[k] && v->given_by[k] != SIZE_MAX && w->loop[loop_of(v, k)])
            open_equation(w, v->given_by[k]);
}

/* A variable that no equation shows the origin of, as a force that a constraint determines, may
 * depend on everything. */
static void open_variable(walk *w, size_t variable)
{
    guards *v = w->v;
    if (w->taken[variable]) return;
    w->taken[variable] = true;
    if (v->given_by[variable] != SIZE_MAX) open_equation(w, v->given_by[variable]);
    if (!w->through_loops) return;
    if (v->in_loop[variable])
        w->loop[loop_of(v, variable)] = w->more = true;
    else if (v->given_by[variable] == SIZE_MAX)
        w->all = true;
}

static void go(walk *w)
{
    guards *v = w->v;
    while (w->open.count > 0 || w->more) {
        if (w->open.count == 0) open_loops(w);
        if (w->open.count == 0) return;
        sym_view s = sym_look(v->g, v->node[w->open.item[--w->open.count]]);
        size_t variable = variable_of(v, &s);
        if (variable != SIZE_MAX) open_variable(w, variable);
        for (uint32_t i = 0; i < s.count; i++) open_node(w, s.argument[i]);
    }
}

static void walk_from(guards *v, size_t limits, const sym_domain_limit *limit, bool steep)
{
    size_t variables = 2 * v->unknowns;
    walk w = {.v = v, .through_loops = !steep};
    w.taken = arena_array(v->a, variables + 1, sizeof *w.taken);
    w.loop = arena_array(v->a, variables + 1, sizeof *w.loop);
    bool *before = v->guards;
    v->guards = arena_array(v->a, v->count + 1, sizeof *v->guards);
    for (size_t i = 0; i < limits; i++)
        if (is_steep(limit[i].op) == steep && (steep || may_fail(v, &limit[i])))
            open_node(&w, limit[i].argument);
    go(&w);
    for (size_t k = 0; k < v->count; k++) v->guards[k] = v->guards[k] || w.all || before[k];
}

static void prepare(guards *v)
{
    size_t variables = 2 * v->unknowns, equations = v->system->equation.count;
    v->low = arena_array(v->a, v->count + 1, sizeof *v->low);
    v->high = arena_array(v->a, v->count + 1, sizeof *v->high);
    v->moves = arena_array(v->a, v->unknowns + 1, sizeof *v->moves);
    v->implicit = arena_array(v->a, equations + 1, sizeof *v->implicit);
    v->first = arena_array(v->a, equations + 1, sizeof *v->first);
    v->given_by = arena_array(v->a, variables + 1, sizeof *v->given_by);
    v->loop = arena_array(v->a, variables + 1, sizeof *v->loop);
    v->in_loop = arena_array(v->a, variables + 1, sizeof *v->in_loop);
    v->reached = arena_array(v->a, variables + 1, sizeof *v->reached);
    v->guards = arena_array(v->a, v->count + 1, sizeof *v->guards);
    for (size_t k = 0; k < variables; k++) v->loop[k] = k, v->given_by[k] = SIZE_MAX;
}

const bool *sym_find_guards(const sym_system *system, size_t count, const sym *node)
{
    guards v = {.system = system,
                .g = system->graph,
                .a = system->memory,
                .count = count,
                .unknowns = system->unknown.count,
                .node = node};
    const sym_domain_limit *limit;
    size_t equations = system->equation.count;
    prepare(&v);
    note_state(&v);
    for (size_t k = 0; k < count; k++) bound(&v, k);
    for (size_t i = 0; i < equations; i++)
        v.implicit[i] = !defines_value(&v, i) && !defines_derivative(&v, i);
    for (size_t k = 0; k < 2 * v.unknowns; k++) v.reached[k] = false;
    find_loops(&v);
    size_t limits = sym_domain_limits(v.g, count, node, 0, NULL, &limit);
    walk_from(&v, limits, limit, true);
    walk_from(&v, limits, limit, false);
    return v.guards;
}
