/* What follows from the numbers of a multistep method. rho(x) = sum_j alpha_j x^j, sigma(x) =
 * sum_j beta_j x^j, tau(x) = sum_j gamma_j x^j (method_multistep in method.h). */
#ifndef METHOD_MULTISTEP_H
#define METHOD_MULTISTEP_H

#include "method/method.h"
#include "method/polynomial.h"

/* What order condition q is off by, and in `size` the sum of the sizes of its terms:
 * sum_j alpha_j x_j^q - q sum_j beta_j x_j^(q-1), x_j = j - steps. */
quad multistep_defect(const method_multistep *f, int q, quad *size);

/* The order: the largest p for which the conditions hold up to q = p (Hairer, Norsett & Wanner I,
 * Thm III.2.4). Of a one-leg method besides sum_j beta_j x_j^q = (sum_j beta_j x_j)^q for q < p,
 * for the values between the points are interpolated (Hairer & Wanner II, Sec. V.6). */
int multistep_order(const method_multistep *f);

/* C in y(t_n) - y_n = C h^(p+1) y^(p+1) + ..., of a step from exact values, divided by sigma(1) as
 * the error of a whole run is (Hairer, Norsett & Wanner I, (III.2.13)). */
double multistep_error_constant(const method_multistep *f);

/* The order of tau: the number of powers x^q, q = 0, 1, ..., that sum_j gamma_j x_j^q annihilates.
 */
int multistep_blocker_order(const method_multistep *f);

/* Roots of rho, sigma, or sigma - tau, which without a blocker is sigma. */
typedef enum multistep_polynomial {
    MULTISTEP_RHO,
    MULTISTEP_SIGMA,
    MULTISTEP_SIGMA_LESS_TAU
} multistep_polynomial;

void multistep_roots(const method_multistep *f, multistep_polynomial which, root_problem *found);

/* Their largest modulus; HUGE_VAL where the polynomial is of lower degree than rho, for then a root
 * is at infinity. */
double multistep_radius(const method_multistep *f, multistep_polynomial which);

/* Whether the roots of rho are in the closed unit disc, and those on its edge simple (Dahlquist
 * 1956; Hairer, Norsett & Wanner I, Def. III.3.2). */
bool multistep_is_zero_stable(const method_multistep *f);

/* The highest order that a zero-stable method of so many steps can have, Dahlquist's first barrier:
 * k + 2 for even k, k + 1 for odd k, k for explicit methods (Hairer, Norsett & Wanner I, Thm
 * III.3.5). */
int multistep_barrier(const method_multistep *f);

#endif
