/* Linear systems through the seam and behind it, dense and sparse, real and complex. The measure is
 * the backward error |b - A x| / (|x| + |b|), rows of A being scaled to a largest entry of 1, which
 * elimination with pivoting keeps at a small multiple of n eps (Higham, Accuracy and Stability, 2nd
 * ed., Sec. 9.3); old pivots, with which the sparse row goes on while they serve, cost digits. */
#include "linalg/linear_solver.h"

#include "linalg/linear_solver_rows.h"
#include "linalg/matrices.h"

#include <complex.h>
#include <string.h>

/* Solutions with the same factors, as of a multistep method: the sparse row then takes its next
 * factors over row by row. */
enum { MANY = 6 };

typedef enum which { BY_CHOICE, DENSE, SPARSE, ANY_PIVOTS, WHICH_COUNT } which;

static dae_status create(linear_solver **solver, which kind, const sparse_pattern *p,
                         bool is_complex)
{
    switch (kind) {
    case DENSE: return dense_lu_create(solver, p, is_complex);
    case SPARSE: return sparse_lu_create(solver, p, is_complex, false);
    case ANY_PIVOTS: return sparse_lu_create(solver, p, is_complex, true);
    default: return linear_solver_create(solver, p, is_complex);
    }
}

/* The part of a complex array's entry, or the real entry and 0. */
static double complex entry(const void *array, size_t i, bool is_complex)
{
    return is_complex ? ((const double complex *)array)[i] : ((const double *)array)[i];
}

static double backward_error(const sparse_pattern *p, const void *value, const void *x,
                             const void *b, bool is_complex, arena *a)
{
    double complex *product = arena_array(a, p->rows, sizeof *product);
    double *largest = arena_array(a, p->rows, sizeof *largest), size = 0, left = 0, right = 0;
    for (size_t j = 0; j < p->columns; j++) {
        size = fmax(size, cabs(entry(x, j, is_complex)));
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            double complex v = entry(value, (size_t)k, is_complex);
            product[p->row[k]] += v * entry(x, j, is_complex);
            largest[p->row[k]] = fmax(largest[p->row[k]], cabs(v));
        }
    }
    for (size_t i = 0; i < p->rows; i++) {
        double complex bi = entry(b, i, is_complex);
        left = fmax(left, cabs(bi - product[i]) / largest[i]);
        right = fmax(right, cabs(bi) / largest[i]);
    }
    return left / (size + right);
}

static void *scattered(arena *a, size_t count, bool is_complex, uint64_t *state)
{
    size_t doubles = count * (is_complex ? 2 : 1);
    double *value = arena_array(a, doubles, sizeof *value);
    for (size_t k = 0; k < doubles; k++) value[k] = scatter(state);
    return value;
}

/* Factor and solve with three sets of values on one pattern, by a solver that shares the analysis
 * of another one, which is gone. */
static void solves(arena *a, const sparse_pattern *p, which kind, bool is_complex, uint64_t *state)
{
    linear_solver *solver = NULL, *first = NULL;
    size_t bytes = p->rows * (is_complex ? sizeof(double complex) : sizeof(double));
    ck_assert_int_eq(create(&first, kind, p, scatter(state) > 0), DAE_OK);
    ck_assert_int_eq(linear_solver_create_like(&solver, first, is_complex), DAE_OK);
    ck_assert_str_eq(solver->name, first->name);
    linear_solver_free(first);
    for (int round = 0; round < 3; round++) {
        void *value = scattered(a, p->nonzeros, is_complex, state);
        void *right = scattered(a, p->rows, is_complex, state);
        void *x = arena_take(a, bytes + 1);
        ck_assert_int_eq(linear_solver_factor(solver, value), DAE_OK);
        for (int k = 0; k < MANY; k++) { /* factors serve more than one right side */
            memcpy(x, right, bytes);
            linear_solver_solve(solver, x);
            double error = backward_error(p, value, x, right, is_complex, a);
            bool old_pivots = round > 0 && kind != DENSE;
            double growth = old_pivots ? 1e4 : 50;
            ck_assert_msg(error <= growth * (double)(p->rows + 1) * DBL_EPSILON, "%s n = %zu: %g",
                          solver->name, p->rows, error);
        }
    }
    ck_assert_uint_ge(solver->nonzeros, p->rows);
    linear_solver_free(solver);
}

