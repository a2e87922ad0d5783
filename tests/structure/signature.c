/* Pryce's signature method: offsets of the classical examples, and of thousands of small systems
 * against all permutations. J. D. Pryce, BIT 41 (2001). */
#include "structure/signature.h"

#include "structure/patterns.h"

#include <string.h>

static void has_offsets(arena *a, const sigma *s, const uint32_t *c, const uint32_t *d,
                        size_t index, size_t freedom)
{
    const signature *found = structure_signature(a, incidence_of(a, s), NULL);
    ck_assert(found->regular);
    for (size_t i = 0; i < s->rows; i++) {
        ck_assert_uint_eq(found->c[i], c[i]);
        ck_assert_uint_eq(found->d[i], d[i]);
    }
    ck_assert_uint_eq(found->index, index);
    ck_assert_uint_eq(found->freedom, freedom);
}

/* x'' + x lambda = 0, y'' + y lambda = g, x^2 + y^2 = L^2 (Pryce, Example 2.1) */
ARENA_TEST(pendulum)
{
    const sigma s = {3, 3, {{2, NO, 0}, {NO, 2, 0}, {0, 0, NO}}};
    has_offsets(memory_, &s, (uint32_t[]){0, 0, 2}, (uint32_t[]){2, 2, 0}, 3, 2);
}

/* The same with velocities: x' = u, y' = v, u' = -x lambda, v' = -y lambda - g. */
ARENA_TEST(pendulum_of_first_order)
{
    const sigma s = {5,
                     5,
                     {{1, NO, 0, NO, NO},
                      {NO, 1, NO, 0, NO},
                      {0, NO, 1, NO, 0},
                      {NO, 0, NO, 1, 0},
                      {0, 0, NO, NO, NO}}};
    has_offsets(memory_, &s, (uint32_t[]){1, 1, 0, 0, 2}, (uint32_t[]){2, 2, 1, 1, 0}, 3, 2);
}

/* A second pendulum whose length depends on the tension of the first (Pryce, Example 2.2). */
ARENA_TEST(double_pendulum)
{
    const sigma s = {6,
                     6,
                     {{2, NO, 0, NO, NO, NO},
                      {NO, 2, 0, NO, NO, NO},
                      {0, 0, NO, NO, NO, NO},
                      {NO, NO, NO, 2, NO, 0},
                      {NO, NO, NO, NO, 2, 0},
                      {NO, NO, 0, 0, 0, NO}}};
    has_offsets(memory_, &s, (uint32_t[]){2, 2, 4, 0, 0, 2}, (uint32_t[]){4, 4, 2, 2, 2, 0}, 5, 4);
}

/* x1 = f(t), x_i' = x_(i+1): index n, no freedom. */
ARENA_TEST(chain_of_derivatives)
{
    for (size_t n = 1; n <= MOST; n++) {
        sigma s = {.rows = n, .columns = n};
        uint32_t c[MOST], d[MOST];
        memset(s.order, 0xff, sizeof s.order); /* NO throughout */
        s.order[0][0] = 0;
        for (size_t i = 1; i < n; i++) s.order[i][i - 1] = 1, s.order[i][i] = 0;
        for (size_t i = 0; i < n; i++) {
            d[i] = (uint32_t)(n - 1 - i);
            c[i] = d[i];
        }
        has_offsets(memory_, &s, c, d, n, 0);
    }
}

/* Capacitors between nodes 1-2, 4-5 and 7-8 (Hairer & Wanner II, p. 378): the pattern alone says
 * index 0 and 8 states, though pairs of rows hold the same derivatives: 5 is the truth. */
ARENA_TEST(transistor_amplifier)
{
    const sigma s = {8,
                     8,
                     {{1, 1, NO, NO, NO, NO, NO, NO},
                      {1, 1, 0, NO, NO, NO, NO, NO},
                      {NO, 0, 1, NO, NO, NO, NO, NO},
                      {NO, 0, 0, 1, 1, NO, NO, NO},
                      {NO, NO, NO, 1, 1, 0, NO, NO},
                      {NO, NO, NO, NO, 0, 1, NO, NO},
                      {NO, NO, NO, NO, 0, 0, 1, 1},
                      {NO, NO, NO, NO, NO, NO, 1, 1}}};
    const uint32_t none[8] = {0}, once[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    has_offsets(memory_, &s, none, once, 0, 8);
}

/* Robertson's problem with its balance, and two coupled oscillators. */
ARENA_TEST(low_index)
{
    const sigma robertson = {3, 3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}};
    has_offsets(memory_, &robertson, (uint32_t[]){0, 0, 0}, (uint32_t[]){1, 1, 0}, 1, 2);
    const sigma ode = {2, 2, {{2, 0}, {1, 2}}};
    has_offsets(memory_, &ode, (uint32_t[]){0, 0}, (uint32_t[]){2, 2}, 0, 4);
    const sigma algebraic = {2, 2, {{0, 0}, {NO, 0}}};
    has_offsets(memory_, &algebraic, (uint32_t[]){0, 0}, (uint32_t[]){0, 0}, 1, 0);
}

/* The largest sum of orders over all permutations, and one with it; NO where there is none. */
static int best_transversal(const sigma *s, size_t *best)
{
    size_t permutation[MOST], counter[MOST] = {0}, n = s->rows, i = 0;
    int largest = NO;
    for (size_t k = 0; k < n; k++) permutation[k] = k;
    for (bool more = true; more;) { /* B. R. Heap, Comput. J. 6 (1963) */
        int sum = 0;
        for (size_t k = 0; k < n && sum != NO; k++) {
            int order = s->order[k][permutation[k]];
            sum = order == NO ? NO : sum + order;
        }
        if (sum > largest) {
            largest = sum;
            memcpy(best, permutation, sizeof permutation);
        }
        for (; i < n && counter[i] >= i; i++) counter[i] = 0;
        more = i < n;
        if (!more) break;
        size_t from = i % 2 ? counter[i] : 0, other = permutation[i];
        permutation[i] = permutation[from];
        permutation[from] = other;
        counter[i]++;
        i = 0;
    }
    return largest;
}

