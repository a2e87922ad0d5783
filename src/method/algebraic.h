/* Stability on nonlinear problems. */
#ifndef METHOD_ALGEBRAIC_H
#define METHOD_ALGEBRAIC_H

#include "method/method.h"

/* The smallest eigenvalue of BA + A'B - bb', B = diag(b), by Jacobi's rotations. `*size`: the
 * largest size of what an element was added up from. */
quad algebraic_least_eigenvalue(const method *given, quad *size);

/* Whether b >= 0 and that matrix is nonnegative: Burrage & Butcher, SIAM J. Numer. Anal. 16 (1979)
 * 46; Hairer & Wanner II, Def. IV.12.5. Not of Rosenbrock methods, of which this says nothing. */
bool algebraic_is_stable(const method *given);

#endif
