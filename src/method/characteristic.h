/* A multistep method on y' = lambda y, z = h lambda: y_n = x^n where
 *
 *   sum_l sum_j c[l][j] z^l x^j = 0,
 *
 * of a linear multistep or one-leg method rho(x) - z sigma(x) = 0; of mebdf, which solves three
 * equations a step, a polynomial of degree 3 in z. Hairer & Wanner II, Secs. V.1 and V.3. */
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

/* The polynomial of x at z; guesses in p->root stay. */
void characteristic_at(const characteristic *of, double re, double im, root_problem *p);

/* Positive where all roots x at z are inside the unit circle, negative where one is outside, and
 * continuous where it changes its sign: 1 less the largest of the reflection coefficients (Schur
 * 1917). */
double characteristic_margin(const characteristic *of, double re, double im);

/* alpha of A(alpha) in degrees, by the root locus: the smallest angle between the negative real
 * axis and the z that belong to the x of modulus 1. 90 where it is not smaller; 0 where not even
 * A(0)-stable. */
double characteristic_angle(const characteristic *of);

/* Whether Re(rho(x) / sigma(x)) >= 0 wherever |x| >= 1 (Dahlquist 1963; Hairer & Wanner II, Sec.
 * V.1): then the method is A-stable. Decided without rounding to double. */
bool characteristic_is_a_stable(const method_multistep *f);

#endif
