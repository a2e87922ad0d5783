/* The dense row of the linear solver: LU with partial pivoting by LAPACK. */
#include "linalg/complex_parts.h"
#include "linalg/lapack.h"
#include "linalg/linear_solver_rows.h"

#include <complex.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Solution with the dense factors of LAPACK. For up to some tens of unknowns, a call to a BLAS
 * triangular solution costs more in overhead and divisions than in arithmetic. */

/* x (count) -= factor * a, four at a time: compilers turn them into two vector operations. */
static inline void subtract(int count, double factor, const double *restrict a, double *restrict x)
{
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        x[i] -= factor * a[i];
        x[i + 1] -= factor * a[i + 1];
        x[i + 2] -= factor * a[i + 2];
        x[i + 3] -= factor * a[i + 3];
    }
    for (; i < count; i++) x[i] -= factor * a[i];
}

static void subtract_complex(int count, complex_parts factor, const complex_parts *restrict a,
                             complex_parts *restrict x)
{
    for (int i = 0; i < count; i++) {
        x[i].re -= factor.re * a[i].re - factor.im * a[i].im;
        x[i].im -= factor.re * a[i].im + factor.im * a[i].re;
    }
}

/* Up to this size, elimination column by column is twice as fast as LAPACK's blocked recursion. */
enum { BY_COLUMNS = 64 };

typedef struct dense_lu {
    linear_solver base;
    int n;         /* LAPACK stops the program at a leading dimension of 0: n = 0 is not passed */
    void *matrix;  /* n x n by columns, double or double complex: the factors */
    int *pivot;    /* n */
    void *inverse; /* n: of the diagonal of U */
    double *row_scale; /* n: each row is divided by its largest entry before factoring */
    double norm;       /* 1-norm of the scaled matrix, where it is real */
    double *work;      /* 4 n, for the condition number */
    int *integer_work; /* n */
    arena memory;
} dense_lu;

/* Row scaling makes pivoting independent of the units in which the author wrote an equation. A
 * number has one part, or two where it is complex. */
static inline dae_status scale_rows(dense_lu *lu, const double *value, size_t parts)
{
    const sparse_pattern *p = lu->base.pattern;
    memset(lu->row_scale, 0, (size_t)lu->n * sizeof *lu->row_scale);
    for (size_t k = 0; k < p->nonzeros; k++) {
        double size = 0;
        for (size_t part = 0; part < parts; part++) size += fabs(value[k * parts + part]);
        if (!(size <= lu->row_scale[p->row[k]])) lu->row_scale[p->row[k]] = size;
    }
    for (int i = 0; i < lu->n; i++) {
        if (!isfinite(lu->row_scale[i]) || lu->row_scale[i] == 0) {
            lu->base.singular_row = (size_t)i;
            return DAE_SINGULAR;
        }
        lu->row_scale[i] = 1 / lu->row_scale[i];
    }
    return DAE_OK;
}

static inline void scatter(dense_lu *lu, const double *value, size_t parts)
{
    const sparse_pattern *p = lu->base.pattern;
    size_t n = (size_t)lu->n;
    double norm = 0;
    memset(lu->matrix, 0, n * n * parts * sizeof(double));
    for (size_t j = 0; j < n; j++) {
        double *column = (double *)lu->matrix + j * n * parts, sum = 0;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            size_t i = (size_t)p->row[k];
            for (size_t part = 0; part < parts; part++) {
                double entry = value[(size_t)k * parts + part] * lu->row_scale[i];
                column[i * parts + part] = entry;
                if (parts == 1) sum += fabs(entry);
            }
        }
        if (sum > norm) norm = sum;
    }
    lu->norm = norm;
}

/* The inverse of each entry on the diagonal of U. */
static void invert_diagonal(const dense_lu *lu)
{
    const double *pivot = lu->matrix;
    double *inverse = lu->inverse;
    for (size_t j = 0, n = (size_t)lu->n; j < n; j++, pivot += n + 1) inverse[j] = 1 / *pivot;
}

static void invert_complex_diagonal(const dense_lu *lu)
{
    const complex_parts *pivot = lu->matrix;
    complex_parts *inverse = lu->inverse;
    for (size_t j = 0, n = (size_t)lu->n; j < n; j++, pivot += n + 1)
        inverse[j] = complex_inverse(*pivot);
}

static dae_status dense_factor(linear_solver *solver, const void *values)
{
    dense_lu *lu = (dense_lu *)solver;
    bool by_columns = lu->n <= BY_COLUMNS;
    int *n = &lu->n, info = 0;
    if (lu->n == 0) return DAE_OK;
    if (solver->is_complex) {
        if (scale_rows(lu, values, 2) != DAE_OK) return DAE_SINGULAR;
        scatter(lu, values, 2);
        (by_columns ? zgetf2_ : zgetrf_)(n, n, lu->matrix, n, lu->pivot, &info);
        invert_complex_diagonal(lu);
    } else {
        if (scale_rows(lu, values, 1) != DAE_OK) return DAE_SINGULAR;
        scatter(lu, values, 1);
        (by_columns ? dgetf2_ : dgetrf_)(n, n, lu->matrix, n, lu->pivot, &info);
        invert_diagonal(lu);
    }
    if (info > 0) solver->singular_column = (size_t)info - 1;
    return info == 0 ? DAE_OK : DAE_SINGULAR;
}

