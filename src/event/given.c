/* What equations give by states.
 *
 * The rate of a relation is known where it depends on states alone. A relation of an algebraic
 * variable or of a highest derivative has one as well if equations that are linear in such
 * variables, with numbers as their factors, hold nothing else but states: as that of v has with
 * w = 2 v + sin(t), or those of velocities that momenta give. These equations are solved by
 * elimination. An equation that is bent in its only such variable gives the rate of that: of v with
 * w = v + v^3 it is w'/(1 + 3 v^2). The equations themselves stay as they are: only what tells how
 * relations leave 0 is written so. */
#include "event/switching.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

/* The most variables of an equation that is solved for one of them, and the most equations with
 * several that are. */
enum { MOST_IN_EQUATION = 6, MOST_WITH_SEVERAL = 40 };

/* The most sweeps in one go through equations with one of them: a chain is taken in one sweep in
 * its order, or in the next one backwards. */
enum { MOST_SWEEPS = 6 };

/* So many equations near the relations, which share variables with them or each other, are looked
 * at. */
enum { MOST_NEAR = 200 };

typedef struct given {
    const switching *s;
    sym_graph *g;
    sym *by;           /* unknowns of the system: what gives its highest derivative, or SYM_NONE */
    sym *rate;         /* unknowns: the derivative of that, where nothing gives it, or SYM_NONE */
    bool *used;        /* equations of the core: they give one, or its rate */
    size_t several;    /* equations with several variables that have been solved */
    size_t near;       /* equations of the core that are looked at: */
    size_t *equation;  /* near, ascending */
    LIST(sym) solved;  /* what gives those that have been solved for, of */
    LIST(uint32_t) id; /* unknowns */
    arena *a;
} given;

/* The order of a leaf less that of the highest derivative of its variable, which is solved for;
 * negative: it is a state. */
static int height(const given *x, const sym_leaf *leaf)
{
    const prolongation *p = x->s->f->p;
    uint32_t column = p->column_of[leaf->id];
    return column == INCIDENCE_NONE ? 1 : (int)leaf->order - (int)p->d[column];
}

static sym replace(void *context, sym node)
{
    const given *x = context;
    sym_leaf leaf;
    bool known = sym_as_leaf(x->g, node, &leaf) && x->by[leaf.id] != SYM_NONE;
    return known && height(x, &leaf) == 0 ? x->by[leaf.id] : node;
}

static sym replace_rate(void *context, sym node)
{
    const given *x = context;
    sym_leaf leaf;
    bool known = sym_as_leaf(x->g, node, &leaf) && x->rate[leaf.id] != SYM_NONE;
    return known && height(x, &leaf) == 1 ? x->rate[leaf.id] : node;
}

/* Whether f holds states and at most so many variables that are solved for, in all of which it is
 * linear, with numbers as factors; if so the one with the largest factor. */
static bool look(const given *x, sym f, size_t most, sym_leaf *which)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(x->g, f, &leaf), found = 0;
    double largest = 0, number;
    sym slope, rest;
    for (size_t k = 0; k < leaves; k++) {
        if (height(x, &leaf[k]) < 0) continue;
        if (height(x, &leaf[k]) > 0 || found++ == most) return false;
        if (!sym_split_linear(x->g, f, leaf[k].node, &slope, &rest) ||
            !sym_number_of(x->g, slope, &number))
            return false;
        number = fabs(sym_value(x->g, number));
        if (number > largest) *which = leaf[k];
        largest = fmax(largest, number);
    }
    return largest > 0;
}

/* Solves an equation of the core for one of its variables; whether that is possible. */
static bool take(given *x, size_t k, size_t most)
{
    sym_leaf of = {0};
    sym slope, rest, f = x->s->f->core->residual[k];
    sym_substitute(x->g, 1, &f, replace, x);
    if (!look(x, f, most, &of)) return false;
    (void)sym_split_linear(x->g, f, of.node, &slope, &rest);
    sym solution = sym_negate(x->g, sym_divide(x->g, rest, slope));
    if (x->several > 0) {
        sym_substitute_leaf(x->g, x->solved.count, x->solved.item, of.node, solution);
        for (size_t i = 0; i < x->id.count; i++) x->by[x->id.item[i]] = x->solved.item[i];
    }
    list_push(x->a, &x->solved, solution);
    list_push(x->a, &x->id, of.id);
    x->by[of.id] = solution;
    x->used[k] = true;
    return true;
}

