/* Eigenvalues and eigenvectors meet their equations to round-off, whatever the components of the
 * matrix, and components do not disturb each other. */
#include "analysis/spectrum.h"

#include "base/unit.h"

#include <complex.h>

enum { DRAWS = 60, MOST = 40 };

static double complex of_column(const spectrum *s, const double *columns, size_t i, size_t k)
{
    const double complex unit = (double complex)I; /* clang's is a float */
    if (s->imaginary[i] == 0) return columns[i * s->n + k];
    const double *real = columns + (s->imaginary[i] > 0 ? i : i - 1) * s->n;
    return real[k] + (s->imaginary[i] > 0 ? 1 : -1) * real[s->n + k] * unit;
}

/* The largest entry of m x - lambda x, or of x^H m - lambda x^H, in units of |m| |x|. */
static double miss_of(const spectrum *s, const double *m, size_t i, bool left)
{
    const double complex unit = (double complex)I, lambda = s->real[i] + s->imaginary[i] * unit;
    const double *columns = left ? s->left : s->right;
    double worst = 0, length = 0, size = 0;
    for (size_t k = 0; k < s->n * s->n; k++) size += m[k] * m[k];
    for (size_t k = 0; k < s->n; k++) {
        double complex sum = 0;
        for (size_t j = 0; j < s->n; j++) {
            double complex x = of_column(s, columns, i, j);
            sum += left ? conj(x) * m[j * s->n + k] : x * m[k * s->n + j];
        }
        double complex own = of_column(s, columns, i, k);
        worst = fmax(worst, cabs(sum - lambda * (left ? conj(own) : own)));
        length = fmax(length, cabs(own));
    }
    ck_assert_double_gt(length, 0);
    return worst / (sqrt(size) * length);
}

/* About `links` entries a row besides the diagonal, so that there are components of all sizes. */
static double *draw_matrix(arena *a, uint64_t *state, size_t n, double links)
{
    double *m = arena_array(a, n * n, sizeof *m);
    for (size_t k = 0; k < n * n; k++) {
        double value = scatter(state);
        bool there = fabs(scatter(state)) < links / (double)n;
        if (there || k % (n + 1) == 0) m[k] = value;
    }
    return m;
}

ARENA_TEST(vectors_of_all_components_meet_their_equations)
{
    uint64_t state = 17;
    for (size_t draw = 0; draw < DRAWS; draw++) {
        size_t n = 1 + draw * 7 % MOST;
        const double *m = draw_matrix(memory_, &state, n, 0.5 + (double)(draw % 4));
        spectrum s;
        double trace = 0, sum = 0;
        ck_assert(spectrum_find(memory_, n, m, &s));
        for (size_t i = 0; i < n; i++) {
            trace += m[i * (n + 1)];
            sum += s.real[i];
            ck_assert_double_le(miss_of(&s, m, i, false), 1e-14);
            ck_assert_double_le(miss_of(&s, m, i, true), 1e-14);
        }
        ck_assert_double_eq_tol(sum, trace, 1e-13 * (double)n);
    }
}

/* Oscillators s^2 + s/2 + 4, each of which drives the next: -1/4 +- i sqrt(63)/4 as many times as
 * there are, with one vector. As eigenvalues of one matrix they would scatter by the sixth root of
 * round-off. They stand in the matrix in no order. */
ARENA_TEST(equal_parts_in_a_row_keep_their_eigenvalue)
{
    enum { PARTS = 6, N = 2 * PARTS };
    static const size_t PLACE[PARTS] = {3, 0, 5, 1, 4, 2};
    double m[N * N] = {0};
    for (size_t k = 0; k < PARTS; k++) {
        size_t x = 2 * PLACE[k], v = x + 1;
        m[x * N + v] = 1;
        m[v * N + x] = -4;
        m[v * N + v] = -0.5;
        if (k > 0) m[v * N + 2 * PLACE[k - 1]] = 1;
    }
    spectrum s;
    ck_assert(spectrum_find(memory_, N, m, &s));
    for (size_t i = 0; i < N; i++) {
        ck_assert_double_eq_tol(s.real[i], -0.25, 1e-14);
        ck_assert_double_eq_tol(fabs(s.imaginary[i]), sqrt(63) / 4, 1e-14);
        ck_assert_double_le(miss_of(&s, m, i, false), 1e-14);
        ck_assert_double_le(miss_of(&s, m, i, true), 1e-14);
    }
}

/* Two parts that nothing links, one 1e12 times as fast: each is exact beside the other, and takes
 * no part in its motion. */
ARENA_TEST(parts_do_not_take_part_in_each_other)
{
    static const double M[16] = {0, 0,     1, 0, /* x1' = x3 */
                                 0, -3e12, 0, 1e12, -2, 0, -2, 0, 0, 2e12, 0, -2e12};
    spectrum s;
    ck_assert(spectrum_find(memory_, 4, M, &s));
    for (size_t i = 0; i < 4; i++) {
        bool slow = s.imaginary[i] != 0; /* -1 +- i; -1e12 and -4e12 */
        if (slow) {
            ck_assert_double_eq_tol(s.real[i], -1, 1e-14);
            ck_assert_double_eq_tol(fabs(s.imaginary[i]), 1, 1e-14);
        } else
            ck_assert_double_eq_tol(fabs(s.real[i] / 1e12 + 2.5), 1.5, 1e-14);
        for (size_t k = slow; k < 4; k += 2) {
            ck_assert(of_column(&s, s.right, i, k) == 0);
            ck_assert(of_column(&s, s.left, i, k) == 0);
        }
    }
    ck_assert(spectrum_find(memory_, 0, M, &s));
}

UNIT_MAIN("analysis/spectrum", 20, vectors_of_all_components_meet_their_equations,
          equal_parts_in_a_row_keep_their_eigenvalue, parts_do_not_take_part_in_each_other)
