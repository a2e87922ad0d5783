#include "linalg/rows.h"

#include <math.h>

/* start + factor * sum of weight[j] * row j of `rows`. */
typedef struct combination {
    size_t n;
    int count;
    const double *start, *weight, *rows;
    double factor;
} combination;

/* One entry, and two, four and eight, stay in registers. */

static void sum_one(const combination *s, size_t k, double *sum)
{
    const double *x = s->rows + k;
    double a = s->start ? s->start[k] : 0;
    for (int j = 0; j < s->count; j++, x += s->n)
        if (s->weight[j] != 0) a += s->factor * s->weight[j] * x[0];
    sum[0] = a;
}

static void sum_two(const combination *s, size_t k, double *sum)
{
    const double *from = s->start ? s->start + k : NULL, *x = s->rows + k;
    double a = from ? from[0] : 0, b = from ? from[1] : 0;
    for (int j = 0; j < s->count; j++, x += s->n) {
        if (s->weight[j] == 0) continue;
        const double weight = s->factor * s->weight[j];
        a += weight * x[0], b += weight * x[1];
    }
    sum[0] = a, sum[1] = b;
}

static void sum_four(const combination *s, size_t k, double *sum)
{
    const double *from = s->start ? s->start + k : NULL, *x = s->rows + k;
    double a = 0, b = 0, c = 0, d = 0;
    if (from) a = from[0], b = from[1], c = from[2], d = from[3];
    for (int j = 0; j < s->count; j++, x += s->n) {
        if (s->weight[j] == 0) continue;
        const double weight = s->factor * s->weight[j];
        a += weight * x[0], b += weight * x[1], c += weight * x[2], d += weight * x[3];
    }
    sum[0] = a, sum[1] = b, sum[2] = c, sum[3] = d;
}

static void sum_eight(const combination *s, size_t k, double *sum)
{
    const double *from = s->start ? s->start + k : NULL, *x = s->rows + k;
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    if (from) a = from[0], b = from[1], c = from[2], d = from[3];
    if (from) e = from[4], f = from[5], g = from[6], h = from[7];
    for (int j = 0; j < s->count; j++, x += s->n) {
        if (s->weight[j] == 0) continue;
        const double weight = s->factor * s->weight[j];
        a += weight * x[0], b += weight * x[1], c += weight * x[2], d += weight * x[3];
        e += weight * x[4], f += weight * x[5], g += weight * x[6], h += weight * x[7];
    }
    sum[0] = a, sum[1] = b, sum[2] = c, sum[3] = d;
    sum[4] = e, sum[5] = f, sum[6] = g, sum[7] = h;
}

void rows_combine(size_t n, const double *start, int count, const double *weight, double factor,
                  const double *rows, double *sum)
{
    const combination s = {n, count, start, weight, rows, factor};
    size_t k = 0;
    for (; k + 8 <= n; k += 8) sum_eight(&s, k, sum + k);
    if (k + 4 <= n) sum_four(&s, k, sum + k), k += 4;
    if (k + 2 <= n) sum_two(&s, k, sum + k), k += 2;
    if (k < n) sum_one(&s, k, sum + k);
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
