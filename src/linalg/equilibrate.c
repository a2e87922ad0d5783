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
    size_t n;                                     /* rows and columns */
    size_t entries;                               /* those that take part, by columns: */
    size_t *row, *column;                         /* where each is; columns follow the rows */
    double *size;                                 /* its logarithm */
    double *count;                                /* n: entries of each */
    double *scale, *left, *way, *image, *changed; /* n */
} logarithms;

static double scaled(const logarithms *l, size_t e)
{
    return l->size[e] + l->scale[l->row[e]] + l->scale[l->column[e]];
}

/* Counts the entries, and evaluates the remainder of the equations at the current scales. */
static void look(const logarithms *l)
{
    for (size_t i = 0; i < l->n; i++) l->count[i] = l->left[i] = 0;
    for (size_t e = 0; e < l->entries; e++) {
        size_t i = l->row[e], j = l->column[e];
        double size = scaled(l, e);
        l->count[i]++, l->count[j]++;
        l->left[i] -= size, l->left[j] -= size;
    }
    for (size_t i = 0; i < l->n; i++) l->count[i] = fmax(1, l->count[i]);
}

/* Leave out negligible entries, except the largest of each row and column. Returns whether there
 * were any. */
static bool drop_dust(logarithms *l)
{
    double *largest = l->image;
    size_t all = l->entries;
    for (size_t i = 0; i < l->n; i++) largest[i] = -HUGE_VAL;
    for (size_t e = 0; e < all; e++) {
        double size = scaled(l, e);
        largest[l->row[e]] = fmax(largest[l->row[e]], size);
        largest[l->column[e]] = fmax(largest[l->column[e]], size);
    }
    l->entries = 0;
    for (size_t e = 0; e < all; e++) {
        double size = scaled(l, e);
        if (size < DUST && size < largest[l->row[e]] && size < largest[l->column[e]]) continue;
        l->row[l->entries] = l->row[e];
        l->column[l->entries] = l->column[e];
        l->size[l->entries++] = l->size[e];
    }
    return l->entries < all;
}

static void multiply(const logarithms *l, const double *x, double *y)
{
    memset(y, 0, l->n * sizeof *y);
    for (size_t e = 0; e < l->entries; e++) {
        double sum = x[l->row[e]] + x[l->column[e]];
        y[l->row[e]] += sum;
        y[l->column[e]] += sum;
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

/* Lists the entries that are not 0 and finite. */
static void list_entries(logarithms *l, const sparse_pattern *p, const double *value)
{
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            if (value[k] == 0 || !isfinite(value[k])) continue;
            l->row[l->entries] = (size_t)p->row[k];
            l->column[l->entries] = p->rows + j;
            l->size[l->entries++] = log2(fabs(value[k]));
        }
}

dae_status equilibrate(const sparse_pattern *p, const double *value, double *row, double *column)
{
    size_t n = p->rows + p->columns;
    double *room = calloc(6 * n + p->nonzeros + 1, sizeof *room);
    size_t *places = malloc((2 * p->nonzeros + 1) * sizeof *places);
    if (room && places) {
        logarithms l = {.n = n, .row = places, .column = places + p->nonzeros, .count = room};
        double **const part[] = {&l.scale, &l.left, &l.way, &l.image, &l.changed, &l.size};
        for (size_t k = 0; k < sizeof part / sizeof *part; k++) *part[k] = room + (k + 1) * n;
        list_entries(&l, p, value);
        for (int round = 0; round < ROUNDS && (round == 0 || drop_dust(&l)); round++) {
            look(&l);
            solve(&l);
        }
        for (size_t i = 0; i < p->rows; i++) row[i] = power(l.scale[i]);
        for (size_t j = 0; j < p->columns; j++) column[j] = power(l.scale[p->rows + j]);
    }
    dae_status status = room && places ? DAE_OK : DAE_NO_MEMORY;
    free(room);
    free(places);
    return status;
}
