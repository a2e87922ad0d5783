/* The matrix of a curve, its null vector, and the projection onto constraints. */
#include "singular/curve_parts.h"

#include "base/round_off.h"
#include "linalg/lapack.h"

#include <math.h>
#include <string.h>

/* Newton's iteration onto the constraints. */
enum { MOST_CORRECTIONS = 10 };

/* Derivatives by time are central differences over this part of the time unit: errors of truncation
 * and round-off are then about equal. */
static const double ASIDE = 0x1p-17;

/* y' for an evaluation: 0 where the equations are linear in it. */
static void take_yp(solution_curve *c, const double *u)
{
    memset(c->yp, 0, c->n * sizeof *c->yp);
    for (size_t j = c->n; j < c->order; j++) c->yp[c->derivative[j - c->n]] = u[j];
}

static dae_status difference_by_time(solution_curve *c, double t, const double *y)
{
    problem *p = c->problem;
    double d = fmax(ASIDE * c->options.time_unit, ROUND_OFF_ITERATED * fabs(t));
    double up = t + d, down = t - d;
    dae_status status = problem_residual(p, up, y, c->yp, c->by_t);
    if (status == DAE_OK) status = problem_residual(p, down, y, c->yp, c->other);
    for (size_t i = 0; i < c->n && status == DAE_OK; i++)
        c->by_t[i] = (c->by_t[i] - c->other[i]) / (up - down);
    return status;
}

/* Residual, both matrices and the derivative by time at a point. */
static dae_status evaluate(solution_curve *c, const double *u)
{
    problem *p = c->problem;
    const double t = u[c->order];
    take_yp(c, u);
    dae_status status = problem_residual(p, t, u, c->yp, c->residual);
    if (status == DAE_OK) status = problem_linearize(p, t, u, c->yp);
    if (status != DAE_OK) return status;
    if (p->form->time_derivative)
        status = p->form->time_derivative(p->self, t, u, c->yp, c->by_t);
    else
        status = difference_by_time(c, t, u);
    return status;
}

static void add_entries(solution_curve *c, const problem_matrix *m, const size_t *column, bool held)
{
    for (size_t j = 0; j < m->pattern->columns; j++) {
        if (column && column[j] == PROBLEM_NOWHERE) continue;
        size_t to = column ? column[j] : j;
        for (sparse_index k = m->pattern->start[j]; k < m->pattern->start[j + 1]; k++) {
            size_t i = (size_t)m->pattern->row[k];
            if (c->held[i] == held) c->matrix[i * c->size + to] += m->value[k];
        }
    }
}

/* The rows in physical units. */
static void fill(solution_curve *c, const double *u)
{
    const problem *p = c->problem;
    size_t last = c->order;
    memset(c->matrix, 0, c->order * c->size * sizeof *c->matrix);
    add_entries(c, &p->by_y, NULL, true);
    if (!c->implicit) add_entries(c, &p->by_yp, NULL, false);
    for (size_t j = c->n; j < c->order; j++) {
        size_t of = c->derivative[j - c->n];
        const problem_matrix *m = &p->by_yp;
        for (sparse_index k = m->pattern->start[of]; k < m->pattern->start[of + 1]; k++)
            c->matrix[(size_t)m->pattern->row[k] * c->size + j] = m->value[k];
        c->matrix[j * c->size + of] = 1;
        c->matrix[j * c->size + last] = -u[j];
    }
    for (size_t i = 0; i < c->n; i++)
        c->matrix[i * c->size + last] = c->held[i] ? c->by_t[i] : c->residual[i];
}

/* The matrix in scaled unknowns, each row with a largest entry of 1; c->row_size keeps what it was.
 */
static dae_status linearize(solution_curve *c, const double *u)
{
    dae_status status = evaluate(c, u);
    if (status != DAE_OK) return status;
    fill(c, u);
    for (size_t i = 0; i < c->order; i++) {
        double *row = c->matrix + i * c->size, largest = 0;
        for (size_t j = 0; j < c->size; j++) {
            row[j] *= c->scale[j];
            if (!isfinite(row[j])) return DAE_NOT_EVALUABLE;
            largest = fmax(largest, fabs(row[j]));
        }
        c->row_size[i] = largest;
        for (size_t j = 0; j < c->size && largest > 0; j++) row[j] /= largest;
    }
    return DAE_OK;
}

/* QR factors of the transposed of `rows` rows in c->factor. */
static void factor(solution_curve *c, size_t rows)
{
    int m = (int)c->size, k = (int)rows, lwork = (int)(WORK * c->size), info;
    dgeqrf_(&m, &k, c->factor, &m, c->tau, c->work, &lwork, &info);
}

/* x (size) = Q x. */
static void apply(solution_curve *c, size_t rows, double *x)
{
    int m = (int)c->size, k = (int)rows, one = 1, lwork = (int)(WORK * c->size), info;
    dormqr_("L", "N", &m, &one, &k, c->factor, &m, c->tau, x, &m, c->work, &lwork, &info, 1, 1);
}

/* The null vector of the matrix, of length 1, with det [M; tangent] > 0: the last column of Q,
 * whose determinant is the sign of its reflections. 0: the matrix has lost rank. */
