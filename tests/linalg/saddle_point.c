/* Saddle-point systems: residuals at round-off, rows that depend on others, first blocks that are
 * singular, large ones. */
#include "linalg/saddle_point.h"

#include "base/unit.h"

#include <stdbool.h>
#include <string.h>

enum { N = 12, M = 5, SIZE = N + M, SEEDS = 40 };

/* Blocks of H: one, small ones, a diagonal. */
static const size_t BLOCKS[4] = {1, 3, 4, N};

typedef struct example {
    const sparse_pattern *h_pattern, *g_pattern;
    double h[N * N], g[M * N], scale[N]; /* by columns */
} example;

static const sparse_pattern *dense(arena *a, size_t rows, size_t columns)
{
    sparse_pattern *p = arena_take(a, sizeof *p);
    *p = (sparse_pattern){.rows = rows, .columns = columns, .nonzeros = rows * columns};
    p->start = arena_array(a, columns + 1, sizeof *p->start);
    p->row = arena_array(a, rows * columns, sizeof *p->row);
    for (size_t j = 0; j <= columns; j++) p->start[j] = (sparse_index)(j * rows);
    for (size_t k = 0; k < rows * columns; k++) p->row[k] = (sparse_index)(k % rows);
    return p;
}

/* Of entries whose numbers are equal modulo `blocks`. */
static const sparse_pattern *in_blocks(arena *a, size_t blocks)
{
    sparse_pattern *p = arena_take(a, sizeof *p);
    *p = (sparse_pattern){.rows = N, .columns = N};
    p->start = arena_array(a, N + 1, sizeof *p->start);
    p->row = arena_array(a, N * N, sizeof *p->row);
    for (size_t j = 0; j < N; j++) {
        for (size_t i = j % blocks; i < N; i += blocks) p->row[p->nonzeros++] = (sparse_index)i;
        p->start[j + 1] = (sparse_index)p->nonzeros;
    }
    return p;
}

/* H = B'B + 0.1, or as an unsymmetric one, of so many blocks, and G of full rank; x_j of very
 * different units. */
static example some(arena *a, uint64_t seed, bool symmetric, size_t blocks)
{
    example e = {.h_pattern = in_blocks(a, blocks), .g_pattern = dense(a, M, N)};
    double b[N * N];
    for (size_t k = 0; k < N * N; k++) b[k] = scatter(&seed);
    for (size_t j = 0; j < N; j++) e.scale[j] = pow(10, 3 * scatter(&seed));
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            double sum = i == j ? 0.1 : 0;
            for (size_t k = 0; k < N; k++) sum += b[k * N + i] * b[k * N + j];
            if (i % blocks != j % blocks) continue;
            e.h[j * N + i] = (symmetric ? sum : sum + b[j * N + i]) / (e.scale[i] * e.scale[j]);
        }
    }
    for (size_t k = 0; k < M * N; k++) e.g[k] = scatter(&seed) / e.scale[k / M];
    return e;
}

/* Row `to` becomes twice the first less the second. */
static void make_dependent(example *e, size_t to)
{
    for (size_t j = 0; j < N; j++) e->g[j * M + to] = 2 * e->g[j * M] - e->g[j * M + 1];
}

/* The residual of row i, over the sizes of its terms. */
static double residual(const example *e, const double *x, const double *right, size_t i)
{
    double sum = -right[i], size = fabs(right[i]);
    for (size_t j = 0; j < N; j++) {
        double term = (i < N ? e->h[j * N + i] : e->g[j * M + i - N]) * x[j];
        sum += term;
        size += fabs(term);
    }
    for (size_t k = 0; i < N && k < M; k++) {
        double term = e->g[i * M + k] * x[N + k];
        sum -= term;
        size += fabs(term);
    }
    return fabs(sum) / size;
}

static void right_side(uint64_t *seed, const example *e, double *right)
{
    for (size_t j = 0; j < N; j++) right[j] = scatter(seed) / e->scale[j];
    for (size_t i = N; i < SIZE; i++) right[i] = scatter(seed);
}

