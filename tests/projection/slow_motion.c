/* A state that comes from a step, on equations of our own: x' = -L (x - 1) + z, y' = -y + z + b and
 * x + y / 10 = 1, with the constraint differentiated, x' + y' / 10 = 0. At rest x = 1, y = 0 and
 * z = 0 for b = 0. Along the constraint x decays at L / 11, and where it is off by e, z is by about
 * L e if it is solved for from x. */
#include "projection/projection.h"

#include "linalg/matrices.h"

#include <math.h>
#include <string.h>

/* z = x, x', y, y', z */
enum { X, DX, Y, DY, Z, SIZE, ROWS = 3 };

static const size_t EVERY[SIZE] = {X, DX, Y, DY, Z}, FIRST[2] = {X, Y}, LAST[ROWS] = {DX, DY, Z};
static const size_t ROW_IN_LAST[1] = {2}, OWN[ROWS] = {0, 1, 2};
static const level_pair PAIRS[ROWS] = {{X, DX, false}, {Y, DY, false}, {Z, PAIR_NOWHERE, false}};
static const double ONES[SIZE] = {1, 1, 1, 1, 1};

typedef struct stiff {
    constraint_levels levels;
    constraint_level level[2], whole;
    double rate;
} stiff;

static dae_status value_of(void *self, size_t level, double t, const double *z, double *c)
{
    const stiff *s = self;
    (void)t;
    if (level == 0) {
        c[0] = z[X] + 0.1 * z[Y] - 1;
        return DAE_OK;
    }
    c[0] = z[DX] + s->rate * (z[X] - 1) - z[Z];
    c[1] = z[DY] + z[Y] - z[Z];
    c[2] = z[DX] + 0.1 * z[DY];
    return DAE_OK;
}

static dae_status linearize(void *self, double t, const double *z)
{
    (void)self, (void)t, (void)z;
    return DAE_OK;
}

static void jacobian_of(void *self, size_t level, double *value)
{
    static const double first[2] = {1, 0.1}, last[9] = {1, 0, 1, 0, 1, 0.1, -1, -1, 0};
    (void)self;
    if (level == 0) memcpy(value, first, sizeof first);
    if (level == 1) memcpy(value, last, sizeof last);
}

static dae_status whole_jacobian(void *self, double t, const double *z, double *value)
{
    const stiff *s = self;
    const double by_all[SIZE * ROWS] = {s->rate, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0.1, -1, -1, 0};
    (void)t, (void)z;
    memcpy(value, by_all, sizeof by_all);
    return DAE_OK;
}

static const constraint_levels_form form = {.value = value_of,
                                            .linearize = linearize,
                                            .jacobian = jacobian_of,
                                            .whole_jacobian = whole_jacobian};

static void begin(stiff *s, arena *a, double rate)
{
    *s = (stiff){.levels = {.form = &form, .size = SIZE, .count = 2, .nominal = ONES},
                 .rate = rate};
    s->level[0] = (constraint_level){.rows = 1,
                                     .columns = 2,
                                     .column = FIRST,
                                     .pattern = full_pattern(a, 1, 2),
                                     .last_row = ROW_IN_LAST,
                                     .last_column = OWN};
    s->level[1] = (constraint_level){.rows = ROWS,
                                     .columns = ROWS,
                                     .column = LAST,
                                     .pattern = full_pattern(a, ROWS, ROWS),
                                     .last_row = OWN,
                                     .last_column = OWN};
    s->whole = (constraint_level){.rows = ROWS,
                                  .columns = SIZE,
                                  .column = EVERY,
                                  .pattern = full_pattern(a, ROWS, SIZE),
                                  .pairs = ROWS,
                                  .pair = PAIRS};
    s->levels.level = s->level;
    s->levels.whole = &s->whole;
    s->levels.self = s;
}

/* A state that is off by `error`, along the constraint and across it, is projected after a step;
 * step 0: there has been none. */
static void project(arena *a, double rate, double error, double step, double *z)
{
    stiff s;
    projection *p = NULL;
    double c[ROWS];
    begin(&s, a, rate);
    ck_assert_int_eq(projection_create(&p, &s.levels, PROJECTION_COORDINATE), DAE_OK);
    if (step != 0) projection_after_step(p, step, false);
    memset(z, 0, SIZE * sizeof *z);
    z[X] = 1 + error;
    z[Y] = -5 * error;
    ck_assert_int_eq(projection_meet(p, 0, z), DAE_OK);
    value_of(&s, 0, 0, z, c);
    ck_assert_double_le(fabs(c[0]), 1e-15);
    value_of(&s, 1, 0, z, c);
    for (int i = 0; i < ROWS; i++) ck_assert_double_le(fabs(c[i]), 1e-15 * (rate + 10));
    projection_free(p);
}

/* The multiplier is off by what a step sees of the error, not by the stiffness times it. */
ARENA_TEST(a_stiff_direction_follows)
{
    double z[SIZE], error = 1e-9;
    for (int k = 5; k <= 10; k++) {
        double rate = pow(10, k);
        project(memory_, rate, error, 0, z);
        ck_assert_double_gt(fabs(z[Z]), 0.1 * rate * error);
        project(memory_, rate, error, k % 2 ? 0.1 : -0.1, z);
        ck_assert_double_le(fabs(z[Z]), 1e3 * error);
        ck_assert_double_le(fabs(z[X] - 1), 1e4 * error / rate + 1e-15);
    }
}

/* What is slow beside the step has been integrated, and stays where the constraint leaves it. */
ARENA_TEST(a_slow_direction_stays)
{
    double solved[SIZE], followed[SIZE], error = 1e-3;
    project(memory_, 1, error, 0, solved);
    project(memory_, 1, error, 1e-4, followed);
    ck_assert_double_eq_tol(followed[X], solved[X], 1e-4 * error);
    ck_assert_double_eq_tol(followed[Y], solved[Y], 1e-4 * error);
    ck_assert_double_eq_tol(followed[Z], solved[Z], 1e-3 * error);
}

UNIT_MAIN("projection/slow_motion", 20, a_stiff_direction_follows, a_slow_direction_stays)
