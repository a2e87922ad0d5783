/* Least-change corrections. What dz has to be is checked by what defines it: with B = R A S, where
 * S scales variables and R makes rows of A S unit vectors, and x = S^-1 dz,
 *     B' (B x + R r) = 0   and   x is orthogonal to the null space of B. */
#include "linalg/min_norm.h"

#include "linalg/matrices.h"

#include <string.h>

static const double RANK_TOLERANCE = 1e-11;

/* dz for a matrix with rows contiguous; returns the rank found. */
static size_t solve(arena *a, size_t rows, size_t columns, const double *matrix,
                    const double *scale, const double *r, double *dz)
{
    min_norm *m = NULL;
    double *value = by_columns(a, rows, columns, matrix);
    ck_assert_int_eq(min_norm_create(&m, full_pattern(a, rows, columns), MIN_NORM_RANK), DAE_OK);
    ck_assert_int_eq(min_norm_factor(m, value, scale, RANK_TOLERANCE), DAE_OK);
    min_norm_solve(m, r, dz);
    size_t rank = min_norm_rank(m);
    ck_assert(min_norm_knows_rank(m));
    min_norm_free(m);
    return rank;
}

static const double ONES[8] = {1, 1, 1, 1, 1, 1, 1, 1};

ARENA_TEST(known_solutions)
{
    double z[3];
    /* x + y = 2: both alike; with y twice as easy to move, S^2 A' (A S^2 A')^-1 2 = (0.4, 1.6) */
    ck_assert_uint_eq(solve(memory_, 1, 2, ONES, ONES, (const double[]){-2}, z), 1);
    ck_assert_double_eq_tol(z[0], 1, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(z[1], 1, 4 * DBL_EPSILON);
    solve(memory_, 1, 2, ONES, (const double[]){1, 2}, (const double[]){-2}, z);
    ck_assert_double_eq_tol(z[0], 0.4, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(z[1], 1.6, 4 * DBL_EPSILON);
    /* the same equation twice, consistent, then with right sides whose mean in unit rows counts */
    const double twice[4] = {1, 1, 2, 2};
    ck_assert_uint_eq(solve(memory_, 2, 2, twice, ONES, (const double[]){-2, -4}, z), 1);
    ck_assert_double_eq_tol(z[0], 1, 8 * DBL_EPSILON);
    ck_assert_double_eq_tol(z[1], 1, 8 * DBL_EPSILON);
    ck_assert_uint_eq(solve(memory_, 2, 2, twice, ONES, (const double[]){-2, 0}, z), 1);
    ck_assert_double_eq_tol(z[0], 0.5, 8 * DBL_EPSILON);
    ck_assert_double_eq_tol(z[1], 0.5, 8 * DBL_EPSILON);
    /* three readings of one unknown: their mean, whatever the size of the rows */
    ck_assert_uint_eq(solve(memory_, 3, 1, (const double[]){1, 10, 100}, ONES,
                            (const double[]){-1, -20, -600}, z),
                      1);
    ck_assert_double_eq_tol(z[0], 3, 16 * DBL_EPSILON);
    /* an equation that holds nothing changes nothing */
    ck_assert_uint_eq(solve(memory_, 1, 2, (const double[]){0, 0}, ONES, (const double[]){1}, z),
                      0);
    ck_assert(z[0] == 0 && z[1] == 0);
}

/* A rows x columns matrix of this rank. */
static double *of_rank(arena *a, size_t rows, size_t columns, size_t rank, uint64_t *state)
{
    double *matrix = arena_array(a, rows * columns, sizeof *matrix);
    for (size_t k = 0; k < rank; k++) {
        double left[16], right[16];
        for (int i = 0; i < 16; i++) left[i] = scatter(state), right[i] = scatter(state);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++) matrix[i * columns + j] += left[i] * right[j];
    }
    return matrix;
}

/* Both conditions, each to round-off amplified by the condition number of the regular part. */
static void is_least(arena *a, size_t rows, size_t columns, const double *matrix,
                     const double *scale, const double *r, const double *dz, double worst)
{
    double *b = arena_array(a, rows * columns, sizeof *b);
    double *left = arena_array(a, rows, sizeof *left), size = 0;
    double *basis = arena_array(a, columns * columns, sizeof *basis);
    size_t *pivot = arena_array(a, columns, sizeof *pivot);
    for (size_t i = 0; i < rows; i++) {
        double norm = 0;
        for (size_t j = 0; j < columns; j++) norm = hypot(norm, matrix[i * columns + j] * scale[j]);
        left[i] = r[i] / norm;
        for (size_t j = 0; j < columns; j++) {
            b[i * columns + j] = matrix[i * columns + j] * scale[j] / norm;
            left[i] += b[i * columns + j] * dz[j] / scale[j];
        }
        size = fmax(size, fabs(r[i]) / norm);
    }
    for (size_t j = 0; j < columns; j++) {
        double gradient = 0;
        for (size_t i = 0; i < rows; i++) gradient += b[i * columns + j] * left[i];
        ck_assert_msg(fabs(gradient) <= worst * size, "gradient %g of %g", gradient, size);
    }
    size_t count = nullspace_echelon(rows, columns, b, 1e-10, pivot, basis);
    for (size_t n = 0; n < count; n++) {
        double along = 0, length = 0;
        for (size_t j = 0; j < columns; j++) {
            along += basis[n * columns + j] * dz[j] / scale[j];
            length = fmax(length, fabs(dz[j] / scale[j]));
        }
        ck_assert_msg(fabs(along) <= worst * length, "along the null space %g of %g", along,
                      length);
    }
}

ARENA_TEST(all_shapes_and_ranks)
{
    uint64_t state = 41;
    for (int trial = 0; trial < 1500; trial++) {
        size_t rows = 1 + scatter_below(&state, 9), columns = 1 + scatter_below(&state, 9);
        size_t rank = 1 + scatter_below(&state, rows < columns ? rows : columns);
        double *matrix = of_rank(memory_, rows, columns, rank, &state), scale[9], r[9], dz[9];
        for (int j = 0; j < 9; j++) scale[j] = exp(3 * scatter(&state)), r[j] = scatter(&state);
        ck_assert_uint_eq(solve(memory_, rows, columns, matrix, scale, r, dz), rank);
        is_least(memory_, rows, columns, matrix, scale, r, dz, 1e-7);
    }
}

/* Blocks of 3 rows and 5 columns, too many for the dense decomposition. */
enum { BLOCKS = 110, ROWS = 3, COLUMNS = 5 };

static sparse_pattern *block_pattern(arena *a)
{
    size_t entries = BLOCKS * ROWS * COLUMNS;
    size_t *row = arena_array(a, entries, sizeof *row), *column = arena_array(a, entries, 8);
    size_t *where = arena_array(a, entries, sizeof *where);
    for (size_t k = 0; k < entries; k++) {
        size_t block = k / (ROWS * COLUMNS), inside = k % (ROWS * COLUMNS);
        row[k] = block * ROWS + inside % ROWS;
        column[k] = block * COLUMNS + inside / ROWS;
    }
    return sparse_build(a, BLOCKS * ROWS, BLOCKS * COLUMNS, entries, row, column, where);
}

/* The saddle point and the decomposition agree, block by block, also where rows depend on others
 * (in the blocks from the first on), and where these contradict. */
static void agrees(arena *a, size_t dependent, bool contradict, double tolerance)
{
    uint64_t state = 42;
    sparse_pattern *p = block_pattern(a);
    double *value = arena_array(a, p->nonzeros, 8), *scale = arena_array(a, p->columns, 8);
    double *r = arena_array(a, p->rows, 8), *dz = arena_array(a, p->columns, 8);
    double *matrix[BLOCKS], target[COLUMNS];
    for (size_t b = 0; b < BLOCKS; b++) {
        matrix[b] = of_rank(a, ROWS, COLUMNS, b < dependent ? 2 : 3, &state);
        memcpy(value + b * ROWS * COLUMNS, by_columns(a, ROWS, COLUMNS, matrix[b]),
               ROWS * COLUMNS * sizeof *value);
        for (int j = 0; j < COLUMNS; j++) {
            scale[b * COLUMNS + (size_t)j] = exp(scatter(&state));
            target[j] = scatter(&state);
        }
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < COLUMNS; j++)
                r[b * ROWS + i] += matrix[b][i * COLUMNS + j] * target[j];
        if (contradict) r[b * ROWS] += scatter(&state);
    }
    min_norm *m = NULL;
    size_t chosen[BLOCKS * COLUMNS], free_of[BLOCKS] = {0};
    ck_assert_int_eq(min_norm_create(&m, p, MIN_NORM_RANK), DAE_OK);
    ck_assert(!min_norm_knows_null_space(m));
    ck_assert_int_eq(min_norm_factor(m, value, scale, RANK_TOLERANCE), DAE_OK);
    ck_assert(min_norm_knows_rank(m));
    ck_assert_uint_eq(min_norm_rank(m), BLOCKS * ROWS - dependent);
    ck_assert_int_eq(min_norm_free_columns(m, scale, chosen), DAE_OK);
    for (size_t k = 0; k < BLOCKS * (COLUMNS - ROWS) + dependent; k++)
        free_of[chosen[k] / COLUMNS]++;
    for (size_t b = 0; b < BLOCKS; b++)
        ck_assert_uint_eq(free_of[b], COLUMNS - ROWS + (b < dependent));
    min_norm_solve(m, r, dz);
    ck_assert(isnan(min_norm_margin(m)));
    for (size_t b = 0; b < BLOCKS; b++) {
        double small[COLUMNS];
        solve(a, ROWS, COLUMNS, matrix[b], scale + b * COLUMNS, r + b * ROWS, small);
        for (int j = 0; j < COLUMNS; j++)
            ck_assert_double_eq_tol(dz[b * COLUMNS + (size_t)j], small[j], tolerance);
    }
    min_norm_free(m);
}

