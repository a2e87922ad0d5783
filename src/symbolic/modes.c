#include "symbolic/modes.h"

#include "symbolic/simplify.h"

size_t sym_relations(sym_graph *g, size_t count, const sym *roots, size_t most, sym *relation)
{
    const sym *reached;
    size_t nodes = sym_reach(g, count, roots, &reached), found = 0;
    for (size_t k = 0; k < nodes; k++) {
        if (!sym_is_relation(sym_look(g, reached[k]).op)) continue;
        if (found < most) relation[found] = reached[k];
        found++;
    }
    return found;
}

bool sym_is_relation(sym_op op)
{
    return op >= SYM_LESS && op <= SYM_EQUAL;
}

sym sym_crossing(sym_graph *g, sym relation)
{
    sym_view view = sym_look(g, relation);
    return sym_subtract(g, view.argument[0], view.argument[1]);
}
