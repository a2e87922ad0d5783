/* For all unit tests in C: a test in an arena, numbers that scatter but never change, and main().
 */
#ifndef TESTS_BASE_UNIT_H
#define TESTS_BASE_UNIT_H

#include "base/arena.h"
#include "base/grid.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test whose body takes from `memory`, which is freed after it; exhausted memory fails it. */
#define ARENA_TEST(name)                                                   \
    static void name##_body(void *memory_);                                \
    START_TEST(name)                                                       \
    {                                                                      \
        arena memory = {0};                                                \
        ck_assert_int_eq(arena_protect(&memory, name##_body, &memory), 0); \
        arena_free(&memory);                                               \
    }                                                                      \
    END_TEST                                                               \
    static void name##_body(void *memory_)

/* Numbers between -1 and 1: a generator of Steele, Lea & Flood (OOPSLA 2014), so that a test sees
 * the same ones on every machine. */
static inline uint64_t scatter_bits(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline double scatter(uint64_t *state)
{
    return (double)(scatter_bits(state) >> 11) * 0x1p-52 - 1;
}

static inline double scatter_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * 0.5 * (1 + scatter(state));
}

/* A whole number from 0 to below `limit`. */
static inline size_t scatter_below(uint64_t *state, size_t limit)
{
    return (size_t)(scatter_bits(state) >> 33) % limit;
}

/* One in how many of alike cases is run: of two where the grid is thinned; with sanitizers, which
 * look for other things than errors of a solution, of `sanitized`. */
size_t unit_one_in(size_t sanitized);

/* Whether case k of alike ones is run; those that are left out are counted and printed. */
bool is_sampled(const char *name, size_t k, size_t sanitized);

/* The function of a test file that runs its tests: the build gives it a name of its own, for the
 * files of a folder are one program (base/runner.c). 0: all passed. */
#ifndef UNIT_ENTRY
#define UNIT_ENTRY main
#endif
int UNIT_ENTRY(void);

/* A test of the cases `from` to below `to`, which are alike: methods, tolerances, draws. Where
 * there are more than a few, some are run, in each test others: unit_one_in(4). */
void unit_loop(TCase *tests, const TTest *test, int from, int to);

/* Run the tests of a file; what UNIT_ENTRY() returns. */
int unit_run(const char *name, TCase *tests);

/* The same for `count` tests of at most so many seconds each. */
int unit_main(const char *name, double seconds, size_t count, const TTest *const *test);

#define UNIT_MAIN(name, seconds, ...)                                         \
    int UNIT_ENTRY(void)                                                      \
    {                                                                         \
        const TTest *const tests[] = {__VA_ARGS__};                           \
        return unit_main(name, seconds, sizeof tests / sizeof *tests, tests); \
    }

#endif
