/* Products and largest entries of vectors. */
#ifndef LINALG_VECTORS_H
#define LINALG_VECTORS_H

#include <math.h>
#include <stddef.h>

static inline double vector_dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* The largest modulus; entries that are not numbers do not count. */
static inline double vector_largest(size_t n, const double *x)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    return largest;
}

#endif
