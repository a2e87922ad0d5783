/* Equations whose pieces are each linear in one variable, as 0 = if c then y - 2 else y + 1. */
#ifndef STRUCTURE_PIECES_H
#define STRUCTURE_PIECES_H

#include "symbolic/node.h"

/* What variable v is where f = 0, each piece solved by itself: if c then 2 else -1. SYM_NONE where
 * a condition depends on v, or a piece is not linear in it with a number as its slope. In the
 * graph's arena, under its protection. */
sym structure_solve_pieces(sym_graph *g, sym f, uint32_t v);

#endif