/* Second differences: the smallest singular value of unit rows is about 1e-5, as for the positions
 * of a chain of as many links, and its square less than any shift that helps. */
ARENA_TEST(saddle_point_of_long_chains)
{
    enum { N = 1000 };
    size_t row[3 * N], column[3 * N], where[3 * N], entries = 0;
    double value[3 * N], scale[N], wanted[N], r[N] = {0}, dz[N];
    for (size_t i = 0; i < N; i++) {
        for (size_t j = i ? i - 1 : 0; j <= i + 1 && j < N; j++) {
            row[entries] = i;
            column[entries++] = j;
        }
        scale[i] = 1;
        wanted[i] = sin(7 * (double)i / N) + cos(3 * (double)i);
    }
    sparse_pattern *p = sparse_build(memory_, N, N, entries, row, column, where);
    for (size_t k = 0; k < entries; k++) {
        value[where[k]] = row[k] == column[k] ? 2 : -1;
        r[row[k]] -= value[where[k]] * wanted[column[k]];
    }
    min_norm *m = NULL;
    ck_assert_int_eq(min_norm_create(&m, p, MIN_NORM_RANK), DAE_OK);
    ck_assert_int_eq(min_norm_factor(m, value, scale, RANK_TOLERANCE), DAE_OK);
    ck_assert(min_norm_knows_rank(m) && min_norm_rank(m) == N);
    min_norm_solve(m, r, dz);
    for (size_t i = 0; i < N; i++) ck_assert_double_eq_tol(dz[i], wanted[i], 1e-9);
    min_norm_free(m);
}

