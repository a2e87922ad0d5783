/* The embedded stabilisation of invariants: y' = f(t, y) - gamma F(t, y) (c(t, y) - c0), F = D (C
 * D)^-1, C = dc/dy, which leaves solutions on the manifold as they are and draws others to it as
 * exp(-gamma t) (Ascher, Chin & Reich, Numer. Math. 67 (1994) 131; Ascher & Petzold (1998), Sec.
 * 10.2).
 *
 * D = W^2 C', W being the sizes max(|y_j|, nominal_j), makes F c the shortest way in units of W.
 * And gamma is the rate at which the solution itself changes, the root mean square of f_j / W_j:
 * where C f vanishes on all of space any gamma > 0 draws, and one that is no faster than the
 * solution costs an explicit method no step. */
#ifndef SOLVE_EMBEDDED_H
#define SOLVE_EMBEDDED_H

#include "problem/equations.h"
#include "problem/levels.h"

typedef struct embedded embedded;

/* The equations (with invariants; borrowed) that hold the stabilisation as well, dormant before
 * embedded_begin(): their Jacobian is found by differences, dense. DAE_NO_MEMORY. */
dae_status embedded_create(embedded **created, const equations *plain);
const equations *embedded_equations(const embedded *e);

/* From now on draw to these levels (borrowed), in which c0 is known. DAE_NO_MEMORY. */
dae_status embedded_begin(embedded *e, const constraint_levels *levels);

void embedded_free(embedded *e); /* NULL is fine */

#endif
