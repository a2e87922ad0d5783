#include "symbolic/cells.h"

#include "symbolic/graph.h"

#include <string.h>

sym sym_new_cell(sym_graph *g, const char *name)
{
    list_push(g->home, &g->cells.name, arena_copy(g->home, name, strlen(name)));
    list_push(g->home, &g->cells.value, 0.0);
    return sym_cell(g, (uint32_t)(g->cells.value.count - 1));
}

size_t sym_cell_count(const sym_graph *g)
{
    return g->cells.value.count;
}

double sym_cell_value(const sym_graph *g, uint32_t cell)
{
    return g->cells.value.item[cell];
}

void sym_set_cell(sym_graph *g, uint32_t cell, double value)
{
    g->cells.value.item[cell] = value;
}

double *sym_cell_values(const sym_graph *g)
{
    return g->cells.value.item;
}
