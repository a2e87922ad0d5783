/* Whether expressions are of degree one at most in some of their leaves together. */
#ifndef SYMBOLIC_AFFINE_H
#define SYMBOLIC_AFFINE_H

#include "symbolic/node.h"

/* Whether a leaf (SYM_TIME or SYM_VARIABLE) is one of them. */
typedef bool (*sym_is_among)(void *context, const sym_view *leaf);

/* True: each of `roots` is c + sum_j a_j leaf_j, with coefficients free of these leaves.
 * Expressions that only look nonlinear, such as (x + 1)^2 - x^2, are not recognised. In the graph's
 * arena, under its protection. */
bool sym_is_affine(sym_graph *g, size_t count, const sym *roots, sym_is_among among, void *context);

#endif
