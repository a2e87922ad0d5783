/* min, max and abs in equations that are solved for their arguments. */
#ifndef SYMBOLIC_BENDS_H
#define SYMBOLIC_BENDS_H

#include "symbolic/system.h"

/* Where min, max or abs of an algebraic variable stands in an equation and is watched, that
 * equation is solved for the variable, as that of an ideal diode, u = min(s, 0). No iteration with
 * the derivatives of one side gets across the bend. There they become `if`, whose relation keeps
 * its value within a step as those of the author do.
 *
 * Others stay as they are: of a state they are known without an iteration, and those that a root, a
 * logarithm or a divisor depends on may guard it (symbolic/guards.h): sqrt(max(p, 0)). Held, they
 * would have it evaluated beyond.
 *
 * Before relations are numbered. Under the protection of the system's arena. */
void sym_hold_bends(sym_system *system);

#endif