ARENA_TEST(saddle_point_of_independent_rows)
{
    agrees(memory_, 0, false, 1e-10);
}

ARENA_TEST(saddle_point_of_dependent_rows)
{
    agrees(memory_, 20, false, 1e-10);
    agrees(memory_, 20, true, 1e-10);
    agrees(memory_, 100, true, 1e-10);
}

ARENA_TEST(free_columns)
{
    uint64_t state = 43;
    size_t chosen[9];
    min_norm *m = NULL;
    ck_assert_int_eq(min_norm_create(&m, full_pattern(memory_, 1, 2), MIN_NORM_RANK), DAE_OK);
    ck_assert_int_eq(min_norm_factor(m, ONES, ONES, RANK_TOLERANCE), DAE_OK);
    for (size_t wanted = 0; wanted < 2; wanted++) {
        const double preference[2] = {wanted == 0 ? 10 : 1, wanted == 1 ? 10 : 1};
        ck_assert_int_eq(min_norm_free_columns(m, preference, chosen), DAE_OK);
        ck_assert_uint_eq(chosen[0], wanted);
    }
    min_norm_free(m);
    for (int trial = 0; trial < 300; trial++) { /* without the chosen columns the rank is full */
        size_t rows = 1 + scatter_below(&state, 8), columns = 1 + scatter_below(&state, 8);
        size_t rank = 1 + scatter_below(&state, rows < columns ? rows : columns);
        double *matrix = of_rank(memory_, rows, columns, rank, &state), basis[81], preference[9];
        size_t pivot[9];
        bool taken[9] = {false};
        for (int j = 0; j < 9; j++) preference[j] = 1 + 0.5 * scatter(&state);
        m = NULL;
        ck_assert_int_eq(min_norm_create(&m, full_pattern(memory_, rows, columns), MIN_NORM_RANK),
                         DAE_OK);
        double *value = by_columns(memory_, rows, columns, matrix);
        ck_assert_int_eq(min_norm_factor(m, value, preference, RANK_TOLERANCE), DAE_OK);
        ck_assert_int_eq(min_norm_free_columns(m, preference, chosen), DAE_OK);
        for (size_t k = 0; k < columns - rank; k++) {
            ck_assert(!taken[chosen[k]]);
            taken[chosen[k]] = true;
        }
        for (size_t j = 0; j < columns; j++)
            for (size_t i = 0; taken[j] && i < rows; i++) matrix[i * columns + j] = 0;
        ck_assert_uint_eq(nullspace_echelon(rows, columns, matrix, 1e-10, pivot, basis),
                          columns - rank);
        min_norm_free(m);
    }
}

