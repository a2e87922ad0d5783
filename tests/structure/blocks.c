/* Block triangular form: parts that need each other, in the order in which they can be computed. */
#include "structure/structure.h"

#include "structure/patterns.h"

#include <string.h>

static void has_sizes(arena *a, const sigma *s, size_t count, const size_t *size)
{
    const incidence *in = incidence_of(a, s);
    const signature *found = structure_signature(a, in, NULL);
    ck_assert(found->regular);
    const blocks *b = structure_blocks(a, in, found);
    ck_assert_uint_eq(b->count, count);
    for (size_t k = 0; k < count; k++) ck_assert_uint_eq(b->start[k + 1] - b->start[k], size[k]);
}

ARENA_TEST(known_forms)
{
    const sigma diagonal = {3, 3, {{0, NO, NO}, {NO, 0, NO}, {NO, NO, 0}}};
    has_sizes(memory_, &diagonal, 3, (size_t[]){1, 1, 1});
    const sigma full = {3, 3, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    has_sizes(memory_, &full, 1, (size_t[]){3});
    const sigma ring = {4, 4, {{0, 0, NO, NO}, {NO, 0, 0, NO}, {NO, NO, 0, 0}, {0, NO, NO, 0}}};
    has_sizes(memory_, &ring, 1, (size_t[]){4});
    /* x3 from the last row, then x1 and x2 together */
    const sigma two = {3, 3, {{0, 0, 0}, {0, 0, NO}, {NO, NO, 0}}};
    has_sizes(memory_, &two, 2, (size_t[]){1, 2});
    /* of the pendulum all three highest derivatives hang together; of an ODE none do */
    const sigma pendulum = {3, 3, {{2, NO, 0}, {NO, 2, 0}, {0, 0, NO}}};
    has_sizes(memory_, &pendulum, 1, (size_t[]){3});
    const sigma ode = {3, 3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    has_sizes(memory_, &ode, 3, (size_t[]){1, 1, 1});
}

/* Which equations need which, directly or not, by the assignment that was found. */
static void reach(const sigma *s, const signature *found, bool needs[MOST][MOST])
{
    size_t n = s->rows;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            size_t j = found->match[k];
            needs[i][k] = i == k || (s->order[i][j] != NO &&
                                     (uint32_t)s->order[i][j] + found->c[i] == found->d[j]);
        }
    for (size_t m = 0; m < n; m++) /* Warshall, J. ACM 9 (1962) */
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++) needs[i][k] |= needs[i][m] && needs[m][k];
}

ARENA_TEST(components_by_transitive_closure)
{
    uint64_t state = 61;
    size_t regular = 0;
    for (int trial = 0; trial < 6000; trial++) {
        size_t n = 1 + scatter_below(&state, MOST), block_of[MOST];
        sigma s = scattered_sigma(n, n, 0.2 + 0.3 * fabs(scatter(&state)), 2, &state);
        const incidence *in = incidence_of(memory_, &s);
        const signature *found = structure_signature(memory_, in, NULL);
        if (!found->regular) continue;
        regular++;
        const blocks *b = structure_blocks(memory_, in, found);
        bool needs[MOST][MOST], met[MOST] = {false};
        reach(&s, found, needs);
        ck_assert_uint_eq(b->start[0], 0);
        ck_assert_uint_eq(b->start[b->count], n);
        for (size_t k = 0; k < b->count; k++) {
            ck_assert_uint_lt(b->start[k], b->start[k + 1]);
            for (size_t r = b->start[k]; r < b->start[k + 1]; r++) {
                ck_assert(!met[b->row[r]]);
                met[b->row[r]] = true;
                block_of[b->row[r]] = k;
            }
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++) {
                ck_assert_int_eq(block_of[i] == block_of[k], needs[i][k] && needs[k][i]);
                ck_assert(!needs[i][k] || block_of[k] <= block_of[i]);
            }
        }
    }
    ck_assert_uint_gt(regular, 1000);
}

UNIT_MAIN("structure/blocks", 30, known_forms, components_by_transitive_closure)
