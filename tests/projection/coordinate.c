/* Coordinate projection on levels of our own: a sphere in space with its tangent, and the highest
 * derivatives. All levels end at round-off, changes are shortest, and a second projection changes
 * nothing. */
#include "projection/projection.h"

#include "linalg/matrices.h"

#include <string.h>

/* z = q (3), v (3), w (1): |q|^2 = 1, q.v = 0, q1 w = t; then a failing one on demand. */
enum { SIZE = 7 };

typedef struct sphere {
    constraint_levels levels;
    constraint_level level[3];
    double slope[SIZE]; /* q as linearised */
    dae_status fail;
    bool no_slope;
} sphere;

static dae_status value_of(void *self, size_t level, double t, const double *z, double *c)
{
    sphere *s = self;
    double lengths = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
    double along = z[0] * z[3] + z[1] * z[4] + z[2] * z[5];
    c[0] = level == 0 ? lengths - 1 : level == 1 ? along : z[0] * z[6] - t;
    return s->fail;
}

static dae_status linearize(void *self, double t, const double *z)
{
    sphere *s = self;
    (void)t;
    memcpy(s->slope, z, SIZE * sizeof *z);
    return s->no_slope ? DAE_NOT_EVALUABLE : DAE_OK;
}

static void jacobian_of(void *self, size_t level, double *value)
{
    const sphere *s = self;
    for (int j = 0; level < 2 && j < 3; j++) value[j] = (level == 0 ? 2 : 1) * s->slope[j];
    if (level == 2) value[0] = s->slope[0];
}

static const constraint_levels_form form = {
    .value = value_of, .linearize = linearize, .jacobian = jacobian_of};

static const size_t columns[SIZE] = {0, 1, 2, 3, 4, 5, 6};

static void begin(sphere *s, arena *a, const double *nominal)
{
    *s = (sphere){.levels = {.form = &form, .size = SIZE, .count = 3, .nominal = nominal}};
    for (int k = 0; k < 3; k++) {
        size_t count = k == 2 ? 1 : 3;
        s->level[k] = (constraint_level){.rows = 1,
                                         .columns = count,
                                         .column = columns + 3 * k,
                                         .pattern = full_pattern(a, 1, count),
                                         .last_row = k == 2 ? columns : NULL};
    }
    s->levels.level = s->level;
    s->levels.self = s;
}

static const double ONES[SIZE] = {1, 1, 1, 1, 1, 1, 1};

ARENA_TEST(all_levels_to_round_off)
{
    uint64_t state = 101;
    sphere s;
    projection *p = NULL;
    double c;
    begin(&s, memory_, ONES);
    ck_assert_int_eq(projection_create(&p, &s.levels, PROJECTION_COORDINATE), DAE_OK);
    for (int trial = 0; trial < 300; trial++) {
        double z[SIZE], once[SIZE];
        for (int j = 0; j < SIZE; j++) z[j] = (j < 3 ? 0.2 : 1) * scatter(&state);
        z[0] += 1;
        ck_assert_int_eq(projection_meet(p, 0.5, z), DAE_OK);
        for (size_t k = 0; k < 3; k++) {
            value_of(&s, k, 0.5, z, &c);
            ck_assert_double_eq_tol(c, 0, 16 * DBL_EPSILON);
        }
        memcpy(once, z, sizeof z);
        ck_assert_int_eq(projection_meet(p, 0.5, z), DAE_OK);
        for (int j = 0; j < SIZE; j++)
            ck_assert_double_eq_tol(z[j], once[j], 16 * DBL_EPSILON * fmax(1, fabs(once[j])));
    }
    projection_free(p);
}

/* Near the sphere with all nominal values alike and large, the shortest way is along the radius; of
 * a velocity it takes the part along q away and nothing else. */
ARENA_TEST(shortest_changes)
{
    static const double large[SIZE] = {10, 10, 10, 10, 10, 10, 10};
    uint64_t state = 102;
    sphere s;
    projection *p = NULL;
    begin(&s, memory_, large);
    ck_assert_int_eq(projection_create(&p, &s.levels, PROJECTION_COORDINATE), DAE_OK);
    for (int trial = 0; trial < 100; trial++) {
        double z[SIZE], before[SIZE], along = 0, length = 0;
        for (int j = 0; j < SIZE; j++) before[j] = z[j] = scatter(&state);
        length = sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
        if (fabs(length - 1) > 0.3 || fabs(z[0]) < 0.01) continue;
        ck_assert_int_eq(projection_meet(p, 0.5, z), DAE_OK);
        for (int j = 0; j < 3; j++)
            ck_assert_double_eq_tol(z[j], before[j] / length, 16 * DBL_EPSILON);
        for (int j = 0; j < 3; j++) along += before[3 + j] * before[j] / length;
        for (int j = 0; j < 3; j++)
            ck_assert_double_eq_tol(z[3 + j], before[3 + j] - along * before[j] / length,
                                    32 * DBL_EPSILON);
    }
    projection_free(p);
}

