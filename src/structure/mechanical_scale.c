#include "structure/mechanism.h"

#include "linalg/rows.h"

#include <math.h>
#include <string.h>

/* Relative difference below which values count as equal, and remainder below which rows count as
 * dependent. */
static const double EQUAL = 1e-8, DEPENDENT = 1e-9;

typedef mechanical_sample sample;

typedef struct scaling {
    arena *a;
    size_t n, m, samples; /* coordinates, constraints */
    const sample *at;
    double *row_size, *column_size; /* n: of direction's rows, jacobian's columns */
    double *basis, *push;           /* m x n each */
    double *work;                   /* n */
} scaling;

/* Find sizes that remove the effect of units and of the scales of equations. */
static void measure(scaling *p)
{
    const sample *s = &p->at[0];
    for (size_t i = 0; i < p->n; i++) {
        double size = vector_largest(p->m, &s->direction[i * p->m]);
        if (size == 0) size = vector_largest(p->n, &s->mass[i * p->n]);
        p->row_size[i] = size > 0 ? size : 1;
        p->column_size[i] = 0;
        for (size_t c = 0; c < p->m; c++)
            p->column_size[i] = fmax(p->column_size[i], fabs(s->jacobian[c * p->n + i]));
        if (p->column_size[i] == 0) p->column_size[i] = 1;
    }
}

/* Remove the components of x along orthonormal vectors. Returns the size of the rest, relative to
 * x; 0 for a zero vector. */
static double leave(size_t count, size_t vectors, const double *vector, double *x)
{
    double before = sqrt(vector_dot(count, x, x));
    for (int twice = 0; twice < 2; twice++) {
        for (size_t k = 0; k < vectors; k++) {
            double along = vector_dot(count, &vector[k * count], x);
            for (size_t j = 0; j < count; j++) x[j] -= along * vector[k * count + j];
        }
    }
    return before > 0 ? sqrt(vector_dot(count, x, x)) / before : 0;
}

/* Make the rows of `vector` orthonormal and drop dependent ones. Returns how many are left. */
static size_t orthonormal(size_t rows, size_t count, double *vector)
{
    size_t kept = 0;
    for (size_t k = 0; k < rows; k++) {
        double *x = &vector[kept * count];
        memmove(x, &vector[k * count], count * sizeof *x);
        if (!(leave(count, kept, vector, x) > DEPENDENT)) continue;
        double norm = sqrt(vector_dot(count, x, x));
        for (size_t j = 0; j < count; j++) x[j] /= norm;
        kept++;
    }
    return kept;
}

/* Scale both matrices alike: the rows of the constraints' Jacobian, with columns divided by
 * `constraint` (NULL: ones), which are then made orthonormal; and the columns of the direction
 * matrix, with rows multiplied by `push` (NULL: ones). Returns the rank of the first. */
static size_t scaled_rows(scaling *p, const sample *s, const double *push, const double *constraint)
{
    size_t n = p->n;
    for (size_t c = 0; c < p->m; c++) {
        for (size_t j = 0; j < n; j++) {
            p->basis[c * n + j] = s->jacobian[c * n + j] / p->column_size[j];
            p->push[c * n + j] = s->direction[j * p->m + c] / p->row_size[j];
            if (push) p->push[c * n + j] *= push[j];
            if (constraint) p->basis[c * n + j] /= constraint[j];
        }
    }
    return orthonormal(p->m, n, p->basis);
}

static bool spans_agree_in(scaling *p, const sample *s, const double *push,
                           const double *constraint)
{
    size_t rank = scaled_rows(p, s, push, constraint);
    for (size_t l = 0; l < p->m; l++) {
        double *copy = p->work;
        memcpy(copy, &p->push[l * p->n], p->n * sizeof *copy);
        if (leave(p->n, rank, p->basis, copy) > EQUAL) return false;
    }
    return orthonormal(p->m, p->n, p->push) == rank;
}

/* Whether reactions do no work along the constraints, and each constraint has its reaction. This is
 * tested twice, with the constraints scaled to one size and with the reactions scaled to one size.
 * In one of these units alone, a row with a far larger factor would hide errors in the others. */