/* The one variable in f whose rate is not known; false: there is none, or several. */
static bool find_open(const given *x, sym f, sym_leaf *which)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(x->g, f, &leaf), found = 0;
    for (size_t k = 0; k < leaves; k++) {
        if (height(x, &leaf[k]) < 0) continue;
        if (height(x, &leaf[k]) > 0) return false;
        if (x->rate[leaf[k].id] != SYM_NONE) continue;
        *which = leaf[k];
        found++;
    }
    return found == 1;
}

/* Takes the rate of a variable from an equation of the core; whether that is possible. */
static bool take_rate(given *x, size_t k)
{
    sym_leaf of = {0};
    sym slope, rest, f = x->s->f->core->residual[k];
    sym_substitute(x->g, 1, &f, replace, x);
    if (!find_open(x, f, &of)) return false;
    sym change = sym_time_derivative(x->g, f), rate = sym_variable(x->g, of.id, of.order + 1);
    sym_substitute(x->g, 1, &change, replace_rate, x);
    if (!sym_split_linear(x->g, change, rate, &slope, &rest)) return false;
    x->rate[of.id] = sym_negate(x->g, sym_divide(x->g, rest, slope));
    x->used[k] = true;
    return true;
}

static void take_rates(given *x)
{
    bool any = true;
    for (int n = 0; any && n < MOST_SWEEPS; n++) {
        any = false;
        for (size_t i = 0; i < x->near; i++) {
            size_t k = x->equation[n % 2 ? x->near - 1 - i : i];
            if (!x->used[k]) any = take_rate(x, k) || any;
        }
    }
}

/* Takes equations with at most so many variables that are not known: all of them, or the first one.
 */
static bool sweep(given *x, size_t most, bool backwards, bool first)
{
    bool any = false;
    for (size_t i = 0; i < x->near && !(first && any); i++) {
        size_t k = x->equation[backwards ? x->near - 1 - i : i];
        if (!x->used[k]) any = take(x, k, most) || any;
    }
    return any;
}

/* Equations with one variable give it. Of the others those with the fewest are solved for one,
 * which leaves fewer in the rest. */
static void take_all(given *x)
{
    size_t most = 1;
    while (most <= MOST_IN_EQUATION && x->several < MOST_WITH_SEVERAL) {
        bool more = true;
        for (int i = 0; more && i < MOST_SWEEPS; i++) more = sweep(x, 1, i % 2, false);
        most = 2;
        x->several++;
        while (most <= MOST_IN_EQUATION && !sweep(x, most, false, true)) most++;
    }
}

/* Whether f holds nothing but states. */
static bool is_of_states(const given *x, sym f)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(x->g, f, &leaf);
    for (size_t k = 0; k < leaves; k++)
        if (height(x, &leaf[k]) >= 0) return false;
    return true;
}

/* The variables that equations of the core are solved for, and the equations of each of them. */
typedef struct occurrences {
    size_t *first; /* equations + 1: of each, in */
    uint32_t *id;
    size_t *from; /* unknowns + 1: of each, in */
    size_t *of;
} occurrences;

static void list_occurrences(const given *x, occurrences *to)
{
    const explicit_core *core = x->s->f->core;
    size_t unknowns = x->s->system->unknown.count;
    LIST(uint32_t) id = {0};
    to->first = arena_array(x->a, core->n + 1, sizeof *to->first);
    to->from = arena_array(x->a, unknowns + 2, sizeof *to->from);
    for (size_t i = 0; i < core->n; i++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(x->g, core->residual[i], &leaf);
        for (size_t k = 0; k < leaves; k++) {
            if (height(x, &leaf[k]) != 0) continue;
            list_push(x->a, &id, leaf[k].id);
            to->from[leaf[k].id + 2]++;
        }
        to->first[i + 1] = id.count;
    }
    to->id = id.item;
    for (size_t i = 2; i < unknowns + 2; i++) to->from[i] += to->from[i - 1];
    to->of = arena_array(x->a, id.count + 1, sizeof *to->of);
    for (size_t i = 0; i < core->n; i++)
        for (size_t k = to->first[i]; k < to->first[i + 1]; k++)
            to->of[to->from[id.item[k] + 1]++] = i;
}

static bool is_choice(sym_op op)
{
    return op == SYM_IF;
}

/* Marks the equations of the system that are chosen by modes, or hold an explicit variable that one
 * of them gives. The pieces of an ideal valve have other solutions in each mode: how relations of
 * these go on is for the modes to say. */
