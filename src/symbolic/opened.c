#include "symbolic/derive.h"
#include "symbolic/graph.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <string.h>

typedef struct opening {
    sym_graph *g;
    const sym_trace *t;
    uint32_t first;
    const sym_opened *found;
    LIST(sym) step; /* the expressions of steps of the trace; steps follow from earlier ones */
} opening;

static bool follows(const trace_parameter *p, const trace_step *s)
{
    return !p->set && sym_is_traced(s->x);
}

static sym number(const opening *o, double x)
{
    return sym_is_traced(x) ? o->step.item[sym_step_of(x)] : sym_number(o->g, x);
}

static sym open_step(const opening *o, trace_step s)
{
    sym_graph *g = o->g;
    sym x = number(o, s.x), y = number(o, s.y);
    if (s.parameter) {
        size_t k = s.parameter - 1;
        sym own = sym_variable(g, o->first + (uint32_t)o->found->same_as[k], 0);
        return follows(&o->t->parameter.item[k], &s) ? sym_add(g, own, x) : own;
    }
    switch (s.op) {
    case TRACED_SUM: return sym_add(g, x, y);
    case TRACED_PRODUCT: return sym_multiply(g, x, y);
    case TRACED_QUOTIENT: return sym_divide(g, x, y);
    case TRACED_OPERATE + SYM_POWER: return sym_power(g, x, y);
    default: {
        sym_op op = (sym_op)(s.op - TRACED_OPERATE);
        return sym_is_function(op) ? sym_function(g, op, x) : sym_binary(g, op, x, y);
    }
    }
}

/* Rebuilding may add steps to the trace. */
static sym opened(opening *o, double x)
{
    while (sym_is_traced(x) && o->step.count <= sym_step_of(x)) {
        sym step = open_step(o, o->t->step.item[o->step.count]);
        list_push(sym_graph_arena(o->g), &o->step, step);
    }
    return number(o, x);
}

/* Powers are plain: simplify.c requires their exponents to stay. */
static sym open_numbers(void *context, sym old, sym rebuilt)
{
    (void)old;
    opening *o = context;
    sym_view view = sym_look(o->g, rebuilt);
    if (view.op == SYM_CONSTANT) return opened(o, view.value);
    if (view.op != SYM_SUM) return rebuilt;
    sym sum = opened(o, view.value);
    for (uint32_t i = 0; i < view.count; i++)
        sum = sym_add(o->g, sum, sym_multiply(o->g, opened(o, view.factor[i]), view.argument[i]));
    return sum;
}

/* A guard that a number stays, or that a term is left out, denies derivatives by the parameters
 * from which it follows. */
static void note_structural(opening *o, const trace_guard *q)
{
    sym x = opened(o, q->x);
    if (q->question == IS_EQUAL && q->found)
        x = sym_subtract(o->g, x, opened(o, q->y));
    else if (q->question != IS_LEFT || q->found)
        return;
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(o->g, x, &leaf);
    for (size_t i = 0; i < leaves; i++) o->found->structural[leaf[i].id - o->first] = true;
}

sym_opened sym_open_parameters(sym_graph *g, uint32_t first, size_t count, sym *roots)
{
    arena *a = sym_graph_arena(g);
    const sym_trace *t = &g->trace;
    sym_opened found = {.count = t->parameter.count};
    found.value = arena_array(a, found.count, sizeof *found.value);
    found.same_as = arena_array(a, found.count, sizeof *found.same_as);
    found.structural = arena_array(a, found.count, sizeof *found.structural);
    for (size_t k = 0; k < found.count; k++) {
        const trace_parameter *p = t->parameter.item;
        while (strcmp(p[found.same_as[k]].name, p[k].name) != 0) found.same_as[k]++;
        const trace_step *s = &t->step.item[p[k].step];
        found.value[k] = follows(&p[k], s) ? 0 : s->value;
    }
    opening o = {.g = g, .t = t, .first = first, .found = &found};
    sym_transform(g, count, roots, open_numbers, &o);
    for (size_t i = 0; i < t->guard.count; i++) note_structural(&o, &t->guard.item[i]);
    return found;
}
