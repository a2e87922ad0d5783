#include "symbolic/calls.h"

#include "symbolic/derive.h"
#include "symbolic/graph.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <float.h>
#include <math.h>
#include <string.h>

const sym_callee *sym_callee_of(const sym_graph *g, uint32_t callee)
{
    return g->callees.of.item[callee];
}

/* A copy of what a function points to, but for its code. */
static sym_callee *keep(arena *a, const sym_callee *c)
{
    sym_callee *kept = arena_duplicate(a, c, 1, sizeof *c);
    kept->name = arena_copy(a, c->name, strlen(c->name));
    kept->smooth_input = arena_duplicate(a, c->smooth_input, c->inputs, sizeof(bool));
    kept->smooth_output = arena_duplicate(a, c->smooth_output, c->outputs, sizeof(bool));
    kept->nominal = arena_duplicate(a, c->nominal, c->inputs, sizeof(double));
    kept->scratch = arena_array(a, c->inputs + c->outputs, sizeof(double));
    return kept;
}

uint32_t sym_new_callee(sym_graph *g, const sym_callee *callee)
{
    sym_callee *c = keep(g->home, callee);
    c->rate = (sym_call_rate){0};
    list_push(g->home, &g->callees.of, c);
    return (uint32_t)(g->callees.of.count - 1);
}

void sym_copy_callees(sym_graph *to, const sym_graph *from, const sym *number)
{
    arena *a = to->home;
    to->callees.formals = from->callees.formals;
    for (size_t k = 0; k < from->callees.of.count; k++) {
        sym_callee *c = keep(a, from->callees.of.item[k]);
        sym_call_rate *r = &c->rate;
        if (c->code.copy) c->code.self = c->code.copy(a, c->code.self);
        if (r->output) {
            sym *output = arena_duplicate(a, r->output, c->outputs, sizeof *output);
            for (uint32_t i = 0; number && i < c->outputs; i++)
                if (output[i] != SYM_NONE) output[i] = number[output[i]];
            r->output = output;
        }
        if (r->rate_of) r->rate_of = arena_duplicate(a, r->rate_of, c->inputs, sizeof *r->rate_of);
        list_push(a, &to->callees.of, c);
    }
}

void sym_open_rate(sym_graph *g, uint32_t callee, sym *leaf)
{
    sym_callee *c = g->callees.of.item[callee];
    c->rate.first = SYM_FIRST_FORMAL + g->callees.formals;
    for (uint32_t i = 0; i < 2 * c->inputs; i++) leaf[i] = sym_variable(g, c->rate.first + i, 0);
    g->callees.formals += 2 * c->inputs;
}

void sym_give_rate(sym_graph *g, uint32_t callee, const sym *output, const uint32_t *rate_of)
{
    sym_callee *c = g->callees.of.item[callee];
    c->rate.output = arena_duplicate(g->home, output, c->outputs, sizeof *output);
    if (rate_of) c->rate.rate_of = arena_duplicate(g->home, rate_of, c->inputs, sizeof *rate_of);
}

/* --- differences --- */

/* Steps of differences, as parts of the size of what is shifted. Of the fourth order, the error is
 * least near the fifth root of the rounding of a double; a difference of these has their error,
 * and is of the second order. At an end of where a function has values, differences to one side
 * take its place, which have an order less. */
static const double STEP = 1.0 / 1024;
static const double STEP_OF_SECOND = 1.0 / 1024;

typedef struct stencil {
    int points;
    struct {
        double at, weight; /* in steps; weights divided by the step */
    } point[4];
} stencil;

static const stencil fourth = {4, {{-2, 1 / 12.0}, {-1, -2 / 3.0}, {1, 2 / 3.0}, {2, -1 / 12.0}}};
static const stencil second = {2, {{-1, -0.5}, {1, 0.5}}};
static const stencil forward = {4, {{0, -11 / 6.0}, {1, 3}, {2, -1.5}, {3, 1 / 3.0}}};
static const stencil backward = {4, {{0, 11 / 6.0}, {-1, -3}, {-2, 1.5}, {-3, -1 / 3.0}}};

