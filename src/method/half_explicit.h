/* Half-explicit Runge-Kutta methods on y' = f(y, z), 0 = g(y) with regular g_y f_z:
 *
 *   Y_i = y + h sum_(j<i) a_ij f(Y_j, Z_j),    0 = g(y + h sum_(j<=i) d_ij f(Y_j, Z_j)),
 *
 * where d is method.constraint. With d_ij = a_(i+1,j), d_sj = b_j these are the methods of V.
 * Brasey & E. Hairer (SIAM J. Numer. Anal. 30 (1993) 538); z at the end of a step solves g_y f(y_1,
 * z) = 0. If the first row of d is zero, Z_1 is z of the step before, and the last stage gives Z_1
 * of the next step: M. Arnold (BIT 38 (1998) 415), A. Murua (Computing 59 (1997) 43). */
#ifndef METHOD_HALF_EXPLICIT_H
#define METHOD_HALF_EXPLICIT_H

#include "method/method.h"

/* Fills made->constraint from the tableau, which may hold the row of the last stage. */
void half_explicit_fill(method *made);

/* Whether the first stage takes z from the step before. */
bool half_explicit_carries(const method *given);

/* Orders of y and z on index 2, no higher than `most`, by the conditions of all trees with meagre
 * and fat vertices (Hairer, Lubich & Roche, LNM 1409 (1989), Sec. 5; Hairer & Wanner II, Secs.
 * VII.5 and VII.6). DAE_NO_MEMORY. */
dae_status half_explicit_orders(const method *given, int most, int *order);

#endif
