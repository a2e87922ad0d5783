/* Factorisations of alpha B + beta A: rows with two entries taken out against all rows as they are,
 * whatever their signs, zeros and units, and patterns that grow. The measure is the backward error
 * |b - M x| / (|M| |x| + |b|) of each row, its matrix in units of the columns' scales; elimination
 * with pivots keeps it at a small multiple of n eps (Higham, Accuracy and Stability, 2nd ed., Sec.
 * 9.3). */
#include "problem/pencil.h"

#include "linalg/matrices.h"
#include "problem/pair_rows.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

static double complex number(double re, double im)
{
    const double part[2] = {re, im};
    double complex z;
    memcpy(&z, part, sizeof z);
    return z;
}

/* A matrix n x n by columns of a full array, and as a pattern with values. */
typedef struct example {
    size_t n;
    double *full;
    sparse_pattern *pattern;
    double *value;
} example;

static example of_full(arena *a, size_t n, const double *full)
{
    example x = {.n = n, .full = arena_array(a, n * n, sizeof(double))};
    size_t *row = arena_array(a, n * n, sizeof *row), *column = arena_array(a, n * n, sizeof *row);
    size_t *where = arena_array(a, n * n, sizeof *where), entries = 0;
    memcpy(x.full, full, n * n * sizeof *full);
    for (size_t k = 0; k < n * n; k++)
        if (full[k] != 0) row[entries] = k % n, column[entries++] = k / n;
    x.pattern = sparse_build(a, n, n, entries, row, column, where);
    x.value = arena_array(a, entries, sizeof *x.value);
    for (size_t k = 0; k < entries; k++) x.value[where[k]] = full[column[k] * n + row[k]];
    return x;
}

static double complex entry(const void *array, size_t i, bool is_complex)
{
    return is_complex ? ((const double complex *)array)[i] : ((const double *)array)[i];
}

/* The largest backward error of a row of (alpha B + beta A) x = b. */
static double backward_error(const example *b, const example *at, double complex alpha,
                             double complex beta, const void *x, const void *right, bool is_complex)
{
    size_t n = b->n;
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double complex left = entry(right, i, is_complex);
        double size = cabs(left), most = 0, largest = 0;
        for (size_t j = 0; j < n; j++) {
            double complex m = alpha * b->full[j * n + i] + beta * at->full[j * n + i];
            left -= m * entry(x, j, is_complex);
            most = fmax(most, cabs(m));
            largest = fmax(largest, cabs(entry(x, j, is_complex)));
        }
        worst = fmax(worst, cabs(left) / (size + most * largest + DBL_MIN));
    }
    return worst;
}

/* Second order: q' = v, M v' = K q + D v, of which M, K and D are full; `scatter_rows` of the first
 * rows hold other pairs than q' = v, so that chains and rings of them come about. */
static void second_order(arena *a, size_t half, size_t scattered_rows, uint64_t *state, example *b,
                         example *at)
{
    size_t n = 2 * half;
    double *mass = arena_array(a, n * n, sizeof *mass),
           *slope = arena_array(a, n * n, sizeof *slope);
    for (size_t i = 0; i < half; i++) {
        bool other = i < scattered_rows;
        size_t k = other ? scatter_below(state, n) : half + i;
        mass[i * n + i] = 1;
        if (k != i) slope[k * n + i] = other ? scatter(state) : -1;
        for (size_t j = 0; j < n; j++) slope[j * n + half + i] = scatter(state);
        for (size_t j = 0; j < half; j++) mass[(half + j) * n + half + i] = scatter(state);
        mass[(half + i) * n + half + i] += 3;
    }
    *b = of_full(a, n, mass);
    *at = of_full(a, n, slope);
}

static void *scattered_numbers(arena *a, size_t n, uint64_t *state)
{
    double *x = arena_array(a, 2 * n, sizeof *x);
    for (size_t k = 0; k < 2 * n; k++) x[k] = scatter(state);
    return x;
}

static double solved(arena *a, pencil *p, size_t slot, const example *b, const example *at,
                     double complex alpha, double complex beta, bool is_complex, uint64_t *state)
{
    size_t bytes = b->n * (is_complex ? sizeof(double complex) : sizeof(double));
    void *right = scattered_numbers(a, b->n, state), *x = scattered_numbers(a, b->n, state);
    memcpy(x, right, bytes);
    pencil_solve(p, slot, x);
    return backward_error(b, at, alpha, beta, x, right, is_complex);
}