ARENA_TEST(residuals_of_full_matrices)
{
    uint64_t state = 21;
    const size_t sizes[] = {1, 2, 3, 5, 8, 13, 40};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        sparse_pattern *p = full_pattern(memory_, sizes[k], sizes[k]);
        for (which kind = BY_CHOICE; kind < WHICH_COUNT; kind++)
            for (int c = 0; c < 2; c++) solves(memory_, p, kind, c, &state);
    }
}

ARENA_TEST(residuals_of_scattered_matrices)
{
    uint64_t state = 22;
    const size_t sizes[] = {4, 20, 100, 300};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        sparse_pattern *p = scattered_pattern(memory_, sizes[k], 2, &state);
        for (which kind = BY_CHOICE; kind < WHICH_COUNT; kind++)
            for (int c = 0; c < 2; c++) solves(memory_, p, kind, c, &state);
    }
}

/* Blocks of one to four rows along the diagonal, full, with about an entry a row right of them;
 * rows and columns are exchanged. */
static sparse_pattern *block_triangular(arena *a, size_t n, uint64_t *state)
{
    enum { LARGEST = 4 };
    size_t most = (LARGEST + 1) * n, entries = 0;
    size_t *row = arena_array(a, most, sizeof *row), *column = arena_array(a, most, sizeof *row);
    size_t *where = arena_array(a, most, sizeof *where);
    for (size_t first = 0, end; first < n; first = end) {
        end = first + 1 + scatter_below(state, LARGEST);
        if (end > n) end = n;
        for (size_t i = first; i < end; i++) {
            for (size_t j = first; j < end; j++) row[entries] = i, column[entries++] = j;
            if (end == n) continue;
            row[entries] = i;
            column[entries++] = end + scatter_below(state, n - end);
        }
    }
    for (size_t k = 0; k < entries; k++) { /* n is no multiple of 7 or 11 */
        row[k] = (row[k] * 7 + 3) % n;
        column[k] = (column[k] * 11 + 5) % n;
    }
    return sparse_build(a, n, n, entries, row, column, where);
}

ARENA_TEST(residuals_of_matrices_of_many_blocks)
{
    uint64_t state = 26;
    const size_t sizes[] = {1, 2, 9, 100, 300};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        sparse_pattern *p = block_triangular(memory_, sizes[k], &state);
        for (which kind = BY_CHOICE; kind < WHICH_COUNT; kind++)
            for (int c = 0; c < 2; c++) solves(memory_, p, kind, c, &state);
    }
}

/* -1, 2 + alpha, -1: solved exactly by x = 1, 2, 3, ... for alpha = 0 but in the last row. */
static sparse_pattern *tridiagonal(arena *a, size_t n)
{
    size_t *row = arena_array(a, 3 * n, sizeof *row), *column = arena_array(a, 3 * n, sizeof *row);
    size_t *where = arena_array(a, 3 * n, sizeof *where), entries = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i ? i - 1 : 0; j <= i + 1 && j < n; j++)
            row[entries] = i, column[entries++] = j;
    return sparse_build(a, n, n, entries, row, column, where);
}

/* Of full matrices with one column after the other exchanged with the next. */
ARENA_TEST(signs_of_determinants)
{
    enum { N = 7 };
    uint64_t state = 23;
    sparse_pattern *p = full_pattern(memory_, N, N);
    linear_solver *dense = NULL, *sparse = NULL;
    ck_assert_int_eq(dense_lu_create(&dense, p, false), DAE_OK);
    ck_assert_int_eq(sparse_lu_create(&sparse, p, false, false), DAE_OK);
    double *value = scattered(memory_, p->nonzeros, false, &state), kept[N];
    for (size_t j = 0; j < N; j++) value[j * N + j] += N; /* dominant: all pivots of one sign */
    for (int k = 0; k < N; k++) {
        ck_assert_int_eq(linear_solver_factor(dense, value), DAE_OK);
        ck_assert_int_eq(linear_solver_factor(sparse, value), DAE_OK);
        ck_assert_int_eq(linear_solver_sign(dense), k % 2 ? -1 : 1);
        ck_assert_int_eq(linear_solver_sign(sparse), k % 2 ? -1 : 1);
        double *column = value + (size_t)(k + 1 < N ? k : 0) * N;
        memcpy(kept, column, sizeof kept);
        memcpy(column, column + N, sizeof kept);
        memcpy(column + N, kept, sizeof kept);
    }
    linear_solver_free(dense);
    linear_solver_free(sparse);
}

