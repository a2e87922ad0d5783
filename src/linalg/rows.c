#include "linalg/rows.h"

/* The rows that count. */
typedef struct terms {
    int count;
    double weight[ROWS_MOST];
    const double *row[ROWS_MOST];
} terms;

static double sum_at(const terms *s, size_t k, double sum)
{
    for (int j = 0; j < s->count; j++) sum += s->weight[j] * s->row[j][k];
    return sum;
}

/* Four sums stay in registers. */
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
        if (weight[j] == 0) continue;
        s.weight[s.count] = factor * weight[j];
        s.row[s.count++] = rows;
    }
    for (; k + 4 <= n; k += 4) sum_four(&s, k, start, sum);
    for (; k < n; k++) sum[k] = sum_at(&s, k, start ? start[k] : 0);
}