static void find_chosen(const switching *s, sym_graph *g, bool *chosen)
{
    const sym_system *from = s->system;
    const explicit_core *core = s->f->core;
    bool any = true;
    for (size_t i = 0; i < from->equation.count; i++) {
        const sym_equation *e = &from->equation.item[i];
        const sym side[2] = {e->lhs, e->rhs};
        chosen[i] = e->selected || sym_any(g, 2, side, is_choice);
    }
    for (int n = 0; any && n < MOST_SWEEPS; n++) {
        any = false;
        for (size_t i = 0; i < from->equation.count; i++) {
            const sym_leaf *leaf;
            sym f = sym_subtract(g, from->equation.item[i].lhs, from->equation.item[i].rhs);
            size_t leaves = chosen[i] ? 0 : sym_leaves(g, f, &leaf);
            for (size_t k = 0; k < leaves && !chosen[i]; k++) {
                uint32_t by = core->given_by[leaf[k].id];
                bool replaced = core->column_of[leaf[k].id] == INCIDENCE_NONE;
                chosen[i] = replaced && by != INCIDENCE_NONE && chosen[by];
            }
            any = any || (leaves > 0 && chosen[i]);
        }
    }
}

void switching_find_chosen(switching *s, arena *a, sym_graph *g)
{
    const explicit_core *core = s->f->core;
    bool *chosen = arena_array(a, s->system->equation.count + 1, sizeof *chosen);
    find_chosen(s, g, chosen);
    s->chosen = arena_array(a, core->n + 1, sizeof *s->chosen);
    for (size_t e = 0; e < core->n; e++) s->chosen[e] = chosen[core->equation[e]];
}

/* The equations near the variables in some expressions, those of surfaces and of modes aside. */
static void find_near(given *x, size_t count, const sym *f)
{
    const explicit_core *core = x->s->f->core;
    size_t surfaces = x->s->system->equation.count - x->s->shares, near = 0;
    bool *seen = arena_array(x->a, core->n + 1, sizeof *seen);
    occurrences in;
    LIST(uint32_t) wanted = {0};
    list_occurrences(x, &in);
    for (size_t i = 0; i < count; i++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(x->g, f[i], &leaf);
        for (size_t k = 0; k < leaves; k++)
            if (height(x, &leaf[k]) == 0) list_push(x->a, &wanted, leaf[k].id);
    }
    for (size_t i = 0; i < wanted.count; i++) {
        for (size_t k = in.from[wanted.item[i]]; k < in.from[wanted.item[i] + 1]; k++) {
            size_t e = in.of[k];
            if (seen[e] || core->equation[e] >= surfaces || near == MOST_NEAR) continue;
            if (x->s->chosen[e]) continue;
            seen[e] = true;
            near++;
            for (size_t j = in.first[e]; j < in.first[e + 1]; j++)
                list_push(x->a, &wanted, in.id[j]);
        }
    }
    x->equation = arena_array(x->a, near + 1, sizeof *x->equation);
    for (size_t e = 0; e < core->n; e++)
        if (seen[e]) x->equation[x->near++] = e;
}

/* Writes f in states, as far as that is known, and its rate by what is known of rates. */
static void write_in_states(given *x, sym *f, sym *rate)
{
    sym of_states = *f;
    sym_substitute(x->g, 1, &of_states, replace, x);
    if (is_of_states(x, of_states)) *f = of_states;
    *rate = sym_time_derivative(x->g, *f);
    sym_substitute(x->g, 1, rate, replace_rate, x);
}

void switching_to_states(const switching *s, arena *a, sym_graph *g, size_t count, sym *f,
                         sym *rate)
{
    size_t unknowns = s->system->unknown.count;
    given x = {.s = s, .g = g, .a = a};
    bool all = true;
    for (size_t k = 0; k < count; k++) {
        all = all && is_of_states(&x, f[k]);
        rate[k] = sym_time_derivative(g, f[k]);
    }
    if (all) return;
    x.by = arena_array(a, unknowns + 1, sizeof *x.by);
    x.rate = arena_array(a, unknowns + 1, sizeof *x.rate);
    x.used = arena_array(a, s->f->core->n + 1, sizeof *x.used);
    for (size_t i = 0; i < unknowns; i++) x.by[i] = x.rate[i] = SYM_NONE;
    find_near(&x, count, f);
    take_all(&x);
    take_rates(&x);
    for (size_t k = 0; k < count; k++)
        if (!is_of_states(&x, f[k])) write_in_states(&x, &f[k], &rate[k]);
}
