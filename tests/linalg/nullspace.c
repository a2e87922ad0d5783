/* Null spaces in echelon form: dimension, products with the matrix, a 1 where others have a 0. */
#include "linalg/min_norm.h"

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

UNIT_MAIN("linalg/nullspace", 20, of_known_matrices, tolerance_decides, of_products)
