/* Order by rooted trees. */
#ifndef METHOD_TREES_H
#define METHOD_TREES_H

#include "method/method.h"

/* The orders of weights: the largest p for which the conditions of all trees with up to p vertices
 * hold. */
typedef struct tree_orders {
    int ode;       /* y' = f(t, y) */
    int algebraic; /* trees with vertices of the algebraic variables, with `index1` only: y and z */
} tree_orders;

/* Runge-Kutta methods: Butcher, J. Austral. Math. Soc. 3 (1963) 185; Hairer, Norsett & Wanner I,
 * Thm II.2.13. Rosenbrock methods: vertices with one branch take alpha + gamma, others alpha
 * (Hairer & Wanner II, Sec. IV.7). With `index1` also the trees with fat vertices, for y' = f(y,
 * z), 0 = g(y, z): Roche, Numer. Math. 52 (1988) 45; Hairer & Wanner II, Sec. VI.4. The weights:
 * given->stages numbers. DAE_NO_MEMORY. */
dae_status trees_find(const method *given, const quad *weights, bool index1, tree_orders *found);

#endif