ARENA_TEST(long_chains_stay_sparse)
{
    enum { N = 5000 };
    sparse_pattern *p = tridiagonal(memory_, N);
    double *value = arena_array(memory_, p->nonzeros, sizeof *value);
    double *x = arena_array(memory_, N, sizeof *x);
    for (size_t j = 0; j < N; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            value[k] = (size_t)p->row[k] == j ? 2 : -1;
    x[N - 1] = N + 1;
    linear_solver *solver = NULL;
    ck_assert_int_eq(linear_solver_create(&solver, p, false), DAE_OK);
    ck_assert_str_eq(solver->name, "klu");
    ck_assert_int_eq(linear_solver_factor(solver, value), DAE_OK);
    ck_assert_uint_le(solver->nonzeros, 5 * N);
    linear_solver_solve(solver, x);
    /* the condition number is about n^2 / 2 */
    for (size_t i = 0; i < N; i++)
        ck_assert_double_eq_tol(x[i], (double)(i + 1), N * 0.5 * N * DBL_EPSILON * N);
    linear_solver_free(solver);
}

ARENA_TEST(small_full_matrices_are_dense)
{
    linear_solver *solver = NULL;
    ck_assert_int_eq(linear_solver_create(&solver, full_pattern(memory_, 40, 40), false), DAE_OK);
    ck_assert_str_eq(solver->name, "lapack");
    linear_solver_free(solver);
}

/* Operations of a dense factorisation grow with n^3 and of a solution with n^2; of a chain both
 * with n. Complex ones cost more. */
ARENA_TEST(costs)
{
    for (int c = 0; c < 2; c++) {
        linear_solver *full[2], *chain[2];
        for (int k = 0; k < 2; k++) {
            size_t n = k ? 800 : 400;
            ck_assert_int_eq(create(&full[k], DENSE, full_pattern(memory_, n, n), c), DAE_OK);
            ck_assert_int_eq(create(&chain[k], SPARSE, tridiagonal(memory_, n), c), DAE_OK);
        }
        double factor = linear_solver_factor_cost(full[1]) / linear_solver_factor_cost(full[0]);
        double solve = linear_solver_solve_cost(full[1]) / linear_solver_solve_cost(full[0]);
        ck_assert_double_eq_tol(log2(factor), 3, 0.1);
        ck_assert_double_eq_tol(log2(solve), 2, 0.1);
        factor = linear_solver_factor_cost(chain[1]) / linear_solver_factor_cost(chain[0]);
        solve = linear_solver_solve_cost(chain[1]) / linear_solver_solve_cost(chain[0]);
        ck_assert_double_eq_tol(log2(factor), 1, 0.1);
        ck_assert_double_eq_tol(log2(solve), 1, 0.1);
        linear_solver *real = NULL;
        ck_assert_int_eq(linear_solver_create_like(&real, chain[0], false), DAE_OK);
        double more = linear_solver_factor_cost(chain[0]) / linear_solver_factor_cost(real);
        ck_assert(c ? more > 1.5 && more < 4 : more == 1);
        linear_solver_free(real);
        for (int k = 0; k < 2; k++) linear_solver_free(full[k]), linear_solver_free(chain[k]);
    }
}

ARENA_TEST(nothing_to_solve)
{
    sparse_pattern *p = sparse_build(memory_, 0, 0, 0, NULL, NULL, NULL);
    linear_solver *solver = NULL;
    ck_assert_int_eq(linear_solver_create(&solver, p, false), DAE_OK);
    ck_assert_int_eq(linear_solver_factor(solver, NULL), DAE_OK);
    linear_solver_solve(solver, NULL);
    ck_assert(linear_solver_rcond(solver) == 1);
    linear_solver_free(solver);
    linear_solver_free(NULL);
}

/* Where a factorisation found the matrix singular: in a row of zeros or with an entry that is no
 * number, or in a column that depends on the others. */
static void is_located(const linear_solver *solver, const double *matrix)
{
    size_t row = solver->singular_row, column = solver->singular_column;
    if (row != LINEAR_SOLVER_NOWHERE) {
        const double *r = matrix + 3 * row;
        double sum = fabs(r[0]) + fabs(r[1]) + fabs(r[2]);
        ck_assert(sum == 0 || !isfinite(sum));
    }
    if (column == LINEAR_SOLVER_NOWHERE) return;
    /* without it the other two columns are of full rank */
    size_t i = column == 0, j = column == 2 ? 1 : 2;
    double largest = 0;
    for (size_t p = 0; p < 3; p++)
        for (size_t q = 0; q < p; q++)
            largest = fmax(largest, fabs(matrix[3 * p + i] * matrix[3 * q + j] -
                                         matrix[3 * p + j] * matrix[3 * q + i]));
    ck_assert_double_gt(largest, 0);
}

/* Each kind with this 3 x 3 matrix. */
static void is_singular(arena *a, const double *matrix)
{
    sparse_pattern *p = full_pattern(a, 3, 3);
    double *value = by_columns(a, 3, 3, matrix);
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double complex z[9];
    for (int k = 0; k < 9; k++) z[k] = value[k];
    for (which kind = BY_CHOICE; kind < WHICH_COUNT; kind++) {
        for (int c = 0; c < 2; c++) {
            linear_solver *solver = NULL;
            double complex unit[9], zx[3] = {1, 2, 3};
            double x[3] = {1, 2, 3};
            for (int k = 0; k < 9; k++) unit[k] = identity[k];
            ck_assert_int_eq(create(&solver, kind, p, c), DAE_OK);
            const void *wrong = c ? (const void *)z : value;
            const void *right = c ? (const void *)unit : identity;
            ck_assert_int_eq(linear_solver_factor(solver, wrong), DAE_SINGULAR);
            is_located(solver, matrix);
            ck_assert_int_eq(linear_solver_factor(solver, right), DAE_OK); /* it recovers */
            linear_solver_solve(solver, c ? (void *)zx : x);
            for (int i = 0; i < 3; i++)
                ck_assert_double_eq_tol(c ? creal(zx[i]) : x[i], i + 1, 1e-15);
            ck_assert_int_eq(linear_solver_factor(solver, wrong), DAE_SINGULAR);
            linear_solver_free(solver);
        }
    }
}

ARENA_TEST(singular_matrices)
{
    is_singular(memory_, (const double[]){1, 2, 3, 0, 0, 0, 4, 5, 6});
    is_singular(memory_, (const double[]){1, 0, 3, 2, 0, 5, 4, 0, 6});
    is_singular(memory_, (const double[]){1, 1, 0, 1, 1, 0, 0, 0, 1});
    is_singular(memory_, (const double[]){1, (double)NAN, 0, 0, 1, 0, 0, 0, 1});
    is_singular(memory_, (const double[]){1, 0, 0, 0, (double)INFINITY, 0, 0, 0, 1});
}

ARENA_TEST(structurally_singular_patterns)
{
    /* two columns that meet in one row only */
    const size_t row[] = {0, 1, 2, 2}, column[] = {0, 0, 1, 2};
    size_t where[4];
    linear_solver *solver = NULL;
    sparse_pattern *p = sparse_build(memory_, 3, 3, 4, row, column, where);
    ck_assert_int_eq(linear_solver_create(&solver, p, false), DAE_SINGULAR);
    ck_assert_int_eq(linear_solver_create(&solver, p, true), DAE_SINGULAR);
}

/* (1, 1; 1, 1 + e): condition number in the 1-norm (2 + e)^2 / e; an estimate may be too small by a
 * factor, and is so rarely. The sparse one takes the ratio of the diagonals of U, e / 1. */
ARENA_TEST(condition_numbers)
{
    sparse_pattern *p = full_pattern(memory_, 2, 2);
    for (double e = 1e-1; e > 1e-13; e /= 10) {
        const double value[4] = {1, 1, 1, 1 + e};
        for (which kind = DENSE; kind < WHICH_COUNT; kind++) {
            linear_solver *solver = NULL;
            ck_assert_int_eq(create(&solver, kind, p, false), DAE_OK);
            ck_assert_int_eq(linear_solver_factor(solver, value), DAE_OK);
            double rcond = linear_solver_rcond(solver);
            ck_assert_msg(rcond > e / 15 && rcond < 3 * e, "%g: %g", e, rcond);
            linear_solver_free(solver);
        }
    }
}

/* Equations in other units: rows times powers of 2, which scaling by rows has to undo. */
ARENA_TEST(units_of_equations_do_not_matter)
{
    uint64_t state = 23;
    enum { N = 12 };
    sparse_pattern *p = full_pattern(memory_, N, N);
    double *value = scattered(memory_, N * N, false, &state), scale[N], scaled[N * N];
    for (int i = 0; i < N; i++) scale[i] = ldexp(1, 40 * (i % 5) - 80);
    for (int k = 0; k < N * N; k++) scaled[k] = value[k] * scale[k % N];
    for (which kind = DENSE; kind < WHICH_COUNT; kind++) {
        linear_solver *plain = NULL, *other = NULL;
        double x[N], z[N];
        for (int i = 0; i < N; i++) x[i] = i, z[i] = i * scale[i];
        ck_assert_int_eq(create(&plain, kind, p, false), DAE_OK);
        ck_assert_int_eq(create(&other, kind, p, false), DAE_OK);
        ck_assert_int_eq(linear_solver_factor(plain, value), DAE_OK);
        ck_assert_int_eq(linear_solver_factor(other, scaled), DAE_OK);
        linear_solver_solve(plain, x);
        linear_solver_solve(other, z);
        double worst = 1e3 * N * DBL_EPSILON / linear_solver_rcond(plain);
        for (int i = 0; i < N; i++) ck_assert_double_eq_tol(x[i], z[i], worst);
        ck_assert_double_eq_tol(linear_solver_rcond(other) / linear_solver_rcond(plain), 1, 1e-6);
        linear_solver_free(plain);
        linear_solver_free(other);
    }
}

/* Old pivots that have become tiny are given up: with them all digits would be lost. */
ARENA_TEST(bad_pivots_are_given_up)
{
    enum { N = 30 };
    uint64_t state = 24;
    sparse_pattern *p = scattered_pattern(memory_, N, 4, &state);
    for (int c = 0; c < 2; c++) {
        linear_solver *solver = NULL;
        size_t times = c ? 2 : 1;
        ck_assert_int_eq(create(&solver, SPARSE, p, c), DAE_OK);
        for (int round = 0; round < 20; round++) {
            double *value = scattered(memory_, p->nonzeros, c, &state);
            double *right = scattered(memory_, N, c, &state);
            double *x = arena_array(memory_, N * times, sizeof *x);
            /* all but a few entries become tiny, others in each round */
            for (size_t k = 0; k < p->nonzeros; k++)
                for (size_t part = 0; part < times; part++)
                    if (scatter(&state) > -0.3) value[times * k + part] *= 1e-13;
            if (linear_solver_factor(solver, value) != DAE_OK) continue;
            memcpy(x, right, N * times * sizeof *x);
            linear_solver_solve(solver, x);
            double error = backward_error(p, value, x, right, c, memory_);
            ck_assert_msg(error < 1e-12, "%g", error);
        }
        ck_assert_uint_gt(solver->reordered, 0);
        linear_solver_free(solver);
    }
}

/* [1, T; 1, 0], T tridiagonal. With `row` below n, two columns of T have that entry alone. */
static sparse_pattern *long_search(arena *a, size_t n, size_t row)
{
    size_t *rows = arena_array(a, 5 * n, sizeof *rows),
           *columns = arena_array(a, 5 * n, sizeof *rows);
    size_t *where = arena_array(a, 5 * n, sizeof *where), entries = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < 2 * n; i += n) rows[entries] = i, columns[entries++] = j;
        bool alone = j == row || j == row + 2;
        size_t from = alone ? row + 1 : j ? j - 1 : 0, to = alone ? row + 1 : j + 1;
        for (size_t i = from; i <= to && i < n; i++) rows[entries] = i, columns[entries++] = n + j;
    }
    return sparse_build(a, 2 * n, 2 * n, entries, rows, columns, where);
}

