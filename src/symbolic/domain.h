/* Where expressions may have no value though their parts have one. All who watch divisors, or ask
 * whether equations can fail, take them from this list. */
#ifndef SYMBOLIC_DOMAIN_H
#define SYMBOLIC_DOMAIN_H

#include "symbolic/node.h"

/* A factor of a product whose exponent is negative or no whole number; or the first argument of a
 * power with another exponent or of a function, sine and cosine apart. */
typedef struct sym_domain_limit {
    sym_op op;       /* of the node that it stands in */
    sym argument;    /* what may have a value at which that node has none */
    double exponent; /* of a factor; else 1 */
} sym_domain_limit;

/* Whether it is a divisor with a whole exponent, beyond whose zeros there are values again. */
bool sym_is_divisor(const sym_domain_limit *limit);

/* The limits in all nodes that `roots` are built from, but for nodes that the `known` ones are
 * built from: nodes ascending, factors as they stand. In the graph's arena, under its protection.
 */
size_t sym_domain_limits(sym_graph *g, size_t count, const sym *roots, size_t known_count,
                         const sym *known, const sym_domain_limit **limits);

#endif
