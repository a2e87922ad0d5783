#include "symbolic/system.h"

#include "symbolic/print.h"

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
