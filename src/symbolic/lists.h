/* Lists of numbers from which expressions choose.
 *
 * An element is chosen by its number, which is a whole one or rounded to the nearest; beyond the
 * ends it is the first or the last. The interval in which x is among ascending numbers has the
 * count of those that are not above x as its number. Both are constant between jumps of what they
 * depend on, so their derivatives are 0. */
#ifndef SYMBOLIC_LISTS_H
#define SYMBOLIC_LISTS_H

#include "symbolic/node.h"

typedef struct sym_list {
    size_t count; /* at least 1 */
    const double *value;
} sym_list;

typedef struct sym_lists {
    LIST(sym_list) of;
} sym_lists;

/* The number of a list of `count` finite numbers, which are copied; alike lists are one. Under the
 * protection of the graph's arena, as what makes nodes. */
uint32_t sym_new_list(sym_graph *g, size_t count, const double *value);

/* The element with a number from 0, and the interval from 0 to count. */
sym sym_element(sym_graph *g, uint32_t list, sym number);
sym sym_interval(sym_graph *g, uint32_t list, sym x);

const sym_list *sym_list_of(const sym_graph *g, uint32_t list);

/* The value of a node SYM_ELEMENT or SYM_INTERVAL by that of its argument; NaN of a NaN. */
double sym_choose(const sym_list *l, sym_op op, double argument);

/* Whether an operation is one of these. */
bool sym_chooses(sym_op op);

/* The number that is largest in size. */
double sym_list_largest(const sym_list *l);

#endif
