/* Whether the value of an expression may jump. An `if` may jump; abs() does not. */
#ifndef SYMBOLIC_JUMPS_H
#define SYMBOLIC_JUMPS_H

#include "symbolic/node.h"

/* False: the expression is continuous wherever it has a value. True: it jumps, or that cannot be
 * decided. Two branches count as equal at the switch if their difference visibly contains, as a
 * factor, what the relation compares, as in `if x > 0 then x*y else 0`. In the graph's arena, under
 * its protection. */
bool sym_may_jump(sym_graph *g, sym root);

#endif
