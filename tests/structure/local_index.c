/* What the numbers say at a point: ranks whatever the units, the index of linear systems whose
 * Weierstrass form is known, and how often each variable needs differentiation. */
#include "structure/local_index.h"

#include "linalg/matrices.h"

#include <string.h>

enum { N = 6, HIGHEST = 5 };

ARENA_TEST(rank_in_any_units)
{
    uint64_t state = 81;
    sparse_pattern *p = full_pattern(memory_, N, N);
    for (int trial = 0; trial < 200; trial++) {
        double value[N * N] = {0};
        size_t rank = 1 + scatter_below(&state, N);
        local_rank found;
        for (size_t k = 0; k < rank; k++) {
            double left[N], right[N];
            for (int i = 0; i < N; i++) left[i] = scatter(&state), right[i] = scatter(&state);
            for (int m = 0; m < N * N; m++) value[m] += left[m % N] * right[m / N];
        }
        for (int m = 0; m < N * N; m++)
            value[m] *= pow(10, 3 * (m % N) - 9) * pow(10, 4 - 2 * (m / N));
        ck_assert_int_eq(structure_local_rank(p, value, &found), DAE_OK);
        ck_assert(found.known);
        ck_assert_uint_eq(found.rank, rank);
        ck_assert_int_eq(found.full, rank == N);
        ck_assert_int_eq(found.margin > 0, rank == N);
    }
    double bad[N * N] = {0};
    local_rank found;
    ck_assert_int_eq(structure_local_rank(p, bad, &found), DAE_OK);
    ck_assert_uint_eq(found.rank, 0);
    bad[3] = (double)INFINITY;
    ck_assert_int_eq(structure_local_rank(p, bad, &found), DAE_NOT_EVALUABLE);
}

/* Two capacitors in a loop with a source, by u1', u2', i1 and i2. Scaled by largest entries alone
 * the rows stay nearly dependent; dependent ones stay so in any units. */
ARENA_TEST(rank_of_rows_in_any_units)
{
    enum { N4 = 4 };
    const double loop[] = {0.5, 0, -1, 0, 0, 2, 0, -1, 1, 1, 0, 0, 0, 0, 1, -1};
    uint64_t state = 4;
    sparse_pattern *p = full_pattern(memory_, N4, N4);
    for (int trial = 0; trial < 500; trial++) {
        double matrix[N4 * N4];
        local_rank found;
        for (int k = 0; k < N4 * N4; k++) matrix[k] = loop[k];
        bool dependent = trial % 2 == 1; /* i1 = i2, and twice the voltages: u1' = 4 u2' */
        if (dependent) matrix[9] = -4;
        for (int i = 0; i < N4; i++) {
            double row = pow(10, 15 * scatter(&state)), column = pow(10, 12 * scatter(&state));
            for (int j = 0; j < N4; j++) matrix[N4 * i + j] *= row, matrix[N4 * j + i] *= column;
        }
        double *value = by_columns(memory_, N4, N4, matrix);
        ck_assert_int_eq(structure_local_rank(p, value, &found), DAE_OK);
        ck_assert_uint_eq(found.rank, dependent ? N4 - 1 : N4);
    }
}

/* Too large for orthogonal transformations: whether the rank is full is told all the same. */
ARENA_TEST(rank_of_large_matrices)
{
    enum { LARGE = 400 };
    size_t row[2 * LARGE], column[2 * LARGE], where[2 * LARGE];
    double value[2 * LARGE];
    for (size_t i = 0; i < LARGE; i++) {
        row[2 * i] = row[2 * i + 1] = i;
        column[2 * i] = i;
        column[2 * i + 1] = (i + 1) % LARGE;
    }
    sparse_pattern *p = sparse_build(memory_, LARGE, LARGE, 2 * LARGE, row, column, where);
    for (int singular = 0; singular < 2; singular++) {
        /* a ring of x_i - x_(i+1), whose rows sum to zero, with one sign turned */
        local_rank found;
        for (size_t i = 0; i < LARGE; i++) {
            value[where[2 * i]] = 1;
            value[where[2 * i + 1]] = i == 0 && !singular ? 1 : -1;
        }
        ck_assert_int_eq(structure_local_rank(p, value, &found), DAE_OK);
        ck_assert_int_eq(found.full, !singular);
        ck_assert_int_eq(found.rank == LARGE, !singular);
    }
}

