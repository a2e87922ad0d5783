/* Laws that are flat where they change: q*abs(q) at q = 0. */
#ifndef SYMBOLIC_FLAT_LAWS_H
#define SYMBOLIC_FLAT_LAWS_H

#include "symbolic/system.h"

/* Where the branches of an equation meet at a value of an algebraic variable, with a slope of 0 in
 * that variable on both sides, as those of the loss of a turbulent flow do, q*abs(q) or if q > 0
 * then q^2 else -q^2. The equation is continuously differentiable there, so that no step has to end
 * at it. A branch that is held has no solution beyond: h = q^2 has none for a level h of -1e-16. So
 * these relations become literal, without a mode, in such an equation, and bends of min, max and
 * abs are not watched where all their equations are of that kind.
 *
 * A law may be flat on one side alone, as that of a check valve with a parameter s is, h = if s > 0
 * then s^2 else s: then all equations that are continuous there are freed, and relations that
 * remain compare what states determine (flat_relations.c). A Boolean variable that stands for the
 * relation is read as that.
 *
 * A definition by one variable is followed into such equations: a = abs(q), h = q*a.
 *
 * Notes these variables, and those of odd powers such as q^3, in system->flat: at the flat point
 * the equation does not determine the derivative of its variable.
 *
 * Before relations are numbered. Under the protection of the system's arena. */
void sym_free_flat_laws(sym_system *system);

#endif
