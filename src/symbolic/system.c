#include "symbolic/system.h"

#include "symbolic/graph.h"
#include "symbolic/simplify.h"

#include "symbolic/derive.h"
#include "symbolic/node.h"
#include "symbolic/relations.h"
#include "symbolic/traced.h"

#include <string.h>

static const char *copy_string(arena *a, const char *string)
{
    return string ? arena_copy(a, string, strlen(string)) : NULL;
}

/* Equations that have been copied get texts of their own. The elements of an array equation share
 * one. */
static void copy_texts(arena *a, size_t count, sym_equation *e)
{
    const char *last = NULL, *kept = NULL;
    for (size_t i = 0; i < count; i++) {
        if (e[i].text != last) kept = copy_string(a, e[i].text);
        last = e[i].text;
        e[i].text = kept;
    }
}

/* Neighbours often have the same unit, which is kept once. */
static void copy_unknowns(arena *a, sym_system *to, const sym_graph *from)
{
    const char *last = NULL, *kept = NULL;
    for (size_t i = 0; i < to->unknown.count; i++) {
        sym_unknown *u = &to->unknown.item[i];
        u->name = copy_string(a, u->name);
        u->start = sym_value(from, u->start);
        if (!last || !u->unit || strcmp(u->unit, last) != 0) kept = copy_string(a, u->unit);
        last = u->unit;
        u->unit = kept;
    }
}

static void visit_equations(size_t count, sym_equation *e, sym_visit *visit, void *context)
{
    for (size_t i = 0; i < count; i++) {
        visit(context, &e[i].lhs);
        visit(context, &e[i].rhs);
    }
}

/* A visit to each expression of a copy. */
static void visit_all(sym_system *s, sym_visit *visit, void *context)
{
    visit_equations(s->equation.count, s->equation.item, visit, context);
    visit_equations(s->initial.count, s->initial.item, visit, context);
    visit_equations(s->implied.count, s->implied.item, visit, context);
    for (size_t i = 0; i < s->start_law.count; i++) visit(context, &s->start_law.item[i].value);
    for (size_t i = 0; i < s->assertion.count; i++) {
        visit(context, &s->assertion.item[i].condition);
        sym_said_visit(s->assertion.item[i].said, visit, context);
    }
    for (size_t i = 0; i < s->delay.count; i++) {
        sym_delay *d = &s->delay.item[i];
        sym *part[] = {&d->value, &d->lag, &d->start, &d->slope, &d->most};
        for (size_t k = 0; k < sizeof part / sizeof *part; k++) visit(context, part[k]);
    }
    for (size_t i = 0; i < s->content.count; i++) {
        visit(context, &s->content.item[i].at);
        visit(context, &s->content.item[i].value);
    }
    for (size_t i = 0; i < s->invariant.count; i++) visit(context, &s->invariant.item[i].value);
    for (size_t i = 0; i < s->root.count; i++) visit(context, &s->root.item[i].of);
    sym_discrete_visit(&s->discrete, visit, context);
}

/* The expressions of a copy, and then their numbers in its graph. */
typedef struct renumbering {
    sym *root; /* NULL: they are counted */
    size_t count;
    const sym *number; /* NULL: they are listed */
} renumbering;

static void renumber(void *context, sym *expression)
{
    renumbering *r = context;
    if (r->number && *expression != SYM_NONE) *expression = r->number[*expression];
    if (!r->number && r->root) r->root[r->count] = *expression;
    r->count++;
}

/* The graph of a copy whose expressions have the numbers of the original: of what they need. */
static void copy_graph(sym_system *to, const sym_graph *from, bool traced)
{
    arena *a = to->memory;
    renumbering r = {0};
    visit_all(to, renumber, &r);
    size_t roots = r.count;
    r = (renumbering){.root = arena_array(a, roots, sizeof(sym))};
    visit_all(to, renumber, &r);
    r.number = sym_number_kept(a, from, roots, r.root);
    arena_return(a, r.root, roots, sizeof *r.root);
    to->graph = sym_graph_copy(a, from, traced, r.number);
    visit_all(to, renumber, &r);
    arena_return(a, r.number, sym_graph_size(from), sizeof *r.number);
}