/* With the values of H in the order of its pattern. */
static dae_status factor(saddle_point *p, const example *e)
{
    double h[N * N];
    const sparse_pattern *of_h = e->h_pattern;
    for (size_t j = 0; j < N; j++)
        for (sparse_index k = of_h->start[j]; k < of_h->start[j + 1]; k++)
            h[k] = e->h[j * N + (size_t)of_h->row[k]];
    return saddle_point_factor(p, h, e->g);
}

static saddle_point *factored(const example *e, dae_status expected)
{
    saddle_point *p = NULL;
    ck_assert_int_eq(saddle_point_create(&p, e->h_pattern, e->g_pattern, e->scale), DAE_OK);
    ck_assert_int_eq(factor(p, e), expected);
    return p;
}

ARENA_TEST(residuals_are_round_off)
{
    for (uint64_t seed = 1; seed < SEEDS; seed++) {
        example e = some(memory_, seed, seed % 2, BLOCKS[seed % 4]);
        uint64_t state = seed;
        double right[SIZE], x[SIZE];
        saddle_point *p = factored(&e, DAE_OK);
        right_side(&state, &e, right);
        memcpy(x, right, sizeof x);
        saddle_point_solve(p, x);
        ck_assert_uint_eq(saddle_point_rank(p), M);
        for (size_t i = 0; i < SIZE; i++) ck_assert_double_le(residual(&e, x, right, i), 1e-13);
        saddle_point_free(p);
    }
}

/* Rows that depend on others and do not contradict them are met; the shortest lambda is orthogonal
 * to their combination that is 0, over the rows' lengths. */
ARENA_TEST(dependent_rows_are_met)
{
    for (uint64_t seed = 1; seed < SEEDS; seed++) {
        example e = some(memory_, seed, true, BLOCKS[seed % 4]);
        uint64_t state = seed;
        double right[SIZE], x[SIZE], length[3] = {0}, sum = 0;
        make_dependent(&e, 3);
        saddle_point *p = factored(&e, DAE_OK);
        right_side(&state, &e, right);
        right[N + 3] = 2 * right[N] - right[N + 1];
        memcpy(x, right, sizeof x);
        saddle_point_solve(p, x);
        ck_assert_uint_eq(saddle_point_rank(p), M - 1);
        for (size_t i = 0; i < SIZE; i++) ck_assert_double_le(residual(&e, x, right, i), 1e-12);
        static const size_t row[3] = {0, 1, 3};
        static const double part[3] = {2, -1, -1};
        for (size_t j = 0; j < N; j++)
            for (size_t k = 0; k < 3; k++) length[k] += pow(e.g[j * M + row[k]] * e.scale[j], 2);
        for (size_t k = 0; k < 3; k++) sum += part[k] * length[k] * x[N + row[k]];
        double size = 0;
        for (size_t k = 0; k < 3; k++) size += fabs(part[k] * length[k] * x[N + row[k]]);
        ck_assert_double_le(fabs(sum), 1e-11 * size);
        saddle_point_free(p);
    }
}

/* Rows that contradict each other are met as well as can be: of two equal ones the mean. */
ARENA_TEST(contradictions_are_shared)
{
    example e = some(memory_, 7, true, 4);
    uint64_t state = 7;
    double right[SIZE], x[SIZE], sum = 0;
    for (size_t j = 0; j < N; j++) e.g[j * M + 4] = e.g[j * M + 2];
    saddle_point *p = factored(&e, DAE_OK);
    right_side(&state, &e, right);
    memcpy(x, right, sizeof x);
    saddle_point_solve(p, x);
    for (size_t j = 0; j < N; j++) sum += e.g[j * M + 2] * x[j];
    ck_assert_double_eq_tol(sum, (right[N + 2] + right[N + 4]) / 2, 1e-12);
    ck_assert_double_eq_tol(x[N + 2], x[N + 4], 1e-12 * fabs(x[N + 2]));
    for (size_t i = 0; i < N; i++) ck_assert_double_le(residual(&e, x, right, i), 1e-12);
    saddle_point_free(p);
}