/* Row i of a full matrix in row 3 i + 1 of another, and column j in 2 j + 1: nothing else is there.
 */
static sparse_pattern *spread_pattern(arena *a, size_t rows, size_t columns)
{
    size_t entries = rows * columns, *row = arena_array(a, entries, sizeof *row);
    size_t *column = arena_array(a, entries, sizeof *column);
    size_t *where = arena_array(a, entries, sizeof *where);
    for (size_t k = 0; k < entries; k++)
        row[k] = 3 * (k % rows) + 1, column[k] = 2 * (k / rows) + 1;
    return sparse_build(a, 3 * rows, 2 * columns + 1, entries, row, column, where);
}

/* Empty rows and columns change neither what others do nor the rank; such columns are free. */
ARENA_TEST(empty_rows_and_columns)
{
    uint64_t state = 44;
    for (int trial = 0; trial < 200; trial++) {
        size_t rows = 1 + scatter_below(&state, 8), columns = 1 + scatter_below(&state, 8);
        size_t rank = 1 + scatter_below(&state, rows < columns ? rows : columns);
        double *matrix = of_rank(memory_, rows, columns, rank, &state), scale[19], r[27], dz[19];
        double own_scale[9], own_r[9], own_dz[9], preference[19];
        size_t chosen[19], of_empty = 0;
        min_norm *m = NULL;
        for (int k = 0; k < 27; k++) r[k] = scatter(&state);
        for (int k = 0; k < 19; k++) scale[k] = preference[k] = 1 + 0.5 * scatter(&state);
        for (int k = 0; k < 9; k++) own_scale[k] = scale[2 * k + 1], own_r[k] = r[3 * k + 1];
        ck_assert_uint_eq(solve(memory_, rows, columns, matrix, own_scale, own_r, own_dz), rank);
        ck_assert_int_eq(min_norm_create(&m, spread_pattern(memory_, rows, columns), MIN_NORM_RANK),
                         DAE_OK);
        double *value = by_columns(memory_, rows, columns, matrix);
        ck_assert_int_eq(min_norm_factor(m, value, scale, RANK_TOLERANCE), DAE_OK);
        ck_assert_uint_eq(min_norm_rank(m), rank);
        min_norm_solve(m, r, dz);
        for (size_t j = 0; j <= 2 * columns; j++)
            ck_assert_double_eq(dz[j], j % 2 ? own_dz[j / 2] : 0);
        ck_assert_int_eq(min_norm_free_columns(m, preference, chosen), DAE_OK);
        for (size_t k = 0; k < 2 * columns + 1 - rank; k++) of_empty += chosen[k] % 2 == 0;
        ck_assert_uint_eq(of_empty, columns + 1);
        min_norm_free(m);
    }
}

