/* Modes: relations may be held at a value, whatever the sign of what they compare.
 *
 * A relation (a < b, a <= b, a = b) is free at first: its value follows from its sides. Held, it
 * yields the value that is set, in each tape that was compiled from its graph: residuals, matrices,
 * levels and the start of one formulation see the same mode at once. A graph belongs to one solver.
 * What is continuous where it switches, as abs(), min() and max(), has no mode; the relations that
 * its derivatives hold stay free unless somebody holds them. */
#ifndef SYMBOLIC_MODES_H
#define SYMBOLIC_MODES_H

#include "symbolic/node.h"

/* The relations that expressions depend on, ascending, at most `most` of them; returns how many
 * there are. On the graph's arena, under its protection. */
size_t sym_relations(sym_graph *g, size_t count, const sym *roots, size_t most, sym *relation);

bool sym_is_relation(sym_op op);

void sym_hold(sym_graph *g, sym relation, sym_mode mode);
sym_mode sym_mode_of(const sym_graph *g, sym relation);

/* Where the relation's mode is kept, as long as the graph: for tapes. */
const signed char *sym_mode_place(const sym_graph *g, sym relation);

/* What changes its sign where a relation switches: its left side less its right side. Free, a < b
 * holds where that is negative, a <= b where it is not positive. In the graph's arena, under its
 * protection. */
sym sym_crossing(sym_graph *g, sym relation);

#endif