/* Without inertia of its own, but held: regular. Held by nothing: the unknown is named. */
static void check_light(arena *a, size_t blocks)
{
    static const size_t light = 8;
    example e = some(a, 9, true, blocks);
    uint64_t state = 9;
    double right[SIZE], x[SIZE];
    for (size_t j = 0; j < N; j++) e.h[light * N + j] = e.h[j * N + light] = 0;
    saddle_point *p = factored(&e, DAE_OK);
    right_side(&state, &e, right);
    memcpy(x, right, sizeof x);
    saddle_point_solve(p, x);
    for (size_t i = 0; i < SIZE; i++) ck_assert_double_le(residual(&e, x, right, i), 1e-12);
    saddle_point_free(p);
    for (size_t i = 0; i < M; i++) e.g[light * M + i] = 0;
    p = factored(&e, DAE_SINGULAR);
    ck_assert_uint_eq(saddle_point_undetermined(p), light);
    saddle_point_free(p);
}

ARENA_TEST(first_blocks_may_be_singular_where_rows_hold_them)
{
    for (int k = 0; k < 4; k++) check_light(memory_, BLOCKS[k]);
}

/* With small blocks no more than the matrix of the multipliers is factored. */
ARENA_TEST(small_blocks_are_eliminated)
{
    for (int k = 0; k < 3; k++) {
        example e = some(memory_, 5, false, BLOCKS[k]);
        saddle_point *p = factored(&e, DAE_OK);
        ck_assert_uint_eq(saddle_point_nonzeros(p), BLOCKS[k] == 1 ? SIZE * SIZE : M * M);
        saddle_point_free(p);
    }
}

/* Cholesky's method factors what is small, symmetric and definite, and rows of L are as long as
 * those of H; what is nearly so is solved as well in another way. Either has no more than round-off
 * left, and goes over into the other. */
ARENA_TEST(small_definite_systems)
{
    example definite = some(memory_, 3, true, 3), other = definite;
    uint64_t state = 3;
    double right[SIZE], x[SIZE], once[SIZE];
    other.h[0] = -other.h[0];
    saddle_point *p = factored(&definite, DAE_OK);
    for (int k = 0; k < 4; k++) {
        const example *now = k % 2 ? &other : &definite;
        ck_assert_int_eq(factor(p, now), DAE_OK);
        ck_assert_uint_eq(saddle_point_nonzeros(p),
                          k % 2 ? M * M : 3 * (1 + 4 + 7 + 10) + M * (M + 1) / 2);
        ck_assert_int_eq(strcmp(saddle_point_name(p), "cholesky") == 0, k % 2 == 0);
        right_side(&state, now, right);
        memcpy(x, right, sizeof x);
        double largest = 0;
        memcpy(once, right, sizeof once);
        saddle_point_solve(p, x);
        saddle_point_solve_once(p, once);
        for (size_t i = 0; i < SIZE; i++) ck_assert_double_le(residual(now, x, right, i), 1e-13);
        for (size_t j = 0; j < N; j++) largest = fmax(largest, fabs(x[j] / now->scale[j]));
        for (size_t j = 0; j < N; j++)
            ck_assert_double_le(fabs(once[j] - x[j]) / now->scale[j], 1e-11 * largest);
    }
    saddle_point_free(p);
}

/* What was factored last is not factored again; what is not finite is refused. */
ARENA_TEST(factors_are_kept)
{
    example e = some(memory_, 11, true, 1);
    saddle_point *p = factored(&e, DAE_OK);
    ck_assert_int_eq(factor(p, &e), DAE_OK);
    ck_assert_uint_eq(saddle_point_factored(p), 1);
    e.g[3] *= 1.5;
    ck_assert_int_eq(factor(p, &e), DAE_OK);
    ck_assert_uint_eq(saddle_point_factored(p), 2);
    e.h[5] = (double)NAN;
    ck_assert_int_eq(factor(p, &e), DAE_SINGULAR);
    e.h[5] = 0.25;
    ck_assert_int_eq(factor(p, &e), DAE_OK);
    saddle_point_free(p);
}

