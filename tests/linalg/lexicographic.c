/* Least changes in an order of precedence. What dz has to be is checked by what defines it: A dz =
 * -r, and along each way that A does not see and that moves no column above a level, the changes of
 * that level are stationary. */
#include "linalg/lexicographic.h"

#include "linalg/matrices.h"
#include "linalg/min_norm.h"

#include <string.h>

enum { LEVELS = 3, MOST = 12 };

static const double ONES[MOST] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* dz for a matrix with rows contiguous, from the wish in it. */
static void solve(arena *a, size_t rows, size_t columns, const double *matrix,
                  const unsigned char *level, const double *scale, const double *r, double *dz)
{
    lexicographic *l = NULL;
    const double *value = by_columns(a, rows, columns, matrix);
    const sparse_pattern *p = full_pattern(a, rows, columns);
    ck_assert_int_eq(lexicographic_create(&l, p, value, level, LEVELS, scale), DAE_OK);
    lexicographic_solve(l, r, dz);
    lexicographic_free(l);
}

ARENA_TEST(known_solutions)
{
    /* v1 = v2 and p1 = p2 of starts 6, 8.3 and 2, 3; with w1 = 1e8 (v1 - q), w2 = 1e9 q, w1 = w2 */
    const double stiff[5][7] = {
        {1, -1, 0, 0, 0, 0, 0},   {0, 0, 1, -1, 0, 0, 0}, {-1e8, 0, 0, 0, 1, 0, 1e8},
        {0, 0, 0, 0, 0, 1, -1e9}, {0, 0, 0, 0, 1, -1, 0},
    };
    const unsigned char states[7] = {2, 2, 2, 2, 0, 0, 0};
    double z[7] = {0};
    solve(memory_, 5, 7, *stiff, states, ONES, (const double[]){-2.3, -1, 0, 0, 0}, z);
    ck_assert_double_eq_tol(z[0], 1.15, 1e-15);
    ck_assert_double_eq_tol(z[1], -1.15, 1e-15);
    ck_assert_double_eq_tol(z[2], 0.5, 1e-15);
    ck_assert_double_eq_tol(z[3], -0.5, 1e-15);
    ck_assert_double_eq_tol(z[6], 1.15 / 11, 1e-15);
    /* x + y + z = 6: the lowest level takes all, and scales count within a level */
    const unsigned char levels[3] = {2, 0, 0}, alike[3] = {1, 1, 1};
    double x[3] = {0};
    solve(memory_, 1, 3, ONES, levels, (const double[]){1, 1, 2}, (const double[]){-6}, x);
    ck_assert(x[0] == 0);
    ck_assert_double_eq_tol(x[1], 1.2, 1e-15);
    ck_assert_double_eq_tol(x[2], 4.8, 1e-15);
    /* nearest to a wish */
    double wish[3] = {3, 4, 5};
    solve(memory_, 1, 3, ONES, alike, ONES, (const double[]){-6}, wish);
    for (int j = 0; j < 3; j++) ck_assert_double_eq_tol(wish[j], 1 + j, 4e-15);
    /* an equation that repeats another one, and a column that occurs nowhere */
    double again[3] = {1, 1, 7};
    solve(memory_, 2, 3, (const double[]){1, 1, 0, 1e6, 1e6, 0}, alike, ONES,
          (const double[]){-4, -4e6}, again);
    ck_assert_double_eq_tol(again[0], 2, 4e-15);
    ck_assert_double_eq_tol(again[1], 2, 4e-15);
    ck_assert(again[2] == 7);
}

/* Stationary along each way that A does not see and that moves no higher level. */
static void is_least(arena *a, size_t rows, size_t columns, const double *matrix,
                     const unsigned char *level, const double *scale, const double *change)
{
    for (unsigned char top = 0; top < LEVELS; top++) {
        size_t count = 0, *pivot = arena_array(a, columns, sizeof *pivot), at[MOST];
        double *part = arena_array(a, rows * columns + 1, sizeof *part);
        double *basis = arena_array(a, columns * columns + 1, sizeof *basis);
        for (size_t j = 0; j < columns; j++)
            if (level[j] <= top) at[count++] = j;
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < count; k++) part[i * count + k] = matrix[i * columns + at[k]];
        size_t ways = nullspace_echelon(rows, count, part, 1e-9, pivot, basis);
        for (size_t n = 0; n < ways; n++) {
            double along = 0, size = 0;
            for (size_t k = 0; k < count; k++) {
                size_t j = at[k];
                if (level[j] != top) continue;
                double term = basis[n * count + k] / scale[j] * (change[j] / scale[j]);
                along += term;
                size += fabs(term);
            }
            ck_assert_msg(fabs(along) <= 1e-8 * size, "%g of %g at level %d", along, size, top);
        }
    }
}

/* A matrix of this rank in which some columns have no entry, levels and scales. */
static double *drawn(arena *a, size_t rows, size_t columns, size_t rank, uint64_t *state,
                     unsigned char *level, double *scale)
{
    double *matrix = arena_array(a, rows * columns, sizeof *matrix);
    for (size_t k = 0; k < rank; k++) {
        double left[MOST], right[MOST];
        for (size_t i = 0; i < rows; i++) left[i] = scatter(state);
        for (size_t j = 0; j < columns; j++) right[j] = j % 5 == 4 ? 0 : scatter(state);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++) matrix[i * columns + j] += left[i] * right[j];
    }
    for (size_t j = 0; j < columns; j++) {
        level[j] = (unsigned char)scatter_below(state, LEVELS);
        scale[j] = exp(scatter(state));
    }
    return matrix;
}