static int find_tangent(solution_curve *c, double *tangent)
{
    int sign = 1;
    memcpy(c->factor, c->matrix, c->order * c->size * sizeof *c->factor);
    factor(c, c->order);
    for (size_t i = 0; i < c->order; i++) {
        double pivot = c->factor[i * c->size + i];
        if (c->tau[i] != 0) sign = -sign;
        if (pivot < 0) sign = -sign;
        if (pivot == 0) sign = 0;
    }
    memset(tangent, 0, c->size * sizeof *tangent);
    tangent[c->order] = 1;
    apply(c, c->order, tangent);
    return sign;
}

/* The product of two slopes in scaled unknowns. */
double curve_cosine(const solution_curve *c, const double *a, const double *b)
{
    double sum = 0;
    for (size_t j = 0; j < c->size; j++) sum += a[j] / c->scale[j] * (b[j] / c->scale[j]);
    return sum;
}

/* The slope at a point, to the side of `along`; NULL: with dt/ds >= 0. */
dae_status curve_find_slope(solution_curve *c, curve_point *p, const double *along)
{
    dae_status status = linearize(c, p->u);
    if (status != DAE_OK) return status;
    int sign = find_tangent(c, p->slope);
    for (size_t j = 0; j < c->size; j++) p->slope[j] *= c->scale[j];
    double side = along ? curve_cosine(c, p->slope, along) : p->slope[c->order];
    if (side < 0)
        for (size_t j = 0; j < c->size; j++) p->slope[j] = -p->slope[j];
    p->orientation = side < 0 ? -sign : sign;
    return DAE_OK;
}

/* --- the projection onto the constraints --- */

/* The correction of least change to u, in arc lengths. */
static dae_status correct(solution_curve *c, double *u, double *moved)
{
    double *dx = c->error;
    size_t rows = 0;
    dae_status status = linearize(c, u);
    if (status != DAE_OK) return status;
    memset(dx, 0, c->size * sizeof *dx);
    for (size_t i = 0; i < c->n; i++) {
        if (!c->held[i] || c->row_size[i] == 0) continue;
        memcpy(c->factor + rows * c->size, c->matrix + i * c->size, c->size * sizeof *dx);
        dx[rows++] = -c->residual[i] / c->row_size[i];
    }
    factor(c, rows);
    for (size_t i = 0; i < rows; i++) { /* R' z = -g */
        for (size_t k = 0; k < i; k++) dx[i] -= c->factor[i * c->size + k] * dx[k];
        dx[i] /= c->factor[i * c->size + i];
    }
    apply(c, rows, dx);
    *moved = 0;
    for (size_t j = 0; j < c->size; j++) {
        if (!isfinite(dx[j])) return DAE_CONSTRAINT;
        u[j] += c->scale[j] * dx[j];
        *moved = fmax(*moved, fabs(dx[j]));
    }
    return DAE_OK;
}

/* Brings u onto the constraints to round-off. `farthest`: the largest first correction. */
dae_status curve_project(solution_curve *c, double *u, double farthest)
{
    double last = farthest, moved;
    if (c->constraints == 0) return DAE_OK;
    for (int i = 0; i < MOST_CORRECTIONS; i++) {
        dae_status status = correct(c, u, &moved);
        if (status != DAE_OK) return status;
        if (moved < ROUND_OFF_VALUE) return DAE_OK;
        if (!(moved < last)) return last < ROUND_OFF_ITERATED ? DAE_OK : DAE_CONSTRAINT;
        last = i == 0 ? moved : 0.5 * moved;
    }
    return last < ROUND_OFF_ITERATED ? DAE_OK : DAE_CONSTRAINT;
}

/* --- singular values --- */

/* Smallest over largest singular value of the first `columns` columns of c->matrix. */
static double ratio(solution_curve *c, size_t columns)
{
    int m = (int)columns, k = (int)c->order, one = 1, lwork = (int)(WORK * c->size), info;
    for (size_t i = 0; i < c->order; i++)
        memcpy(c->factor + i * columns, c->matrix + i * c->size, columns * sizeof *c->factor);
    dgesvd_("N", "N", &m, &k, c->factor, &m, c->values, NULL, &one, NULL, &one, c->work, &lwork,
            &info, 1, 1);
    return info == 0 && c->values[0] > 0 ? c->values[c->order - 1] / c->values[0] : 0;
}

dae_status curve_singular_values(solution_curve *c, const curve_point *at, double *square,
                                 double *whole)
{
    dae_status status = linearize(c, c->here.u);
    if (status != DAE_OK) return status;
    memcpy(c->usual, c->row_size, c->order * sizeof *c->usual);
    status = linearize(c, c->next.u);
    for (size_t i = 0; i < c->order; i++) c->usual[i] = fmin(c->usual[i], c->row_size[i]);
    if (status == DAE_OK) status = linearize(c, at->u);
    if (status != DAE_OK) return status;
    *square = ratio(c, c->order);
    for (size_t i = 0; i < c->order; i++) {
        double times = c->usual[i] > 0 ? fmin(c->row_size[i] / c->usual[i], 1) : 1;
        for (size_t j = 0; j < c->size; j++) c->matrix[i * c->size + j] *= times;
    }
    *whole = ratio(c, c->size);
    return DAE_OK;
}
