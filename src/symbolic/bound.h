/* How large expressions can become whatever their variables are. */
#ifndef SYMBOLIC_BOUND_H
#define SYMBOLIC_BOUND_H

#include "symbolic/node.h"

/* A number that |f| does not exceed: of constants, sines and what is made of them; HUGE_VAL where
 * none is seen. Time counts as 1. In the graph's arena, under its protection. */
double sym_bound(sym_graph *g, sym f);

#endif
