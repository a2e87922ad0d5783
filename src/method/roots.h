/* The roots of a polynomial of low degree with complex coefficients, in quadruple precision, so
 * that even a double root is had to the precision of a double. */
#ifndef METHOD_ROOTS_H
#define METHOD_ROOTS_H

#include "base/quad.h"

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
    int count;                     /* of roots, in: of those that are a guess, or 0 */
    complex_quad root[ROOTS_MOST]; /* as many as the true degree; those that are 0 first */
} root_problem;

/* Find all roots at once by the iteration of Ehrlich (1967) and Aberth (1973), from the guesses
 * where there are as many as roots. */
void roots_find(root_problem *p);

/* The largest modulus of the roots found; 0 without any. */
double roots_radius(const root_problem *p);

#endif