ARENA_TEST(all_shapes_and_ranks)
{
    uint64_t state = 1;
    for (size_t k = 0; k < 300; k++) {
        size_t rows = 1 + scatter_below(&state, MOST), columns = 1 + scatter_below(&state, MOST);
        size_t rank = 1 + scatter_below(&state, rows < columns ? rows : columns);
        unsigned char level[MOST];
        double scale[MOST], r[MOST] = {0}, dz[MOST], change[MOST], size = 0;
        double *matrix = drawn(memory_, rows, columns, rank, &state, level, scale);
        for (size_t j = 0; j < columns; j++) {
            double meets = scatter(&state); /* so that there is a solution */
            for (size_t i = 0; i < rows; i++) r[i] -= matrix[i * columns + j] * meets;
            dz[j] = change[j] = scatter(&state);
        }
        solve(memory_, rows, columns, matrix, level, scale, r, dz);
        for (size_t j = 0; j < columns; j++) {
            change[j] = dz[j] - change[j];
            size = fmax(size, fabs(dz[j]));
        }
        for (size_t i = 0; i < rows; i++) {
            double left = r[i];
            for (size_t j = 0; j < columns; j++) left += matrix[i * columns + j] * dz[j];
            ck_assert_double_eq_tol(left, 0, 1e-10 * (1 + size));
        }
        is_least(memory_, rows, columns, matrix, level, scale, change);
    }
}

/* In other sizes of rows, and of columns that are not of the highest level, that level changes in
 * the same way. */
ARENA_TEST(sizes_make_no_difference)
{
    enum { ROWS = 7, COLUMNS = 10 };
    uint64_t state = 5;
    for (size_t k = 0; k < 200; k++) {
        unsigned char level[MOST];
        double scale[MOST], r[ROWS], other_r[ROWS], dz[COLUMNS] = {0}, other[COLUMNS] = {0};
        double *matrix = drawn(memory_, ROWS, COLUMNS, ROWS, &state, level, scale);
        double *sized = arena_duplicate(memory_, matrix, ROWS * COLUMNS, sizeof *matrix);
        for (size_t i = 0; i < ROWS; i++) {
            double row = pow(10, 9 * scatter(&state));
            other_r[i] = row * (r[i] = scatter(&state));
            for (size_t j = 0; j < COLUMNS; j++) sized[i * COLUMNS + j] *= row;
        }
        for (size_t j = 0; j < COLUMNS; j++) {
            double column = level[j] + 1 < LEVELS ? pow(10, 9 * scatter(&state)) : 1;
            for (size_t i = 0; i < ROWS; i++) sized[i * COLUMNS + j] *= column;
        }
        solve(memory_, ROWS, COLUMNS, matrix, level, scale, r, dz);
        solve(memory_, ROWS, COLUMNS, sized, level, scale, other_r, other);
        for (size_t j = 0; j < COLUMNS; j++)
            if (level[j] + 1 == LEVELS)
                ck_assert_double_eq_tol(other[j], dz[j], 1e-7 * (1 + fabs(dz[j])));
    }
}

/* n equal rows in a ring: own x_i + own y_i + beside (y_{i-1} + y_{i+1}) = 1; without x if its
 * factor is 0. */
static double *ring(arena *a, size_t n, double x, double own, double beside)
{
    size_t columns = 2 * n;
    double *matrix = arena_array(a, n * columns, sizeof *matrix);
    for (size_t i = 0; i < n; i++) {
        matrix[i * columns + i] = x;
        matrix[i * columns + n + i] += own;
        matrix[i * columns + n + (i + 1) % n] += beside;
        matrix[i * columns + n + (i + n - 1) % n] += beside;
    }
    return matrix;
}

/* In a ring of equal rows all cells change alike, whatever their number: by the shortest way where
 * x and y count alike, and as the rows demand where there is no x. Diagonals are large or small
 * beside what couples the cells. */
ARENA_TEST(rings_of_equal_rows)
{
    static const size_t SIZE[] = {4, 30, 260};
    static const double FACTOR[][3] = {
        {0.78, 2.68, 0.54}, {0.78, 0.44, -0.27}, {0, 2.68, 0.54}, {0, 0.44, -0.27}};
    for (size_t k = 0; k < 12; k++) {
        size_t n = SIZE[k / 4];
        const double *f = FACTOR[k % 4], y = f[1] + 2 * f[2], square = f[0] * f[0] + y * y;
        double *scale = arena_array(memory_, 2 * n, sizeof *scale),
               *r = arena_array(memory_, n, sizeof *r),
               *dz = arena_array(memory_, 2 * n, sizeof *dz);
        unsigned char *level = arena_array(memory_, 2 * n, sizeof *level);
        for (size_t j = 0; j < 2 * n; j++) scale[j] = 1, level[j] = 2;
        for (size_t i = 0; i < n; i++) r[i] = -1;
        solve(memory_, n, 2 * n, ring(memory_, n, f[0], f[1], f[2]), level, scale, r, dz);
        for (size_t i = 0; i < n; i++) {
            ck_assert_double_eq_tol(dz[i], f[0] / square, 1e-11);
            ck_assert_double_eq_tol(dz[n + i], y / square, 1e-11 / fabs(y));
        }
    }
}

ARENA_TEST(values_that_are_not_finite)
{
    lexicographic *l = NULL;
    const unsigned char level[1] = {0};
    const double bad[1] = {(double)NAN};
    ck_assert_int_eq(lexicographic_create(&l, full_pattern(memory_, 1, 1), bad, level, 1, ONES),
                     DAE_SINGULAR);
    lexicographic_free(NULL);
}

UNIT_MAIN("linalg/lexicographic", 60, known_solutions, all_shapes_and_ranks,
          sizes_make_no_difference, rings_of_equal_rows, values_that_are_not_finite)
