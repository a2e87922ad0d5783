/* What is said of start values that cannot be, and how violations are measured. */
#include "initial/contradiction.h"

#include "initial/consistent.h"
#include "initial/naming.h"
#include "linalg/matrices.h"

#include <string.h>

/* (a - 1) (b^2 + 1) = 0 and 3 (b - 1) = 0, called r0 and r1. */
static dae_status value_of(void *self, double t, const double *z, double *r)
{
    (void)self, (void)t;
    r[0] = (z[0] - 1) * (z[1] * z[1] + 1);
    r[1] = 3 * (z[1] - 1);
    return DAE_OK;
}

static dae_status jacobian_of(void *self, double t, const double *z, double *value)
{
    (void)self, (void)t;
    const double columns[4] = {z[1] * z[1] + 1, 0, 2 * z[1] * (z[0] - 1), 3};
    memcpy(value, columns, sizeof columns);
    return DAE_OK;
}

static const start_form form = {.value = value_of,
                                .jacobian = jacobian_of,
                                .name_row = name_row,
                                .locate_row = locate_row,
                                .name_entry = name_entry};

static const double ONES[2] = {1, 1};
static const bool YES[2] = {true, true};

static start_system system_at(arena *a, const double *guess, const bool *fixed)
{
    return (start_system){.form = &form,
                          .size = 2,
                          .equations = 2,
                          .rows = 2,
                          .pattern = full_pattern(a, 2, 2),
                          .guess = guess,
                          .given = YES,
                          .fixed = fixed,
                          .variable = YES,
                          .nominal = ONES,
                          .preference = ONES};
}

/* |c| / sum |dc/dz_j| max(|z_j|, nominal_j), at (-4, 0.5) and of the free entries as of the fixed:
 * 6.25 / (1.25 * 4 + 5 * 1) and 1.5 / 3. */
ARENA_TEST(violations)
{
    const double guess[2] = {-4, 0.5};
    for (int k = 0; k < 2; k++) {
        const bool fixed[2] = {k == 0, false};
        reduced_start *r = NULL;
        start_system s = system_at(memory_, guess, fixed);
        ck_assert_int_eq(reduced_start_create(&r, &s, 0, 2, false), DAE_OK);
        ck_assert_double_eq_tol(reduced_start_violation(r), 0.625, 1e-15);
        ck_assert_double_eq_tol(r->violation[0], 0.625, 1e-15);
        ck_assert_double_eq_tol(r->violation[1], 0.5, 1e-15);
        reduced_start_free(r);
    }
}

/* Both equations are off; the one that is further off comes first, and the error is there. */
ARENA_TEST(the_worst_comes_first)
{
    const double guess[2][2] = {{3, 1.01}, {1.001, 2}};
    for (int k = 0; k < 2; k++) {
        message m = {0};
        double z[2] = {7, 8};
        initial_result result;
        start_system s = system_at(memory_, guess[k], YES);
        ck_assert_int_eq(initial_consistent(&s, 0, z, &result, &m), DAE_CONTRADICTION);
        const char *said = message_string(&m), *first = strstr(said, k == 0 ? "r0:" : "r1:");
        const char *second = strstr(said, k == 0 ? "r1:" : "r0:");
        ck_assert_msg(first && second && first < second, "%s", said);
        ck_assert_msg(strncmp(said, k == 0 ? "m.mo:1:1" : "m.mo:2:1", 8) == 0, "%s", said);
        ck_assert_msg(strstr(said, "nearest consistent values: a = 1, b = 1") != NULL, "%s", said);
        ck_assert(z[0] == 7 && z[1] == 8); /* untouched */
        message_free(&m);
    }
}

UNIT_MAIN("initial/contradiction", 20, violations, the_worst_comes_first)
