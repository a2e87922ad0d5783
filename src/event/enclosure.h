/* Bounds of an expression and its derivative over intervals of what they depend on, by interval
 * arithmetic (Moore, Interval Analysis, 1966). */
#ifndef EVENT_ENCLOSURE_H
#define EVENT_ENCLOSURE_H

#include "symbolic/node.h"

typedef struct range {
    double low, high;
} range;

/* An expression and its derivative, with the nodes that they are made of. */
typedef struct enclosure {
    sym_graph *g;
    size_t nodes;
    const sym *node;
    size_t *first, *argument; /* nodes + 1; each node's arguments, by their places */
    size_t value, slope;      /* places of both among the nodes */
} enclosure;

/* In `a` and the graph's arena, under the protection of both. */
void enclosure_make(enclosure *c, arena *a, sym_graph *g, sym value, sym slope);

/* The range of a variable. */
typedef range (*enclosure_leaf)(const void *context, const sym_view *leaf);

/* of (nodes): the ranges of all nodes; low > high where there is no value, as of sqrt(x) at
 * negative x. A relation that has a mode is what that says; a variable is
 * anything where `leaf` is NULL. */
void enclosure_evaluate(const enclosure *c, range time, enclosure_leaf leaf, const void *context,
                        range *of);

/* The values at one time of the nodes that `value` is made of, and of no others for certain. */
void enclosure_evaluate_value(const enclosure *c, double time, range *of);

/* of: the same; wide: what rounding leaves open of them, that of the nodes that each
 * one is made of included. Where bounds would leave a value open altogether, as beside the end of a
 * square root, only its own rounding counts. */
void enclosure_evaluate_rounded(const enclosure *c, double time, range *of, range *wide);

/* The sum of the sizes of the terms of node k; its own size where it is no sum. */
double enclosure_terms(const enclosure *c, size_t k, const range *of);

#endif
