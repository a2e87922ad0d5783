/* What follows from the numbers of a method: order, stability, orders on DAEs. */
#ifndef METHOD_PROPERTIES_H
#define METHOD_PROPERTIES_H

#include "method/method.h"
#include "method/polynomial.h"

#define METHOD_NO_ORDER (-1) /* nothing is promised */

typedef struct method_properties {
    int order;          /* by the conditions of all rooted trees (Butcher 1963) */
    int stage_order;    /* the largest q with B(q) and C(q); METHOD_NO_ORDER without stages */
    int d_order;        /* the largest r with D(r); METHOD_NO_ORDER without stages */
    int embedded_order; /* of the first embedded weights; METHOD_NO_ORDER without any */
    bool stiffly_accurate;
    bool estimator_stiffly_accurate; /* some stage at the end of the step is the result of b_hat */
    double r_infinity;               /* the limit of R(z); for a multistep method the largest
                                      * modulus of a root of sigma; HUGE_VAL if there is none */
    double alpha_degrees;            /* A(alpha): 90 where A-stable, 0 for none */
    bool a_stable, l_stable, algebraically_stable;
    int an_stable;         /* 1, 0, or -1: not decided, because nodes coincide */
    double error_constant; /* C in exp(z) - R(z) = C z^(p+1) + O(z^(p+2)), p the order of R; for a
                            * multistep method multistep_error_constant(); HUGE_VAL for one-leg
                            * methods and mebdf, which have two leading terms */
    bool zero_stable;      /* always true for one-step methods */
    int barrier;           /* the highest order of a zero-stable method with this number of steps;
                            * METHOD_NO_ORDER for one-step methods and mebdf */

    /* Orders on DAEs with constant steps: for y and z on index 1 and 2; for positions, velocities
     * and multipliers on index 3 as given. METHOD_NO_ORDER where the method need not converge or
     * cannot advance. Hairer, Lubich & Roche, LNM 1409 (1989); Hairer & Wanner II, Secs. VI.1,
     * VII.4. */
    int index1[2], index2[2], index3[3];
    int moving_kernel; /* order of all variables on F(t, y, y') = 0 of index 1 where the kernel of
                        * F_y' moves: see dae_orders.c. Where the kernel stands still the order is
                        * index1 */

    bool second_order; /* of structural methods: they advance mechanical equations alone. Then
                          r_infinity is the largest factor of a step as frequencies grow, a_stable
                          says that no frequency limits the step, and the orders on DAEs are those
                          of positions and velocities, and of multipliers, with constraints on the
                          level of accelerations, of velocities and of positions */
} method_properties;

/* From the tables, or computed for a method that these do not have. DAE_NO_MEMORY. */
dae_status method_properties_find(const method *given, method_properties *found);

/* Always computed. DAE_NO_MEMORY. */
dae_status method_properties_compute(const method *given, method_properties *found);

/* Finds the order alone, which is quick. DAE_NO_MEMORY. */
dae_status method_order(const method *given, int *order);

/* Whether all variables of equations of index 2 or 3 converge, by the orders above. For Runge-Kutta
 * methods this takes a fraction of the time. DAE_NO_MEMORY. */
dae_status method_converges(const method *given, int index, bool *converges);

enum { METHOD_MOST_FORMS = 8 };

/* The forms of problems that the method advances, by the words of `daedal check`; returns their
 * number. A method without orders for algebraic variables advances the forms in which y' is
 * determined: `residual` and `mass` with regular dF/dy' and M. */
size_t method_forms(const method_properties *found, const char **form);

/* Stability on nonlinear problems. */

/* The smallest eigenvalue of BA + A'B - bb', B = diag(b), by Jacobi's rotations. `*size`: the
 * largest sum of the sizes of the terms of an element. */
quad algebraic_least_eigenvalue(const method *given, quad *size);

/* Whether b >= 0 and that matrix is nonnegative: Burrage & Butcher, SIAM J. Numer. Anal. 16 (1979)
 * 46; Hairer & Wanner II, Def. IV.12.5. False for Rosenbrock methods, for which this says
 * nothing. */
bool algebraic_is_stable(const method *given);

/* The orders that theory promises on DAEs, from order, simplifying assumptions and stability. */

/* Fills found->index1, index2, index3 and moving_kernel from its other members. DAE_NO_MEMORY. */
dae_status dae_orders_find(const method *given, method_properties *found);

/* The stability function of a method, R(z) = P(z) / Q(z), and what follows from it. */

/* R(z) = det(I - z A + z e b') / det(I - z A), where A of a Rosenbrock method is alpha + gamma
 * (Hairer & Wanner II, (IV.3.3), Sec. IV.7). Coefficients that are round-off are 0. */
typedef struct stability_function {
    polynomial numerator, denominator;
    quad tolerance;
    double pole_degrees;   /* the smallest angle of a pole with the negative real axis; 180: none */
    int order;             /* p of R(z) = exp(z) - C z^(p+1) + ... */
    double error_constant; /* C */
} stability_function;

/* Finds R. Poles that LAPACK does not find count as unstable. */
void stability_find(const method *given, stability_function *found);

/* The limit of R(z) for large z; HUGE_VAL if there is none. */
double stability_at_infinity(const stability_function *r);

/* The same by one linear system, without R: 1 - b' A^-1 e. If the first stage is the start of the
 * step, it is the factor that the other stages give at the end, which has to be the last stage.
 * Round-off counts as 0. HUGE_VAL if the system is singular. */
double stability_limit(const method *given);

/* alpha of A(alpha), in degrees: |R| <= 1 wherever |arg(-z)| <= alpha. 90 for A-stable methods, 0
 * for methods that are not even A(0)-stable. */
double stability_angle(const stability_function *r);

/* P and Q at a point. */
typedef struct stability_point {
    double num_re, num_im, den_re, den_im;
} stability_point;

stability_point stability_value(const stability_function *r, double re, double im);

#endif
