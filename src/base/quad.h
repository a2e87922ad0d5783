/* Numbers of quadruple precision (113 bits), for coefficients that must be exact to the last bit of
 * a double, and for checking them. Arithmetic is the language's. It is slow, and no step uses
 * it. */
#ifndef BASE_QUAD_H
#define BASE_QUAD_H

#include <float.h>

#if LDBL_MANT_DIG >= 113
typedef long double quad;
#else
__extension__ typedef __float128 quad; /* gcc and clang, without a library */
#endif

#define QUAD_EPSILON ((quad)1.0 / (quad)0x1p112)

static inline quad quad_abs(quad x)
{
    return x < 0 ? -x : x;
}

static inline quad quad_max(quad a, quad b)
{
    return a > b ? a : b;
}

quad quad_sqrt(quad x); /* x >= 0 */

/* x^k */
quad quad_power(quad x, int k);

/* Solve m x = b by elimination with column pivoting: m (n x n, rows `stride` apart) and b (n) are
 * overwritten, x is b. Returns the smallest pivot's size: 0 for a singular matrix, and then b is
 * undefined. */
quad quad_solve(int n, int stride, quad *m, quad *b);

/* The inverse of m, by one elimination: both n x n with rows `stride` apart; m is overwritten.
 * Returns the smallest pivot's size: 0 leaves `inverse` undefined. */
quad quad_invert(int n, int stride, quad *m, quad *inverse);

#endif