/* E = P diag(I, N1, N2, ...) Q, A = P diag(J, I) Q with nilpotent blocks of the sizes given. */
static void weierstrass(const size_t *size, uint64_t *state, double *e, double *a)
{
    double left[N][N], right[N][N], inner_e[N][N] = {{0}}, inner_a[N][N] = {{0}};
    size_t nilpotent = 0, next = 0;
    for (size_t k = 0; size[k]; k++) nilpotent += size[k];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            left[i][j] = scatter(state) + 2 * (i == j);
            right[i][j] = scatter(state) + 2 * (i == j);
        }
    for (; next < N - nilpotent; next++) inner_e[next][next] = 1, inner_a[next][next] = -0.5;
    for (size_t k = 0; size[k]; k++) {
        for (size_t i = 0; i < size[k]; i++) {
            inner_a[next + i][next + i] = 1;
            if (i + 1 < size[k]) inner_e[next + i][next + i + 1] = 1;
        }
        next += size[k];
    }
    memset(e, 0, N * N * sizeof *e);
    memset(a, 0, N * N * sizeof *a);
    for (size_t i = 0; i < N * N; i++)
        for (size_t k = 0; k < N * N; k++) {
            double factor = left[i / N][k / N] * right[k % N][i % N];
            e[i] += factor * inner_e[k / N][k % N];
            a[i] += factor * inner_a[k / N][k % N];
        }
}

/* The Jacobian of E x' - A x, differentiated 0 to HIGHEST times, by x, x', ..., x^(HIGHEST+1). */
static int array_index(arena *memory, const double *e, const double *a)
{
    size_t rows = N * (HIGHEST + 1), columns = N * (HIGHEST + 2);
    sparse_pattern *p = full_pattern(memory, rows, columns);
    double *value = arena_array(memory, rows * columns, sizeof *value);
    unsigned *order = arena_array(memory, columns, sizeof *order);
    for (size_t j = 0; j < N; j++) {
        for (unsigned k = 0; k <= HIGHEST + 1; k++) {
            size_t column = j * (HIGHEST + 2) + k;
            order[column] = k;
            for (size_t i = 0; i < N; i++) {
                if (k <= HIGHEST) value[column * rows + i * (HIGHEST + 1) + k] = -a[i * N + j];
                if (k >= 1) value[column * rows + i * (HIGHEST + 1) + k - 1] = e[i * N + j];
            }
        }
    }
    int index = 99;
    ck_assert_int_eq(structure_local_index(p, value, N, HIGHEST, order, &index), DAE_OK);
    return index;
}

ARENA_TEST(index_of_linear_systems)
{
    static const struct {
        size_t size[N + 1];
        int index;
    } cases[] = {{{0}, 0},          {{1, 0}, 1},    {{1, 1, 1, 0}, 1}, {{2, 0}, 2},
                 {{2, 2, 1, 0}, 2}, {{3, 0}, 3},    {{3, 2, 0}, 3},    {{3, 3, 0}, 3},
                 {{4, 0}, 4},       {{4, 1, 0}, 4}, {{5, 0}, 5}};
    uint64_t state = 82;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double e[N * N], a[N * N];
        weierstrass(cases[k].size, &state, e, a);
        ck_assert_int_eq(array_index(memory_, e, a), cases[k].index);
    }
    double e[N * N], a[N * N]; /* of index 6, beyond what is looked at; and a singular pencil */
    weierstrass((const size_t[]){6, 0}, &state, e, a);
    ck_assert_int_eq(array_index(memory_, e, a), -1);
    memset(a, 0, sizeof a);
    memset(e, 0, sizeof e);
    ck_assert_int_eq(array_index(memory_, e, a), -1);
}

/* x'' = -x l, y'' = -y l - g, x^2 + y^2 = 1 with c = (0, 0, 2), d = (2, 2, 0): by f_i and x_j of
 * order d_j - c_i the Jacobian is (1, 0, x; 0, 1, y; 2x, 2y, 0). */
ARENA_TEST(index_of_variables)
{
    const unsigned c[3] = {0, 0, 2}, d[3] = {2, 2, 0};
    unsigned index[3];
    sparse_pattern *p = full_pattern(memory_, 3, 3);
    double *value = by_columns(memory_, 3, 3, (double[]){1, 0, 0.6, 0, 1, 0.8, 1.2, 1.6, 0});
    ck_assert_int_eq(structure_variable_index(p, value, c, d, index), DAE_OK);
    ck_assert_uint_eq(index[0], 1);
    ck_assert_uint_eq(index[1], 1);
    ck_assert_uint_eq(index[2], 3);
    /* hanging down, x does not depend on the constraint: x'' = -x l, and x = 0 */
    value = by_columns(memory_, 3, 3, (double[]){1, 0, 0, 0, 1, -1, 0, -2, 0});
    ck_assert_int_eq(structure_variable_index(p, value, c, d, index), DAE_OK);
    ck_assert_uint_eq(index[0], 0);
    ck_assert_uint_eq(index[1], 1);
    ck_assert_uint_eq(index[2], 3);
    value = by_columns(memory_, 3, 3, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 0});
    ck_assert_int_eq(structure_variable_index(p, value, c, d, index), DAE_SINGULAR);
}

UNIT_MAIN("structure/local_index", 30, rank_in_any_units, rank_of_rows_in_any_units,
          rank_of_large_matrices, index_of_linear_systems, index_of_variables)
