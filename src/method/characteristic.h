/* A multistep method on y' = lambda y, with z = h lambda. y_n = x^n solves it if
 *
 *   sum_l sum_j c[l][j] z^l x^j = 0.
 *
 * For a linear multistep or one-leg method this is rho(x) - z sigma(x) = 0. For mebdf, which solves
 * three equations a step, it has degree 3 in z. Hairer & Wanner II, Secs. V.1 and V.3. */
#ifndef METHOD_CHARACTERISTIC_H
#define METHOD_CHARACTERISTIC_H

#include "method/method.h"
#include "method/polynomial.h"

enum { CHARACTERISTIC_POWERS = 3 };

typedef struct characteristic {
    int steps, powers; /* degrees in x and z */
    quad c[CHARACTERISTIC_POWERS + 1][METHOD_MOST_STEPS + 1];
} characteristic;

void characteristic_find(const method *given, characteristic *found);

/* Sets the polynomial of x at z. Guesses in p->root stay. */
void characteristic_at(const characteristic *of, double re, double im, root_problem *p);

/* Positive if all roots x at z are inside the unit circle, negative if one is outside, and
 * continuous at the change of sign: 1 less the largest of the reflection coefficients (Schur
 * 1917). */
double characteristic_margin(const characteristic *of, double re, double im);

/* alpha of A(alpha) in degrees, by the root locus: the smallest angle between the negative real
 * axis and a z whose x has modulus 1. 90 if that angle is not smaller; 0 if the method is not even
 * A(0)-stable. */
double characteristic_angle(const characteristic *of);

/* Whether Re(rho(x) / sigma(x)) >= 0 wherever |x| >= 1 (Dahlquist 1963; Hairer & Wanner II, Sec.
 * V.1): then the method is A-stable. Decided without rounding to double. */
bool characteristic_is_a_stable(const method_multistep *f);

#endif