/* Of q' = v half the matrix is left, where that pays; exact to round-off for long steps and short
 * ones, with and without scales. */
ARENA_TEST(second_order_rows_are_taken_out)
{
    uint64_t state = 5;
    const bool kinds[] = {false, true};
    for (size_t half = 1; half <= 40; half = half * 2 + 1) {
        for (size_t others = 0; others <= half; others += half) {
            example b, at;
            second_order(memory_, half, others, &state, &b, &at);
            pencil *p = pencil_create(memory_, (pencil_matrix){b.pattern, NULL},
                                      (pencil_matrix){at.pattern, NULL});
            dae_status status = pencil_reserve(p, 2, kinds);
            if (status == DAE_SINGULAR && others > 0) continue;
            ck_assert_int_eq(status, DAE_OK);
            for (double size = 1e-6; size < 1e13; size *= 1e3) {
                for (size_t slot = 0; slot < 2; slot++) {
                    double complex alpha = slot ? number(size, 2 * size) : size;
                    ck_assert_int_eq(pencil_factor(p, slot, alpha, b.value, 1, at.value, NULL), 0);
                    double error = solved(memory_, p, slot, &b, &at, alpha, 1, slot > 0, &state);
                    ck_assert_msg(error < 100 * (double)b.n * DBL_EPSILON, "%zu: %g", half, error);
                }
            }
            if (half > 10 && others == 0)
                ck_assert_uint_eq(pencil_solver(p, 0)->nonzeros, half * half);
            pencil_free(p);
        }
    }
}

/* x becomes the solution with the matrix of these values, reduced in any case; DAE_SINGULAR where
 * what is left is. No column counts more than its root. */
static dae_status solve_reduced(arena *a, pair_rows *r, const void *value, bool is_complex, void *x)
{
    size_t n = r->whole->columns;
    pair_factors f = {.rows = r, .is_complex = is_complex};
    workspace space = {0};
    linear_solver *solver = NULL;
    pair_factors_carve(&f, &space);
    ck_assert_int_eq(workspace_allocate(&space), DAE_OK);
    pair_factors_carve(&f, &space);
    void *reduced = arena_array(a, r->reduced->nonzeros + 1, sizeof(double complex));
    dae_status status = linear_solver_create(&solver, r->reduced, is_complex);
    ck_assert_uint_eq(pair_factors_reduce(&f, value, NULL, reduced), n);
    if (status == DAE_OK) status = linear_solver_factor(solver, reduced);
    if (status == DAE_OK) {
        pair_factors_take(&f, x);
        linear_solver_solve(solver, f.right);
        pair_factors_give(&f, x);
    }
    for (size_t j = 0; j < n; j++)
        ck_assert_double_le(cabs(entry(f.weight, j, is_complex)), 1 + 1e-12);
    linear_solver_free(solver);
    workspace_free(&space);
    return status;
}

/* Pairs of all sorts of sizes. */
static void reduces_exactly(arena *a, size_t n, size_t pairs, bool is_complex, uint64_t *state)
{
    double *full = arena_array(a, n * n, sizeof *full), *zero = arena_array(a, n * n, sizeof *zero);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n && i >= pairs; j++) full[j * n + i] = scatter(state);
        if (i >= pairs) continue;
        size_t j = scatter_below(state, n), k = (j + 1 + scatter_below(state, n - 1)) % n;
        full[j * n + i] = scatter(state) * pow(10, 6 * scatter(state));
        full[k * n + i] = scatter(state) * pow(10, 6 * scatter(state));
    }
    example m = of_full(a, n, full), none = of_full(a, n, zero);
    pair_rows *r = pair_rows_find(a, m.pattern);
    for (size_t e = 0; e < r->count; e++) ck_assert_uint_lt(r->pair[e].row, pairs);
    ck_assert_uint_eq(r->reduced->columns + r->count, n);
    double complex factor = is_complex ? number(0.6, -0.8) : 1;
    double *value = arena_array(a, 2 * m.pattern->nonzeros, sizeof *value);
    for (size_t k = 0; k < m.pattern->nonzeros; k++) {
        value[is_complex ? 2 * k : k] = creal(factor) * m.value[k];
        if (is_complex) value[2 * k + 1] = cimag(factor) * m.value[k];
    }
    void *right = scattered_numbers(a, n, state), *x = scattered_numbers(a, n, state);
    memcpy(x, right, n * sizeof(double complex));
    if (solve_reduced(a, r, value, is_complex, x) != DAE_OK) return;
    double error = backward_error(&m, &none, factor, 0, x, right, is_complex);
    ck_assert_msg(error < 1e3 * (double)n * DBL_EPSILON, "n = %zu: %g", n, error);
}

