/* Takes names that authors give to velocities, accelerations, reactions and lengths out of the
 * equations of a mechanism.
 *
 * structure_explicit() serves integration and takes out whatever is given explicitly. Here,
 * constraints among coordinates have to stay, y = x^2 as well as x^2 + y^2 = 1, and reactions must
 * not vanish together with the equations of motion in which they occur. The rules, in this order,
 * until none applies:
 *   - v that occurs differentiated and is given by c1 v + c2 der(x) = s(t, coordinates) becomes the
 *     velocity of x; each x has one velocity;
 *   - an algebraic alias of a differentiated variable; aliases that differ at most in sign come
 * first, so that R*w = v is kept as a constraint if both have other names;
 *   - an algebraic variable with a numeric factor in an equation without derivatives (Fx =
 * x*lambda, l = sqrt(x^2 + y^2), aliases) or with velocities only (u = der(x));
 *   - a variable of which only the first derivative occurs, given by coordinates and velocities
 * (the path of a pivot, an alias of a coordinate, a second name of a velocity);
 *   - an algebraic variable a in c1 a + c2 der(der(x)) = 0, first where c1 = -c2, as long as there
 * are more equations with accelerations or algebraic variables than coordinates; otherwise it may
 * be a reaction, such as F in m*der(v) = F. One equation alone does not show which of two algebraic
 * variables names an acceleration, a = der(v), and which is a reaction, der(v) = F. Equations
 * between such variables only, such as m*a = -F or F = R, are kept until accelerations are named;
 * with `reactions_first` they are used before that. */
#ifndef STRUCTURE_MECHANICAL_NAMES_H
#define STRUCTURE_MECHANICAL_NAMES_H

#include "symbolic/system.h"

enum { MECHANICAL_ABSENT = INT32_MAX };

typedef struct mechanical_names {
    const sym_system *system;
    sym *residual; /* equations: lhs - rhs in the remaining unknowns; SYM_NONE: it defined a name */
    sym *value;    /* unknowns: expression in the remaining unknowns */
    uint32_t *given_by; /* unknowns: the equation that defined the name, or INCIDENCE_NONE */
    uint32_t *highest;  /* unknowns: the highest derivative that remains, or MECHANICAL_ABSENT */
    uint32_t *velocity; /* unknowns: the name of its first derivative, or INCIDENCE_NONE */
} mechanical_names;

/* Take the names out of a square system. In its arena, under its protection. */
mechanical_names *mechanical_names_remove(const sym_system *system, bool reactions_first);

#endif
