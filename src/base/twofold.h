/* Numbers of 106 bits as sums of two doubles, for coefficients that are computed during a run. They
 * are several times as fast as quadruple precision without hardware support, and seven bits
 * shorter. T. J. Dekker, Numer. Math. 18 (1971) 224; D. E. Knuth, The Art of Computer Programming
 * 2, Sec. 4.2.2. */
#ifndef BASE_TWOFOLD_H
#define BASE_TWOFOLD_H

#include "base/quad.h"

#include <math.h>

typedef struct twofold {
    double high, low; /* |low| is at most half a unit in the last place of high */
} twofold;

/* a + b for |a| >= |b|, without rounding error. */
static inline twofold twofold_ordered_sum(double a, double b)
{
    double sum = a + b;
    return (twofold){sum, b - (sum - a)};
}

static inline twofold twofold_sum(twofold a, twofold b)
{
    double sum = a.high + b.high, part = sum - a.high;
    double off = (a.high - (sum - part)) + (b.high - part);
    return twofold_ordered_sum(sum, off + (a.low + b.low));
}

static inline twofold twofold_minus(twofold a)
{
    return (twofold){-a.high, -a.low};
}

static inline twofold twofold_difference(twofold a, twofold b)
{
    return twofold_sum(a, twofold_minus(b));
}

static inline twofold twofold_product(twofold a, twofold b)
{
    double product = a.high * b.high, off = fma(a.high, b.high, -product);
    return twofold_ordered_sum(product, off + (a.high * b.low + a.low * b.high));
}

static inline twofold twofold_times(twofold a, double b)
{
    return twofold_product(a, (twofold){b, 0});
}

static inline twofold twofold_quotient(twofold a, twofold b)
{
    double first = a.high / b.high;
    twofold rest = twofold_difference(a, twofold_times(b, first));
    double second = rest.high / b.high;
    rest = twofold_difference(rest, twofold_times(b, second));
    return twofold_sum(twofold_ordered_sum(first, second), (twofold){rest.high / b.high, 0});
}

static inline twofold twofold_of(quad x)
{
    double high = (double)x;
    return (twofold){high, (double)(x - (quad)high)};
}

static inline quad twofold_quad(twofold x)
{
    return (quad)x.high + (quad)x.low;
}

/* Solve m x = b for `count` right sides by elimination with column pivoting: m is n x n with rows
 * `stride` apart, b is n x count with rows `apart` from each other; m is overwritten, x is b.
 * Returns the size of the smallest pivot: 0 for a singular matrix, and then b is undefined. */
double twofold_solve(int n, int stride, twofold *m, int count, int apart, twofold *b);

#endif
