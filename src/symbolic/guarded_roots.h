/* Roots and logarithms in branches that are chosen where they have values. */
#ifndef SYMBOLIC_GUARDED_ROOTS_H
#define SYMBOLIC_GUARDED_ROOTS_H

#include "symbolic/system.h"

/* In `if dp > 0 then sqrt(2*dp) else -sqrt(-2*dp)` a root has no value beyond its branch, but a
 * branch is held within a step and at the instant of its event, where dp is 0 but for rounding:
 * whichever branch is taken there may have none. So roots and other broken powers of what the
 * condition keeps from being negative are continued by 0, and logarithms and negative powers by
 * their values at its size. Where the other branch has no roots it is taken as soon as values are
 * missing, as in `if h > 0 then sqrt(h) else 0` (switching_find_ending()), and nothing is
 * continued.
 *
 * A condition keeps a from exceeding b by a < b or a <= b, also as one of several that `and` joins,
 * and in the other branch b from exceeding a; multiples of b - a are recognised.
 *
 * Before relations are numbered. Under the protection of the system's arena. */
void sym_open_guarded_roots(sym_system *system);

#endif