/* A full matrix whose rows and columns lie among those of others. */
typedef struct part {
    size_t rows, columns, rank, row_at[8], column_at[8];
    double *value;
} part;

enum { PARTS = 3, MOST = 8 * PARTS };

/* Rows and columns of the parts are shuffled into each other, each part's own in their order. */
static sparse_pattern *shuffled_parts(arena *a, part p[PARTS], uint64_t *state, double **value)
{
    size_t rows = 0, columns = 0, entries = 0, count = 0;
    for (int k = 0; k < PARTS; k++) {
        p[k].rows = 1 + scatter_below(state, 8), p[k].columns = 1 + scatter_below(state, 8);
        size_t most = p[k].rows < p[k].columns ? p[k].rows : p[k].columns;
        p[k].rank = 1 + scatter_below(state, most);
        p[k].value = by_columns(a, p[k].rows, p[k].columns,
                                of_rank(a, p[k].rows, p[k].columns, p[k].rank, state));
        rows += p[k].rows, columns += p[k].columns, entries += p[k].rows * p[k].columns;
    }
    size_t placed[PARTS] = {0}, *row = arena_array(a, entries, sizeof *row);
    for (size_t i = 0, k; i < rows; i++) {
        do k = scatter_below(state, PARTS);
        while (placed[k] == p[k].rows);
        p[k].row_at[placed[k]++] = i;
    }
    size_t *column = arena_array(a, entries, sizeof *column);
    size_t *where = arena_array(a, entries, sizeof *where), next[PARTS] = {0};
    *value = arena_array(a, entries, sizeof **value);
    for (size_t j = 0, k; j < columns; j++) {
        do k = scatter_below(state, PARTS);
        while (next[k] == p[k].columns);
        for (size_t i = 0; i < p[k].rows; i++, count++) {
            row[count] = p[k].row_at[i], column[count] = j;
            (*value)[count] = p[k].value[next[k] * p[k].rows + i];
        }
        p[k].column_at[next[k]++] = j;
    }
    return sparse_build(a, rows, columns, entries, row, column, where);
}

/* The solutions for the matrix of all parts, z and, transposed, mu, hold those of one alone. */
static void holds_part(arena *a, const part *p, const double *scale, const double *r,
                       const double *z, const double *mu)
{
    double own_scale[8], own_r[8], own_z[8], own_mu[8];
    min_norm *m = NULL;
    for (size_t i = 0; i < p->rows; i++) own_r[i] = r[p->row_at[i]];
    for (size_t j = 0; j < p->columns; j++) own_scale[j] = scale[p->column_at[j]];
    ck_assert_int_eq(min_norm_create(&m, full_pattern(a, p->rows, p->columns), MIN_NORM_RANK),
                     DAE_OK);
    ck_assert_int_eq(min_norm_factor(m, p->value, own_scale, RANK_TOLERANCE), DAE_OK);
    ck_assert_uint_eq(min_norm_rank(m), p->rank);
    min_norm_solve(m, own_r, own_z);
    min_norm_solve_transposed(m, own_z, own_mu);
    for (size_t j = 0; j < p->columns; j++) ck_assert_double_eq(z[p->column_at[j]], own_z[j]);
    for (size_t i = 0; i < p->rows; i++) ck_assert_double_eq(mu[p->row_at[i]], own_mu[i]);
    min_norm_free(m);
}

