/* Polynomials of one real variable, in quadruple precision. */
#ifndef METHOD_POLYNOMIAL_H
#define METHOD_POLYNOMIAL_H

#include "base/quad.h"

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

quad polynomial_value(const polynomial *p, quad x);

/* Whether p(x) >= 0 for all x >= 0, up to `tolerance` times the sum of the sizes of the terms. A
 * zero without a sign change is allowed. */
bool polynomial_is_nonnegative(const polynomial *p, quad tolerance);

/* The roots of a polynomial of low degree with complex coefficients, in quadruple precision, so
 * that even a double root has the precision of a double. */

enum { ROOTS_MOST = 16 };

typedef struct complex_quad {
    quad re, im;
} complex_quad;

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

#endif
