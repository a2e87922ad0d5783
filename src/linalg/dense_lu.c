/* The dense row of the linear solver: LU with partial pivoting by LAPACK. */
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

/* Real and imaginary parts, stored in turn (C17 6.2.5). The language's complex operators test each
 * product for NaN; these do not. */
typedef struct parts {
    double re, im;
} parts;

/* x (count) -= factor * a, four at a time: compilers turn them into two vector operations. */
static void subtract(int count, double factor, const double *restrict a, double *restrict x)
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

static void subtract_complex(int count, parts factor, const parts *restrict a, parts *restrict x)
{
    for (int i = 0; i < count; i++) {
        x[i].re -= factor.re * a[i].re - factor.im * a[i].im;
        x[i].im -= factor.re * a[i].im + factor.im * a[i].re;
    }
}

/* The inverse of each of the n entries on the diagonal of U, in an array n x n by columns. */
static void substitution_invert(int n, const double *factors, double *inverse)
{
    for (ptrdiff_t j = 0; j < n; j++) inverse[j] = 1 / factors[j * n + j];
}

/* Smith, Comm. ACM 5 (1962) 435. */
static parts inverse_of(parts a)
{
    if (fabs(a.re) >= fabs(a.im)) {
        double ratio = a.im / a.re, size = a.re + a.im * ratio;
        return (parts){1 / size, -ratio / size};
    }
    double ratio = a.re / a.im, size = a.re * ratio + a.im;
    return (parts){ratio / size, -1 / size};
}

static void substitution_invert_complex(int n, const double complex *factors,
                                        double complex *inverse)
{
    const parts *a = (const parts *)factors;
    parts *of = (parts *)inverse;
    for (ptrdiff_t j = 0; j < n; j++) of[j] = inverse_of(a[j * n + j]);
}

/* x (n) = U^-1 L^-1 x: `factors` hold U, and L below its diagonal, which is 1. */
static void substitution_solve(int n, const double *factors, const double *inverse, double *x)
{
    const double *column = factors;
    for (int j = 0; j + 1 < n; j++, column += n)
        subtract(n - j - 1, x[j], column + j + 1, x + j + 1);
    for (int j = n - 1; j >= 0; j--, column -= n) {
        x[j] *= inverse[j];
        subtract(j, x[j], column, x);
    }
}

static void substitution_solve_complex(int n, const double complex *factors,
                                       const double complex *inverse, double complex *x)
{
    const parts *column = (const parts *)factors, *of = (const parts *)inverse;
    parts *y = (parts *)x;
    for (int j = 0; j + 1 < n; j++, column += n)
        subtract_complex(n - j - 1, y[j], column + j + 1, y + j + 1);
    for (int j = n - 1; j >= 0; j--, column -= n) {
        parts own = y[j];
        y[j].re = own.re * of[j].re - own.im * of[j].im;
        y[j].im = own.re * of[j].im + own.im * of[j].re;
        subtract_complex(j, y[j], column, y);
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
    double norm;       /* 1-norm of the scaled matrix */
    double *work;      /* 4 n, for the condition number */
    int *integer_work; /* n */
} dense_lu;

static void scatter_real(dense_lu *lu, const double *value)
{
    const sparse_pattern *p = lu->base.pattern;
    double *matrix = lu->matrix;
    memset(matrix, 0, (size_t)lu->n * (size_t)lu->n * sizeof *matrix);
    lu->norm = 0;
    for (size_t j = 0; j < p->columns; j++) {
        double sum = 0;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            double scaled = value[k] * lu->row_scale[p->row[k]];
            matrix[j * (size_t)lu->n + (size_t)p->row[k]] = scaled;
            sum += fabs(scaled);
        }
        if (sum > lu->norm) lu->norm = sum;
    }
}

static void scatter_complex(dense_lu *lu, const double complex *value)
{
    const sparse_pattern *p = lu->base.pattern;
    double complex *matrix = lu->matrix;
    memset(matrix, 0, (size_t)lu->n * (size_t)lu->n * sizeof *matrix);
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            matrix[j * (size_t)lu->n + (size_t)p->row[k]] = value[k] * lu->row_scale[p->row[k]];
}