/* What nothing links does not meet: each part of a matrix is solved as if it were alone. */
ARENA_TEST(parts_that_nothing_links)
{
    uint64_t state = 45;
    for (int trial = 0; trial < 200; trial++) {
        part p[PARTS];
        double *value, scale[MOST], r[MOST], z[MOST], mu[MOST];
        size_t rank = 0, columns = 0, chosen[MOST];
        min_norm *m = NULL;
        for (int k = 0; k < MOST; k++) scale[k] = exp(scatter(&state)), r[k] = scatter(&state);
        sparse_pattern *pattern = shuffled_parts(memory_, p, &state, &value);
        ck_assert_int_eq(min_norm_create(&m, pattern, MIN_NORM_RANK), DAE_OK);
        ck_assert_int_eq(min_norm_factor(m, value, scale, RANK_TOLERANCE), DAE_OK);
        min_norm_solve(m, r, z);
        min_norm_solve_transposed(m, z, mu);
        for (int k = 0; k < PARTS; k++) {
            holds_part(memory_, &p[k], scale, r, z, mu);
            rank += p[k].rank, columns += p[k].columns;
        }
        ck_assert_uint_eq(min_norm_rank(m), rank);
        /* and each has as many free columns as it lacks rank */
        ck_assert_int_eq(min_norm_free_columns(m, scale, chosen), DAE_OK);
        for (int k = 0; k < PARTS; k++) {
            size_t own = 0;
            for (size_t c = 0; c < columns - rank; c++)
                for (size_t j = 0; j < p[k].columns; j++) own += chosen[c] == p[k].column_at[j];
            ck_assert_uint_eq(own, p[k].columns - p[k].rank);
        }
        min_norm_free(m);
    }
}

/* Of many small parts the rank is known at any size; free columns are chosen in each. */
ARENA_TEST(many_small_parts)
{
    enum { COUNT = 1000, ENTRIES = 6 * COUNT };
    size_t *at = arena_array(memory_, 3 * ENTRIES, sizeof *at);
    size_t *row = at, *column = at + ENTRIES, *where = at + 2 * ENTRIES, rank = 0, free_of[COUNT];
    double *value = arena_array(memory_, ENTRIES, sizeof *value),
           *scale = arena_array(memory_, 3 * (size_t)COUNT, sizeof *scale);
    size_t *chosen = arena_array(memory_, 3 * (size_t)COUNT, sizeof *chosen);
    for (size_t k = 0; k < ENTRIES; k++) { /* 2 rows and 3 columns each */
        row[k] = 2 * (k / 6) + k % 2, column[k] = k / 2;
        double factor = k / 6 % 3 == 0 ? 2 : 1 + (double)(k / 2 % 3); /* each third has rank 1 */
        value[k] = k % 2 ? factor : 1;
    }
    for (size_t k = 0; k < COUNT; k++) rank += k % 3 == 0 ? 1 : 2, free_of[k] = 0;
    for (size_t j = 0; j < 3 * (size_t)COUNT; j++) scale[j] = j % 3 == 1 ? 2 : 1;
    sparse_pattern *p = sparse_build(memory_, 2 * COUNT, 3 * COUNT, ENTRIES, row, column, where);
    min_norm *m = NULL;
    ck_assert_int_eq(min_norm_create(&m, p, MIN_NORM_RANK), DAE_OK);
    ck_assert(!min_norm_knows_null_space(m));
    ck_assert_int_eq(min_norm_factor(m, value, scale, RANK_TOLERANCE), DAE_OK);
    ck_assert(min_norm_knows_rank(m) && min_norm_rank(m) == rank);
    min_norm_free(m);
    ck_assert_int_eq(min_norm_create(&m, p, MIN_NORM_RANK_OF_PARTS), DAE_OK);
    ck_assert(min_norm_knows_null_space(m));
    ck_assert_int_eq(min_norm_factor(m, value, scale, RANK_TOLERANCE), DAE_OK);
    ck_assert_uint_eq(min_norm_rank(m), rank);
    ck_assert_int_eq(min_norm_free_columns(m, scale, chosen), DAE_OK);
    for (size_t k = 0; k < 3 * COUNT - rank; k++) free_of[chosen[k] / 3]++;
    for (size_t k = 0; k < COUNT; k++) ck_assert_uint_eq(free_of[k], k % 3 == 0 ? 2 : 1);
    min_norm_free(m);
}

/* Second differences of a chain, whose last link is held with `hold` (0: nothing is held). The
 * smallest singular value is about 1e-8 of the largest, so that its square is less than round-off.
 */
