/* Bounds of expressions that hold for all values of their variables. */
#ifndef SYMBOLIC_BOUND_H
#define SYMBOLIC_BOUND_H

#include "symbolic/node.h"

/* A number that |f| does not exceed, for expressions made of constants, sines and the like;
 * HUGE_VAL if none is found. Time counts as 1. In the graph's arena, under its protection. */
double sym_bound(sym_graph *g, sym f);

#endif
