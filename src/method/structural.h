/* What follows from the numbers of a structural method (method_structural in method.h), on
 *
 *   q'' + 2 xi omega q' + omega^2 q = 0.
 *
 * As text it is a list of definitions, "name = value;" (expression.h), that leaves `beta` and
 * `gamma`, and where they are not 0 `alpha_m`, `alpha_f` and `delta`. */
#ifndef METHOD_STRUCTURAL_H
#define METHOD_STRUCTURAL_H

#include "method/expression.h"
#include "method/method.h"
#include "method/polynomial.h"

/* Read `lines` into `s`. `names` holds the parameters, and takes up what the text defines. Returns
 * NULL, or what is wrong, as a phrase. */
const char *structural_read(method_structural *s, const char *lines, definitions *names);

/* The order from exact start values. `corrected`: with the velocity carried as the row's delta has
 * it, which is done in the tangent; else that of the method with delta = 0. */
int structural_order(const method_structural *s, bool corrected);

/* The factors of a step: the roots of the characteristic polynomial at omega h. */
void structural_polynomial(const method_structural *s, double omega, double xi, root_problem *p);

/* Their largest modulus. */
double structural_radius(const method_structural *s, double omega, double xi);

/* As omega h grows beyond all limits, which is how a constraint on positions (level 3) acts; that
 * of the multipliers with one on velocities (2), and of a with one on accelerations (1).
 * HUGE_VAL where the positions of a step do not depend on its accelerations (beta = 0, level 3). */
double structural_radius_at_infinity(const method_structural *s, int level);

/* The largest omega h up to which no factor is beyond the unit circle: HUGE_VAL where there is no
 * limit, 0 where there is no stability. For alpha_m = alpha_f = 0
 *
 *   (xi (gamma - 1/2) + sqrt(gamma/2 - beta + xi^2 (gamma - 1/2)^2)) / (gamma/2 - beta)
 *
 * (Hughes, The Finite Element Method (1987), (9.1.29)). */
double structural_limit(const method_structural *s, double xi);

/* omega h at which a factor passes -1: the limit where gamma is not too small; of no cost. */
double structural_turning_point(const method_structural *s, double xi);

/* Leading errors of a step from exact values: (c h^3 q''', d h^3 q'''') of positions and
 * velocities, as far as the first derivative of that order is concerned; what a_(n+1) - a_n and
 * its difference estimate (Zienkiewicz & Xie, Earthq. Eng. Struct. Dyn. 20 (1991) 871). */
void structural_errors(const method_structural *s, double *position, double *velocity);

#endif
