#include "symbolic/system.h"

#include "symbolic/node.h"
#include "symbolic/relations.h"
#include "symbolic/traced.h"

#include <string.h>

static const char *copy_string(arena *a, const char *string)
{
    return string ? arena_copy(a, string, strlen(string)) : NULL;
}

static void copy_equations(sym_system *to, size_t count, const sym_equation *from, bool initial)
{
    arena *a = to->memory;
    const char *last = NULL, *kept = NULL; /* the elements of an array equation share their text */
    for (size_t i = 0; i < count; i++) {
        sym_equation e = from[i];
        if (e.text != last) kept = copy_string(a, e.text);
        last = e.text;
        e.text = kept;
        if (initial)
            list_push(a, &to->initial, e);
        else
            list_push(a, &to->equation, e);
    }
}

static void copy_unknown(sym_system *to, const sym_system *from, size_t i)
{
    sym_unknown u = from->unknown.item[i];
    u.name = copy_string(to->memory, u.name);
    u.unit = copy_string(to->memory, u.unit);
    u.start = sym_value(from->graph, u.start);
    list_push(to->memory, &to->unknown, u);
}

sym_system *sym_system_copy(arena *a, const sym_system *from, bool traced)
{
    sym_system *to = arena_take(a, sizeof *to);
    to->memory = a;
    to->graph = sym_graph_copy(a, from->graph, traced);
    to->name = copy_string(a, from->name);
    to->file = copy_string(a, from->file);
    to->at = from->at;
    to->experiment = from->experiment;
    for (size_t i = 0; i < from->unknown.count; i++) copy_unknown(to, from, i);
    copy_equations(to, from->equation.count, from->equation.item, false);
    copy_equations(to, from->initial.count, from->initial.item, true);
    for (size_t i = 0; i < from->assertion.count; i++) {
        sym_assertion assertion = from->assertion.item[i];
        assertion.message = copy_string(a, assertion.message);
        list_push(a, &to->assertion, assertion);
    }
    for (size_t i = 0; i < from->switches.count; i++)
        list_push(a, &to->switches, from->switches.item[i]);
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
