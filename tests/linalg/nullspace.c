/* Null spaces in echelon form: dimension, products with the matrix, a 1 where others have a 0. */
#include "linalg/min_norm.h"
#include "linalg/sparse_elimination.h"

#include "base/unit.h"

#include <stdbool.h>
#include <string.h>

enum { MOST = 12 };

static size_t null_space(size_t rows, size_t columns, const double *a, double *basis)
{
    double copy[MOST * MOST];
    size_t pivot[MOST];
    memcpy(copy, a, rows * columns * sizeof *a);
    return nullspace_echelon(rows, columns, copy, 1e-11, pivot, basis);
}

START_TEST(of_known_matrices)
{
    double v[MOST * MOST];
    ck_assert_uint_eq(null_space(2, 2, (const double[]){1, 0, 0, 1}, v), 0);
    ck_assert_uint_eq(null_space(0, 3, (const double[]){0}, v), 3);
    for (int k = 0; k < 9; k++) ck_assert(v[k] == (k % 4 == 0));
    ck_assert_uint_eq(null_space(2, 2, (const double[]){0, 0, 0, 0}, v), 2);
    ck_assert_uint_eq(null_space(2, 3, (const double[]){1, 2, 3, 2, 4, 6}, v), 2);
    /* the largest entry is the pivot: x3 = -(x1 + 2 x2)/3 */
    ck_assert_double_eq_tol(v[2], -1 / 3., 1e-15);
    ck_assert_double_eq_tol(v[5], -2 / 3., 1e-15);
    ck_assert(v[0] == 1 && v[1] == 0 && v[3] == 0 && v[4] == 1);
    /* capacitor pair: the sum of the rows of (C, -C; -C, C) vanishes */
    ck_assert_uint_eq(null_space(2, 2, (const double[]){1e-6, -1e-6, -1e-6, 1e-6}, v), 1);
    ck_assert(v[0] == v[1]);
}
END_TEST

START_TEST(tolerance_decides)
{
    double a[4] = {1, 1, 1, 1 + 1e-8}, basis[4];
    size_t pivot[2];
    ck_assert_uint_eq(nullspace_echelon(2, 2, a, 1e-7, pivot, basis), 1);
    double b[4] = {1, 1, 1, 1 + 1e-8};
    ck_assert_uint_eq(nullspace_echelon(2, 2, b, 1e-9, pivot, basis), 0);
}
END_TEST

START_TEST(of_products)
{
    uint64_t state = 31;
    for (int trial = 0; trial < 500; trial++) {
        size_t rows = 1 + scatter_below(&state, MOST), columns = 1 + scatter_below(&state, MOST);
        size_t rank = scatter_below(&state, (rows < columns ? rows : columns) + 1);
        double left[MOST * MOST], right[MOST * MOST], a[MOST * MOST] = {0}, v[MOST * MOST];
        for (int k = 0; k < MOST * MOST; k++) left[k] = scatter(&state), right[k] = scatter(&state);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                for (size_t k = 0; k < rank; k++)
                    a[i * columns + j] += left[i * MOST + k] * right[k * MOST + j];
        size_t count = null_space(rows, columns, a, v);
        ck_assert_uint_eq(count, columns - rank);
        for (size_t n = 0; n < count; n++) {
            size_t own = 0;
            for (size_t i = 0; i < rows; i++) {
                double sum = 0;
                for (size_t j = 0; j < columns; j++) sum += a[i * columns + j] * v[n * columns + j];
                ck_assert_double_eq_tol(sum, 0, 1e-8); /* entries below 1e-9 are set to 0 */
            }
            for (size_t j = 0; j < columns; j++) {
                bool alone = v[n * columns + j] == 1;
                for (size_t m = 0; m < count; m++)
                    alone = alone && (m == n || v[m * columns + j] == 0);
                own += alone;
            }
            ck_assert_uint_ge(own, 1);
        }
    }
}
END_TEST

/* --- sparse --- */

enum { ROWS = 400, COLUMNS = 300 };

typedef struct sparse_case {
    arena memory;
    size_t rows, columns, dimension;
    sparse_row row[ROWS];
    sparse_vector vector[COLUMNS];
} sparse_case;

static void solve(void *self)
{
    sparse_case *c = self;
    sparse_elimination *e = sparse_eliminate(&c->memory, c->rows, c->row, c->columns, 1e-12);
    ck_assert(e != NULL);
    c->dimension = 0;
    for (size_t j = 0; j < c->columns; j++)
        if (sparse_elimination_is_open(e, j))
            c->vector[c->dimension++] = sparse_elimination_vector(e, j);
    ck_assert_uint_eq(c->dimension + sparse_elimination_rank(e), c->columns);
}

