/* Whether the value of an expression may jump, as that of an `if` may and of abs() does not. */
#ifndef SYMBOLIC_JUMPS_H
#define SYMBOLIC_JUMPS_H

#include "symbolic/node.h"

/* False: it is continuous wherever it has a value. True where it jumps, or where that cannot be
 * told: a branch counts as meeting the other one where their difference is seen to hold what the
 * relation compares as a factor, as in `if x > 0 then x*y else 0`. In the graph's arena, under its
 * protection. */
bool sym_may_jump(sym_graph *g, sym root);

#endif
