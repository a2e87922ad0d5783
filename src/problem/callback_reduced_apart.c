/* Moves a state at the end of a step, or within it, onto the reduced equations, apart from the data
 * from which the next step continues. */
#include "base/round_off.h"
#include "nonlinear/corrections.h"
#include "problem/callback_reduced_parts.h"

#include <string.h>

/* The factor by which 1/alpha is shorter than a step; see projection/algebraic.h, whose method this
 * is. */
static const double SHORTER = 10;

/* Corrections relative to the unknowns: the largest first one; round-off; and nearly round-off, as
 * a part of what differences may leave out. Each correction has to be shorter than the last by the
 * factor FALLS. */
static const double MOST = 1e-1, NEARLY = 1e-3, FALLS = 0.3;

/* Copy the data from which steps continue. Output rows are independent of each other. */
static void take_state(callback_reduced *a, const callback_reduced *r)
{
    size_t n = r->n, rows = r->rows;
    callback_array *g = &a->array;
    const callback_array *from = &r->array;
    g->orders = from->orders, g->coarse = from->coarse, g->side = from->side, g->h = from->h;
    memcpy(g->row, from->row, n * sizeof *g->row);
    memcpy(g->column, from->column, n * sizeof *g->column);
    memcpy(g->size, from->size, n * sizeof *g->size);
    a->index = r->index, a->rows = rows, a->constraints = r->constraints, a->rank = r->rank;
    a->based = r->based, a->zero = r->zero, a->most_left_out = r->most_left_out,
    a->noise = r->noise;
    memcpy(a->rest, r->rest, rows * sizeof *a->rest);
    memcpy(a->z1, r->z1, n * (n - r->constraints) * sizeof *a->z1);
    memcpy(a->z2, r->z2, rows * r->constraints * sizeof *a->z2);
    memcpy(a->range, r->range, rows * r->rank * sizeof *a->range);
    memcpy(a->left, r->left, rows * r->rank * sizeof *a->left);
    memcpy(a->of_array.size, r->of_array.size, rows * sizeof *a->of_array.size);
    memcpy(a->of_array.right, r->of_array.right, rows * rows * sizeof *a->of_array.right);
    reduced_keep(a, STATE_SAVE);
    memcpy(a->of_hidden.size, r->of_hidden.size, n * sizeof *a->of_hidden.size);
    memcpy(a->of_hidden.left, r->of_hidden.left, n * n * sizeof *a->of_hidden.left);
    memcpy(a->of_hidden.right, r->of_hidden.right, n * n * sizeof *a->of_hidden.right);
    memcpy(a->jacobian, r->jacobian, n * n * sizeof *a->jacobian);
    memcpy(a->mass, r->mass, n * n * sizeof *a->mass);
}

/* moved = P x */
static void project(callback_reduced *a, double alpha, const double *x, double *moved)
{
    problem_multiply(&a->problem, x, moved);
    for (size_t j = 0; j < a->n; j++) moved[j] *= alpha;
    problem_solve(&a->problem, 0, moved);
}

typedef struct apart_run {
    callback_reduced *a;
    double t, alpha, *y, *yp;
} apart_run;

/* One correction, and how long it is relative to y. */
static dae_status correct(void *self, double *size)
{
    const apart_run *k = self;
    callback_reduced *a = k->a;
    size_t n = a->n;
    double *x = a->step, *moved = a->step + n, *twice = a->step + 2 * n, *y = k->y;
    dae_status status = problem_residual(&a->problem, k->t, y, k->yp, x);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < n; j++) x[j] = -x[j];
    problem_solve(&a->problem, 0, x);
    project(a, k->alpha, x, moved);
    for (size_t j = 0; j < n; j++) x[j] -= moved[j];
    project(a, k->alpha, x, twice);
    *size = 0;
    for (size_t j = 0; j < n; j++) {
        double change = x[j] + 2 * twice[j];
        *size = fmax(*size, fabs(change) / fmax(fabs(y[j]), a->problem.nominal[j]));
        if (!isfinite(change)) return DAE_SINGULAR;
        y[j] += change;
        if (a->problem.dynamic[j]) k->yp[j] += k->alpha * (moved[j] + 2 * twice[j]);
    }
    return DAE_OK;
}

/* Correct with the present matrices, until corrections are round-off, or are near it and no longer
 * fall. */
static dae_status meet(callback_reduced *a, double t, double alpha, double *y, double *yp)
{
    static const correction_ops OPS = {.find = correct};
    const correction_rules rules = {.most = 8,
                                    .enough = true,
                                    .round_off = ROUND_OFF_SOLVED,
                                    .nearly = NEARLY * a->most_left_out,
                                    .falls = FALLS,
                                    .first = MOST,
                                    .must_fall = true};
    apart_run k = {a, t, alpha, y, yp};
    problem_forget(&a->problem, 0);
    dae_status status = problem_factor(&a->problem, 0, alpha, 1);
    if (status == DAE_OK) status = corrections_run(&OPS, &k, &rules, NULL);
    return status == DAE_NEWTON ? DAE_SINGULAR : status;
}

static bool is_local(dae_status status)
{
    return status == DAE_NOT_EVALUABLE || status == DAE_SINGULAR;
}

/* The matrices of the step are tried first. */
dae_status callback_reduced_meet(callback_reduced *r, double t, double h, double *y, double *yp)
{
    callback_reduced *a = r->apart;
    size_t n = r->n;
    dae_status status = h == 0 ? DAE_OK : DAE_SINGULAR;
    memcpy(a->before, y, n * sizeof *y);
    memcpy(a->before + n, yp, n * sizeof *yp);
    for (int anew = 0; anew <= 1 && is_local(status); anew++) {
        take_state(a, r);
        status = anew ? problem_linearize(&a->problem, t, y, yp) : DAE_OK;
        if (status == DAE_OK) status = meet(a, t, SHORTER / h, y, yp);
        if (status == DAE_OK) break;
        memcpy(y, a->before, n * sizeof *y);
        memcpy(yp, a->before + n, n * sizeof *yp);
    }
    return is_local(status) ? DAE_OK : status;
}

/* Fine matrices are used, since coarse ones leave the rank in doubt. */
dae_status callback_reduced_look(callback_reduced *r, double t, const double *y)
{
    callback_reduced *a = r->apart;
    if (!r->doubtful || r->zero <= REDUCED_LEAST_ZERO) return DAE_OK;
    take_state(a, r);
    a->array.coarse = false;
    dae_status status = callback_array_linearize(&a->array, t, y, a->rest);
    if (status == DAE_OK && reduced_find_bases(a))
        r->outdated = !reduced_leaves_out_little(a, t, y);
    return is_local(status) ? DAE_OK : status;
}
