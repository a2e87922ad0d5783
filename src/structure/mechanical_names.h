/* Names that authors give to velocities, accelerations, reactions and lengths on the way to the
 * equations of a mechanism, taken out of them.
 *
 * structure_explicit() serves integration and takes out whatever is given explicitly; here
 * constraints among coordinates have to stay, y = x^2 as well as x^2 + y^2 = 1, and reactions must
 * not go with the equations of motion that they stand in. In this order, until nothing is left to
 * do:
 *   - v that occurs differentiated and is given by c1 v + c2 der(x) = s(t, coordinates): it becomes
 *     the velocity of x, and each x has one;
 *   - an algebraic alias of a variable that is differentiated, those that differ in sign at most
 *     first, so that R*w = v is kept for a constraint where both have other names;
 *   - an algebraic variable that has a factor that is a number in an equation without derivatives
 *     (Fx = x*lambda, l = sqrt(x^2 + y^2), aliases) or with velocities alone (u = der(x));
 *   - a variable of which only the first derivative occurs, given by coordinates and velocities
 *     (the path of a pivot, an alias of a coordinate, a second name of a velocity);
 *   - an algebraic variable a in c1 a + c2 der(der(x)) = 0, first where c1 = -c2, as long as there
 *     are more equations with accelerations or algebraic variables than coordinates: else it may be
 *     a reaction, as F in m*der(v) = F.
 * Which of two algebraic variables names an acceleration, a = der(v), and which is a reaction,
 * der(v) = F, is not to be seen in one equation. Equations between them alone, as m*a = -F or
 * F = R, are kept until accelerations are named; `reactions_first`: used before. */
#ifndef STRUCTURE_MECHANICAL_NAMES_H
#define STRUCTURE_MECHANICAL_NAMES_H

#include "symbolic/system.h"

enum { MECHANICAL_ABSENT = INT32_MAX };

typedef struct mechanical_names {
    const sym_system *system;
    sym *residual;      /* equations: lhs - rhs in what remains; SYM_NONE where a name came from */
    sym *value;         /* unknowns: in what remains */
    uint32_t *given_by; /* unknowns: the equation that each name came from, or INCIDENCE_NONE */
    uint32_t *highest;  /* unknowns: the highest derivative that remains, or MECHANICAL_ABSENT */
    uint32_t *velocity; /* unknowns: that which named its first derivative, or INCIDENCE_NONE */
} mechanical_names;

/* Take the names out of a square system. In its arena, under its protection. */
mechanical_names *mechanical_names_remove(const sym_system *system, bool reactions_first);

#endif