/* What is typically large changes more: dz_j / scale_j^2 is along the gradient, 1 against 100. */
ARENA_TEST(shortest_in_the_scaled_norm)
{
    static const double nominal[SIZE] = {1, 10, 1, 1, 100, 1, 1};
    sphere s;
    projection *p = NULL;
    double z[SIZE] = {0.6, 0.8, 0, 0.1, 0.2, 0, 0};
    begin(&s, memory_, nominal);
    ck_assert_int_eq(projection_create(&p, &s.levels, PROJECTION_COORDINATE), DAE_OK);
    ck_assert_int_eq(projection_meet(p, 0.5, z), DAE_OK);
    double u = (z[3] - 0.1) / (1 * 1 * 0.6), v = (z[4] - 0.2) / (100.0 * 100 * 0.8);
    ck_assert_double_eq_tol(u / v, 1, 1e-7); /* u is a difference of 1e-5 */
    projection_free(p);
}

ARENA_TEST(failures_leave_the_state)
{
    sphere s;
    projection *p = NULL;
    size_t level = 9, row = 9;
    double z[SIZE] = {1e-30, 1, 0.2, 0.3, 0.4, 0.5, 1}, before[SIZE];
    begin(&s, memory_, ONES);
    ck_assert_int_eq(projection_create(&p, &s.levels, PROJECTION_COORDINATE), DAE_OK);
    memcpy(before, z, sizeof z);
    z[0] = before[0] = 0; /* q1 w = t cannot be met without q1 */
    dae_status status = projection_meet(p, 0.5, z);
    ck_assert(status == DAE_SINGULAR || status == DAE_CONSTRAINT);
    ck_assert_mem_eq(z, before, sizeof z);
    projection_failure(p, &level, &row);
    ck_assert_uint_eq(level, 2);
    ck_assert_uint_eq(row, 0);
    s.fail = DAE_NOT_EVALUABLE;
    ck_assert_int_eq(projection_meet(p, 0.5, z), DAE_NOT_EVALUABLE);
    ck_assert_mem_eq(z, before, sizeof z);
    projection_failure(p, &level, &row);
    ck_assert_uint_eq(level, 0);
    s.fail = DAE_OK;
    s.no_slope = true;
    ck_assert_int_eq(projection_meet(p, 0.5, z), DAE_NOT_EVALUABLE);
    ck_assert_mem_eq(z, before, sizeof z);
    projection_free(p);
    projection_free(NULL);
}

/* No zero, and so no convergence: q . q = -1 with a level that says so. */
static dae_status never(void *self, size_t level, double t, const double *z, double *c)
{
    dae_status status = value_of(self, level, t, z, c);
    if (level == 0) c[0] += 2;
    return status;
}

ARENA_TEST(no_point_to_project_on)
{
    constraint_levels_form impossible = form;
    sphere s;
    projection *p = NULL;
    size_t level = 9, row;
    double z[SIZE] = {1, 0.2, 0, 0, 0, 0, 0};
    impossible.value = never;
    begin(&s, memory_, ONES);
    s.levels.form = &impossible;
    ck_assert_int_eq(projection_create(&p, &s.levels, PROJECTION_COORDINATE), DAE_OK);
    dae_status status = projection_meet(p, 0, z);
    ck_assert(status == DAE_CONSTRAINT || status == DAE_SINGULAR);
    ck_assert(z[0] == 1 && z[1] == 0.2);
    projection_failure(p, &level, &row);
    ck_assert_uint_eq(level, 0);
    projection_free(p);
}

/* The length jumps over 1. */
static dae_status jumping(void *self, size_t level, double t, const double *z, double *c)
{
    dae_status status = value_of(self, level, t, z, c);
    if (level == 0) c[0] = copysign(1e-6, c[0]);
    return status;
}

/* Corrections that stay small are round-off only where rounding moves the equations. */
ARENA_TEST(small_misses_are_no_round_off)
{
    constraint_levels_form other = form;
    sphere s;
    projection *p = NULL;
    size_t level = 9, row;
    double z[SIZE] = {1 + 1.3e-6, 0, 0, 0, 0, 0, 0};
    other.value = jumping;
    begin(&s, memory_, ONES);
    s.levels.form = &other;
    ck_assert_int_eq(projection_create(&p, &s.levels, PROJECTION_COORDINATE), DAE_OK);
    ck_assert_int_eq(projection_meet(p, 0, z), DAE_CONSTRAINT);
    projection_failure(p, &level, &row);
    ck_assert_uint_eq(level, 0);
    projection_free(p);
}

UNIT_MAIN("projection/coordinate", 20, all_levels_to_round_off, shortest_changes,
          shortest_in_the_scaled_norm, failures_leave_the_state, no_point_to_project_on,
          small_misses_are_no_round_off)
