#include "formulation/prolonged_levels.h"

#include "linalg/min_norm.h"
#include "linalg/rows.h"

#include <math.h>

enum { LARGEST = 300 };

static const double DEPENDENT = 1e-11;

/* The Jacobian (n x n, rows contiguous) by the derivative of each unknown that yp holds, or by the
 * value of which this is the derivative, in units of the sizes and of time. */
static double *columns_of(prolonged_form *f, bool highest)
{
    size_t n = f->p->n;
    const sparse_pattern *p = f->jacobian->pattern;
    double *matrix = arena_array(f->memory, n * n, sizeof *matrix);
    for (size_t j = 0; j < n; j++) {
        if (highest && f->top[j] == 0) continue;
        size_t order = highest ? f->top[j] : f->top[j] > 0 ? f->top[j] - 1 : 0;
        size_t column = f->p->first[j] + order;
        double size = f->problem.nominal[f->first[j + 1] - 1];
        if (highest) size /= problem_time_unit(&f->problem);
        for (sparse_index k = p->start[column]; k < p->start[column + 1]; k++)
            if (f->jacobian_value[k] != 0)
                matrix[(size_t)p->row[k] * n + j] = f->jacobian_value[k] * size;
    }
    return matrix;
}

/* Scale the rows of both matrices to a largest entry of 1. */
static void scale_rows(size_t n, double *e, double *w)
{
    for (size_t i = 0; i < n; i++) {
        double largest = 0;
        for (size_t j = 0; j < n; j++)
            largest = fmax(largest, fmax(fabs(e[i * n + j]), fabs(w[i * n + j])));
        for (size_t j = 0; j < n && largest > 0; j++)
            e[i * n + j] /= largest, w[i * n + j] /= largest;
    }
}

/* Store directions (count x n, for the last entries of y's groups, in units of the nominal sizes)
 * as an orthonormal basis. Gram-Schmidt orthogonalisation is done twice against round-off. */
static void set_hidden_direction(prolonged_form *f, size_t count, const double *direction)
{
    problem *p = &f->problem;
    size_t n = p->n;
    double *basis = arena_array(f->memory, count * n, sizeof *basis);
    for (size_t v = 0; v < count; v++) {
        double *own = basis + v * n;
        for (size_t j = 0; j < f->p->n; j++) own[f->first[j + 1] - 1] = direction[v * f->p->n + j];
        for (size_t u = 0; u < 2 * v; u++) {
            const double *other = basis + (u % v) * n;
            double part = vector_dot(n, own, other);
            for (size_t k = 0; k < n; k++) own[k] -= part * other[k];
        }
        double length = sqrt(vector_dot(n, own, own));
        for (size_t k = 0; k < n; k++) own[k] /= length;
    }
    p->hidden_direction = basis;
    p->hidden_directions = count;
}

bool prolonged_form_find_hidden_direction(prolonged_form *f)
{
    size_t n = f->p->n;
    if (n > LARGEST) return false;
    arena *a = f->memory;
    double *e = columns_of(f, true), *w = columns_of(f, false);
    scale_rows(n, e, w);
    double *transposed = arena_array(a, n * n, sizeof *transposed);
    double *left = arena_array(a, n * n, sizeof *left);
    double *stacked = arena_array(a, 2 * n * n, sizeof *stacked);
    double *right = arena_array(a, n * n, sizeof *right);
    size_t *pivot = arena_array(a, n, sizeof *pivot);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) transposed[j * n + i] = stacked[i * n + j] = e[i * n + j];
    size_t constraints = nullspace_echelon(n, n, transposed, DEPENDENT, pivot, left);
    for (size_t c = 0; c < constraints; c++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                stacked[(n + c) * n + j] += left[c * n + i] * w[i * n + j];
    size_t open = nullspace_echelon(n + constraints, n, stacked, DEPENDENT, pivot, right);
    set_hidden_direction(f, open, right);
    return true;
}