static bool spans_agree(scaling *p, const sample *s, const double *factor)
{
    return spans_agree_in(p, s, factor, NULL) && spans_agree_in(p, s, NULL, factor);
}

/* Lower Cholesky factor in place; false if the matrix is not positive definite. */
static bool cholesky(size_t n, double *c)
{
    for (size_t j = 0; j < n; j++) {
        double pivot = c[j * n + j] - vector_dot(j, &c[j * n], &c[j * n]);
        if (!(pivot > 0)) return false;
        c[j * n + j] = sqrt(pivot);
        for (size_t i = j + 1; i < n; i++)
            c[i * n + j] = (c[i * n + j] - vector_dot(j, &c[i * n], &c[j * n])) / c[j * n + j];
    }
    return true;
}

/* Whether scale[i] M_ij is symmetric and positive semidefinite. matrix: n x n work space. */
static bool inertia_fits(const scaling *p, const sample *s, const double *scale, double *matrix)
{
    size_t n = p->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double one = scale[i] * s->mass[i * n + j], other = scale[j] * s->mass[j * n + i];
            double size = sqrt(scale[i] * s->mass[i * n + i]) *
                          sqrt(scale[j] * s->mass[j * n + j]); /* NAN if they are negative */
            if (!(fabs(one - other) <= EQUAL * size)) return false;
            matrix[i * n + j] = size > 0 ? one / size : 0;
        }
        matrix[i * n + i] = 1 + EQUAL;
    }
    return cholesky(n, matrix);
}

/* Whether scale (n) makes all samples mechanical. factor: n, work space. */
static bool scale_fits(scaling *p, const double *scale, double *factor, double *matrix)
{
    for (size_t i = 0; i < p->n; i++) factor[i] = scale[i] * p->row_size[i] / p->column_size[i];
    for (size_t k = 0; k < p->samples; k++)
        if (!inertia_fits(p, &p->at[k], scale, matrix) || !spans_agree(p, &p->at[k], factor))
            return false;
    return true;
}

/* a_ij and a_ji of the inertia's condition x_i a_ij = x_j a_ji, normalised. */
static void inertia_pair(const scaling *p, const sample *s, const double *sign, size_t i, size_t j,
                         double *a, double *b)
{
    *a = sign[i] * s->mass[i * p->n + j] * p->column_size[i] / p->row_size[i];
    *b = sign[j] * s->mass[j * p->n + i] * p->column_size[j] / p->row_size[j];
    double size = hypot(*a, *b);
    if (size > 0) *a /= size, *b /= size;
}

static size_t unit_pushes(scaling *p, const sample *s, const double *sign)
{
    size_t n = p->n, rank = scaled_rows(p, s, NULL, NULL);
    for (size_t l = 0; l < p->m; l++) {
        double size = sqrt(vector_dot(n, &p->push[l * n], &p->push[l * n]));
        for (size_t j = 0; size > 0 && j < n; j++) p->push[l * n + j] *= sign[j] / size;
    }
    return rank;
}

/* Add the squares of all terms that must vanish to the quadratic form of the factors x. For the
 * reactions, (I - Q Q^T) X B, with Q from the constraints, gives the form (I - Q Q^T)_ij (B
 * B^T)_ij. For the inertia the terms are x_i a_ij - x_j a_ji. */
static void add_squares(scaling *p, const sample *s, const double *sign, double *form)
{
    size_t n = p->n, rank = unit_pushes(p, s, sign);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double projector = i == j, product = 0, a, b;
            for (size_t k = 0; k < rank; k++)
                projector -= p->basis[k * n + i] * p->basis[k * n + j];
            for (size_t l = 0; l < p->m; l++) product += p->push[l * n + i] * p->push[l * n + j];
            form[i * n + j] += projector * product;
            if (i == j) continue;
            inertia_pair(p, s, sign, i, j, &a, &b);
            form[i * n + i] += a * a;
            form[i * n + j] -= a * b;
        }
    }
}

/* Add the derivative of that form at x. It is computed from the terms themselves, because the form
 * would lose it by rounding. */