/* The matching that an order by blocks begins with would take n^2 looks at entries. */
ARENA_TEST(a_long_search_for_blocks_is_given_up)
{
    enum { N = 2000 };
    uint64_t state = 25;
    linear_solver *solver = NULL;
    const sparse_pattern *regular = long_search(memory_, N, N);
    for (int c = 0; c < 2; c++) solves(memory_, regular, BY_CHOICE, c, &state);
    ck_assert_int_eq(linear_solver_create(&solver, regular, false), DAE_OK);
    ck_assert_uint_lt(solver->nonzeros, 20 * N);
    linear_solver_free(solver);
    const sparse_pattern *singular = long_search(memory_, N, N / 2);
    ck_assert_int_eq(linear_solver_create(&solver, singular, false), DAE_OK); /* not known so far */
    ck_assert_int_eq(linear_solver_factor(solver, scattered(memory_, 5 * N, false, &state)),
                     DAE_SINGULAR);
    linear_solver_free(solver);
}

UNIT_MAIN("linalg/linear_solver", 60, signs_of_determinants, residuals_of_full_matrices,
          residuals_of_scattered_matrices, residuals_of_matrices_of_many_blocks,
          long_chains_stay_sparse, small_full_matrices_are_dense, costs, nothing_to_solve,
          singular_matrices, structurally_singular_patterns, condition_numbers,
          units_of_equations_do_not_matter, bad_pivots_are_given_up,
          a_long_search_for_blocks_is_given_up)
