/* The simplifying assumptions, and how exactly a condition has to hold. */
#ifndef METHOD_CONDITIONS_H
#define METHOD_CONDITIONS_H

#include "method/method.h"

/* Order by rooted trees. */

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

/* No method with the most stages has a higher order than Gauss methods, and no embedded weights
 * have. */
enum { METHOD_MOST_ORDER = 2 * METHOD_MOST_STAGES };

/* The error, relative to the sum of the sizes of the terms, up to which a condition holds. It is
 * far above round-off and far below the effect of a wrong digit. */
quad method_tolerance(const method *given);

static inline int method_least(int a, int b)
{
    return a < b ? a : b;
}

/* Whether two numbers of a method are equal within the tolerance. */
bool method_is_near(const method *given, quad a, quad b);

/* Whether stage i lies at the end of the step and is the result of these weights: a_ij = w_j. */
bool method_stage_gives(const method *given, int i, const quad *weights);

/* Whether c = A e. */
bool method_rows_sum_to_nodes(const method *given);

/* Simplifying assumptions, Hairer & Wanner II, Sec. IV.5:
 *   B(q): sum_i b_i c_i^(k-1) = 1/k, k <= q;
 *   C(q): sum_j a_ij c_j^(k-1) = c_i^k / k, k <= q;
 *   D(q): sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k, k <= q. */
typedef enum method_assumption { METHOD_B, METHOD_C, METHOD_D } method_assumption;

/* The largest q for which it holds. */
int method_holds(const method *given, method_assumption which);

typedef quad stage_matrix[METHOD_MOST_STAGES][METHOD_MOST_STAGES];

/* A vector over the stages. `size` is the sum of the sizes of the terms of each component. */
typedef struct stage_vector {
    quad value[METHOD_MOST_STAGES], size[METHOD_MOST_STAGES];
} stage_vector;

stage_vector stage_ones(int n);
stage_vector stage_times(int n, const stage_vector *x, const stage_vector *y);
stage_vector stage_apply(int n, const quad (*m)[METHOD_MOST_STAGES], const stage_vector *x);

/* Whether weights' phi = wanted, which is positive, up to the tolerance. */
bool stage_sum_is(const method *given, const quad *weights, const stage_vector *phi, quad wanted);

#endif