static void add_gradient(scaling *p, const sample *s, const double *sign, const double *x,
                         double *gradient)
{
    size_t n = p->n, rank = unit_pushes(p, s, sign);
    double *work = p->work, a, b;
    for (size_t l = 0; l < p->m; l++) {
        for (size_t j = 0; j < n; j++) work[j] = x[j] * p->push[l * n + j];
        leave(n, rank, p->basis, work);
        for (size_t j = 0; j < n; j++) gradient[j] += work[j] * p->push[l * n + j];
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (i == j) continue;
            inertia_pair(p, s, sign, i, j, &a, &b);
            gradient[i] += a * (a * x[i] - b * x[j]);
        }
    }
}

/* x = (L L^T)^-1 x */
static void solve(size_t n, const double *c, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] = (x[i] - vector_dot(i, &c[i * n], x)) / c[i * n + i];
    for (size_t i = n; i-- > 0;) {
        x[i] /= c[i * n + i];
        for (size_t k = 0; k < i; k++) x[k] -= c[i * n + k] * x[i];
    }
}

/* Whether a factor makes the reaction in its equation vanish relative to those in others. A
 * multiplier that acts where no constraint does excludes a mechanism. */
static bool hides_reaction(const scaling *p, const double *x)
{
    double largest = vector_largest(p->n, x);
    for (size_t i = 0; i < p->n; i++)
        if (fabs(x[i]) <= 10 * EQUAL * largest &&
            vector_largest(p->m, &p->at[0].direction[i * p->m]) > 0)
            return true;
    return false;
}

/* Find the scales for which the quadratic form vanishes, nearest to equal factors: ones are
 * projected onto its null space, by inverse iteration with residuals (A. Bjorck, Linear Algebra
 * Appl. 88/89 (1987): corrected seminormal equations). */
static bool find_scale(scaling *p, const double *sign, double *form, double *x, double *scale)
{
    enum { ITERATIONS = 8 };
    size_t n = p->n;
    double largest = 0, *gradient = arena_array(p->a, n, sizeof *gradient);
    memset(form, 0, n * n * sizeof *form);
    for (size_t k = 0; k < p->samples; k++) add_squares(p, &p->at[k], sign, form);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, form[i * n + i]);
    double shift = largest > 0 ? 1e-13 * (double)n * largest : 1;
    for (size_t i = 0; i < n; i++) {
        form[i * n + i] += shift;
        x[i] = 1;
    }
    if (!cholesky(n, form)) return false;
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        memset(gradient, 0, n * sizeof *gradient);
        for (size_t k = 0; k < p->samples; k++) add_gradient(p, &p->at[k], sign, x, gradient);
        solve(n, form, gradient);
        for (size_t i = 0; i < n; i++) x[i] -= gradient[i];
    }
    if (hides_reaction(p, x)) return false;
    for (size_t i = 0; i < n; i++) scale[i] = sign[i] * x[i] * p->column_size[i] / p->row_size[i];
    for (size_t i = n; i-- > 0;) scale[i] /= fabs(scale[0]);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(scale[i]) || scale[i] == 0) return false;
    return true;
}

/* Choose the scales: signs only, if the rows fit as written; otherwise the scales that are
 * found. */
static bool choose_scale(scaling *p, double *scale)
{
    size_t n = p->n;
    double *matrix = arena_array(p->a, n * n, sizeof *matrix), *factor, *sign;
    arena_vectors(p->a, n, (double **const[]){&factor, &sign, NULL});
    for (size_t i = 0; i < n; i++) scale[i] = sign[i] = p->at[0].mass[i * n + i] < 0 ? -1 : 1;
    return scale_fits(p, scale, factor, matrix) ||
           (find_scale(p, sign, matrix, factor, scale) && scale_fits(p, scale, factor, matrix));
}

bool mechanical_scale(arena *a, size_t n, size_t m, size_t samples, const mechanical_sample *at,
                      double *scale)
{
    scaling p = {.a = a, .n = n, .m = m, .samples = samples, .at = at};
    arena_vectors(a, n, (double **const[]){&p.row_size, &p.column_size, &p.work, NULL});
    arena_vectors(a, m * n, (double **const[]){&p.basis, &p.push, NULL});
    measure(&p);
    return choose_scale(&p, scale);
}