/* Row scaling makes pivoting independent of the units in which the author wrote an equation. */
static dae_status scale_rows(dense_lu *lu, const void *values)
{
    const sparse_pattern *p = lu->base.pattern;
    memset(lu->row_scale, 0, (size_t)lu->n * sizeof *lu->row_scale);
    for (size_t k = 0; k < p->nonzeros; k++) {
        double size;
        if (lu->base.is_complex) {
            double complex v = ((const double complex *)values)[k];
            size = fabs(creal(v)) + fabs(cimag(v));
        } else {
            size = fabs(((const double *)values)[k]);
        }
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

static dae_status dense_factor(linear_solver *solver, const void *values)
{
    dense_lu *lu = (dense_lu *)solver;
    int info = 0;
    if (lu->n == 0) return DAE_OK;
    if (scale_rows(lu, values) != DAE_OK) return DAE_SINGULAR;
    if (solver->is_complex) {
        scatter_complex(lu, values);
        (lu->n <= BY_COLUMNS ? zgetf2_ : zgetrf_)(&lu->n, &lu->n, lu->matrix, &lu->n, lu->pivot,
                                                  &info);
        substitution_invert_complex(lu->n, lu->matrix, lu->inverse);
    } else {
        scatter_real(lu, values);
        (lu->n <= BY_COLUMNS ? dgetf2_ : dgetrf_)(&lu->n, &lu->n, lu->matrix, &lu->n, lu->pivot,
                                                  &info);
        substitution_invert(lu->n, lu->matrix, lu->inverse);
    }
    if (info > 0) solver->singular_column = (size_t)info - 1;
    return info == 0 ? DAE_OK : DAE_SINGULAR;
}

static void solve_real(const dense_lu *lu, double *x)
{
    for (int i = 0; i < lu->n; i++) x[i] *= lu->row_scale[i];
    for (int i = 0; i < lu->n; i++) {
        double swapped = x[lu->pivot[i] - 1];
        x[lu->pivot[i] - 1] = x[i];
        x[i] = swapped;
    }
    substitution_solve(lu->n, lu->matrix, lu->inverse, x);
}

static void solve_complex(const dense_lu *lu, double complex *x)
{
    for (int i = 0; i < lu->n; i++) x[i] *= lu->row_scale[i];
    for (int i = 0; i < lu->n; i++) {
        double complex swapped = x[lu->pivot[i] - 1];
        x[lu->pivot[i] - 1] = x[i];
        x[i] = swapped;
    }
    substitution_solve_complex(lu->n, lu->matrix, lu->inverse, x);
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
    dense_lu *lu = (dense_lu *)solver;
    free(lu->matrix);
    free(lu->pivot);
    free(lu->inverse);
    free(lu->row_scale);
    free(lu->work);
    free(lu->integer_work);
    free(lu);
}

static dae_status dense_like(linear_solver **solver, const linear_solver *other, bool is_complex)
{
    return dense_lu_create(solver, other->pattern, is_complex);
}

static const linear_solver_row dense_row = {
    .name = "lapack",
    .like = dense_like,
    .factor = dense_factor,
    .solve = dense_solve,
    .rcond = dense_rcond,
    .sign = dense_sign,
    .least_pivot = dense_least_pivot,
    .free = dense_free,
};

dae_status dense_lu_create(linear_solver **solver, const sparse_pattern *pattern, bool is_complex)
{
    size_t n = pattern->rows;
    if (n > (size_t)INT_MAX / (n ? n : 1)) return DAE_NO_MEMORY;
    dense_lu *lu = calloc(1, sizeof *lu);
    if (!lu) return DAE_NO_MEMORY;
    lu->base = (linear_solver){.row = &dense_row, .pattern = pattern, .is_complex = is_complex};
    lu->base.nonzeros = n * n;
    lu->n = (int)n;
    lu->matrix = calloc(n * n + 1, is_complex ? sizeof(double complex) : sizeof(double));
    lu->pivot = calloc(n + 1, sizeof *lu->pivot);
    lu->inverse = calloc(n + 1, is_complex ? sizeof(double complex) : sizeof(double));
    lu->row_scale = calloc(n + 1, sizeof *lu->row_scale);
    lu->work = calloc(4 * n + 1, sizeof *lu->work);
    lu->integer_work = calloc(n + 1, sizeof *lu->integer_work);
    if (!lu->matrix || !lu->pivot || !lu->inverse || !lu->row_scale || !lu->work ||
        !lu->integer_work) {
        dense_free(&lu->base);
        return DAE_NO_MEMORY;
    }
    *solver = &lu->base;
    return DAE_OK;
}
