/* Polynomials of one real variable, in quadruple precision. */
#ifndef METHOD_POLYNOMIAL_H
#define METHOD_POLYNOMIAL_H

#include "base/quad.h"
#include "method/method.h"

#include <stdbool.h>

enum { POLYNOMIAL_MOST_DEGREE = 40 };

/* sum_k coefficient[k] x^k, k <= degree. The highest coefficient is not 0, except in the zero
 * polynomial, which has degree 0. */
typedef struct polynomial {
    int degree;
    quad coefficient[POLYNOMIAL_MOST_DEGREE + 1];
} polynomial;

/* Drops highest coefficients that are 0. */
void polynomial_trim(polynomial *p);

/* Whether p(x) >= 0 for all x >= 0, up to `tolerance` times the sum of the sizes of the terms. A
 * zero without a sign change is allowed. */
bool polynomial_is_nonnegative(const polynomial *p, quad tolerance);

/* The roots of a polynomial of low degree with complex coefficients, in quadruple precision, so
 * that even a double root has the precision of a double. */

enum { ROOTS_MOST = 16 };

typedef struct complex_quad {
    quad re, im;
} complex_quad;

static inline complex_quad complex_sum(complex_quad a, complex_quad b)
{
    return (complex_quad){a.re + b.re, a.im + b.im};
}

static inline complex_quad complex_difference(complex_quad a, complex_quad b)
{
    return (complex_quad){a.re - b.re, a.im - b.im};
}

static inline complex_quad complex_times(complex_quad a, complex_quad b)
{
    return (complex_quad){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline complex_quad complex_over(complex_quad a, complex_quad b)
{
    quad size = b.re * b.re + b.im * b.im;
    return (complex_quad){(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}

double complex_modulus(complex_quad x);

/* The polynomial with real coefficients, the constant first and each `stride` after the one
 * before, at z. */
complex_quad complex_value(int degree, const quad *coefficient, int stride, complex_quad z);

/* A polynomial's coefficients, the constant first, and its roots. */
typedef struct root_problem {
    int degree; /* at most ROOTS_MOST; highest coefficients may be 0 */
    complex_quad coefficient[ROOTS_MOST + 1];
    int count;                     /* number of roots; on input, how many of them are guesses, or
                                    * 0 */
    complex_quad root[ROOTS_MOST]; /* as many as the true degree; roots that are 0 come first */
} root_problem;

/* Finds all roots at once by the iteration of Ehrlich (1967) and Aberth (1973), from the guesses if
 * there is one for each root. */
void roots_find(root_problem *p);

/* The largest modulus of the roots found; 0 without any. */
double roots_radius(const root_problem *p);

/* A multistep method on y' = lambda y, with z = h lambda. y_n = x^n solves it if
 *
 *   sum_l sum_j c[l][j] z^l x^j = 0.
 *
 * For a linear multistep or one-leg method this is rho(x) - z sigma(x) = 0. For mebdf, which solves
 * three equations a step, it has degree 3 in z. Hairer & Wanner II, Secs. V.1 and V.3. */

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
