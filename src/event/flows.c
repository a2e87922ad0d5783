/* What rounding leaves of rates where flows are in balance: a temperature whose jacket has the same
 * one stays, but for the rounding of both flows of heat. */
#include "event/switching.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

/* Sums within products within sums are looked through so deep: an equation of a balance has flows
 * that are differences, each of which modes choose. */
enum { DEEPEST = 6 };

/* The size of f where none of its terms cancels another. */
static sym size_of(sym_graph *g, sym f, int deep)
{
    sym_view v = sym_look(g, f);
    if (deep == 0) return sym_function(g, SYM_ABS, f);
    if (v.op == SYM_IF)
        return sym_if(g, v.argument[0], size_of(g, v.argument[1], deep - 1),
                      size_of(g, v.argument[2], deep - 1));
    if (v.op != SYM_SUM && v.op != SYM_PRODUCT) return sym_function(g, SYM_ABS, f);
    sym size = sym_number(g, v.op == SYM_SUM ? fabs(sym_value(g, v.value)) : 1);
    for (uint32_t i = 0; i < v.count; i++) {
        sym of = size_of(g, v.argument[i], deep - 1);
        double factor = sym_value(g, v.factor[i]);
        if (v.op == SYM_SUM)
            size = sym_add(g, size, sym_scale(g, fabs(factor), of));
        else if (factor > 0)
            size = sym_multiply(g, size, sym_power_number(g, of, factor));
        else
            size = sym_multiply(
                g, size, sym_function(g, SYM_ABS, sym_power_number(g, v.argument[i], factor)));
    }
    return size;
}

/* Whether a leaf is the highest derivative of its variable, which is solved for. */
static bool is_solved_for(const switching *s, const sym_leaf *leaf)
{
    uint32_t column = s->f->p->column_of[leaf->id];
    return column != INCIDENCE_NONE && leaf->order > 0 && leaf->order == s->f->p->d[column];
}

/* Marks the unknowns whose highest derivatives are in rates. */
static bool find_wanted(const switching *s, sym_graph *g, const sym *rate, bool *wanted)
{
    bool any = false;
    for (size_t k = 0; k < s->relations; k++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(g, rate[k], &leaf);
        for (size_t i = 0; i < leaves; i++)
            if (is_solved_for(s, &leaf[i])) any = wanted[leaf[i].id] = true;
    }
    return any;
}

/* The flows of an equation that is linear in a highest derivative, in the rate of that; the smaller
 * ones where several equations hold it. */
static void take_flows(sym_graph *g, sym equation, const sym_leaf *leaf, sym *flows)
{
    sym slope, rest;
    if (!sym_split_linear(g, equation, leaf->node, &slope, &rest)) return;
    sym size = sym_divide(g, size_of(g, rest, DEEPEST), sym_function(g, SYM_ABS, slope));
    *flows = *flows == SYM_NONE ? size : sym_binary(g, SYM_MIN, *flows, size);
}

/* The same of all highest derivatives that are wanted: flows (unknowns). */
static void find_flows(const switching *s, sym_graph *g, const bool *wanted, sym *flows)
{
    const explicit_core *core = s->f->core;
    for (size_t i = 0; i < core->n; i++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(g, core->residual[i], &leaf);
        for (size_t k = 0; k < leaves; k++)
            if (is_solved_for(s, &leaf[k]) && wanted[leaf[k].id])
                take_flows(g, core->residual[i], &leaf[k], &flows[leaf[k].id]);
    }
}

/* The flows in a rate. */
static sym flows_in(const switching *s, sym_graph *g, sym rate, const sym *flows)
{
    sym_partials partial = {0};
    sym sum = sym_number(g, 0);
    sym_gradient(g, rate, &partial);
    for (size_t i = 0; i < partial.count; i++) {
        sym_leaf leaf;
        if (!sym_as_leaf(g, partial.item[i].leaf, &leaf) || !is_solved_for(s, &leaf)) continue;
        if (flows[leaf.id] == SYM_NONE) continue;
        sym by = sym_function(g, SYM_ABS, partial.item[i].value);
        sum = sym_add(g, sum, sym_multiply(g, by, flows[leaf.id]));
    }
    return sum;
}

void switching_compile_flows(switching *s, arena *a, sym_graph *g, const sym *rate)
{
    size_t count = s->relations, unknowns = s->system->unknown.count;
    bool *wanted = arena_array(a, unknowns + 1, sizeof *wanted);
    sym *flows = arena_array(a, unknowns + 1, sizeof *flows);
    sym *of_rate = arena_array(a, count + 1, sizeof *of_rate);
    arena_vectors(a, count + 1, (double **[]){&s->flows, NULL});
    if (!find_wanted(s, g, rate, wanted)) return;
    for (size_t i = 0; i < unknowns; i++) flows[i] = SYM_NONE;
    find_flows(s, g, wanted, flows);
    for (size_t k = 0; k < count; k++) of_rate[k] = flows_in(s, g, rate[k], flows);
    s->flow = prolongation_tape(a, s->f->p, count, of_rate);
}

void switching_look_at_flows(switching *s)
{
    if (!s->flow) return;
    sym_tape_eval(s->flow, s->input, s->flows);
    for (size_t k = 0; k < s->relations; k++)
        if (!isfinite(s->flows[k])) s->flows[k] = 0;
}
