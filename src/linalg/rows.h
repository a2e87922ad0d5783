/* Sums of contiguous vectors, as in stages, differences and polynomials. Vectors are often so short
 * that a loop costs more than its work. */
#ifndef LINALG_ROWS_H
#define LINALG_ROWS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Products and largest entries of vectors. */

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
    for (size_t i = 0; i < n; i++)
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    return largest;
}

static inline bool vector_is_finite(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* For qsort(): doubles in ascending order. */
static inline int vector_order(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

enum { ROWS_MOST = 32 };

/* sum (n) = start + factor * (weight[0] x_0 + ... ), x_j (n) being row j of `rows`, `count` of
 * them, at most ROWS_MOST. start: n, or NULL for 0. `sum` may be start or one of the rows. A row of
 * weight 0 is not looked at: it may hold anything. */
void rows_combine(size_t n, const double *start, int count, const double *weight, double factor,
                  const double *rows, double *sum);

/* y_i (n) = factor * sum_j matrix[i * stride + j] x_j, i, j < count, at most ROWS_MOST; x and y:
 * count x n, not the same. */
void rows_transform(size_t n, int count, const double *matrix, int stride, double factor,
                    const double *x, double *y);

/* Which rows of a small dense matrix depend on others: Gram-Schmidt orthogonalisation with pivoting
 * (Golub & Van Loan, Matrix Computations, 4th ed., Sec. 5.2 and 5.4). */

/* Take rows of a (rows x columns, rows contiguous) one by one, always the longest remaining one,
 * until none is longer than `tolerance`. Only rows that are `allowed` (NULL: all) and not yet taken
 * count. The component along a taken row is removed from all rows not taken. Adds to taken (rows).
 * Returns the length of the shortest row taken, HUGE_VAL where none was. */
double independent_rows_take(size_t rows, size_t columns, double *a, const bool *allowed,
                             double tolerance, bool *taken);

/* The length of the longest row that is not taken. */
double independent_rows_left(size_t rows, size_t columns, const double *a, const bool *taken);

#endif
