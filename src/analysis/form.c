#include "analysis/form.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"

typedef struct traits {
    bool linear, mass, semi_explicit;
} traits;

static bool holds_derivative(sym_graph *g, sym f)
{
    const sym *leaf;
    size_t leaves = sym_leaves(g, f, &leaf);
    for (size_t k = 0; k < leaves; k++)
        if (sym_look(g, leaf[k]).order > 0) return true;
    return false;
}

static void look(const sym_system *system, const sym_equation *e, bool *given, traits *t)
{
    sym_graph *g = system->graph;
    sym_partials partials = {0};
    size_t derivatives = 0;
    sym_gradient(g, sym_subtract(g, e->lhs, e->rhs), &partials);
    for (size_t k = 0; k < partials.count; k++) {
        sym_view leaf = sym_look(g, partials.item[k].leaf);
        bool number = sym_is_number(g, partials.item[k].value, NULL);
        if (leaf.op != SYM_VARIABLE) continue;
        if (!number) t->linear = false;
        if (leaf.order == 0) continue;
        derivatives++;
        if (holds_derivative(g, partials.item[k].value)) t->mass = false;
        if (!number || given[leaf.id]) t->semi_explicit = false;
        given[leaf.id] = true;
    }
    if (derivatives > 1) t->semi_explicit = false;
}

const char *analysis_form(const sym_system *system)
{
    traits t = {.linear = true, .mass = true, .semi_explicit = true};
    bool *given = arena_array(system->memory, system->unknown.count, sizeof *given);
    for (size_t i = 0; i < system->equation.count; i++)
        look(system, &system->equation.item[i], given, &t);
    return t.linear ? "linear" : t.semi_explicit ? "semi_explicit" : t.mass ? "mass" : "residual";
}
