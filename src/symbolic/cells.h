/* Cells: numbers that are held between events.
 *
 * A cell is a leaf of expressions, like time. It has the value of a discrete variable, or its value
 * before an event. Like modes (relations.h), the values belong to the graph. All tapes compiled
 * from it read them in each evaluation, so a new value holds for all of them at once. The
 * derivative of a cell is 0. */
#ifndef SYMBOLIC_CELLS_H
#define SYMBOLIC_CELLS_H

#include "symbolic/node.h"

typedef struct sym_cells {
    LIST(const char *) name; /* of each: as a model writes it, such as pre(x) */
    LIST(double) value;
} sym_cells;

/* The leaf of a new cell, whose value is 0. The name is copied. Under the protection of the graph's
 * arena. */
sym sym_new_cell(sym_graph *g, const char *name);

/* The leaf of a cell, by its number from 0. Under the same protection. */
sym sym_cell(sym_graph *g, uint32_t cell);

size_t sym_cell_count(const sym_graph *g);
double sym_cell_value(const sym_graph *g, uint32_t cell);
void sym_set_cell(sym_graph *g, uint32_t cell, double value);

/* The values of all cells, sym_cell_count() numbers of the graph. */
double *sym_cell_values(const sym_graph *g);

#endif
