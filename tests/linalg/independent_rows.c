/* Rows that depend on others: how many, which are preferred, and how much is left of the rest. */
#include "linalg/rows.h"

#include "base/unit.h"

#include <string.h>

enum { MOST = 10 };

static size_t count(size_t rows, const bool *taken)
{
    size_t sum = 0;
    for (size_t i = 0; i < rows; i++) sum += taken[i];
    return sum;
}

START_TEST(of_products)
{
    uint64_t state = 7;
    for (int trial = 0; trial < 300; trial++) {
        size_t rows = 1 + scatter_below(&state, MOST), columns = 1 + scatter_below(&state, MOST);
        size_t rank = scatter_below(&state, (rows < columns ? rows : columns) + 1);
        double left[MOST * MOST], right[MOST * MOST], a[MOST * MOST] = {0};
        bool taken[MOST] = {false};
        for (int k = 0; k < MOST * MOST; k++) left[k] = scatter(&state), right[k] = scatter(&state);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                for (size_t k = 0; k < rank; k++)
                    a[i * columns + j] += left[i * MOST + k] * right[k * MOST + j];
        independent_rows_take(rows, columns, a, NULL, 1e-9, taken);
        ck_assert_uint_eq(count(rows, taken), rank);
        ck_assert_double_le(independent_rows_left(rows, columns, a, taken), 1e-9);
    }
}
END_TEST

/* (1, 0), (1, e), (0, 1): beside the first two nothing is left of the third, beside the first e of
 * the second. */
START_TEST(allowed_ones_are_taken_first)
{
    const double e = 1e-3, rows[] = {1, 0, 1, e, 0, 1};
    const bool first[] = {true, true, false};
    bool taken[3] = {false, false, false};
    double a[6];
    memcpy(a, rows, sizeof a);
    ck_assert_double_eq_tol(independent_rows_take(3, 2, a, first, 1e-6, taken), e, 1e-9);
    ck_assert(taken[0] && taken[1] && !taken[2]);
    ck_assert(isinf(independent_rows_take(3, 2, a, NULL, 1e-6, taken)));
    ck_assert_double_le(independent_rows_left(3, 2, a, taken), 1e-12);
    memcpy(a, rows, sizeof a);
    memset(taken, 0, sizeof taken);
    ck_assert_double_eq_tol(independent_rows_take(3, 2, a, first, 1e-2, taken), 1, 1e-6);
    ck_assert_uint_eq(count(3, taken), 1);
    ck_assert_double_eq_tol(independent_rows_take(3, 2, a, NULL, 1e-2, taken), 1, 1e-5);
    ck_assert(taken[2]);
}
END_TEST

UNIT_MAIN("independent_rows", 30, of_products, allowed_ones_are_taken_first)
