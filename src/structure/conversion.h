/* Conversion of equations whose structure misleads into equations whose structure is right.
 *
 * The structure misleads if the system Jacobian J of Pryce's method is singular as a matrix of
 * functions: u J = 0. Let c_l be the least of the c_i with u_i not 0, and u_l = 1. Then the
 * combination sum_i u_i f_i^(c_i - c_l) contains no derivative x_j^(d_j - c_l) any more, and can
 * replace f_l: the linear combination method of G. Tan, N. S. Nedialkov & J. D. Pryce, BIT 57
 * (2017). Each such step reduces the sum of offsets, so a few steps lead to a regular J, or the
 * conversion fails. Elimination with expressions finds u. Whether an expression is identically zero
 * is decided by its values at scattered points (Schwartz, J. ACM 27 (1980)), relative to the
 * round-off of the terms that it was made of. A combination is checked at the same points before it
 * is used.
 *
 * Pivots that are expressions may vanish later. If a combination divides by only one such pivot, of
 * an equation that is differentiated as often, both equations are replaced so that no division
 * remains, unless that changes how often equations are differentiated. Otherwise core->divisor
 * lists the divisors. */
#ifndef STRUCTURE_CONVERSION_H
#define STRUCTURE_CONVERSION_H

#include "structure/explicit.h"

/* Expressions are evaluated near these values. */
typedef struct conversion_point {
    double t;
    double time_unit;         /* of the equations, see problem/time_unit.h */
    const double *value, *yp; /* of the system's unknowns; an unknown derivative: NAN */
    bool divides; /* combinations keep divisors; without them they also hold where these vanish */
} conversion_point;

/* Replace residuals of the core by combinations, part by part (deceived_parts.h), until its system
 * Jacobian is regular. Returns how many were replaced. Parts stay as they are for which no
 * combinations are found, or where expressions that switch would have to be taken for zero. 0: the
 * core is unchanged, because J is regular, or nothing was found. In the system's arena, under its
 * protection. */
size_t structure_convert(const sym_system *system, explicit_core *core, const conversion_point *at);

#endif