/* Whether all results are finite. */
static bool differ(const sym_graph *g, const sym_callee *c, const stencil *s, const double *input,
                   double *output)
{
    double *shifted = c->scratch, *there = c->scratch + c->inputs;
    double x = input[c->by], size = fmax(fabs(x), c->nominal[c->by]);
    double h = (c->depth > 1 ? STEP_OF_SECOND : STEP) * size;
    bool finite = true;
    memcpy(shifted, input, c->inputs * sizeof *input);
    memset(output, 0, c->outputs * sizeof *output);
    for (int k = 0; k < s->points; k++) {
        shifted[c->by] = x + s->point[k].at * h;
        sym_call_values(g, c->of, shifted, there);
        for (uint32_t i = 0; i < c->outputs; i++) output[i] += s->point[k].weight / h * there[i];
    }
    for (uint32_t i = 0; i < c->outputs; i++) finite = finite && isfinite(output[i]);
    return finite;
}

void sym_call_values(const sym_graph *g, uint32_t callee, const double *input, double *output)
{
    const sym_callee *c = sym_callee_of(g, callee);
    if (c->depth == 0)
        c->code.call(c->code.self, input, output);
    else if (!differ(g, c, c->depth > 1 ? &second : &fourth, input, output) &&
             !differ(g, c, &forward, input, output))
        differ(g, c, &backward, input, output);
}

/* The function whose values are the derivatives of another one by an input. */
static uint32_t slope_of(sym_graph *g, uint32_t callee, uint32_t by)
{
    const sym_callee *c = sym_callee_of(g, callee);
    for (uint32_t k = callee + 1; k < g->callees.of.count; k++) {
        const sym_callee *other = sym_callee_of(g, k);
        if (other->depth > 0 && other->of == callee && other->by == by) return k;
    }
    sym_callee slope = *c;
    slope.name = arena_format(g->home, "%s'", c->name);
    slope.code = (sym_code){0};
    slope.of = callee;
    slope.by = by;
    slope.depth = c->depth + 1;
    return sym_new_callee(g, &slope);
}

/* --- nodes --- */

/* Only now is the value of a number that follows from parameters needed. */
static bool call_numbers(sym_graph *g, uint32_t callee, uint32_t output, const sym *argument,
                         double *value)
{
    const sym_callee *c = sym_callee_of(g, callee);
    double few[16];
    for (uint32_t i = 0; i < c->inputs; i++)
        if (!sym_is_number(g, argument[i], NULL)) return false;
    double *x = c->inputs + c->outputs <= 16
                    ? few
                    : arena_array(g->home, c->inputs + c->outputs, sizeof *x);
    for (uint32_t i = 0; i < c->inputs; i++) sym_is_number(g, argument[i], &x[i]);
    sym_call_values(g, callee, x, x + c->inputs);
    *value = x[c->inputs + output];
    return isfinite(*value);
}

sym sym_call(sym_graph *g, uint32_t callee, uint32_t output, const sym *argument)
{
    double value;
    if (call_numbers(g, callee, output, argument, &value)) return sym_number(g, value);
    return sym_intern_call(g, callee, output, argument);
}

typedef struct formals {
    const sym_graph *g;
    const sym_callee *c;
    const sym *argument, *rate; /* inputs each */
} formals;

static sym replace_formal(void *context, sym leaf)
{
    const formals *f = context;
    uint32_t at = sym_look(f->g, leaf).id - f->c->rate.first;
    if (at >= 2 * f->c->inputs) return leaf;
    return at < f->c->inputs ? f->argument[at] : f->rate[at - f->c->inputs];
}

/* The rate that the author gives, for the rates of all arguments. */
static sym given_rate(sym_graph *g, const sym_view *view, const sym *argument, const sym *rate)
{
    formals f = {g, sym_callee_of(g, view->id), argument, rate};
    sym result = f.c->rate.output[view->order];
    sym_substitute(g, 1, &result, replace_formal, &f);
    return result;
}

