/* Where expressions may have no value though their parts have one. All who watch divisors, or ask
 * whether equations can fail, take them from this list. */
#ifndef SYMBOLIC_DOMAIN_H
#define SYMBOLIC_DOMAIN_H

#include "symbolic/node.h"
#include "symbolic/tape.h"

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

/* Bounds of expressions that hold for all values of their variables. */

/* A number that |f| does not exceed, for expressions made of constants, sines and the like;
 * HUGE_VAL if none is found. Time counts as 1. In the graph's arena, under its protection. */
double sym_bound(sym_graph *g, sym f);

/* Finds the part of an expression that has no finite value, for messages. */

/* A part without a finite value whose own parts all have one. */
typedef struct sym_breakdown {
    sym part, argument;  /* `argument`: the one at fault; SYM_NONE: no single one is */
    double value;        /* of that argument */
    double exponent;     /* of that argument, if `part` is a product */
    double result;       /* of a call, */
    const double *given; /* for these values of its arguments; in the graph's arena */
} sym_breakdown;

/* Inputs as for sym_tape_compile(). False: `root` is finite, an input is the cause, or memory is
 * exhausted. */
bool sym_find_breakdown(sym_graph *g, sym root, size_t inputs, sym_slot slot, void *context,
                        const double *input, sym_breakdown *found);

/* Whether the part is a root, or a power between 0 and 1, of a negative number. */
bool sym_is_ended_root(const sym_graph *g, const sym_breakdown *b);

/* Append "a root of h, which is -1e-16", and the like. */
void sym_report_breakdown(const sym_graph *g, const sym_breakdown *b, sym_namer name, void *context,
                          text *t);

/* Whether the value of an expression may jump. An `if` may jump; abs() does not. */

/* False: the expression is continuous wherever it has a value. True: it jumps, or that cannot be
 * decided. Two branches count as equal at the switch if their difference visibly contains, as a
 * factor, what the relation compares, as in `if x > 0 then x*y else 0`. In the graph's arena, under
 * its protection. */
bool sym_may_jump(sym_graph *g, sym root);

/* Whether it may, and holds an `if` or sign() by which it surely jumps: between branches whose
 * difference is a number. Under the same protection. */
bool sym_steps(sym_graph *g, sym root);

/* Make relations literal, without a mode, in an `if` that is a factor beside a root that vanishes
 * where it switches, as in sign(x)*sqrt(abs(x)). The product does not jump, and its branches have
 * no meaning beyond: there the held one would drive x away. In the graph's arena, under its
 * protection. */
void sym_free_smoothed(sym_graph *g, size_t count, sym *roots);

#endif
