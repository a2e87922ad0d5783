/* Numbers of 106 bits against those of 113: a few units of 2^-106 off, and systems of equations by
 * as much times their condition. */
#include "base/twofold.h"

#include "base/scatter.h"
#include "base/unit.h"

enum { PAIRS = 1000, SIZE = 6 };

static const double UNIT = 0x1p-106;

/* Both signs, sizes from 1e-5 to 1e5, all bits in use. */
static twofold number(size_t k)
{
    double size = pow(10, 5 * scattered(3 * k));
    twofold x = {scattered(3 * k + 1) * size, 0};
    return twofold_sum(x, twofold_times(x, scattered(3 * k + 2) * 0x1p-53));
}

static void is_near(twofold found, quad exact, double scale)
{
    double off = (double)quad_abs(twofold_quad(found) - exact);
    ck_assert_double_le(off, 8 * UNIT * scale);
    ck_assert_double_le(fabs(found.low), 0x1p-53 * fabs(found.high));
}

START_TEST(arithmetic)
{
    for (size_t k = 0; k < PAIRS; k++) {
        twofold a = number(2 * k), b = number(2 * k + 1);
        quad x = twofold_quad(a), y = twofold_quad(b);
        is_near(twofold_sum(a, b), x + y, fabs(a.high) + fabs(b.high));
        is_near(twofold_difference(a, b), x - y, fabs(a.high) + fabs(b.high));
        is_near(twofold_product(a, b), x * y, fabs(a.high * b.high));
        is_near(twofold_quotient(a, b), x / y, fabs(a.high / b.high));
        is_near(twofold_of(x), x, fabs(a.high));
    }
}
END_TEST

/* Hilbert's matrix: its inverse is of whole numbers, and its condition
 * 1.5e7. */
START_TEST(hilbert)
{
    static const double first[SIZE] = {36, -630, 3360, -7560, 7560, -2772};
    twofold m[SIZE][SIZE], x[SIZE][2];
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++)
            m[i][j] = twofold_quotient((twofold){1, 0}, (twofold){i + j + 1, 0});
        x[i][0] = (twofold){i == 0, 0};
        x[i][1] = (twofold){2 * (i == 0), 0};
    }
    ck_assert_double_gt(twofold_solve(SIZE, SIZE, &m[0][0], 2, 2, &x[0][0]), 0);
    for (int i = 0; i < SIZE; i++) {
        ck_assert_double_le(fabs(x[i][0].high - first[i]) + fabs(x[i][0].low), 1e-19);
        ck_assert_double_le(fabs(x[i][1].high - 2 * first[i]) + fabs(x[i][1].low), 1e-19);
    }
}
END_TEST

START_TEST(singular)
{
    twofold m[2][2] = {{{1, 0}, {2, 0}}, {{2, 0}, {4, 0}}}, x[2] = {{1, 0}, {1, 0}};
    ck_assert(twofold_solve(2, 2, &m[0][0], 1, 1, x) == 0);
}
END_TEST

UNIT_MAIN("base/twofold", 10, arithmetic, hilbert, singular)
