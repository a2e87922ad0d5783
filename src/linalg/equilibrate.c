#include "linalg/equilibrate.h"

#include "linalg/vectors.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Corrections after which the scales are taken as they are, and how small, in powers of 2, what is
 * left is then to be. */
enum { MOST_ITERATIONS = 200 };
static const double NEAR = 1e-3, LARGEST_POWER = 1000;

/* The normal equations for the logarithms of all scales, those of rows first, by preconditioned
 * conjugate gradients. They are singular and consistent, which these do not mind. */
typedef struct logarithms {
    const sparse_pattern *p;
    const double *value;
    size_t n;                                     /* rows and columns */
    double *count;                                /* n: entries of each */
    double *scale, *left, *way, *image, *changed; /* n */
} logarithms;

static bool counts(double entry)
{
    return entry != 0 && isfinite(entry);
}

static void begin(const logarithms *l)
{
    const sparse_pattern *p = l->p;
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            if (!counts(l->value[k])) continue;
            double size = log2(fabs(l->value[k]));
            size_t i = (size_t)p->row[k], column = p->rows + j;
            l->count[i]++, l->count[column]++;
            l->left[i] -= size, l->left[column] -= size;
        }
    }
    for (size_t i = 0; i < l->n; i++) l->count[i] = fmax(1, l->count[i]);
}

static void multiply(const logarithms *l, const double *x, double *y)
{
    const sparse_pattern *p = l->p;
    memset(y, 0, l->n * sizeof *y);
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            if (!counts(l->value[k])) continue;
            double sum = x[p->row[k]] + x[p->rows + j];
            y[p->row[k]] += sum;
            y[p->rows + j] += sum;
        }
    }
}

static void solve(const logarithms *l)
{
    double before = 0;
    for (int k = 0; k < MOST_ITERATIONS && vector_largest(l->n, l->left) > NEAR; k++) {
        for (size_t i = 0; i < l->n; i++) l->changed[i] = l->left[i] / l->count[i];
        double now = vector_dot(l->n, l->left, l->changed), part = k > 0 ? now / before : 0;
        for (size_t i = 0; i < l->n; i++) l->way[i] = l->changed[i] + part * l->way[i];
        multiply(l, l->way, l->image);
        double curved = vector_dot(l->n, l->way, l->image);
        if (!(curved > 0)) return;
        for (size_t i = 0; i < l->n; i++) {
            l->scale[i] += now / curved * l->way[i];
            l->left[i] -= now / curved * l->image[i];
        }
        before = now;
    }
}

static double power(double exponent)
{
    return exp2(round(fmax(-LARGEST_POWER, fmin(LARGEST_POWER, exponent))));
}

dae_status equilibrate(const sparse_pattern *p, const double *value, double *row, double *column)
{
    size_t n = p->rows + p->columns;
    double *room = calloc(6 * n + 1, sizeof *room);
    if (!room) return DAE_NO_MEMORY;
    logarithms l = {.p = p,
                    .value = value,
                    .n = n,
                    .count = room,
                    .scale = room + n,
                    .left = room + 2 * n,
                    .way = room + 3 * n,
                    .image = room + 4 * n,
                    .changed = room + 5 * n};
    begin(&l);
    solve(&l);
    for (size_t i = 0; i < p->rows; i++) row[i] = power(l.scale[i]);
    for (size_t j = 0; j < p->columns; j++) column[j] = power(l.scale[p->rows + j]);
    free(room);
    return DAE_OK;
}
