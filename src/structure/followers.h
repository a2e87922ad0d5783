/* Unknowns on which nothing depends: an integral of power in a circuit, a signal that is looked at.
 *
 * Each is given by one equation, whatever the others are, and occurs in no other one. So the rank
 * and the index of the others can be found without it, in a smaller system, and in one that is
 * linear more often. */
#ifndef STRUCTURE_FOLLOWERS_H
#define STRUCTURE_FOLLOWERS_H

#include "symbolic/system.h"

/* The system with x = 0, or der(x) = 0, in place of the equation of each such unknown x. It shares
 * all else with `from`, which is returned where there is none. In the system's arena, under its
 * protection. */
const sym_system *structure_without_followers(const sym_system *from);

#endif
