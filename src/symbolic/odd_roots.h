/* Roots with the sign of what they are of: k*sign(dp)*sqrt(abs(dp)), the flow through a valve. */
#ifndef SYMBOLIC_ODD_ROOTS_H
#define SYMBOLIC_ODD_ROOTS_H

#include "symbolic/system.h"

/* Gives each expression X of such a root a hidden unknown w = sign(X)*sqrt(abs(X)), and puts w in
 * the place of the root. These forms are one law: sign(X)*sqrt(abs(X)), X/sqrt(abs(X)), and if X >
 * 0 then sqrt(X) else -sqrt(-X), each with factors, within roots too, that may differ on the two
 * sides. No event is located where X changes its sign: the law is continuous there.
 *
 * An X without unknowns stays as it is.
 *
 * Notes in system->root how w can be given otherwise. Before sym_free_flat_laws(), under the
 * protection of the system's arena. */
void sym_name_odd_roots(sym_system *system);

/* Adds the unknown w of X, which occurs in equation e, and w = sign(X)*sqrt(abs(X)). Returns its
 * leaf. Under the protection of the system's arena. */
sym sym_add_odd_root(sym_system *system, const sym_equation *e, sym of);

/* Gives each w by w*abs(w) = X, a flat law (flat_laws.h). The root has no derivative at X = 0,
 * where flows come to rest in finite time, and Newton's iteration does not converge there; this
 * equation has one. But w is no longer explicit. Under the protection of the system's arena. */
void sym_flatten_odd_roots(sym_system *system);

/* Puts roots in the place of w again, and takes w away, for methods that compute slopes from
 * values. Under the protection of the system's arena. */
void sym_spell_odd_roots(sym_system *system);

#endif