/* All rows vanish on each vector, which alone has an entry somewhere. */
static void check_vectors(const sparse_case *c)
{
    static int taken[COLUMNS];
    memset(taken, 0, sizeof taken);
    for (size_t n = 0; n < c->dimension; n++)
        for (size_t k = 0; k < c->vector[n].count; k++) taken[c->vector[n].place[k]]++;
    for (size_t n = 0; n < c->dimension; n++) {
        const sparse_vector *v = &c->vector[n];
        double full[COLUMNS] = {0};
        bool alone = false;
        for (size_t k = 0; k < v->count; k++) {
            full[v->place[k]] = v->value[k];
            alone = alone || (v->value[k] == 1 && taken[v->place[k]] == 1);
        }
        ck_assert(alone);
        for (size_t i = 0; i < c->rows; i++) {
            double sum = 0;
            for (size_t k = 0; k < c->row[i].count; k++)
                sum += c->row[i].value[k] * full[c->row[i].column[k]];
            ck_assert_double_eq_tol(sum, 0, 1e-8);
        }
    }
}

static void add_row(sparse_case *c, size_t count, const uint32_t *column, const double *value)
{
    c->row[c->rows++] = (sparse_row){count, arena_duplicate(&c->memory, column, count, 4),
                                     arena_duplicate(&c->memory, value, count, sizeof *value)};
}

/* Differences along random edges: one dimension for each connected set of columns, and one vector
 * with all of its columns. With a row of ones, one dimension less. */
static void of_graphs(void *self)
{
    sparse_case *c = self;
    static uint64_t state = 5;
    uint32_t set[COLUMNS], ones[COLUMNS];
    double by[COLUMNS], unit[COLUMNS];
    size_t sets = c->columns = 2 + scatter_below(&state, COLUMNS - 2);
    for (uint32_t j = 0; j < c->columns; j++) set[j] = ones[j] = j, unit[j] = 1;
    for (size_t j = 0; j < c->columns; j++) by[j] = scatter_between(&state, 0.5, 2);
    for (size_t edges = scatter_below(&state, ROWS - 2); edges > 0; edges--) {
        uint32_t a = (uint32_t)scatter_below(&state, c->columns - 1);
        uint32_t b = a + 1 + (uint32_t)scatter_below(&state, c->columns - a - 1);
        double size = scatter_between(&state, 0.5, 2);
        add_row(c, 2, (uint32_t[]){a, b}, (double[]){size * by[a], -size * by[b]});
        if (set[a] == set[b]) continue;
        sets--;
        for (uint32_t j = 0, old = set[b]; j < c->columns; j++)
            if (set[j] == old) set[j] = set[a];
    }
    if (scatter_below(&state, 2)) {
        add_row(c, c->columns, ones, unit);
        sets--;
    }
    solve(c);
    ck_assert_uint_eq(c->dimension, sets);
    check_vectors(c);
}

/* Sparse rows of which some are sums of others: the dimension that dense elimination finds. */
static void of_sums(void *self)
{
    sparse_case *c = self;
    static uint64_t state = 6;
    static double dense[ROWS * COLUMNS], basis[COLUMNS * COLUMNS];
    static size_t pivot[COLUMNS];
    size_t rows = 5 + scatter_below(&state, 60);
    c->columns = 5 + scatter_below(&state, 60);
    memset(dense, 0, sizeof dense);
    for (size_t i = 0; i < rows; i++) {
        double *row = dense + i * c->columns;
        for (int k = 0; k < 4; k++) row[scatter_below(&state, c->columns)] = scatter(&state);
        if (i < 3 || scatter_below(&state, 3)) continue;
        size_t p = scatter_below(&state, i), q = scatter_below(&state, i);
        for (size_t j = 0; j < c->columns; j++)
            row[j] = 0.5 * dense[p * c->columns + j] - dense[q * c->columns + j];
    }
    for (size_t i = 0; i < rows; i++) {
        uint32_t column[COLUMNS];
        double value[COLUMNS];
        size_t count = 0;
        for (uint32_t j = 0; j < c->columns; j++) {
            if (dense[i * c->columns + j] == 0) continue;
            column[count] = j;
            value[count++] = dense[i * c->columns + j];
        }
        add_row(c, count, column, value);
    }
    solve(c);
    ck_assert_uint_eq(c->dimension,
                      nullspace_echelon(rows, c->columns, dense, 1e-11, pivot, basis));
    check_vectors(c);
}

START_TEST(of_sparse_matrices)
{
    for (int trial = 0; trial < 300; trial++) {
        sparse_case c = {.rows = 0};
        ck_assert_int_eq(arena_protect(&c.memory, trial % 2 ? of_graphs : of_sums, &c), 0);
        arena_free(&c.memory);
    }
}
END_TEST

UNIT_MAIN("linalg/nullspace", 20, of_known_matrices, tolerance_decides, of_products,
          of_sparse_matrices)
