/* Builders of expressions: each returns the node of the simplified result.
 *
 * Simplified means: numbers are folded, sums and products are flat and sorted, like terms and equal
 * factors are collected, neutral elements are dropped. Nothing changes where an expression is
 * defined: x/x stays, so that 0/0 is found when it happens. */
#ifndef SYMBOLIC_SIMPLIFY_H
#define SYMBOLIC_SIMPLIFY_H

#include "symbolic/node.h"

sym sym_add(sym_graph *g, sym a, sym b);
sym sym_subtract(sym_graph *g, sym a, sym b);
sym sym_negate(sym_graph *g, sym a);
sym sym_multiply(sym_graph *g, sym a, sym b);
sym sym_divide(sym_graph *g, sym a, sym b);
sym sym_scale(sym_graph *g, double factor, sym a);

/* a^b; x^0 is 1, also at x = 0. */
sym sym_power(sym_graph *g, sym a, sym b);
sym sym_power_number(sym_graph *g, sym a, double exponent);

/* value + factor[0] term[0] + ...: a long sum in one call. factor NULL: all 1. */
sym sym_sum(sym_graph *g, double value, size_t count, const sym *term, const double *factor);

/* In how many sums so far like terms have cancelled to less than 1e-9 of their size, though not to
 * their own rounding, as in 1 - (1 - 1e-12). Where such terms follow from a chain of replacements,
 * what is left may be its rounding. */
size_t sym_nearly_cancelled(const sym_graph *g);

/* factor[0]^exponent[0] factor[1]^exponent[1] ...; exponent NULL: all 1. */
sym sym_product(sym_graph *g, size_t count, const sym *factor, const double *exponent);

/* A function of one argument, by its operation in functions.def. */
sym sym_function(sym_graph *g, sym_op op, sym a);

/* Operations of two arguments: atan2, min, max, logical operations, and relations that are
 * evaluated literally. */
sym sym_binary(sym_graph *g, sym_op op, sym a, sym b);
sym sym_not(sym_graph *g, sym a);
sym sym_if(sym_graph *g, sym condition, sym yes, sym no);

/* The same operation with other arguments, for substitutions. */
sym sym_rebuild(sym_graph *g, sym node, const sym *argument);

/* The value of such an operation if it needs no node of its own: a number, or one of its arguments.
 * SYM_NONE if it needs a node. */
sym sym_known_value(sym_graph *g, sym_op op, sym a, sym b);

/* The value of an operation on numbers (not for leaves, sums and products). */
double sym_operate(sym_op op, double x, double y, double z);

/* Whether an operation is one of functions.def. */
bool sym_is_function(sym_op op);

/* Whether expressions are of degree one at most in some of their leaves together. */

/* Whether a leaf (SYM_TIME or SYM_VARIABLE) is one of them. */
typedef bool (*sym_is_among)(void *context, const sym_view *leaf);

/* True: each of `roots` is c + sum_j a_j leaf_j, with coefficients free of these leaves.
 * Expressions that only look nonlinear, such as (x + 1)^2 - x^2, are not recognised. In the graph's
 * arena, under its protection. */
bool sym_is_affine(sym_graph *g, size_t count, const sym *roots, sym_is_among among, void *context);

#endif
