/* Factors of equations that are functions of time alone.
 *
 * Where 0 = p(t) f and p is analytic and not 0 everywhere, its zeros are isolated, and a solution
 * that is continuous has f = 0 at these as well. The equation f = 0 says so also at the zeros, at
 * which p f = 0 says nothing and the index would be another one. */
#ifndef STRUCTURE_TIME_FACTORS_H
#define STRUCTURE_TIME_FACTORS_H

#include "symbolic/node.h"

/* A residual without such factors. In the graph's arena, under its protection. */
sym structure_without_time_factors(sym_graph *g, sym residual);

#endif