/* Of the parameters those that are 0, which messages name. */
static void copy_zeros(sym_system *to, const sym_system *from)
{
    memset(&to->parameter, 0, sizeof to->parameter);
    for (size_t i = 0; i < from->parameter.count; i++) {
        sym_parameter p = from->parameter.item[i];
        if (p.text || sym_value(from->graph, p.value) != 0) continue;
        p = (sym_parameter){.name = copy_string(to->memory, p.name), .unit = "", .type = ""};
        list_push(to->memory, &to->parameter, p);
    }
}

sym_system *sym_system_copy(arena *a, const sym_system *from, bool traced)
{
    sym_system *to = arena_take(a, sizeof *to);
    *to = *from;
    to->memory = a;
    copy_zeros(to, from);
    to->name = copy_string(a, from->name);
    to->file = copy_string(a, from->file);
    list_copy(a, &to->unknown, &from->unknown);
    list_copy(a, &to->equation, &from->equation);
    list_copy(a, &to->initial, &from->initial);
    list_copy(a, &to->start_law, &from->start_law);
    list_copy(a, &to->implied, &from->implied);
    list_copy(a, &to->assertion, &from->assertion);
    list_copy(a, &to->delay, &from->delay);
    list_copy(a, &to->content, &from->content);
    list_copy(a, &to->invariant, &from->invariant);
    list_copy(a, &to->flat, &from->flat);
    list_copy(a, &to->root, &from->root);
    list_copy(a, &to->switches, &from->switches);
    to->discrete = sym_discrete_copy(a, &from->discrete);
    for (size_t i = 0; i < to->discrete.variable.count; i++) {
        sym_discrete *d = &to->discrete.variable.item[i];
        d->start = sym_value(from->graph, d->start);
    }
    copy_unknowns(a, to, from->graph);
    copy_texts(a, to->equation.count, to->equation.item);
    copy_texts(a, to->initial.count, to->initial.item);
    for (size_t i = 0; i < to->assertion.count; i++) {
        to->assertion.item[i].message = copy_string(a, to->assertion.item[i].message);
        to->assertion.item[i].said = sym_said_copy(a, to->assertion.item[i].said);
    }
    for (size_t i = 0; i < to->delay.count; i++)
        to->delay.item[i].text = copy_string(a, to->delay.item[i].text);
    for (size_t i = 0; i < to->invariant.count; i++)
        to->invariant.item[i].text = copy_string(a, to->invariant.item[i].text);
    copy_graph(to, from->graph, traced);
    return to;
}

void sym_system_number_relations(const sym_system *system)
{
    size_t equations = system->equation.count, count = equations + system->initial.count;
    sym *side = arena_array(system->memory, 2 * count, sizeof *side);
    for (size_t i = 0; i < count; i++) {
        const sym_equation *e = i < equations ? &system->equation.item[i]
                                              : &system->initial.item[i - equations];
        side[2 * i] = e->lhs;
        side[2 * i + 1] = e->rhs;
    }
    sym_number_relations(system->graph, 2 * count, side);
    for (size_t i = 0; i < system->delay.count; i++)
        sym_number_relations(system->graph, 1, &system->delay.item[i].value);
    for (size_t i = 0; i < system->delay.count; i++) /* the direction of a transport */
        if (system->delay.item[i].kind == SYM_CARRIER)
            sym_number_relations(system->graph, 1, &system->delay.item[i].lag);
    for (size_t i = 0; i < system->invariant.count; i++)
        sym_number_relations(system->graph, 1, &system->invariant.item[i].value);
    sym *root;
    size_t roots = sym_discrete_roots(system->memory, &system->discrete, &root);
    sym_number_relations(system->graph, roots, root);
}

