#include "linalg/rows.h"

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
