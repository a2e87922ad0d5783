/* Rules of derivatives for one node. For this room only: derive.h has those of expressions. */
#ifndef SYMBOLIC_PARTIAL_H
#define SYMBOLIC_PARTIAL_H

#include "symbolic/node.h"

/* The partial derivative of the node `f` by its i-th argument; f is not if, min or max. */
sym sym_partial_rule(sym_graph *g, sym f, const sym_view *view, uint32_t i);

/* if, min and max select one of two arguments: `condition ? yes : no`. Their derivative is that of
 * the selected argument. The choice stands outermost, so that the other derivative may be
 * infinite. */
typedef struct sym_branches {
    sym condition, yes, no;
} sym_branches;

/* Whether a node does so, and how. */
bool sym_branching(sym_graph *g, const sym_view *view, sym_branches *b);

#endif