/* A list of `count` zeros, but for a 1. */
static sym *unit(sym_graph *g, uint32_t count, uint32_t at)
{
    sym *list = arena_array(g->home, count, sizeof *list);
    for (uint32_t i = 0; i < count; i++) list[i] = sym_number(g, i == at);
    return list;
}

/* The rate of f'(x) v is f''(x)[v, v] + f'(x) v', given for x' = v alone. f''(x)[v, e] for the
 * unit vector e is a quarter of the difference of f''[v + e, v + e] and f''[v - e, v - e]. */
static sym polarized(sym_graph *g, const sym_view *view, uint32_t i)
{
    const sym_callee *c = sym_callee_of(g, view->id);
    uint32_t at = c->rate.rate_of[i];
    sym *argument = arena_duplicate(g->home, view->argument, c->inputs, sizeof *argument);
    sym *rest = unit(g, c->inputs, UINT32_MAX), two[2];
    for (int k = 0; k < 2; k++) {
        argument[at] = sym_add(g, view->argument[at], sym_number(g, k == 0 ? 1 : -1));
        two[k] = given_rate(g, view, argument, rest);
    }
    return sym_scale(g, 0.25, sym_subtract(g, two[0], two[1]));
}

/* Of f'(x) v by an element of v. */
static sym along(sym_graph *g, const sym_view *view, uint32_t i)
{
    const sym_callee *c = sym_callee_of(g, view->id);
    sym *argument = arena_duplicate(g->home, view->argument, c->inputs, sizeof *argument);
    for (uint32_t k = 0; k < c->inputs; k++)
        if (c->rate.rate_of[k] != UINT32_MAX)
            argument[c->rate.rate_of[k]] = sym_number(g, c->rate.rate_of[k] == i);
    return sym_call(g, view->id, view->order, argument);
}

sym sym_call_partial(sym_graph *g, const sym_view *view, uint32_t i)
{
    const sym_callee *c = sym_callee_of(g, view->id);
    if (!c->smooth_input[i] || !c->smooth_output[view->order] || c->depth > 1)
        return sym_number(g, 0);
    if (c->rate.output && !c->rate.rate_of)
        return given_rate(g, view, view->argument, unit(g, c->inputs, i));
    if (c->rate.output)
        return c->rate.rate_of[i] == UINT32_MAX ? along(g, view, i) : polarized(g, view, i);
    return sym_call(g, slope_of(g, view->id, i), view->order, view->argument);
}

/* Whether the arguments change as the given rate needs it. */
static bool suits(const sym_callee *c, const sym_view *view, const sym *rate)
{
    for (uint32_t i = 0; c->rate.rate_of && i < c->inputs; i++)
        if (c->rate.rate_of[i] != UINT32_MAX && rate[i] != view->argument[c->rate.rate_of[i]])
            return false;
    return c->rate.output != NULL && c->smooth_output[view->order];
}

sym sym_call_by_time(sym_graph *g, const sym_view *view, const sym *rate)
{
    const sym_callee *c = sym_callee_of(g, view->id);
    LIST(sym) term = {0};
    bool changes = false;
    for (uint32_t i = 0; i < c->inputs; i++)
        changes = changes || (c->smooth_input[i] && !sym_is(g, rate[i], 0));
    if (!changes) return sym_number(g, 0);
    if (suits(c, view, rate)) return given_rate(g, view, view->argument, rate);
    for (uint32_t i = 0; i < c->inputs; i++)
        if (!sym_is(g, rate[i], 0))
            list_push(g->home, &term, sym_multiply(g, sym_call_partial(g, view, i), rate[i]));
    return sym_sum(g, 0, term.count, term.item, NULL);
}

const sym_callee *sym_call_unsteady(sym_graph *g, sym root)
{
    const sym *node;
    size_t count = sym_reach(g, 1, &root, &node);
    for (size_t k = 0; k < count; k++) {
        sym_view view = sym_look(g, node[k]);
        if (view.op != SYM_CALL) continue;
        const sym_callee *c = sym_callee_of(g, view.id);
        if (c->depth > 1) return sym_callee_of(g, sym_callee_of(g, c->of)->of);
    }
    return NULL;
}
