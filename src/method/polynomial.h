/* Polynomials of one real variable, in quadruple precision. */
#ifndef METHOD_POLYNOMIAL_H
#define METHOD_POLYNOMIAL_H

#include "base/quad.h"

#include <stdbool.h>

enum { POLYNOMIAL_MOST_DEGREE = 40 };

/* sum_k coefficient[k] x^k, k <= degree; the highest coefficient is not 0, except of the zero
 * polynomial, of degree 0. */
typedef struct polynomial {
    int degree;
    quad coefficient[POLYNOMIAL_MOST_DEGREE + 1];
} polynomial;

/* Drop highest coefficients that are 0. */
void polynomial_trim(polynomial *p);

quad polynomial_value(const polynomial *p, quad x);

/* Whether p(x) >= 0 for all x >= 0, up to `tolerance` times the sum of the sizes of the terms: a
 * zero that is only touched is none too many. */
bool polynomial_is_nonnegative(const polynomial *p, quad tolerance);

#endif
