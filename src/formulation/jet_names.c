#include "formulation/jet_names.h"

#include "structure/incidence.h"
#include "symbolic/print.h"

enum { HIGHEST_ALIAS = 8 };

jet_names *jet_names_create(const sym_system *system, const explicit_core *core)
{
    arena *a = system->memory;
    size_t unknowns = system->unknown.count;
    jet_names *names = arena_take(a, sizeof *names);
    names->system = system;
    names->alias = arena_array(a, unknowns, sizeof *names->alias);
    names->alias_count = arena_array(a, unknowns, sizeof *names->alias_count);
    for (uint32_t v = 0; v < unknowns; v++) {
        if (core->column_of[v] != INCIDENCE_NONE) continue;
        sym_view value = sym_look(system->graph, core->value[v]);
        if (value.op != SYM_VARIABLE || value.order == 0 || value.order > HIGHEST_ALIAS) continue;
        if (!names->alias[value.id]) {
            names->alias[value.id] = arena_array(a, HIGHEST_ALIAS, sizeof(uint32_t));
            names->alias_count[value.id] = HIGHEST_ALIAS;
            for (int k = 0; k < HIGHEST_ALIAS; k++) names->alias[value.id][k] = INCIDENCE_NONE;
        }
        if (names->alias[value.id][value.order - 1] == INCIDENCE_NONE)
            names->alias[value.id][value.order - 1] = v;
    }
    return names;
}

void jet_name(const jet_names *names, uint32_t id, uint32_t order, text *t)
{
    uint32_t named = order; /* the highest derivative that has a name of its own */
    const char *name = names->system->unknown.item[id].name;
    while (named > 0) {
        if (named <= names->alias_count[id] && names->alias[id][named - 1] != INCIDENCE_NONE) {
            name = names->system->unknown.item[names->alias[id][named - 1]].name;
            break;
        }
        named--;
    }
    for (uint32_t k = named; k < order; k++) text_add(t, "der(");
    text_add(t, name);
    for (uint32_t k = named; k < order; k++) text_add(t, ")");
}

static void name_leaf(void *context, text *t, uint32_t id, uint32_t order)
{
    jet_name(context, id, order, t);
}

void jet_print(const jet_names *names, sym f, text *t)
{
    sym_print(names->system->graph, f, name_leaf, (void *)names, t);
}
