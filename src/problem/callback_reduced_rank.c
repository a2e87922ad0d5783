/* What a rank of the derivative array leaves out. */
#include "problem/callback_reduced_parts.h"

#include <string.h>

/* The size of Taylor coefficients of an order, including those that the array does not
 * determine. */
static double size_of_rest(const callback_reduced *r, size_t order)
{
    return pow(fmin(1, largest_of(r->n, r->rest)), (double)order + 1);
}

/* What the constraints miss, as the right side of the reduced equations, into r->f. */
static void find_missed(callback_reduced *r)
{
    const svd *s = &r->of_array;
    size_t rows = r->rows, d = r->n - r->constraints;
    double sum = 0;
    for (size_t j = 0; j < rows; j++)
        sum += fabs(s->right[j * rows + r->rank]) * size_of_rest(r, j / r->n);
    for (size_t i = 0; i < d; i++) r->f[i] = 0;
    for (size_t i = 0; i < r->constraints; i++)
        r->f[d + i] = s->size[r->rank] * sum *
                      dot(rows, r->z2 + i * rows, s->left + r->rank * rows);
}

/* A problem whose factors may be overwritten: r->apart, with the matrices of r. */
static problem *with_factors(callback_reduced *r)
{
    if (!r->apart) return &r->problem;
    memcpy(r->apart->mass, r->mass, r->n * r->n * sizeof *r->mass);
    memcpy(r->apart->jacobian, r->jacobian, r->n * r->n * sizeof *r->jacobian);
    return &r->apart->problem;
}

/* How far the miss moves y, relative to the unknowns. All equations are solved for it, because
 * beside a stiff equation a small change of a differentiated variable makes a large change of a
 * multiplier. */
static dae_status find_effect(callback_reduced *r, double t, const double *y, double *effect)
{
    const callback_array *g = &r->array;
    double *yp = r->seen;
    for (size_t j = 0; j < r->n; j++)
        yp[j] = r->author->dynamic[j] ? r->rest[j] * g->column[j] / g->h : 0;
    dae_status status = reduced_fill_matrices(r, t, y, yp);
    if (status != DAE_OK) return status;
    find_missed(r);
    problem *p = with_factors(r);
    problem_forget(p, 0);
    status = problem_factor(p, 0, 1 / g->h, 1);
    if (status != DAE_OK) return status;
    problem_solve(p, 0, r->f);
    *effect = 0;
    for (size_t j = 0; j < r->n; j++)
        *effect = fmax(*effect, fabs(r->f[j]) / fmax(fabs(y[j]), r->author->nominal[j]));
    return DAE_OK;
}

bool reduced_leaves_out_little(callback_reduced *r, double t, const double *y)
{
    const double *size = r->of_array.size;
    double effect = 0;
    r->doubtful = r->zero > REDUCED_LEAST_ZERO && r->constraints > 0 && r->rank < r->rows &&
                  size[r->rank] > REDUCED_LEAST_ZERO * size[0];
    if (!r->doubtful) return true;
    dae_status status = find_effect(r, t, y, &effect);
    return status != DAE_OK || effect <= r->most_left_out;
}
