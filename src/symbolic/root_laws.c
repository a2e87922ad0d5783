/* The unknown w of a root, and the two ways in which it is given. */
#include "symbolic/derive.h"
#include "symbolic/lists.h"
#include "symbolic/odd_roots.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

static void name_unknown(void *context, text *t, uint32_t id, uint32_t order)
{
    const sym_system *s = context;
    text_add(t, s->unknown.item[id].name);
    for (uint32_t k = 0; k < order; k++) text_add(t, "'");
}

/* "root of dp" */
static const char *name_root(sym_system *s, sym of)
{
    enum { LONGEST = 80 };
    char *name = arena_array(s->memory, LONGEST, 1);
    text t = {0};
    text_add(&t, "root of ");
    sym_print(s->graph, of, name_unknown, s, &t);
    size_t length = strlen(text_string(&t));
    if (length >= LONGEST) length = LONGEST - 1;
    while (length > 0 && (text_string(&t)[length] & 0xC0) == 0x80) length--; /* a whole character */
    memcpy(name, text_string(&t), length);
    text_free(&t);
    return name;
}

/* A sym_rule: the value at the start values, as far as it is known. */
static double value_at_start(void *context, sym node, const sym_view *v, const double *x)
{
    const sym_system *s = context;
    double value = v->op == SYM_PRODUCT ? 1 : sym_value(s->graph, v->value);
    (void)node;
    switch (v->op) {
    case SYM_CONSTANT: return value;
    case SYM_TIME:
    case SYM_CELL:
    case SYM_CALL:
    case SYM_INPUT: return 0;
    case SYM_VARIABLE: return sym_value(s->graph, s->unknown.item[v->id].start);
    case SYM_SUM:
        for (uint32_t i = 0; i < v->count; i++) value += sym_value(s->graph, v->factor[i]) * x[i];
        return value;
    case SYM_PRODUCT:
        for (uint32_t i = 0; i < v->count; i++) value *= pow(x[i], v->factor[i]);
        return value;
    case SYM_ELEMENT:
    case SYM_INTERVAL: return sym_choose(sym_list_of(s->graph, v->id), v->op, x[0]);
    default: return sym_operate(v->op, x[0], v->count > 1 ? x[1] : 0, v->count > 2 ? x[2] : 0);
    }
}

/* A sym_rule: the nominal size of a sum of variables; 0: none is given. */
static double size_of_sum(void *context, sym node, const sym_view *v, const double *x)
{
    const sym_system *s = context;
    double size = 0;
    (void)node;
    if (v->op == SYM_VARIABLE) {
        const sym_unknown *u = &s->unknown.item[v->id];
        return u->sized ? u->nominal : 0;
    }
    for (uint32_t i = 0; v->op == SYM_SUM && i < v->count; i++)
        size = fmax(size, fabs(sym_value(s->graph, v->factor[i])) * x[i]);
    return size;
}

sym sym_add_odd_root(sym_system *s, const sym_equation *e, sym of)
{
    sym_graph *g = s->graph;
    uint32_t id = (uint32_t)s->unknown.count;
    double start = sym_fold(g, of, value_at_start, s), size = sym_fold(g, of, size_of_sum, s);
    sym_unknown u = {.name = name_root(s, of),
                     .unit = "",
                     .at = e->at,
                     .nominal = size > 0 ? sqrt(size) : 1,
                     .sized = size > 0,
                     .select = SYM_SELECT_DEFAULT};
    u.start = isfinite(start) ? copysign(sqrt(fabs(start)), start) : 0;
    sym leaf = sym_variable(g, id, 0);
    sym root = sym_power_number(g, sym_function(g, SYM_ABS, of), 0.5);
    sym_root kept = {.unknown = id, .equation = s->equation.count, .of = of};
    sym_equation given = {.lhs = leaf,
                          .rhs = sym_multiply(g, sym_function(g, SYM_SIGN, of), root),
                          .at = e->at,
                          .text = u.name};
    list_push(s->memory, &s->unknown, u);
    list_push(s->memory, &s->equation, given);
    list_push(s->memory, &s->root, kept);
    s->hidden++;
    return leaf;
}

static void note_flat(sym_system *s, uint32_t unknown, size_t equation)
{
    list_push(s->memory, &s->flat, ((sym_flat){unknown, equation}));
}

/* A variable that is w may remain in its place. */
static void note_other_names(sym_system *s, sym w, size_t equation)
{
    for (size_t i = 0; i < s->equation.count; i++) {
        const sym_equation *e = &s->equation.item[i];
        sym_leaf other;
        sym name = e->lhs == w ? e->rhs : e->rhs == w ? e->lhs : SYM_NONE;
        if (name != SYM_NONE && sym_as_leaf(s->graph, name, &other) && other.order == 0)
            note_flat(s, other.id, equation);
    }
}

void sym_flatten_odd_roots(sym_system *system)
{
    sym_graph *g = system->graph;
    for (size_t k = 0; k < system->root.count; k++) {
        const sym_root *r = &system->root.item[k];
        sym w = sym_variable(g, r->unknown, 0);
        sym_equation *e = &system->equation.item[r->equation];
        e->lhs = sym_multiply(g, w, sym_function(g, SYM_ABS, w));
        e->rhs = r->of;
        note_flat(system, r->unknown, r->equation);
        note_other_names(system, w, r->equation);
    }
}

/* The expressions of all w, without others in them. */
static sym *spelled(sym_system *s)
{
    size_t unknowns = s->unknown.count;
    sym *definition = arena_array(s->memory, unknowns, sizeof *definition);
    for (size_t i = 0; i < unknowns; i++) definition[i] = SYM_NONE;
    for (size_t k = 0; k < s->root.count; k++) { /* inner ones first */
        sym value = s->equation.item[s->root.item[k].equation].rhs;
        sym_substitute_definitions(s->graph, 1, &value, definition);
        definition[s->root.item[k].unknown] = value;
    }
    return definition;
}

void sym_spell_odd_roots(sym_system *system)
{
    sym_graph *g = system->graph;
    const sym *definition = spelled(system);
    size_t left = 0, gone = 0;
    for (size_t i = 0; i < system->equation.count; i++) {
        sym_equation e = system->equation.item[i];
        if (gone < system->root.count && system->root.item[gone].equation == i) {
            gone++;
            continue;
        }
        sym_substitute_definitions(g, 1, &e.lhs, definition);
        sym_substitute_definitions(g, 1, &e.rhs, definition);
        system->equation.item[left++] = e;
    }
    system->equation.count = left;
    system->unknown.count -= gone; /* the last ones */
    system->hidden -= gone;
    system->root.count = 0;
}
