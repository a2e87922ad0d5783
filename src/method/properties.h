/* What follows from the numbers of a method: order, stability, what is promised on DAEs. */
#ifndef METHOD_PROPERTIES_H
#define METHOD_PROPERTIES_H

#include "method/method.h"

#define METHOD_NO_ORDER (-1) /* nothing is promised */

typedef struct method_properties {
    int order;          /* by the conditions of all rooted trees (Butcher 1963) */
    int stage_order;    /* the largest q with B(q) and C(q); METHOD_NO_ORDER without stages */
    int d_order;        /* the largest r with D(r); METHOD_NO_ORDER without stages */
    int embedded_order; /* of the first embedded weights; METHOD_NO_ORDER without any */
    bool stiffly_accurate;
    bool estimator_stiffly_accurate; /* some stage at the end of the step is what b_hat gives */
    double r_infinity;               /* the limit of R(z); of a multistep method the largest modulus
                                        of a root of sigma; HUGE_VAL where there is none */
    double alpha_degrees;            /* A(alpha): 90 where A-stable, 0 for none */
    bool a_stable, l_stable, algebraically_stable;
    int an_stable;         /* 1, 0, or -1: not decided, for nodes coincide */
    double error_constant; /* C in exp(z) - R(z) = C z^(p+1) + O(z^(p+2)), p the order of R; of a
                              multistep method multistep_error_constant(); HUGE_VAL of one-leg
                              methods and mebdf, of which two terms lead */
    bool zero_stable;      /* of one-step methods always */
    int barrier; /* the highest order of a zero-stable method of so many steps; METHOD_NO_ORDER of
                    one-step methods and mebdf */

    /* Orders on DAEs, constant steps: index 1 and 2 for y and z, index 3 as given for positions,
     * velocities and multipliers; METHOD_NO_ORDER where it need not converge or cannot advance.
     * Hairer, Lubich & Roche, LNM 1409 (1989); Hairer & Wanner II, Secs. VI.1, VII.4. */
    int index1[2], index2[2], index3[3];
    int moving_kernel; /* on F(t, y, y') = 0 of index 1 where the kernel of F_y' moves, of all
                          variables: see dae_orders.c. Where it stands still it is index1 */

    bool second_order; /* of structural methods: they advance mechanical equations alone. Then
                          r_infinity is the largest factor of a step as frequencies grow, a_stable
                          says that no frequency limits the step, and the orders on DAEs are those
                          of positions and velocities, and of multipliers, with constraints on the
                          level of accelerations, of velocities and of positions */
} method_properties;

/* DAE_NO_MEMORY. */
dae_status method_properties_find(const method *given, method_properties *found);

/* The order alone, which is quick. DAE_NO_MEMORY. */
dae_status method_order(const method *given, int *order);

/* Whether all variables of equations of index 2 or 3 converge, by the orders above, which of
 * Runge-Kutta methods takes a fraction of the time. DAE_NO_MEMORY. */
dae_status method_converges(const method *given, int index, bool *converges);

enum { METHOD_MOST_FORMS = 8 };

/* The forms of problems that it advances, by the words of `daedal check`; how many. A method that
 * says nothing about algebraic variables advances those forms where y' is determined: `residual`
 * and `mass` with regular dF/dy' and M. */
size_t method_forms(const method_properties *found, const char **form);

/* Stability on nonlinear problems. */

/* The smallest eigenvalue of BA + A'B - bb', B = diag(b), by Jacobi's rotations. `*size`: the
 * largest size of what an element was added up from. */
quad algebraic_least_eigenvalue(const method *given, quad *size);

/* Whether b >= 0 and that matrix is nonnegative: Burrage & Butcher, SIAM J. Numer. Anal. 16 (1979)
 * 46; Hairer & Wanner II, Def. IV.12.5. Not of Rosenbrock methods, of which this says nothing. */
bool algebraic_is_stable(const method *given);

#endif