/* x (n numbers) = P R x */
static inline void permute(const dense_lu *lu, double *x, size_t parts)
{
    for (size_t i = 0; i < (size_t)lu->n; i++)
        for (size_t part = 0; part < parts; part++) x[i * parts + part] *= lu->row_scale[i];
    for (int i = 0; i < lu->n; i++) {
        if (lu->pivot[i] == i + 1) continue;
        double *one = x + (size_t)i * parts, *other = x + (size_t)(lu->pivot[i] - 1) * parts;
        for (size_t part = 0; part < parts; part++) {
            double swapped = other[part];
            other[part] = one[part];
            one[part] = swapped;
        }
    }
}

/* x (n) = U^-1 L^-1 x: the factors hold U, and L below its diagonal, which is 1. */
static void solve_real(const dense_lu *lu, double *x)
{
    const double *column = lu->matrix, *inverse = lu->inverse;
    int n = lu->n;
    permute(lu, x, 1);
    for (int j = 0; j + 1 < n; j++, column += n)
        subtract(n - j - 1, x[j], column + j + 1, x + j + 1);
    for (int j = n - 1; j >= 0; j--, column -= n) {
        x[j] *= inverse[j];
        subtract(j, x[j], column, x);
    }
}

static void solve_complex(const dense_lu *lu, complex_parts *x)
{
    const complex_parts *column = lu->matrix, *inverse = lu->inverse;
    int n = lu->n;
    permute(lu, &x->re, 2);
    for (int j = 0; j + 1 < n; j++, column += n)
        subtract_complex(n - j - 1, x[j], column + j + 1, x + j + 1);
    for (int j = n - 1; j >= 0; j--, column -= n) {
        x[j] = complex_product(x[j], inverse[j]);
        subtract_complex(j, x[j], column, x);
    }
}

static void dense_solve(linear_solver *solver, void *b)
{
    const dense_lu *lu = (const dense_lu *)solver;
    if (lu->n == 0) return;
    if (solver->is_complex)
        solve_complex(lu, b);
    else
        solve_real(lu, b);
}

static double dense_rcond(linear_solver *solver)
{
    dense_lu *lu = (dense_lu *)solver;
    double rcond = 0;
    int info;
    if (solver->is_complex) return (double)NAN;
    if (lu->n == 0) return 1;
    dgecon_("1", &lu->n, lu->matrix, &lu->n, &lu->norm, &rcond, lu->work, lu->integer_work, &info,
            1);
    return rcond;
}

/* Row scales are positive. */
static int dense_sign(const linear_solver *solver)
{
    const dense_lu *lu = (const dense_lu *)solver;
    const double *matrix = lu->matrix;
    bool minus = false;
    for (int i = 0; i < lu->n; i++) {
        if (matrix[(size_t)i * (size_t)lu->n + (size_t)i] < 0) minus = !minus;
        if (lu->pivot[i] != i + 1) minus = !minus;
    }
    return minus ? -1 : 1;
}

static double dense_least_pivot(linear_solver *solver)
{
    const dense_lu *lu = (const dense_lu *)solver;
    double smallest = HUGE_VAL, largest = 0;
    if (solver->is_complex) return (double)NAN;
    for (size_t k = 0; k < (size_t)lu->n; k++) {
        double pivot = fabs(((const double *)lu->matrix)[k * (size_t)lu->n + k]);
        smallest = fmin(smallest, pivot);
        largest = fmax(largest, pivot);
    }
    return largest > 0 ? smallest / largest : 1;
}

static void dense_free(linear_solver *solver)
{
    arena_free(&((dense_lu *)solver)->memory);
    free(solver);
}

static dae_status dense_like(linear_solver **solver, const linear_solver *other, bool is_complex)
{
    return dense_lu_create(solver, other->pattern, is_complex);
}

static const linear_solver_row dense_row = {
    .like = dense_like,
    .factor = dense_factor,
    .solve = dense_solve,
    .rcond = dense_rcond,
    .sign = dense_sign,
    .least_pivot = dense_least_pivot,
    .free = dense_free,
};

static void build(void *self)
{
    dense_lu *lu = self;
    arena *a = &lu->memory;
    size_t n = (size_t)lu->n;
    size_t number = lu->base.is_complex ? sizeof(double complex) : sizeof(double);
    lu->matrix = arena_array(a, n * n, number);
    lu->inverse = arena_array(a, n, number);
    lu->pivot = arena_array(a, n, sizeof *lu->pivot);
    lu->row_scale = arena_array(a, n, sizeof *lu->row_scale);
    lu->work = arena_array(a, 4 * n, sizeof *lu->work);
    lu->integer_work = arena_array(a, n, sizeof *lu->integer_work);
}

dae_status dense_lu_create(linear_solver **solver, const sparse_pattern *pattern, bool is_complex)
{
    size_t n = pattern->rows;
    if (n > (size_t)INT_MAX / (n ? n : 1)) return DAE_NO_MEMORY;
    dense_lu *lu = calloc(1, sizeof *lu);
    if (!lu) return DAE_NO_MEMORY;
    lu->base = (linear_solver){
        .row = &dense_row, .name = "lapack", .pattern = pattern, .is_complex = is_complex};
    lu->base.nonzeros = n * n;
    lu->n = (int)n;
    if (arena_protect(&lu->memory, build, lu) != DAE_OK) {
        dense_free(&lu->base);
        return DAE_NO_MEMORY;
    }
    *solver = &lu->base;
    return DAE_OK;
}