ARENA_TEST(pairs_of_all_sizes)
{
    uint64_t state = 6;
    for (int round = 0; round < 200; round++) {
        size_t n = 3 + scatter_below(&state, 12);
        reduces_exactly(memory_, n, 1 + scatter_below(&state, n - 1), round % 2, &state);
    }
}

/* x_(k+1) = 1.9 x_k and x_(k+1) = x_k / 1.9, 3000 times, with x_0 + ... + x_N = 1: powers beyond
 * all numbers, of which the chain's solution has but the largest and its neighbours. */
ARENA_TEST(long_chains)
{
    enum { N = 3001 };
    for (int way = 0; way < 2; way++) {
        double q = way ? 1.9 : 1 / 1.9;
        size_t *row = arena_array(memory_, 3 * N, sizeof *row), entries = 0;
        size_t *column = arena_array(memory_, 3 * N, sizeof *column);
        size_t *where = arena_array(memory_, 3 * N, sizeof *where);
        double *value = arena_array(memory_, 3 * N, sizeof *value);
        double *held = arena_array(memory_, 3 * N, sizeof *held);
        for (size_t k = 0; k + 1 < N; k++) {
            held[entries] = q, row[entries] = k, column[entries++] = k;
            held[entries] = -1, row[entries] = k, column[entries++] = k + 1;
        }
        for (size_t k = 0; k < N; k++)
            held[entries] = 1, row[entries] = N - 1, column[entries++] = k;
        sparse_pattern *all = sparse_build(memory_, N, N, entries, row, column, where);
        for (size_t k = 0; k < entries; k++) value[where[k]] = held[k];
        double *x = arena_array(memory_, N, sizeof *x);
        x[N - 1] = 1;
        ck_assert_int_eq(solve_reduced(memory_, pair_rows_find(memory_, all), value, false, x), 0);
        double share = 1 - 1 / 1.9; /* of the largest in the geometric sum */
        for (size_t k = 0; k < N; k++) {
            double steps = (double)(way ? N - 1 - k : k);
            ck_assert_double_eq_tol(x[k], share * pow(1.9, -steps), 1e-12);
        }
    }
}

/* q' = v alone with beta = 0, as slopes are found: v drops out of its rows; and with alpha = 0. */
ARENA_TEST(one_of_two_entries_may_vanish)
{
    uint64_t state = 7;
    const bool kinds[] = {false, true};
    example b, at;
    second_order(memory_, 16, 0, &state, &b, &at);
    pencil *p = pencil_create(memory_, (pencil_matrix){b.pattern, NULL},
                              (pencil_matrix){at.pattern, NULL});
    ck_assert_int_eq(pencil_reserve(p, 2, kinds), DAE_OK);
    for (size_t slot = 0; slot < 2; slot++) {
        for (int k = 0; k < 2; k++) {
            ck_assert_int_eq(pencil_factor(p, slot, k, b.value, 1 - k, at.value, NULL), DAE_OK);
            double error = solved(memory_, p, slot, &b, &at, k, 1 - k, slot > 0, &state);
            ck_assert_double_lt(error, 100 * 32 * DBL_EPSILON);
        }
        size_t row, column; /* and where both do, that is the row */
        memset(b.value, 0, b.pattern->nonzeros * sizeof *b.value);
        ck_assert_int_eq(pencil_factor(p, slot, 1, b.value, 0, at.value, NULL), DAE_SINGULAR);
        pencil_singular(p, slot, &row, &column);
        ck_assert_uint_lt(row, 32);
        b = of_full(memory_, 32, b.full);
    }
    pencil_free(p);
}

/* Entries that come later are taken in, by each slot at its next factorisation; one that is not
 * factored again goes on with what it has. */
