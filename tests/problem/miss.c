/* How far rows are missed, by sums of terms that are known. */
#include "problem/levels.h"

#include "base/unit.h"
#include "linalg/sparse.h"

#include <math.h>

/* [2 -3; 0 0; 0.5 4] by columns. */
static const double value[] = {2, 0, 0.5, -3, 0, 4};
static const double nominal[] = {1, 10};

ARENA_TEST(terms_are_sums_of_sizes)
{
    const sparse_pattern *p = sparse_full(memory_, 3, 2);
    const double x[] = {-5, 2}; /* of the sizes 5 and 10 */
    double terms[3] = {7, 7, 7};
    miss_terms(p, value, x, nominal, terms);
    ck_assert(terms[0] == 2 * 5 + 3 * 10 && terms[1] == 0 && terms[2] == 0.5 * 5 + 4 * 10);
    miss_add_terms(p, value, x, nominal, terms);
    ck_assert(terms[0] == 80 && terms[1] == 0 && terms[2] == 85);
}

/* The columns of a level are some of the entries, each with the size that this entry has. */
ARENA_TEST(terms_of_a_level)
{
    static const size_t column[] = {3, 1};
    static const double z[] = {1e6, 2, 1e6, -5}, size[] = {1e6, 10, 1e6, 1};
    constraint_level level = {.rows = 3, .columns = 2, .column = column};
    level.pattern = sparse_full(memory_, 3, 2);
    double terms[3] = {7, 7, 7};
    miss_level_terms(&level, value, z, size, terms);
    ck_assert(terms[0] == 2 * 5 + 3 * 10 && terms[1] == 0 && terms[2] == 0.5 * 5 + 4 * 10);
}

ARENA_TEST(terms_of_the_transposed)
{
    const sparse_pattern *p = sparse_full(memory_, 3, 2);
    const double lambda[] = {-1, 100, 0}, size[] = {3, 1, 2};
    double terms[2] = {1, 0};
    miss_add_transposed(p, value, lambda, size, terms);
    ck_assert(terms[0] == 1 + 2 * 3 + 0.5 * 2 && terms[1] == 3 * 3 + 4 * 2);
}

START_TEST(rows_are_measured_by_their_terms)
{
    const double residual[] = {-4, 0.2, 1}, terms[] = {40, 0, 2};
    size_t row = 9;
    ck_assert(miss_of_row(-4, 40) == 0.1);
    ck_assert(miss_of_row(-0.2, 0) == 0.2); /* depends on nothing */
    ck_assert(miss_largest(3, residual, terms, &row) == 0.5);
    ck_assert_uint_eq(row, 2);
    ck_assert(miss_largest(2, residual, terms, &row) == 0.2);
    ck_assert_uint_eq(row, 1);
    const double met[] = {0, 0};
    row = 9;
    ck_assert(miss_largest(2, met, terms, &row) == 0);
    ck_assert_uint_eq(row, 9);
}
END_TEST

START_TEST(the_worst_is_raised)
{
    double worst = 0.1;
    miss_raise(&worst, 0.05);
    ck_assert(worst == 0.1);
    miss_raise(&worst, 0.2);
    ck_assert(worst == 0.2);
    miss_raise(&worst, (double)NAN);
    ck_assert(isnan(worst));
}
END_TEST

UNIT_MAIN("problem/miss", 10, terms_are_sums_of_sizes, terms_of_a_level, terms_of_the_transposed,
          rows_are_measured_by_their_terms, the_worst_is_raised)
