/* Scales are those of the matrix, whatever the units of its rows and columns. */
#include "linalg/linear_solver_rows.h"

#include "linalg/matrices.h"

enum { N = 7 };

/* Each factor to within a power of 2, as they are rounded, but for one that all rows gain and all
 * columns lose. */
ARENA_TEST(units_do_not_matter)
{
    uint64_t state = 5;
    sparse_pattern *p = full_pattern(memory_, N, N);
    for (int trial = 0; trial < 100; trial++) {
        double value[N * N], other[N * N], row[N], column[N], row2[N], column2[N], r[N], c[N];
        for (int i = 0; i < N; i++) r[i] = exp2(round(50 * scatter(&state)));
        for (int j = 0; j < N; j++) c[j] = exp2(round(50 * scatter(&state)));
        for (int k = 0; k < N * N; k++) {
            value[k] = k % N != k / N && scatter(&state) < 0 ? 0 : 2 + scatter(&state);
            other[k] = value[k] * r[k % N] * c[k / N];
        }
        ck_assert_int_eq(equilibrate(p, value, row, column), DAE_OK);
        ck_assert_int_eq(equilibrate(p, other, row2, column2), DAE_OK);
        for (int k = 0; k < N * N; k++) {
            if (value[k] == 0) continue;
            double one = row[k % N] * value[k] * column[k / N];
            double two = row2[k % N] * other[k] * column2[k / N];
            ck_assert_double_le(fabs(log2(fabs(one))), 3);
            ck_assert_double_le(fabs(log2(two / one)), 2);
        }
    }
}

/* Entries that round-off made of 0, one in each of some rows, leave the scales of the others as
 * they are. */
ARENA_TEST(round_off_does_not_matter)
{
    uint64_t state = 11;
    sparse_pattern *p = full_pattern(memory_, N, N);
    for (int trial = 0; trial < 100; trial++) {
        double value[N * N], row[N], column[N], r[N], c[N];
        for (int i = 0; i < N; i++) r[i] = exp2(round(20 * scatter(&state)));
        for (int j = 0; j < N; j++) c[j] = exp2(round(20 * scatter(&state)));
        for (int k = 0; k < N * N; k++) {
            bool zero = k % N < 4 && k / N == (k + 1 + trial) % N;
            value[k] = (zero ? 0x1p-60 : 2 + scatter(&state)) * r[k % N] * c[k / N];
        }
        ck_assert_int_eq(equilibrate(p, value, row, column), DAE_OK);
        for (int k = 0; k < N * N; k++) {
            double scaled = log2(row[k % N] * value[k] * column[k / N]);
            ck_assert(scaled < -40 || fabs(scaled) <= 3);
        }
    }
}

ARENA_TEST(what_is_empty_or_infinite)
{
    sparse_pattern *p = full_pattern(memory_, 2, 3);
    double value[] = {0, 0, 1e-200, (double)INFINITY, (double)NAN, 1e200}, row[2], column[3];
    ck_assert_int_eq(equilibrate(p, value, row, column), DAE_OK);
    ck_assert(column[0] == 1);
    for (int i = 0; i < 2; i++) ck_assert(isfinite(row[i]) && row[i] > 0);
    for (int j = 0; j < 3; j++) ck_assert(isfinite(column[j]) && column[j] > 0);
    ck_assert_double_le(fabs(log2(row[0] * value[2] * column[1])), 2);
    ck_assert_double_le(fabs(log2(row[1] * value[5] * column[2])), 2);
}

UNIT_MAIN("linalg/equilibrate", 10, units_do_not_matter, round_off_does_not_matter,
          what_is_empty_or_infinite)