ARENA_TEST(patterns_grow)
{
    enum { N = 12 };
    uint64_t state = 8;
    const bool kinds[] = {false, true};
    double identity[N * N] = {0}, full[N * N];
    for (size_t k = 0; k < N * N; k++) full[k] = scatter(&state);
    for (size_t i = 0; i < N; i++) identity[i * N + i] = 1;
    example b = of_full(memory_, N, identity), at = of_full(memory_, N, full), before = at;
    bool *occurs = arena_array(memory_, N * N, sizeof *occurs);
    before.full = arena_array(memory_, N * N, sizeof(double));
    before.value = arena_array(memory_, N * N, sizeof(double));
    for (size_t k = 0; k < N * N; k++) {
        occurs[k] = scatter(&state) > 0.7 || k % (N + 1) == 0;
        before.full[k] = before.value[k] = occurs[k] ? at.value[k] : 0;
    }
    pencil *p = pencil_create(memory_, (pencil_matrix){b.pattern, NULL},
                              (pencil_matrix){at.pattern, occurs});
    ck_assert_int_eq(pencil_reserve(p, 2, kinds), DAE_OK);
    for (size_t slot = 0; slot < 2; slot++)
        ck_assert_int_eq(pencil_factor(p, slot, 2, b.value, 1, before.value, NULL), DAE_OK);
    memset(occurs, true, N * N);
    pencil_extend(p, memory_);
    ck_assert_int_eq(pencil_factor(p, 1, 2, b.value, 1, at.value, NULL), DAE_OK);
    double old = solved(memory_, p, 0, &b, &before, 2, 1, false, &state);
    double new = solved(memory_, p, 1, &b, &at, 2, 1, true, &state);
    ck_assert_double_lt(old, 100 * N * DBL_EPSILON);
    ck_assert_double_lt(new, 100 * N * DBL_EPSILON);
    ck_assert_int_eq(pencil_factor(p, 0, 2, b.value, 1, at.value, NULL), DAE_OK);
    ck_assert_double_lt(solved(memory_, p, 0, &b, &at, 2, 1, false, &state), 100 * N * DBL_EPSILON);
    pencil_free(p);
}

/* By elimination with row exchanges, of B alpha + A. */
static int sign_of(arena *a, const example *b, const example *at, double alpha)
{
    size_t n = b->n;
    double *m = arena_array(a, n * n, sizeof *m);
    int sign = 1;
    for (size_t k = 0; k < n * n; k++) m[k] = alpha * b->full[k] + at->full[k];
    for (size_t k = 0; k < n; k++) {
        size_t most = k;
        for (size_t i = k; i < n; i++)
            if (fabs(m[k * n + i]) > fabs(m[k * n + most])) most = i;
        if (most != k) sign = -sign;
        for (size_t j = 0; j < n; j++) {
            double swapped = m[j * n + k];
            m[j * n + k] = m[j * n + most];
            m[j * n + most] = swapped;
        }
        if (m[k * n + k] < 0) sign = -sign;
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = n; j-- > k;) m[j * n + i] -= m[k * n + i] / m[k * n + k] * m[j * n + k];
    }
    return sign;
}

/* Whatever rows are taken out, and whatever columns are roots. */
ARENA_TEST(signs_are_those_of_the_whole_matrix)
{
    uint64_t state = 11;
    const bool kinds[] = {false};
    int minus = 0;
    for (size_t half = 1; half <= 24; half++) {
        for (size_t others = 0; others <= half; others += half) {
            example b, at;
            second_order(memory_, half, others, &state, &b, &at);
            pencil *p = pencil_create(memory_, (pencil_matrix){b.pattern, NULL},
                                      (pencil_matrix){at.pattern, NULL});
            if (pencil_reserve(p, 1, kinds) == DAE_OK) {
                for (double alpha = 0.01; alpha < 1e4; alpha *= 7) {
                    dae_status status = pencil_factor(p, 0, alpha, b.value, 1, at.value, NULL);
                    if (status != DAE_OK) continue;
                    int sign = sign_of(memory_, &b, &at, alpha);
                    ck_assert_int_eq(pencil_sign(p, 0), sign);
                    minus += sign < 0;
                }
            }
            pencil_free(p);
        }
    }
    ck_assert_int_gt(minus, 50); /* of about 350 */
}

UNIT_MAIN("problem/pencil", 60, signs_are_those_of_the_whole_matrix,
          second_order_rows_are_taken_out, pairs_of_all_sizes, long_chains,
          one_of_two_entries_may_vanish, patterns_grow)
