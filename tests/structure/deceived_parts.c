/* Parts in which a structure misleads: singular blocks of a matrix and what these need, and nothing
 * else. */
#include "structure/deceived_parts.h"

#include "base/unit.h"

#include <string.h>

enum { N = 12 };

/* A matrix by places, in random order of rows and columns: match is how. */
static deceived_parts *parts_of(arena *a, size_t n, const double *value, const uint32_t *match)
{
    sparse_entries all = sparse_entries_take(a, n * n);
    double *of = arena_array(a, n * n, sizeof *of);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            if (value[i * n + k] == 0) continue;
            of[all.count] = value[i * n + k];
            sparse_entries_add(&all, i, match[k]);
        }
    sparse_pattern *p = sparse_entries_build(a, &all, n, n);
    double *own = arena_array(a, p->nonzeros + 1, sizeof *own);
    for (size_t e = 0; e < all.count; e++) own[all.where[e]] = of[e];
    return structure_deceived_parts(a, p, 1, own, 1e-11, match);
}

/* Blocks of two rows, each of rank 1 or 2, that are linked at random to blocks before them: a row
 * is in a part if and only if a singular block is or needs its block, and a part has all that its
 * rows need. */
ARENA_TEST(singular_blocks_and_what_they_need)
{
    uint64_t state = 7;
    size_t several = 0;
    for (int trial = 0; trial < 2000; trial++) {
        double a[N * N] = {0};
        bool singular[N / 2], needs[N / 2][N / 2] = {0}, wanted[N / 2] = {0};
        uint32_t match[N];
        for (uint32_t i = 0; i < N; i++) match[i] = i;
        for (size_t i = N; i-- > 1;) {
            size_t k = scatter_below(&state, i + 1);
            uint32_t other = match[i];
            match[i] = match[k], match[k] = other;
        }
        for (size_t b = 0; b < N / 2; b++) {
            singular[b] = scatter(&state) > 0.4;
            double *row = a + 2 * b * N + 2 * b;
            row[0] = row[1] = row[N] = 1, row[N + 1] = singular[b] ? 1 : -1;
            for (size_t k = 0; k < b; k++) {
                needs[b][k] = scatter(&state) > 0.6;
                if (needs[b][k])
                    a[(2 * b + scatter_below(&state, 2)) * N + 2 * k + scatter_below(&state, 2)] =
                        0.5;
            }
            needs[b][b] = true;
        }
        for (size_t m = 0; m < N / 2; m++) /* Warshall, J. ACM 9 (1962) */
            for (size_t i = 0; i < N / 2; i++)
                for (size_t k = 0; k < N / 2; k++) needs[i][k] |= needs[i][m] && needs[m][k];
        for (size_t b = 0; b < N / 2; b++)
            for (size_t k = 0; k < N / 2; k++) wanted[k] |= singular[b] && needs[b][k];
        const deceived_parts *found = parts_of(memory_, N, a, match);
        size_t part[N];
        for (size_t i = 0; i < N; i++) part[i] = SIZE_MAX;
        for (size_t k = 0; k < found->count; k++)
            for (size_t i = found->start[k]; i < found->start[k + 1]; i++) {
                ck_assert_uint_eq(part[found->row[i]], SIZE_MAX);
                part[found->row[i]] = k;
                bool own = false;
                for (size_t j = found->start[k]; j < found->start[k + 1]; j++)
                    own = own || found->column[j] == match[found->row[i]];
                ck_assert(own);
            }
        several += found->count > 1;
        for (size_t i = 0; i < N; i++) ck_assert_int_eq(part[i] != SIZE_MAX, wanted[i / 2]);
        for (size_t i = 0; i < N; i++)
            for (size_t k = 0; k < N; k++)
                if (part[i] != SIZE_MAX && needs[i / 2][k / 2]) ck_assert_uint_eq(part[i], part[k]);
    }
    ck_assert_uint_gt(several, 100);
}
END_TEST

/* A chain in which each singular pair needs the one before: parts stay small, and hold each row
 * once. */
ARENA_TEST(long_chains_are_cut)
{
    enum { PAIRS = 150, ROWS = 2 * PAIRS };
    double *a = arena_array(memory_, ROWS * ROWS, sizeof *a);
    uint32_t match[ROWS];
    bool seen[ROWS] = {0};
    for (uint32_t i = 0; i < ROWS; i++) match[i] = i;
    for (size_t b = 0; b < PAIRS; b++) {
        double *row = a + 2 * b * ROWS + 2 * b;
        row[0] = row[1] = row[ROWS] = row[ROWS + 1] = 1;
        if (b > 0) row[-1] = 1;
    }
    const deceived_parts *found = parts_of(memory_, ROWS, a, match);
    ck_assert_uint_gt(found->count, 1);
    ck_assert_uint_eq(found->start[found->count], ROWS);
    for (size_t k = 0; k < found->count; k++)
        ck_assert_uint_le(found->start[k + 1] - found->start[k], DECEIVED_LARGEST);
    for (size_t i = 0; i < ROWS; i++) {
        ck_assert(!seen[found->row[i]]);
        seen[found->row[i]] = true;
    }
}
END_TEST

UNIT_MAIN("structure/deceived_parts", 30, singular_blocks_and_what_they_need, long_chains_are_cut)
