/* Patterns: positions in any order, coinciding ones merged, rows ascending; products. */
#include "linalg/sparse.h"

#include "linalg/matrices.h"

enum { ROWS = 13, COLUMNS = 9, ENTRIES = 60 };

ARENA_TEST(each_position_once)
{
    size_t row[ENTRIES], column[ENTRIES], where[ENTRIES];
    bool there[ROWS][COLUMNS] = {{false}};
    uint64_t state = 11;
    size_t distinct = 0;
    for (size_t k = 0; k < ENTRIES; k++) {
        row[k] = scatter_below(&state, ROWS);
        column[k] = scatter_below(&state, COLUMNS - 1); /* the last column stays empty */
        distinct += !there[row[k]][column[k]];
        there[row[k]][column[k]] = true;
    }
    ck_assert_uint_lt(distinct, ENTRIES);
    sparse_pattern *p = sparse_build(memory_, ROWS, COLUMNS, ENTRIES, row, column, where);
    ck_assert_uint_eq(p->rows, ROWS);
    ck_assert_uint_eq(p->columns, COLUMNS);
    ck_assert_uint_eq(p->nonzeros, distinct);
    ck_assert_int_eq(p->start[0], 0);
    ck_assert_int_eq(p->start[COLUMNS], (long)distinct);
    ck_assert_int_eq(p->start[COLUMNS - 1], (long)distinct);
    for (size_t j = 0; j < COLUMNS; j++)
        for (sparse_index k = p->start[j] + 1; k < p->start[j + 1]; k++)
            ck_assert_int_lt(p->row[k - 1], p->row[k]);
    for (size_t k = 0; k < ENTRIES; k++) {
        ck_assert_int_eq(p->row[where[k]], (long)row[k]);
        ck_assert_int_ge((long)where[k], p->start[column[k]]);
        ck_assert_int_lt((long)where[k], p->start[column[k] + 1]);
    }
}

ARENA_TEST(products)
{
    uint64_t state = 12;
    sparse_pattern *p = full_pattern(memory_, 3, 2);
    const double value[6] = {1, 2, 3, 4, 5, 6}, x[2] = {1, -2};
    double y[3] = {99, 99, 99};
    sparse_multiply(p, value, x, y);
    ck_assert(y[0] == -7 && y[1] == -8 && y[2] == -9);
    sparse_add_product(p, value, x, y);
    ck_assert(y[0] == -14 && y[1] == -16 && y[2] == -18);
    const double left[3] = {1, 0, -1}, unit[2] = {2, 1};
    double z[2] = {1, 2};
    sparse_add_transposed(p, value, 3, left, z);
    ck_assert(z[0] == 1 - 6 && z[1] == 2 - 6);
    sparse_row_squares(p, value, unit, y);
    ck_assert(y[0] == 4 + 16 && y[1] == 16 + 25 && y[2] == 36 + 36);
    sparse_multiply(sparse_diagonal(memory_, 3), value, left, y);
    ck_assert(y[0] == 1 && y[1] == 0 && y[2] == -3);

    /* a matrix of 3 entries a column against the same one written out */
    enum { N = 40 };
    sparse_pattern *q = scattered_pattern(memory_, N, 3, &state);
    double *entry = arena_array(memory_, q->nonzeros, sizeof *entry);
    double dense[N][N] = {{0}}, right[N], product[N];
    for (size_t k = 0; k < q->nonzeros; k++) entry[k] = scatter(&state);
    for (size_t j = 0; j < N; j++) {
        right[j] = scatter(&state);
        for (sparse_index k = q->start[j]; k < q->start[j + 1]; k++) dense[q->row[k]][j] = entry[k];
    }
    sparse_multiply(q, entry, right, product);
    for (size_t i = 0; i < N; i++) {
        double sum = 0;
        for (size_t j = 0; j < N; j++) sum += dense[i][j] * right[j];
        ck_assert_double_eq_tol(product[i], sum, N * DBL_EPSILON);
    }
}

ARENA_TEST(empty_ones)
{
    sparse_pattern *p = sparse_build(memory_, 4, 0, 0, NULL, NULL, NULL);
    double y[4] = {1, 1, 1, 1};
    ck_assert_uint_eq(p->nonzeros, 0);
    sparse_multiply(p, NULL, NULL, y);
    for (int i = 0; i < 4; i++) ck_assert(y[i] == 0);
}

UNIT_MAIN("linalg/sparse", 10, each_position_once, products, empty_ones)
