/* The embedded stabilisation of invariants: y' = f(t, y) - gamma F(t, y) (c(t, y) - c0), with F = D
 * (C D)^-1 and C = dc/dy. It leaves solutions on the manifold unchanged and draws others to the
 * manifold as exp(-gamma t) (Ascher, Chin & Reich, Numer. Math. 67 (1994) 131; Ascher & Petzold
 * (1998), Sec. 10.2).
 *
 * D = W^2 C', where W holds the sizes max(|y_j|, nominal_j), makes F c the shortest way back in
 * units of W. gamma is the rate at which the solution itself changes, the root mean square of f_j /
 * W_j. Where C f vanishes in the whole space, any gamma > 0 draws to the manifold, and a gamma no
 * faster than the solution costs an explicit method no steps. */
#ifndef SOLVE_EMBEDDED_H
#define SOLVE_EMBEDDED_H

#include "problem/equations.h"
#include "problem/levels.h"

typedef struct embedded embedded;

/* Wraps equations with invariants (borrowed) and adds the stabilisation to them. It is dormant
 * before embedded_begin(). The Jacobian of the wrapped equations is dense and found by differences.
 * DAE_NO_MEMORY. */
dae_status embedded_create(embedded **created, const equations *plain);
const equations *embedded_equations(const embedded *e);

/* From now on, draw states to these levels (borrowed), which know c0. DAE_NO_MEMORY. */
dae_status embedded_begin(embedded *e, const constraint_levels *levels);

void embedded_free(embedded *e); /* NULL is fine */

#endif
