/* The stability function of a method, R(z) = P(z) / Q(z), and what follows from it. */
#ifndef METHOD_STABILITY_H
#define METHOD_STABILITY_H

#include "method/method.h"
#include "method/polynomial.h"

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
