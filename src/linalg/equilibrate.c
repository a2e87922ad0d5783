#include "linalg/linear_solver_rows.h"

#include "linalg/rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The most corrections that are made, and the remainder, in powers of 2, at which the scales are
 * accepted. */
enum { MOST_ITERATIONS = 200, ROUNDS = 4 };
static const double NEAR = 1e-3, LARGEST_POWER = 1000;

/* Scaled entries below this power of 2 are left out of the next round. Products of round-off can be
 * arbitrarily small and would distort all other scales. */
static const double DUST = -33;

/* The normal equations for the logarithms of all scales, rows first, solved by preconditioned
 * conjugate gradients. The equations are singular but consistent, which conjugate gradients allow.
 */
typedef struct logarithms {
    const sparse_pattern *p;
    const double *value;
    bool *counts;                                 /* of the nonzeros */
    size_t n;                                     /* rows and columns */
    double *count;                                /* n: entries of each */
    double *scale, *left, *way, *image, *changed; /* n */
} logarithms;

/* The scaled entry. */
static double size_of(const logarithms *l, sparse_index k, size_t column)
{
    return log2(fabs(l->value[k])) + l->scale[l->p->row[k]] + l->scale[column];
}

/* Counts the entries that take part, and evaluates the remainder of the equations at the current
 * scales. */
static void look(const logarithms *l)
{
    const sparse_pattern *p = l->p;
    for (size_t i = 0; i < l->n; i++) l->count[i] = l->left[i] = 0;
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            if (!l->counts[k]) continue;
            size_t i = (size_t)p->row[k], column = p->rows + j;
            double size = size_of(l, k, column);
            l->count[i]++, l->count[column]++;
            l->left[i] -= size, l->left[column] -= size;
        }
    }
    for (size_t i = 0; i < l->n; i++) l->count[i] = fmax(1, l->count[i]);
}

/* Leave out negligible entries, except the largest of each row and column. Returns whether there
 * were any. */
static bool drop_dust(const logarithms *l)
{
    const sparse_pattern *p = l->p;
    double *largest = l->image;
    bool any = false;
    for (size_t i = 0; i < l->n; i++) largest[i] = -HUGE_VAL;
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            if (!l->counts[k]) continue;
            double size = size_of(l, k, p->rows + j);
            largest[p->row[k]] = fmax(largest[p->row[k]], size);
            largest[p->rows + j] = fmax(largest[p->rows + j], size);
        }
    }
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            if (!l->counts[k]) continue;
            double size = size_of(l, k, p->rows + j);
            bool dust = size < DUST && size < largest[p->row[k]] && size < largest[p->rows + j];
            if (dust) l->counts[k] = false, any = true;
        }
    }
    return any;
}

static void multiply(const logarithms *l, const double *x, double *y)
{
    const sparse_pattern *p = l->p;
    memset(y, 0, l->n * sizeof *y);
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            if (!l->counts[k]) continue;
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
    bool *counts = malloc(p->nonzeros + 1);
    if (!room || !counts) {
        free(room);
        free(counts);
        return DAE_NO_MEMORY;
    }
    logarithms l = {.p = p,
                    .value = value,
                    .counts = counts,
                    .n = n,
                    .count = room,
                    .scale = room + n,
                    .left = room + 2 * n,
                    .way = room + 3 * n,
                    .image = room + 4 * n,
                    .changed = room + 5 * n};
    for (size_t k = 0; k < p->nonzeros; k++) counts[k] = value[k] != 0 && isfinite(value[k]);
    for (int round = 0; round < ROUNDS && (round == 0 || drop_dust(&l)); round++) {
        look(&l);
        solve(&l);
    }
    for (size_t i = 0; i < p->rows; i++) row[i] = power(l.scale[i]);
    for (size_t j = 0; j < p->columns; j++) column[j] = power(l.scale[p->rows + j]);
    free(room);
    free(counts);
    return DAE_OK;
}
