/* Solves equations whose pieces are each linear in one variable, such as 0 = if c then y - 2 else y
 * + 1. */
#ifndef STRUCTURE_PIECES_H
#define STRUCTURE_PIECES_H

#include "symbolic/node.h"

/* The solution of f = 0 for the variable v, piece by piece, such as if c then 2 else -1. SYM_NONE
 * if a condition depends on v, or if a piece is not linear in v with a number as its slope. In the
 * graph's arena, under its protection. */
sym structure_solve_pieces(sym_graph *g, sym f, uint32_t v);

#endif
