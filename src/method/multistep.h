/* What follows from the numbers of a multistep method. rho(x) = sum_j alpha_j x^j, sigma(x) =
 * sum_j beta_j x^j, tau(x) = sum_j gamma_j x^j (method_multistep in method.h). */
#ifndef METHOD_MULTISTEP_H
#define METHOD_MULTISTEP_H

#include "method/method.h"
#include "method/polynomial.h"

/* The order: the largest p for which the conditions hold up to q = p (Hairer, Norsett & Wanner I,
 * Thm III.2.4). A one-leg method also needs sum_j beta_j x_j^q = (sum_j beta_j x_j)^q for q < p,
 * because it interpolates values between the points (Hairer & Wanner II, Sec. V.6). */
int multistep_order(const method_multistep *f);

/* C in y(t_n) - y_n = C h^(p+1) y^(p+1) + ... for a step from exact values, divided by sigma(1) as
 * for the error of a whole run (Hairer, Norsett & Wanner I, (III.2.13)). */
double multistep_error_constant(const method_multistep *f);

/* The order of tau: the number of powers x^q, q = 0, 1, ..., that sum_j gamma_j x_j^q annihilates.
 */
int multistep_blocker_order(const method_multistep *f);

/* Roots of rho, sigma, or sigma - tau (equal to sigma without a blocker). */
typedef enum multistep_polynomial {
    MULTISTEP_RHO,
    MULTISTEP_SIGMA,
    MULTISTEP_SIGMA_LESS_TAU
} multistep_polynomial;

void multistep_roots(const method_multistep *f, multistep_polynomial which, root_problem *found);

/* Their largest modulus. HUGE_VAL if the polynomial has a lower degree than rho, because then a
 * root is at infinity. */
double multistep_radius(const method_multistep *f, multistep_polynomial which);

/* Whether the roots of rho are in the closed unit disc and those on its edge are simple (Dahlquist
 * 1956; Hairer, Norsett & Wanner I, Def. III.3.2). */
bool multistep_is_zero_stable(const method_multistep *f);

/* The highest order of a zero-stable method with this number of steps, Dahlquist's first barrier: k
 * + 2 for even k, k + 1 for odd k, k for explicit methods (Hairer, Norsett & Wanner I, Thm
 * III.3.5). */
int multistep_barrier(const method_multistep *f);

#endif
