#include "formulation/prolonged_start.h"

#include "symbolic/node.h"

static bool is_variable(const sym_graph *g, sym side, uint32_t order, uint32_t *id)
{
    sym_view view = sym_look(g, side);
    *id = view.id;
    return view.op == SYM_VARIABLE && view.order == order;
}

prolonged_names *prolonged_names_create(const sym_system *system)
{
    prolonged_names *names = arena_take(system->memory, sizeof *names);
    size_t unknowns = system->unknown.count;
    names->system = system;
    names->derivative = arena_array(system->memory, unknowns, sizeof *names->derivative);
    for (uint32_t id = 0; id < unknowns; id++) names->derivative[id] = id;
    for (size_t i = 0; i < system->equation.count; i++) {
        const sym_equation *e = &system->equation.item[i];
        uint32_t v, x;
        bool named = (is_variable(system->graph, e->lhs, 0, &v) &&
                      is_variable(system->graph, e->rhs, 1, &x)) ||
                     (is_variable(system->graph, e->rhs, 0, &v) &&
                      is_variable(system->graph, e->lhs, 1, &x));
        if (named && v != x && names->derivative[x] == x) names->derivative[x] = v;
    }
    return names;
}

void prolonged_called(const prolonged_names *names, uint32_t *id, uint32_t *order)
{
    while (*order > 0 && names->derivative[*id] != *id) {
        *id = names->derivative[*id];
        (*order)--;
    }
}

void prolonged_name(const prolonged_names *names, uint32_t id, uint32_t order, text *t)
{
    prolonged_called(names, &id, &order);
    for (uint32_t k = 0; k < order; k++) text_add(t, "der(");
    text_add(t, names->system->unknown.item[id].name);
    for (uint32_t k = 0; k < order; k++) text_add(t, ")");
}

void prolonged_name_entry(const prolonged_names *names, const prolongation *p, size_t entry,
                          text *t)
{
    size_t j = prolongation_group(p->first, p->n, entry);
    prolonged_name(names, p->unknown[j], (uint32_t)(entry - p->first[j]), t);
}

static void name_leaf(void *context, text *t, uint32_t id, uint32_t order)
{
    prolonged_name(context, id, order, t);
}

void prolonged_print(const prolonged_names *names, sym f, text *t)
{
    sym_print(names->system->graph, f, name_leaf, (void *)names, t);
}

void prolonged_print_side(const prolonged_names *names, sym f, text *t)
{
    sym_print_side(names->system->graph, f, name_leaf, (void *)names, t);
}

void prolonged_report_breakdown(const prolonged_names *names, const sym_breakdown *b, text *t)
{
    sym_report_breakdown(names->system->graph, b, name_leaf, (void *)names, t);
}