/* The rank changes on the way, and changes back. */
ARENA_TEST(rank_changes_are_passed)
{
    example e = some(memory_, 13, true, 3), dependent = e;
    uint64_t state = 13;
    double right[SIZE], x[SIZE];
    make_dependent(&dependent, 4);
    saddle_point *p = factored(&e, DAE_OK);
    for (int k = 0; k < 6; k++) {
        const example *now = k % 3 == 1 ? &dependent : &e;
        ck_assert_int_eq(factor(p, now), DAE_OK);
        ck_assert_uint_eq(saddle_point_rank(p), now == &e ? M : M - 1);
        right_side(&state, now, right);
        right[N + 4] = 2 * right[N] - right[N + 1];
        memcpy(x, right, sizeof x);
        saddle_point_solve(p, x);
        for (size_t i = 0; i < SIZE; i++) ck_assert_double_le(residual(now, x, right, i), 1e-12);
    }
    saddle_point_free(p);
}

/* A chain of masses, each held to the next, the last constraint given twice: too large for a
 * decomposition that reveals the rank. x and the force of the rows are those of the chain with that
 * constraint once; of the two multipliers each has half. */
ARENA_TEST(large_systems_with_dependent_rows)
{
    enum { LINKS = 1500 };
    arena *a = memory_;
    size_t *row = arena_array(a, 2 * (LINKS + 1), sizeof *row);
    size_t *column = arena_array(a, 2 * (LINKS + 1), sizeof *column);
    size_t *where = arena_array(a, 2 * (LINKS + 1), sizeof *where);
    double *g = arena_array(a, 2 * (LINKS + 1), sizeof *g),
           *h = arena_array(a, LINKS + 1, sizeof *h);
    double *one = arena_array(a, LINKS + 1, sizeof *one), *x[2];
    for (size_t i = 0; i <= LINKS; i++) one[i] = 1, h[i] = 1 + (double)(i % 3);
    for (size_t twice = 0; twice < 2; twice++) {
        size_t rows = LINKS + twice, n = LINKS + 1, entries = 0;
        for (size_t i = 0; i < rows; i++) {
            size_t link = i < LINKS ? i : LINKS - 1;
            for (size_t k = 0; k < 2; k++) row[entries] = i, column[entries++] = link + k;
        }
        const sparse_pattern *of_g = sparse_build(a, rows, n, entries, row, column, where);
        for (size_t k = 0; k < entries; k++) g[where[k]] = k % 2 ? 1 : -1;
        for (size_t i = 0; i < n; i++) row[i] = column[i] = i;
        const sparse_pattern *of_h = sparse_build(a, n, n, n, row, column, where);
        saddle_point *p = NULL;
        ck_assert_int_eq(saddle_point_create(&p, of_h, of_g, one), DAE_OK);
        ck_assert_int_eq(saddle_point_factor(p, h, g), DAE_OK);
        x[twice] = arena_array(a, n + rows, sizeof(double));
        for (size_t i = 0; i < n + rows; i++) x[twice][i] = cos((double)i);
        if (twice) x[1][n + LINKS] = x[1][n + LINKS - 1];
        saddle_point_solve(p, x[twice]);
        saddle_point_free(p);
    }
    double largest = 0;
    for (size_t i = 0; i <= 2 * LINKS; i++) largest = fmax(largest, fabs(x[0][i]));
    for (size_t i = 0; i < 2 * LINKS; i++)
        ck_assert_double_eq_tol(x[1][i], x[0][i], 1e-9 * largest);
    for (size_t k = 0; k < 2; k++)
        ck_assert_double_eq_tol(x[1][2 * LINKS + k], x[0][2 * LINKS] / 2, 1e-7 * largest);
}

UNIT_MAIN("saddle points", 60, residuals_are_round_off, dependent_rows_are_met,
          contradictions_are_shared, first_blocks_may_be_singular_where_rows_hold_them,
          small_blocks_are_eliminated, small_definite_systems, factors_are_kept,
          rank_changes_are_passed, large_systems_with_dependent_rows)
