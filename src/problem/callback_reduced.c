#include "problem/callback_reduced.h"
#include "problem/callback_reduced_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* If nothing is found although the author's functions have values, differences resolve too
 * little. */
static dae_status take_found(callback_reduced *r, dae_status status)
{
    if (status == DAE_NOT_EVALUABLE) r->unresolved = !r->array.missing;
    return status;
}

static dae_status form_residual(void *self, double t, const double *y, const double *yp, double *f)
{
    callback_reduced *r = self;
    size_t d = r->n - r->constraints;
    r->array.missing = false;
    if (r->outdated) return r->outdated = false, take_found(r, DAE_NOT_EVALUABLE);
    dae_status status = reduced_find_rest(r, t, y);
    if (status == DAE_OK && reduced_truncation(r, t, y) > r->most_left_out)
        status = DAE_NOT_EVALUABLE;
    if (status != DAE_OK) return take_found(r, status);
    for (size_t i = 0; i < r->constraints; i++)
        f[d + i] = vector_dot(r->rows, r->z2 + i * r->rows, r->array.value);
    status = callback_array_residual(&r->array, t, y, yp, r->f);
    for (size_t i = 0; status == DAE_OK && i < d; i++)
        f[i] = vector_dot(r->n, r->z1 + i * r->n, r->f);
    return take_found(r, status);
}

/* By the matrices as linearised last, like the derivatives by y. */
static dae_status form_time_derivative(void *self, double t, const double *y, const double *yp,
                                       double *f)
{
    callback_reduced *r = self;
    size_t d = r->n - r->constraints;
    r->array.missing = false;
    r->exact = true;
    dae_status status = callback_array_by_time(&r->array, t, y, yp, r->rest, r->consistent,
                                               r->change);
    if (status != DAE_OK) return take_found(r, status);
    for (size_t i = 0; i < d; i++) f[i] = vector_dot(r->n, r->z1 + i * r->n, r->consistent);
    for (size_t i = 0; i < r->constraints; i++)
        f[d + i] = vector_dot(r->rows, r->z2 + i * r->rows, r->change);
    return DAE_OK;
}

dae_status reduced_fill_matrices(callback_reduced *r, double t, const double *y, const double *yp)
{
    callback_array *g = &r->array;
    size_t n = r->n, d = n - r->constraints;
    dae_status status = callback_array_at_point(g, t, y, yp);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < n; j++) {
        double unit = g->column[j], *jacobian = r->jacobian + j * n, *mass = r->mass + j * n;
        for (size_t i = 0; i < d; i++) {
            jacobian[i] = vector_dot(n, r->z1 + i * n, g->jacobian + j * n) / unit;
            mass[i] = vector_dot(n, r->z1 + i * n, g->mass + j * n) * g->h / unit;
        }
        for (size_t i = 0; i < r->constraints; i++) {
            jacobian[d + i] = r->hidden[j * r->constraints + i] / unit;
            mass[d + i] = 0;
        }
    }
    return DAE_OK;
}

/* Linearise the array. Coarse matrices suffice for iterations, but they would spoil the order of a
 * method that asks for a derivative by time. */
static dae_status linearize_array(callback_reduced *r, double t, const double *y)
{
    bool coarse = r->array.coarse, exact = r->exact;
    r->exact = false;
    if (exact) r->array.coarse = false;
    dae_status status = reduced_linearize_array(r, t, y);
    if (exact) r->array.coarse = coarse;
    return status;
}

static dae_status form_linearize(void *self, double t, const double *y, const double *yp)
{
    callback_reduced *r = self;
    r->outdated = r->array.missing = false;
    dae_status status = reduced_find_rest(r, t, y);
    if (status == DAE_OK) reduced_take_rest(r);
    bool noisy = status == DAE_OK && reduced_noise_counts(r, y);
    if (status == DAE_OK) status = callback_array_retune(&r->array, t, y, yp, noisy, r->rest);
    if (status == DAE_OK) status = linearize_array(r, t, y);
    if (status == DAE_OK) reduced_keep(r, STATE_SAVE);
    if (status == DAE_OK) status = reduced_fill_matrices(r, t, y, yp);
    return take_found(r, status);
}

static bool form_occurs(const void *self, size_t i, size_t j)
{
    (void)self, (void)i, (void)j;
    return true;
}

static void form_mark_rows(const void *self, size_t j, bool *row)
{
    (void)j;
    for (size_t i = 0; i < ((const callback_reduced *)self)->n; i++) row[i] = true;
}

static void form_name_variable(void *self, size_t j, text *t)
{
    const problem *p = ((const callback_reduced *)self)->author;
    p->form->name_variable(p->self, j, t);
}

static void form_name_equation(void *self, size_t i, text *t)
{
    const callback_reduced *r = self;
    bool hidden = i >= r->n - r->constraints;
    text_add(t, hidden ? "a constraint that the equations and their derivatives imply"
                       : "a combination of the equations");
}

/* Nanoseconds: a multiplication and addition in a matrix; the singular values of a square matrix,
 * divided by the cube of its rows. Three iterations find the derivatives. */
static const double OPERATION = 0.5, SINGULAR_VALUES = 5;
enum { ITERATIONS = 3, NODES = 9, COARSE_NODES = 3, COARSE_POINTS = 2 };

