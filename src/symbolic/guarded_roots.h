/* Roots and logarithms in branches that are chosen where they have values. */
#ifndef SYMBOLIC_GUARDED_ROOTS_H
#define SYMBOLIC_GUARDED_ROOTS_H

#include "symbolic/system.h"

/* In `if h > 0 then sqrt(2*h) else 0` the root has no value beyond its branch, but a branch is held
 * within a step and at the instant of its event, where h is 0 but for rounding. What the condition
 * keeps from being negative therefore becomes its size in roots, other broken powers and
 * logarithms of its branch: sqrt(abs(2*h)), which is the same within the branch.
 *
 * A condition keeps a from exceeding b by a < b or a <= b, also as one of several that `and` joins,
 * and in the other branch b from exceeding a; multiples of b - a are recognised.
 *
 * Before relations are numbered. Under the protection of the system's arena. */
void sym_open_guarded_roots(sym_system *system);

#endif
