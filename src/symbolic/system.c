#include "symbolic/system.h"

#include "symbolic/print.h"
#include "symbolic/relations.h"

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

void sym_equation_name(const sym_system *system, const sym_equation *e, text *t)
{
    if (e->text && e->text[0]) {
        text_format(t, "%s ", e->text);
    } else { /* a declaration's, or one that was made */
        sym_print(system->graph, e->lhs, name_unknown, (void *)system, t);
        text_add(t, " = ");
        sym_print(system->graph, e->rhs, name_unknown, (void *)system, t);
        text_add(t, " ");
    }
    text_format(t, "(%s:%u", system->file, e->at.line);
    if (e->element) text_format(t, ", element %u", e->element);
    text_add(t, ")");
}
