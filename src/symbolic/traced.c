#include "symbolic/traced.h"

#include "symbolic/graph.h"
#include "symbolic/simplify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The upper half of the bits of a traced number: a quiet NaN that no arithmetic produces. */
static const uint32_t MARK = 0x7ffada1au;

static double traced(size_t step)
{
    uint64_t bits = (uint64_t)MARK << 32 | (uint32_t)step;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Almost all numbers are plain, and almost none of these is a NaN. */
static inline bool is_traced(double x)
{
    return x != x && hash_bits(x) >> 32 == MARK;
}

bool sym_is_traced(double x)
{
    return is_traced(x);
}

size_t sym_step_of(double x)
{
    return (uint32_t)hash_bits(x);
}

double sym_value(const sym_graph *g, double x)
{
    return is_traced(x) ? g->trace.step.item[sym_step_of(x)].value : x;
}

static double operate(unsigned op, double x, double y)
{
    switch (op) {
    case TRACED_PARAMETER: return x;
    case TRACED_SUM: return x + y;
    case TRACED_PRODUCT: return x * y;
    case TRACED_QUOTIENT: return x / y;
    default: return sym_operate((sym_op)(op - TRACED_OPERATE), x, y, 0);
    }
}

static double add_step(sym_graph *g, unsigned op, double x, double y)
{
    arena *home = sym_graph_arena(g);
    sym_trace *t = &g->trace;
    uint64_t hash = hash_mix(hash_mix(op, hash_bits(x)), hash_bits(y));
    uint32_t found;
    size_t at = hash_start(&t->table, hash);
    while ((found = hash_next(&t->table, hash, &at)) != HASH_NONE) {
        const trace_step *s = &t->step.item[found];
        if (s->op == op && hash_bits(s->x) == hash_bits(x) && hash_bits(s->y) == hash_bits(y))
            return traced(found);
    }
    trace_step step = {.op = op, .x = x, .y = y};
    step.value = operate(op, sym_value(g, x), sym_value(g, y));
    list_push(home, &t->step, step); /* first: memory may end before it is in the table */
    hash_add(home, &t->table, hash, (uint32_t)t->step.count - 1);
    return traced(t->step.count - 1);
}

/* Whether the result needs no step, because a neutral number meets a traced one. */
static bool is_neutral(unsigned op, double x, double y, double *result)
{
    *result = sym_is_traced(x) ? x : y;
    double other = sym_is_traced(x) ? y : x;
    if (op == TRACED_SUM) return other == 0;
    if (op == TRACED_PRODUCT && other == 0) *result = 0;
    if (op == TRACED_PRODUCT) return other == 1 || other == 0;
    return op == TRACED_OPERATE + SYM_POWER && sym_is_traced(x) && other == 1;
}

double sym_calculate(sym_graph *g, sym_traced_op op, double x, double y)
{
    double result;
    if (!is_traced(x) && !is_traced(y)) return operate((unsigned)op, x, y);
    if (is_neutral((unsigned)op, x, y, &result)) return result;
    return add_step(g, (unsigned)op, x, y);
}

static bool answer(sym_question question, double x, double y)
{
    switch (question) {
    case IS_EQUAL: return x == y;
    case IS_LESS: return x < y;
    case IS_LESS_EQUAL: return x <= y;
    case IS_FINITE: return isfinite(x);
    case IS_LEFT: return fabs(x) > 2 * DBL_EPSILON * fabs(y);
    }
    return false;
}

bool sym_ask(sym_graph *g, sym_question question, double x, double y)
{
    if (!is_traced(x) && !is_traced(y)) return answer(question, x, y);
    bool found = answer(question, sym_value(g, x), sym_value(g, y));
    sym_trace *t = &g->trace;
    trace_guard guard = {.question = question, .x = x, .y = y, .found = found};
    trace_guard *recent = &t->recent[(hash_bits(x) ^ hash_bits(y) >> 20 ^ question) % TRACE_RECENT];
    if (recent->used && recent->question == question && hash_bits(recent->x) == hash_bits(x) &&
        hash_bits(recent->y) == hash_bits(y))
        return found;
    guard.used = true;
    *recent = guard;
    list_push(sym_graph_arena(g), &t->guard, guard);
    return found;
}

double sym_pin(sym_graph *g, double x)
{
    if (!is_traced(x)) return x;
    double value = sym_value(g, x);
    sym_ask(g, IS_EQUAL, x, value);
    return value;
}

double sym_trace_parameter(sym_graph *g, const char *name, double value, bool set)
{
    sym_trace *t = &g->trace;
    arena *a = sym_graph_arena(g);
    trace_parameter p = {.name = arena_copy(a, name, strlen(name)), .set = set};
    uint64_t number = t->parameter.count;
    double own; /* which no other step has */
    memcpy(&own, &number, sizeof own);
    double x = add_step(g, TRACED_PARAMETER, value, own);
    p.step = sym_step_of(x);
    list_push(a, &t->parameter, p);
    t->step.item[p.step].parameter = (uint32_t)t->parameter.count;
    return x;
}

bool sym_number_of(const sym_graph *g, sym node, double *value)
{
    sym_view view = sym_view_of(g, node);
    if (view.op == SYM_CONSTANT) *value = view.value;
    return view.op == SYM_CONSTANT;
}

static double value_in(const double *value, double x)
{
    return sym_is_traced(x) ? value[sym_step_of(x)] : x;
}

/* Repeat all steps with this value of the parameters called `name`. False: a guard does not
 * hold. */
static bool repeat(const sym_trace *t, const char *name, double to, double *value)
{
    for (size_t i = 0; i < t->step.count; i++) {
        const trace_step *s = &t->step.item[i];
        const trace_parameter *p = s->parameter ? &t->parameter.item[s->parameter - 1] : NULL;
        if (p && strcmp(p->name, name) == 0)
            value[i] = to;
        else if (p && p->set)
            value[i] = s->value;
        else
            value[i] = operate(s->op, value_in(value, s->x), value_in(value, s->y));
    }
    for (size_t i = 0; i < t->guard.count; i++) {
        const trace_guard *q = &t->guard.item[i];
        if (answer(q->question, value_in(value, q->x), value_in(value, q->y)) != q->found)
            return false;
    }
    return true;
}

sym_tuning sym_trace_set(sym_graph *g, const char *name, double to)
{
    sym_trace *t = &g->trace;
    size_t known = 0;
    for (size_t i = 0; i < t->parameter.count; i++)
        known += strcmp(t->parameter.item[i].name, name) == 0;
    if (known == 0) return UNKNOWN;
    double *value = malloc(t->step.count * sizeof *value);
    if (!value) return EXHAUSTED;
    bool holds = repeat(t, name, to, value);
    for (size_t i = 0; holds && i < t->step.count; i++) t->step.item[i].value = value[i];
    for (size_t i = 0; holds && i < t->parameter.count; i++)
        if (strcmp(t->parameter.item[i].name, name) == 0) t->parameter.item[i].set = true;
    free(value);
    return holds ? TUNED : STRUCTURAL;
}

size_t sym_trace_count(const sym_graph *g)
{
    return g->trace.parameter.count;
}

const char *sym_trace_name(const sym_graph *g, size_t k)
{
    return g->trace.parameter.item[k].name;
}

void sym_note_structural(sym_graph *g, const char *name, const char *why)
{
    arena *a = sym_graph_arena(g);
    sym_structural noted = {arena_copy(a, name, strlen(name)), arena_copy(a, why, strlen(why))};
    list_push(a, &g->trace.structural, noted);
}

/* For each step, 1 + the number of a guard that requires it, or a number that follows from it, to
 * keep its value; 0: none. */
static size_t *find_pins(const sym_trace *t, arena *a)
{
    size_t *pin = arena_array(a, t->step.count, sizeof *pin);
    for (size_t i = 0; i < t->guard.count; i++) {
        const trace_guard *q = &t->guard.item[i];
        if (q->question == IS_EQUAL && q->found && sym_is_traced(q->x))
            pin[sym_step_of(q->x)] = i + 1;
    }
    for (size_t i = t->step.count; i-- > 0;) {
        const trace_step *s = &t->step.item[i];
        bool set = s->parameter && t->parameter.item[s->parameter - 1].set;
        if (pin[i] == 0 || set) continue;
        if (sym_is_traced(s->x)) pin[sym_step_of(s->x)] = pin[i];
        if (sym_is_traced(s->y)) pin[sym_step_of(s->y)] = pin[i];
    }
    return pin;
}

void sym_trace_copy(sym_graph *to, const sym_graph *from)
{
    arena *home = sym_graph_arena(to);
    sym_trace *t = &to->trace;
    const sym_trace *old = &from->trace;
    list_copy(home, &t->step, &old->step);
    hash_copy(home, &t->table, &old->table);
    list_copy(home, &t->guard, &old->guard);
    list_copy(home, &t->parameter, &old->parameter);
    for (size_t i = 0; i < t->parameter.count; i++) {
        const char **name = &t->parameter.item[i].name;
        *name = arena_copy(home, *name, strlen(*name));
    }
}

static const char *why_pinned(const sym_graph *g, arena *a, double x)
{
    double value = sym_value(g, x);
    if (value == 0) return "a term with it is 0 and is left out";
    if (value == 1) return "a factor with it is 1 and is left out";
    return arena_format(a, "the equations are formed with the value %g that follows from it",
                        value);
}

size_t sym_find_structural(const sym_graph *g, arena *a, sym_structural **list)
{
    const sym_trace *t = &g->trace;
    const size_t *pin = find_pins(t, a);
    LIST(sym_structural) found = {0};
    for (size_t i = 0; i < t->structural.count; i++) list_push(a, &found, t->structural.item[i]);
    for (size_t i = 0; i < t->parameter.count; i++) {
        size_t by = pin[t->parameter.item[i].step];
        if (by == 0) continue;
        sym_structural one = {t->parameter.item[i].name, why_pinned(g, a, t->guard.item[by - 1].x)};
        list_push(a, &found, one);
    }
    *list = found.item;
    return found.count;
}