static sparse_pattern *long_chain(arena *a, size_t n, double hold, double **value)
{
    size_t *row = arena_array(a, 9 * n, sizeof *row), *column = row + 3 * n,
           *where = column + 3 * n, entries = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i ? i - 1 : 0; j <= i + 1 && j < n; j++)
            row[entries] = i, column[entries++] = j;
    sparse_pattern *p = sparse_build(a, n, n, entries, row, column, where);
    *value = arena_array(a, entries, sizeof **value);
    for (size_t k = 0; k < entries; k++) {
        bool end = row[k] == 0 || row[k] == n - 1;
        double own = (end ? 1 : 2) + (row[k] == n - 1 ? hold : 0);
        (*value)[where[k]] = row[k] == column[k] ? own : -1;
    }
    return p;
}

/* Rows that determine all columns have their one solution whatever the scales; a drawn one is met
 * to what the condition number leaves. */
ARENA_TEST(rows_that_determine_all_columns)
{
    enum { N = 20000 };
    double *value, *wanted = arena_array(memory_, N, sizeof *wanted),
                   *scale = arena_array(memory_, N, sizeof *scale),
                   *r = arena_array(memory_, N, sizeof *r),
                   *dz = arena_array(memory_, N, sizeof *dz);
    sparse_pattern *p = long_chain(memory_, N, 1, &value);
    min_norm *m = NULL;
    ck_assert_int_eq(min_norm_create(&m, p, MIN_NORM_RANK_OF_PARTS), DAE_OK);
    for (size_t i = 0; i < N; i++) {
        wanted[i] = sin(7 * (double)i / N) + cos(3 * (double)i);
        scale[i] = i % 3 == 0 ? 1e6 : 1;
    }
    sparse_multiply(p, value, wanted, r);
    for (size_t i = 0; i < N; i++) r[i] = -r[i];
    ck_assert_int_eq(min_norm_factor(m, value, scale, RANK_TOLERANCE), DAE_OK);
    ck_assert(min_norm_knows_rank(m) && min_norm_rank(m) == N && min_norm_knows_null_space(m));
    min_norm_solve(m, r, dz);
    for (size_t i = 0; i < N; i++) ck_assert_double_eq_tol(dz[i], wanted[i], 1e-7);
    min_norm_free(m);
}

/* The same chain, of which two rows occur twice. Where both say the same the solution is that of
 * the chain; where they differ by 1, half of it remains in each, whatever the smallest singular
 * value.
 */
ARENA_TEST(longer_rows_that_determine_all_columns)
{
    enum { N = 3000, ALL = N + 2 };
    const size_t twice[2] = {0, 1700};
    double *chain, *value,
        *wanted = arena_array(memory_, N, sizeof *wanted),
        *scale = arena_array(memory_, N, sizeof *scale), *r = arena_array(memory_, ALL, sizeof *r),
        *left = arena_array(memory_, ALL, sizeof *left), *dz = arena_array(memory_, N, sizeof *dz);
    const sparse_pattern *c = long_chain(memory_, N, 1, &chain);
    sparse_entries e = sparse_entries_take(memory_, c->nonzeros + 6);
    uint32_t *from;
    for (size_t j = 0; j < N; j++)
        for (sparse_index k = c->start[j]; k < c->start[j + 1]; k++) {
            sparse_entries_add_from(&e, (size_t)c->row[k], j, (size_t)k);
            for (size_t i = 0; i < 2; i++)
                if ((size_t)c->row[k] == twice[i]) sparse_entries_add_from(&e, N + i, j, (size_t)k);
        }
    const sparse_pattern *p = sparse_entries_build_from(memory_, &e, ALL, N, &from);
    value = arena_array(memory_, p->nonzeros, sizeof *value);
    for (size_t k = 0; k < p->nonzeros; k++) value[k] = chain[from[k]];
    for (size_t i = 0; i < N; i++) {
        wanted[i] = sin(7 * (double)i / N) + cos(3 * (double)i);
        scale[i] = i % 3 == 0 ? 1e3 : 1;
    }
    min_norm *m = NULL;
    ck_assert_int_eq(min_norm_create(&m, p, MIN_NORM_RANK_OF_PARTS), DAE_OK);
    for (int apart = 0; apart < 2; apart++) {
        sparse_multiply(p, value, wanted, r);
        for (size_t i = 0; i < ALL; i++) r[i] = -r[i];
        for (size_t i = 0; i < 2 && apart; i++) r[twice[i]] += 0.5, r[N + i] -= 0.5;
        ck_assert_int_eq(min_norm_factor(m, value, scale, RANK_TOLERANCE), DAE_OK);
        ck_assert(min_norm_knows_rank(m) && min_norm_rank(m) == N);
        min_norm_solve(m, r, dz);
        memcpy(left, r, ALL * sizeof *left);
        sparse_add_product(p, value, dz, left);
        for (size_t i = 0; i < N; i++) ck_assert_double_eq_tol(dz[i], wanted[i], 1e-8);
        for (size_t i = 0; i < 2; i++) ck_assert_double_eq_tol(left[N + i], -0.5 * apart, 1e-8);
    }
    min_norm_free(m);
}

