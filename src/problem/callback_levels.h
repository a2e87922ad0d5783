/* The constraints among the equations of a C program, of index 2 at most, as two levels.
 *
 * A constraint is an equation in which neither a derivative nor an algebraic variable occurs: g(t,
 * y) = 0 for the differential variables. Its derivative along (1, y'), together with the other
 * equations, gives y' and the algebraic variables: the hidden constraint g_y f = 0 determines the
 * multipliers. z is (y, y'). Both levels at once are the system of the start. */
#ifndef PROBLEM_CALLBACK_LEVELS_H
#define PROBLEM_CALLBACK_LEVELS_H

#include "problem/callbacks.h"
#include "problem/levels.h"

typedef struct callback_levels callback_levels;

/* The levels of the equations behind `c`, which is borrowed and which the levels linearise.
 * at_once: all equations and the derivatives of the algebraic ones form one level, in which y' and
 * algebraic variables change much more freely than differentiated variables. DAE_NO_MEMORY. */
dae_status callback_levels_create(callback_levels **created, callbacks *c, bool at_once);

/* NULL: there are no constraints. */
const constraint_levels *callback_levels_form(const callback_levels *l);

void callback_levels_free(callback_levels *l); /* NULL is fine */

#endif