sym sym_residual(const sym_system *system, size_t equation)
{
    sym_graph *g = system->graph;
    const sym_equation *e = &system->equation.item[equation];
    while (g->difference.count <= equation)
        list_push(g->known, &g->difference, ((sym_difference){SYM_NONE, SYM_NONE, SYM_NONE}));
    sym_difference *known = &g->difference.item[equation];
    if (known->lhs != e->lhs || known->rhs != e->rhs)
        *known = (sym_difference){e->lhs, e->rhs, sym_subtract(g, e->lhs, e->rhs)};
    return known->value;
}

typedef struct undelaying {
    const sym_system *system;
    const sym *value; /* of each delay at the start */
} undelaying;

static sym undelayed(void *context, sym old, sym rebuilt)
{
    const undelaying *u = context;
    sym_view view = sym_look(u->system->graph, old);
    if (view.op != SYM_INPUT || view.id >= u->system->delay.count) return rebuilt;
    if (view.order == 0) return u->value[view.id];
    return view.order > 1 ? sym_number(u->system->graph, 0) : u->system->delay.item[view.id].slope;
}

/* A delayed expression contains no delays but earlier ones. */
void sym_system_undelay(const sym_system *system, sym *value, size_t count, sym *roots)
{
    undelaying u = {system, value};
    for (size_t k = 0; k < system->delay.count; k++)
        sym_transform(system->graph, 1, &value[k], undelayed, &u);
    sym_transform(system->graph, count, roots, undelayed, &u);
}

static void name_unknown(void *context, text *t, uint32_t id, uint32_t order)
{
    const sym_system *system = context;
    for (uint32_t k = 0; k < order; k++) text_add(t, "der(");
    text_add(t, system->unknown.item[id].name);
    for (uint32_t k = 0; k < order; k++) text_add(t, ")");
}

bool sym_equation_has_pieces(const sym_system *system, size_t i)
{
    const sym_equation *e = &system->equation.item[i];
    return sym_has_pieces(system->graph, e->lhs) || sym_has_pieces(system->graph, e->rhs);
}

void sym_equation_name(const sym_system *system, const sym_equation *e, text *t)
{
    if (e->text && e->text[0]) {
        text_format(t, "%s ", e->text);
    } else { /* from a declaration, or generated */
        sym_print(system->graph, e->lhs, name_unknown, (void *)system, t);
        text_add(t, " = ");
        sym_print(system->graph, e->rhs, name_unknown, (void *)system, t);
        text_add(t, " ");
    }
    text_format(t, "(%s:%u", system->file, e->at.line);
    if (e->element) text_format(t, ", element %u", e->element);
    text_add(t, ")");
}

void sym_condition_name(const sym_system *system, sym condition, text *t)
{
    sym_print(system->graph, condition, name_unknown, (void *)system, t);
}

void sym_derivative_name(const sym_system *system, const sym_equation *e, size_t order, text *t)
{
    if (order == 1) text_add(t, "the derivative of ");
    if (order > 1) text_format(t, "derivative %zu of ", order);
    sym_equation_name(system, e, t);
}

/* unknown = cell */
static bool is_name(const sym_system *system, const sym_equation *e)
{
    sym_view v = sym_look(system->graph, e->lhs);
    return v.op == SYM_VARIABLE && v.id < system->unknown.count &&
           system->unknown.item[v.id].discrete;
}

void sym_system_find_cells(const sym_system *system, bool *cell)
{
    size_t count = 0;
    const sym *node;
    sym *side = arena_array(system->memory, 2 * system->equation.count, sizeof *side);
    for (size_t i = 0; i < system->equation.count; i++) {
        const sym_equation *e = &system->equation.item[i];
        if (is_name(system, e)) continue;
        side[count++] = e->lhs;
        side[count++] = e->rhs;
    }
    count = sym_keep_reached(system->graph, count, side, &node);
    for (size_t i = 0; i < count; i++) {
        sym_view v = sym_look(system->graph, node[i]);
        if (v.op == SYM_CELL) cell[v.id] = true;
    }
}
