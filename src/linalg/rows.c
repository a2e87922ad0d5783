#include "linalg/rows.h"

#include <math.h>

/* The rows that count. */
typedef struct terms {
    int count;
    double weight[ROWS_MOST];
    const double *row[ROWS_MOST];
} terms;

/* Two sums, and four, stay in registers. */
static void sum_two(const terms *s, size_t k, const double *start, double *sum)
{
    double a = start ? start[k] : 0, b = start ? start[k + 1] : 0;
    for (int j = 0; j < s->count; j++) {
        const double weight = s->weight[j], *x = s->row[j] + k;
        a += weight * x[0];
        b += weight * x[1];
    }
    sum[k] = a, sum[k + 1] = b;
}

static void sum_four(const terms *s, size_t k, const double *start, double *sum)
{
    double a = 0, b = 0, c = 0, d = 0;
    if (start) a = start[k], b = start[k + 1], c = start[k + 2], d = start[k + 3];
    for (int j = 0; j < s->count; j++) {
        const double weight = s->weight[j], *x = s->row[j] + k;
        a += weight * x[0];
        b += weight * x[1];
        c += weight * x[2];
        d += weight * x[3];
    }
    sum[k] = a, sum[k + 1] = b, sum[k + 2] = c, sum[k + 3] = d;
}

void rows_combine(size_t n, const double *start, int count, const double *weight, double factor,
                  const double *rows, double *sum)
{
    terms s;
    size_t k = 0;
    s.count = 0;
    for (int j = 0; j < count; j++, rows += n) {
        s.weight[s.count] = factor * weight[j];
        s.row[s.count] = rows;
        s.count += weight[j] != 0;
    }
    for (; k + 4 <= n; k += 4) sum_four(&s, k, start, sum);
    if (k + 2 <= n) sum_two(&s, k, start, sum), k += 2;
    if (k == n) return;
    double last = start ? start[k] : 0;
    for (int j = 0; j < s.count; j++) last += s.weight[j] * s.row[j][k];
    sum[k] = last;
}

/* Two entries of each row, and four. */
static void transform_two(size_t n, int count, const double *matrix, int stride, double factor,
                          const double *x, double *y)
{
    for (int i = 0; i < count; i++, matrix += stride, y += n) {
        const double *row = x;
        double a = 0, b = 0;
        for (int j = 0; j < count; j++, row += n) {
            a += matrix[j] * row[0];
            b += matrix[j] * row[1];
        }
        y[0] = factor * a, y[1] = factor * b;
    }
}

static void transform_four(size_t n, int count, const double *matrix, int stride, double factor,
                           const double *x, double *y)
{
    for (int i = 0; i < count; i++, matrix += stride, y += n) {
        const double *row = x;
        double a = 0, b = 0, c = 0, d = 0;
        for (int j = 0; j < count; j++, row += n) {
            a += matrix[j] * row[0];
            b += matrix[j] * row[1];
            c += matrix[j] * row[2];
            d += matrix[j] * row[3];
        }
        y[0] = factor * a, y[1] = factor * b, y[2] = factor * c, y[3] = factor * d;
    }
}

static void transform_one(size_t n, int count, const double *matrix, int stride, double factor,
                          const double *x, double *y)
{
    double own[ROWS_MOST];
    for (int j = 0; j < count; j++) own[j] = factor * x[(size_t)j * n];
    for (int i = 0; i < count; i++, matrix += stride, y += n) {
        double sum = 0;
        for (int j = 0; j < count; j++) sum += matrix[j] * own[j];
        *y = sum;
    }
}

void rows_transform(size_t n, int count, const double *matrix, int stride, double factor,
                    const double *x, double *y)
{
    size_t k = 0;
    for (; k + 4 <= n; k += 4) transform_four(n, count, matrix, stride, factor, x + k, y + k);
    for (; k + 2 <= n; k += 2) transform_two(n, count, matrix, stride, factor, x + k, y + k);
    for (; k < n; k++) transform_one(n, count, matrix, stride, factor, x + k, y + k);
}

/* Which rows of a small dense matrix depend on others: Gram-Schmidt orthogonalisation with pivoting
 * (Golub & Van Loan, Matrix Computations, 4th ed., Sec. 5.2 and 5.4). */

/* The longest row, and its length. */
static size_t find_longest(size_t rows, size_t columns, const double *a, const bool *allowed,
                           const bool *taken, double *length)
{
    size_t longest = rows;
    *length = 0;
    for (size_t i = 0; i < rows; i++) {
        if (taken[i] || (allowed && !allowed[i])) continue;
        double square = vector_dot(columns, a + i * columns, a + i * columns);
        if (longest < rows && !(square > *length)) continue;
        longest = i;
        *length = square;
    }
    *length = sqrt(*length);
    return longest;
}

/* A second orthogonalisation is enough for round-off (Giraud, Langou & Rozloznik, Comput. Math.
 * Appl. 50 (2005)). */
static void remove_along(size_t columns, const double *unit, double *row)
{
    for (int k = 0; k < 2; k++) {
        double along = vector_dot(columns, unit, row);
        for (size_t j = 0; j < columns; j++) row[j] -= along * unit[j];
    }
}

double independent_rows_take(size_t rows, size_t columns, double *a, const bool *allowed,
                             double tolerance, bool *taken)
{
    double shortest = HUGE_VAL;
    for (;;) {
        double length;
        size_t i = find_longest(rows, columns, a, allowed, taken, &length);
        if (i == rows || !(length > tolerance)) return shortest;
        shortest = fmin(shortest, length);
        taken[i] = true;
        for (size_t j = 0; j < columns; j++) a[i * columns + j] /= length;
        for (size_t k = 0; k < rows; k++)
            if (!taken[k]) remove_along(columns, a + i * columns, a + k * columns);
    }
}

double independent_rows_left(size_t rows, size_t columns, const double *a, const bool *taken)
{
    double length;
    find_longest(rows, columns, a, NULL, taken, &length);
    return length;
}