/* The smallest offsets with d_j >= lowest_j, by the fixed-point iteration of Pryce's Lemma 3.3 from
 * a transversal of largest sum. */
static void smallest_offsets(const sigma *s, const size_t *transversal, const uint32_t *lowest,
                             uint32_t *c, uint32_t *d)
{
    memset(c, 0, MOST * sizeof *c);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t j = 0; j < s->columns; j++) {
            d[j] = lowest[j];
            for (size_t i = 0; i < s->rows; i++)
                if (s->order[i][j] != NO && c[i] + (uint32_t)s->order[i][j] > d[j])
                    d[j] = c[i] + (uint32_t)s->order[i][j];
        }
        for (size_t i = 0; i < s->rows; i++) {
            uint32_t wanted = d[transversal[i]] - (uint32_t)s->order[i][transversal[i]];
            changed = changed || wanted != c[i];
            c[i] = wanted;
        }
    }
}

ARENA_TEST(all_permutations)
{
    uint64_t state = 51;
    size_t regular = 0, singular = 0;
    for (int trial = 0; trial < 4000; trial++) {
        size_t n = 1 + scatter_below(&state, 6), transversal[MOST];
        sigma s = scattered_sigma(n, n, 0.25 + 0.3 * fabs(scatter(&state)), 3, &state);
        uint32_t c[MOST], d[MOST], lowest[MOST];
        const signature *found = structure_signature(memory_, incidence_of(memory_, &s), NULL);
        int largest = best_transversal(&s, transversal);
        ck_assert_int_eq(found->regular, largest != NO);
        if (largest == NO && ++singular) continue;
        regular++;
        ck_assert_uint_eq(found->freedom, (size_t)largest);
        memset(lowest, 0, sizeof lowest);
        smallest_offsets(&s, transversal, lowest, c, d);
        bool taken[MOST] = {false};
        uint32_t highest = 0;
        bool algebraic = false;
        for (size_t i = 0; i < n; i++) {
            size_t j = found->match[i];
            ck_assert_uint_eq(found->c[i], c[i]);
            ck_assert_uint_eq(found->d[i], d[i]);
            ck_assert(j < n && !taken[j] && s.order[i][j] != NO);
            ck_assert_uint_eq(d[j] - c[i], (uint32_t)s.order[i][j]);
            taken[j] = true;
            highest = c[i] > highest ? c[i] : highest;
            algebraic = algebraic || d[i] == 0;
        }
        ck_assert_uint_eq(found->index, highest + algebraic);
        for (size_t j = 0; j < n; j++) lowest[j] = (uint32_t)scatter_below(&state, 6);
        found = structure_signature(memory_, incidence_of(memory_, &s), lowest);
        smallest_offsets(&s, transversal, lowest, c, d);
        for (size_t i = 0; i < n; i++) {
            ck_assert_uint_eq(found->c[i], c[i]);
            ck_assert_uint_eq(found->d[i], d[i]);
        }
    }
    ck_assert_uint_gt(regular, 500);
    ck_assert_uint_gt(singular, 500);
}

/* Resistors b_k = f_k at one node, where the currents f_0 to f_n sum to 0, and the b_k are given:
 * each assignment of a b_k moves the sum on to the next current. */
static incidence *node_of(arena *a, uint32_t n)
{
    incidence *in = arena_take(a, sizeof *in);
    size_t entries = 0;
    in->rows = in->columns = 2 * n + 1;
    in->start = arena_array(a, in->rows + 1, sizeof *in->start);
    in->column = arena_array(a, 4 * n + 1, sizeof *in->column);
    in->order = arena_array(a, 4 * n + 1, sizeof *in->order);
    for (uint32_t k = 0; k <= n; k++) in->column[entries++] = n + k;
    in->start[1] = entries;
    for (uint32_t k = 0; k < n; k++) {
        in->column[entries++] = k;
        in->column[entries++] = n + k;
        in->start[k + 2] = entries;
    }
    for (uint32_t k = 0; k < n; k++) {
        in->column[entries++] = k;
        in->start[n + k + 2] = entries;
    }
    return in;
}

/* Each current follows from its own resistor, the last one from the sum. What the search looks at
 * grows with the entries, though it meets the sum n times. */
ARENA_TEST(a_long_sum_is_not_looked_through_each_time)
{
    enum { CURRENTS = 400 };
    const incidence *in = node_of(memory_, CURRENTS);
    const signature *found = structure_signature(memory_, in, NULL);
    ck_assert(found->regular);
    ck_assert_uint_eq(found->index, 1);
    ck_assert_uint_eq(found->match[0], 2 * CURRENTS);
    for (uint32_t k = 0; k < CURRENTS; k++) {
        ck_assert_uint_eq(found->match[k + 1], CURRENTS + k);
        ck_assert_uint_eq(found->match[CURRENTS + k + 1], k);
    }
    ck_assert_uint_lt(found->looked, 4 * in->start[in->rows]);
}

UNIT_MAIN("structure/signature", 30, pendulum, pendulum_of_first_order, double_pendulum,
          chain_of_derivatives, transistor_amplifier, low_index, all_permutations,
          a_long_sum_is_not_looked_through_each_time)
