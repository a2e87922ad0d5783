/* What follows from the numbers of a structural method (method_structural in method.h), on
 *
 *   q'' + 2 xi omega q' + omega^2 q = 0.
 *
 * As text a method is a list of definitions, "name = value;" (expression.h). It has to define
 * `beta` and `gamma`, and `alpha_m`, `alpha_f` and `delta` if they are not 0. */
#ifndef METHOD_STRUCTURAL_H
#define METHOD_STRUCTURAL_H

#include "method/method.h"
#include "method/polynomial.h"
#include "method/tableau.h"

/* Reads `lines` into `s`. `names` holds the parameters; definitions of the text are added to it.
 * Returns NULL, or what is wrong, as a phrase. */
const char *structural_read(method_structural *s, const char *lines, definitions *names);

/* The order from exact start values. `corrected`: with the velocity corrected by the row's delta,
 * as in the tangent; otherwise with delta = 0. */
int structural_order(const method_structural *s, bool corrected);

/* The factors of a step: the roots of the characteristic polynomial at omega h. */
void structural_polynomial(const method_structural *s, double omega, double xi, root_problem *p);

/* Their largest modulus. */
double structural_radius(const method_structural *s, double omega, double xi);

/* The same as omega h tends to infinity, which is how a constraint on positions (level 3) acts.
 * Level 2: the radius for the multipliers with a constraint on velocities. Level 1: that for a,
 * with a constraint on accelerations. HUGE_VAL if the positions of a step do not depend on its
 * accelerations (beta = 0, level 3). */
double structural_radius_at_infinity(const method_structural *s, int level);

/* The largest omega h up to which all factors are in the unit circle: HUGE_VAL if there is no
 * limit, 0 if there is no stability. For alpha_m = alpha_f = 0 it is
 *
 *   (xi (gamma - 1/2) + sqrt(gamma/2 - beta + xi^2 (gamma - 1/2)^2)) / (gamma/2 - beta)
 *
 * (Hughes, The Finite Element Method (1987), (9.1.29)). */
double structural_limit(const method_structural *s, double xi);

/* omega h at which a factor passes -1. This is the limit unless gamma is too small, and it is cheap
 * to compute. */
double structural_turning_point(const method_structural *s, double xi);

/* Leading errors of a step from exact values, (c h^3 q''', d h^3 q'''') for positions and
 * velocities, in the lowest derivative. a_(n+1) - a_n and its difference estimate them (Zienkiewicz
 * & Xie, Earthq. Eng. Struct. Dyn. 20 (1991) 871). */
void structural_errors(const method_structural *s, double *position, double *velocity);

#endif
