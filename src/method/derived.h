/* Methods made of another Runge-Kutta method by what is done to algebraic variables: "projected-"
 * and "state-space-" before its name.
 *
 * Projected (U. M. Ascher & L. R. Petzold, SIAM J. Numer. Anal. 28 (1991) 1097; Hairer & Wanner II,
 * Sec. VII.4): the end y_1 of a step is moved along f_z onto the constraints of index 2, and z_1
 * solves their derivative there. State space (Sec. VI.1): z of each stage and of the end solves the
 * algebraic equations there, as if y' = f(y, z(y)) were integrated. */
#ifndef METHOD_DERIVED_H
#define METHOD_DERIVED_H

#include "method/method.h"

/* The catalogue's name of a family's rows ends where that of their base begins: "projected-", NULL
 * of a family whose methods are made of no other. */
const char *derived_prefix(method_family family);

/* The row of a name that begins with such a prefix and is in no row itself; NULL: it does not. */
const method_row *derived_row(const char *name);

/* Make `made`, whose name and family are known, of its base, which it will own. DAE_USAGE with the
 * sentence in `m` where the base is unknown, or gains nothing; DAE_NO_MEMORY. */
dae_status derived_fill(method *made, message *m);

/* Whether no stage needs itself or a later one. */
bool method_is_explicit(const method *m);

/* Whether A is regular without its first `skip` rows and columns. */
bool method_is_regular(const method *m, int skip);

#endif