/* The same solver, after a matrix of full rank, where nothing holds the chain: all may move alike,
 * and the change of least norm has the mean 0. */
ARENA_TEST(rows_that_no_longer_do)
{
    enum { N = 100 };
    double *held, *loose, r[N], dz[N], ones[N], mean = 0;
    sparse_pattern *p = long_chain(memory_, N, 1, &held);
    long_chain(memory_, N, 0, &loose);
    for (size_t i = 0; i < N; i++) ones[i] = 1, r[i] = i == 0 ? -1 : i == N - 1 ? 1 : 0;
    min_norm *m = NULL;
    ck_assert_int_eq(min_norm_create(&m, p, MIN_NORM_RANK_OF_PARTS), DAE_OK);
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(min_norm_factor(m, held, ones, RANK_TOLERANCE), DAE_OK);
        ck_assert_uint_eq(min_norm_rank(m), N);
        ck_assert_int_eq(min_norm_factor(m, loose, ones, RANK_TOLERANCE), DAE_OK);
        ck_assert(min_norm_knows_rank(m) && min_norm_rank(m) == N - 1);
    }
    min_norm_solve(m, r, dz); /* a flow of 1 along it */
    for (size_t i = 0; i < N; i++) mean += dz[i] / N;
    ck_assert_double_eq_tol(mean, 0, 1e-9);
    for (size_t i = 0; i + 1 < N; i++) ck_assert_double_eq_tol(dz[i] - dz[i + 1], 1, 1e-9);
    min_norm_free(m);
}

ARENA_TEST(margin_and_bad_values)
{
    min_norm *m = NULL;
    const double identity[4] = {1, 0, 0, 1}, near[4] = {1, 1, 1, 1 + 1e-6};
    const double bad[4] = {1, 0, 0, (double)NAN};
    ck_assert_int_eq(min_norm_create(&m, full_pattern(memory_, 2, 2), MIN_NORM_RANK), DAE_OK);
    ck_assert_int_eq(min_norm_factor(m, identity, ONES, RANK_TOLERANCE), DAE_OK);
    ck_assert_double_eq_tol(min_norm_margin(m), 1, 4 * DBL_EPSILON);
    ck_assert_int_eq(min_norm_factor(m, near, ONES, RANK_TOLERANCE), DAE_OK);
    ck_assert(min_norm_margin(m) > 1e-7 && min_norm_margin(m) < 1e-6); /* about half of 1e-6 */
    ck_assert_int_eq(min_norm_factor(m, bad, ONES, RANK_TOLERANCE), DAE_SINGULAR);
    min_norm_free(m);
    min_norm_free(NULL);
}

UNIT_MAIN("linalg/min_norm", 60, known_solutions, all_shapes_and_ranks, saddle_point_of_long_chains,
          saddle_point_of_independent_rows, saddle_point_of_dependent_rows, free_columns,
          empty_rows_and_columns, parts_that_nothing_links, many_small_parts,
          rows_that_determine_all_columns, longer_rows_that_determine_all_columns,
          rows_that_no_longer_do, margin_and_bad_values)
