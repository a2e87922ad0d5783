/* Sums of rows beside the same sums one by one, for all lengths that are treated differently. */
#include "linalg/rows.h"

#include "base/unit.h"

#include <float.h>
#include <math.h>

enum { LONGEST = 15, MOST = 8 };

static double number(size_t k)
{
    return sin(1.7 * (double)k + 0.3);
}

static void fill(double *x, size_t count, size_t from)
{
    for (size_t k = 0; k < count; k++) x[k] = number(from + k);
}

START_TEST(combinations_are_sums)
{
    double rows[MOST * LONGEST], weight[MOST], start[LONGEST], sum[LONGEST];
    for (size_t n = 0; n <= LONGEST; n++) {
        for (int count = 0; count <= MOST; count++) {
            fill(rows, MOST * n, 0);
            fill(weight, MOST, 500);
            fill(start, n, 700);
            if (count > 2) weight[2] = 0; /* and what stands there does not count */
            for (size_t k = 0; k < n; k++) rows[2 * n + k] = (double)NAN;
            if (count > 2) rows_combine(n, start, count, weight, -0.5, rows, sum);
            if (count <= 2) rows_combine(n, NULL, count, weight, -0.5, rows, sum);
            for (size_t k = 0; k < n; k++) {
                double expected = count > 2 ? start[k] : 0;
                for (int j = 0; j < count; j++)
                    if (j != 2) expected -= 0.5 * weight[j] * rows[(size_t)j * n + k];
                ck_assert_double_eq_tol(sum[k], expected, 8 * DBL_EPSILON);
            }
            if (count > 2) rows_combine(n, start, count, weight, -0.5, rows, start);
            for (size_t k = 0; k < n && count > 2; k++) ck_assert(start[k] == sum[k]);
        }
    }
}
END_TEST

START_TEST(transformations_are_products)
{
    double x[MOST * LONGEST], y[MOST * LONGEST], matrix[MOST * MOST];
    fill(matrix, MOST * MOST, 900);
    for (size_t n = 0; n <= LONGEST; n++) {
        for (int count = 1; count <= MOST; count++) {
            fill(x, MOST * n, 40);
            rows_transform(n, count, matrix, MOST, 3, x, y);
            for (size_t k = 0; k < n * (size_t)count; k++) {
                double expected = 0;
                for (int j = 0; j < count; j++)
                    expected += 3 * matrix[k / n * MOST + (size_t)j] * x[(size_t)j * n + k % n];
                ck_assert_double_eq_tol(y[k], expected, 60 * DBL_EPSILON);
            }
        }
    }
}
END_TEST

UNIT_MAIN("linalg/rows", 5, combinations_are_sums, transformations_are_products)
