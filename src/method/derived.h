/* Methods made from another Runge-Kutta method by a different treatment of algebraic variables.
 * Their names have "projected-" or "state-space-" before the name of the other one.
 *
 * Projected (U. M. Ascher & L. R. Petzold, SIAM J. Numer. Anal. 28 (1991) 1097; Hairer & Wanner II,
 * Sec. VII.4): the end y_1 of a step is moved along f_z onto the constraints of index 2, and z_1
 * solves their derivative there. State space (Sec. VI.1): z of each stage and of the end solves the
 * algebraic equations there, as if y' = f(y, z(y)) were integrated. */
#ifndef METHOD_DERIVED_H
#define METHOD_DERIVED_H

#include "method/method.h"

/* The prefix that a family's names have before the name of their base: "projected-". NULL for a
 * family whose methods are not made from others. */
const char *derived_prefix(method_family family);

/* The row for a name that begins with such a prefix and has no row of its own; NULL: there is no
 * such prefix. */
const method_row *derived_row(const char *name);

/* Fills `made`, whose name and family are set, from its base, which it will own. DAE_USAGE with the
 * sentence in `m` if the base is unknown or gains nothing; DAE_NO_MEMORY. */
dae_status derived_fill(method *made, message *m);

/* Whether no stage depends on itself or a later one. */
bool method_is_explicit(const method *m);

/* Whether A is regular without its first `skip` rows and columns. */
bool method_is_regular(const method *m, int skip);

#endif