static void form_costs(const void *self, problem_costs *costs)
{
    const callback_reduced *r = self;
    double n = (double)r->n, rows = (double)r->rows;
    problem_costs author;
    r->author->form->costs(r->author->self, &author);
    double linear = OPERATION * rows * (2 * rows + (double)r->constraints);
    costs->residual = ITERATIONS * (NODES * author.residual + linear) + author.residual;
    bool given = callback_has_matrices(r->array.c->e);
    double point = given ? author.jacobian : COARSE_POINTS * 2 * n * author.residual;
    costs->jacobian = COARSE_NODES * point + SINGULAR_VALUES * rows * rows * rows;
}

static const problem_form reduced_form = {
    .name = "residual",
    .residual = form_residual,
    .linearize = form_linearize,
    .costs = form_costs,
    .time_derivative = form_time_derivative,
    .occurs = form_occurs,
    .mark_rows = form_mark_rows,
    .name_variable = form_name_variable,
    .name_equation = form_name_equation,
};

static void make(void *argument)
{
    callback_reduced *r = argument;
    arena *a = &r->memory;
    size_t n = r->n, all = CALLBACK_ARRAY_MOST * n;
    callback_array_prepare(&r->array, r->array.c, a);
    arena_vectors(a, n, (double **const[]){&r->seen, &r->f, &r->ahead_y, &r->consistent, NULL});
    arena_vectors(a, all,
                  (double **const[]){&r->rest, &r->trial, &r->coefficient, &r->ahead_rest, &r->step,
                                     &r->before, NULL});
    arena_vectors(
        a, n * n,
        (double **const[]){&r->z1, &r->hidden, &r->tangent, &r->jacobian, &r->mass, NULL});
    arena_vectors(a, all * all, (double **const[]){&r->range, &r->left, NULL});
    r->change = arena_array(a, all + n, sizeof(double));
    r->z2 = arena_array(a, all * n, sizeof(double));
    r->kept = arena_array(a, 2 * all * (all + 1), sizeof(double));
    r->corrections = arena_array(a, REDUCED_MOST_ITERATIONS * all, sizeof(double));
    r->product = arena_array(a, all * (all + n), sizeof(double));
    svd_prepare(&r->of_array, all + n, a);
    svd_prepare(&r->of_hidden, n, a);
    svd_prepare(&r->of_mass, n, a);
    svd_prepare(&r->of_free, n, a);
    const sparse_pattern *dense = sparse_full(a, n, n);
    unsigned char *index = arena_array(a, n, sizeof *index);
    memset(index, 1, n);
    r->problem = problem_make(&reduced_form, r, n);
    r->problem.by_yp = (problem_matrix){dense, r->mass, NULL};
    r->problem.by_y = (problem_matrix){dense, r->jacobian, NULL};
    r->problem.author = r->author;
    r->problem.nominal = r->author->nominal;
    r->problem.time_unit = r->author->time_unit;
    r->problem.dynamic = r->author->dynamic;
    r->problem.index = index;
}

/* The truncation error that differences may have, as a part of the tolerance. It is a constant
 * error of the hidden constraints, which adds up in what is integrated, and beside stiff terms it
 * makes a far larger error of a multiplier. The second number is a lower limit: below it, steps
 * become so short that round-off exceeds the truncation error. */
static const double LEFT_OUT = 1, LEAST_LEFT_OUT = 3e-7;

static dae_status begin(callback_reduced **begun, callbacks *c)
{
    callback_reduced *r = calloc(1, sizeof *r);
    if (!r) return DAE_NO_MEMORY;
    r->author = callbacks_problem(c);
    r->n = r->author->n;
    r->array.c = c;
    dae_status status = arena_protect(&r->memory, make, r);
    if (status == DAE_OK)
        *begun = r;
    else
        callback_reduced_free(r);
    return status;
}

dae_status callback_reduced_create(callback_reduced **created, callbacks *c, double t, double rtol,
                                   const unsigned char *held, double *y, double *yp)
{
    const problem *author = callbacks_problem(c);
    *created = NULL;
    if (author->n == 0 || author->n > CALLBACK_REDUCED_LARGEST) return DAE_OK;
    callback_reduced *r = NULL;
    dae_status status = begin(&r, c);
    if (status != DAE_OK) return status;
    r->most_left_out = fmax(LEFT_OUT * rtol, LEAST_LEFT_OUT);
    status = begin(&r->apart, c); /* which needs factors of its own */
    if (status == DAE_OK) status = problem_reserve(&r->apart->problem, 1, (const bool[]){false});
    bool reduced = status == DAE_OK && reduced_analyse(r, t, held, y, yp);
    if (status == DAE_OK) status = r->ended;
    if (reduced && status == DAE_OK)
        *created = r;
    else
        callback_reduced_free(r);
    return status;
}

problem *callback_reduced_problem(callback_reduced *r)
{
    return &r->problem;
}

int callback_reduced_index(const callback_reduced *r)
{
    return r->index;
}

bool callback_reduced_unresolved(const callback_reduced *r)
{
    return r->unresolved;
}

void callback_reduced_free(callback_reduced *r)
{
    if (!r) return;
    callback_reduced_free(r->apart);
    problem_factors_free(&r->problem);
    arena_free(&r->memory);
    free(r);
}

/* What a rank of the derivative array leaves out. */

/* The size of Taylor coefficients of an order, including those that the array does not
 * determine. */
static double size_of_rest(const callback_reduced *r, size_t order)
{
    return pow(fmin(1, vector_largest(r->n, r->rest)), (double)order + 1);
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
                      vector_dot(rows, r->z2 + i * rows, s->left + r->rank * rows);
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
