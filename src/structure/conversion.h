/* Equations whose structure misleads, turned into others whose structure tells the truth.
 *
 * Where the system Jacobian J of Pryce's method is singular as a matrix of functions, u J = 0, the
 * combination sum_i u_i f_i^(c_i - c_l) holds no derivative x_j^(d_j - c_l) any more and can stand
 * in place of f_l, u_l = 1, c_l being the least of the c_i with u_i not 0: the linear combination
 * method of G. Tan, N. S. Nedialkov & J. D. Pryce, BIT 57 (2017). The sum of offsets falls with
 * each such step, so that few of them lead to a regular J or to nothing. u is found by elimination
 * with expressions; whether one of them is identically zero is told by its values at scattered
 * points (Schwartz, J. ACM 27 (1980)), against the round-off of the terms that it was made of. What
 * a combination says is checked at the same points before it is used.
 *
 * Pivots that are expressions may vanish later. Where a combination divides by one alone, of an
 * equation that is differentiated as often, both equations are turned, so that nothing divides any
 * more, unless that changes how often equations are differentiated; else core->divisor has them. */
#ifndef STRUCTURE_CONVERSION_H
#define STRUCTURE_CONVERSION_H

#include "structure/explicit.h"

/* Where expressions are looked at: near these values. */
typedef struct conversion_point {
    double t;
    double time_unit;         /* of the equations, see problem/time_unit.h */
    const double *value, *yp; /* of the system's unknowns; a derivative that is not known: NAN */
} conversion_point;

/* Replace residuals of the core by combinations until its system Jacobian is regular. How many were
 * replaced; 0: none, and the core is as it was, where J is regular, or no combination was found, or
 * expressions that switch would have to be taken for zero. In the system's arena, under its
 * protection. */
size_t structure_convert(const sym_system *system, explicit_core *core, const conversion_point *at);

#endif
