/* Projection along f_z and post-stabilisation on levels of our own: a mass point on a circle with
 * different inertia along x and y, its tangent, and the equations of motion. What a correction does
 * is compared with B (G B)^-1, B = M^-1 G', written out; and its powers of the distance with those
 * that I - H F has. */
#include "projection/projection.h"

#include "linalg/matrices.h"

#include <string.h>

/* z = x, y, u, v, du, dv, lambda: (x^2 + y^2 - 1) / 2 = 0, x u + y v = 0; then M a + lambda G' = 0
 * and G a + u^2 + v^2 = 0. */
enum { SIZE = 7 };

static const double M[2] = {1, 4};

typedef struct circle {
    constraint_levels levels;
    constraint_level level[3];
    double at[SIZE]; /* as linearised last */
    int linearized;
} circle;

static dae_status value_of(void *self, size_t level, double t, const double *z, double *c)
{
    (void)self, (void)t;
    if (level == 0) c[0] = (z[0] * z[0] + z[1] * z[1] - 1) / 2;
    if (level == 1) c[0] = z[0] * z[2] + z[1] * z[3];
    for (int j = 0; level == 2 && j < 2; j++) c[j] = M[j] * z[4 + j] + z[6] * z[j];
    if (level == 2) c[2] = z[0] * z[4] + z[1] * z[5] + z[2] * z[2] + z[3] * z[3];
    return DAE_OK;
}

static dae_status linearize(void *self, double t, const double *z)
{
    circle *s = self;
    (void)t;
    memcpy(s->at, z, sizeof s->at);
    s->linearized++;
    return DAE_OK;
}

static void jacobian_of(void *self, size_t level, double *value)
{
    const circle *s = self;
    const double x = s->at[0], y = s->at[1];
    const double last[9] = {M[0], 0, x, 0, M[1], y, x, y, 0}; /* by columns */
    if (level == 2)
        memcpy(value, last, sizeof last);
    else
        memcpy(value, (double[]){x, y}, 2 * sizeof *value);
}

static const constraint_levels_form form = {
    .value = value_of, .linearize = linearize, .jacobian = jacobian_of};

static void begin(circle *s, arena *a)
{
    static const double ones[SIZE] = {1, 1, 1, 1, 1, 1, 1};
    static const size_t columns[SIZE] = {0, 1, 2, 3, 4, 5, 6}, constraint[1] = {2};
    *s = (circle){.levels = {.form = &form, .size = SIZE, .count = 3, .nominal = ones}};
    for (size_t k = 0; k < 3; k++) {
        size_t rows = k == 2 ? 3 : 1, count = k == 2 ? 3 : 2;
        s->level[k] = (constraint_level){.rows = rows,
                                         .columns = count,
                                         .column = columns + 2 * k,
                                         .pattern = full_pattern(a, rows, count),
                                         .last_row = k == 2 ? columns : constraint,
                                         .last_column = columns};
    }
    s->levels.level = s->level;
    s->levels.self = s;
}

/* A point of the circle with a tangent velocity, moved off by so much. */
static void beside(double angle, double distance, double *z)
{
    const double x = cos(angle), y = sin(angle);
    const double force = 2.25 / (x * x / M[0] + y * y / M[1]);
    const double start[SIZE] = {x + 0.7 * distance,
                                y - 0.3 * distance,
                                -1.5 * y + 0.4 * distance,
                                1.5 * x + 0.9 * distance,
                                -force * x / M[0],
                                -force * y / M[1],
                                force};
    memcpy(z, start, sizeof start);
}

static projection *made(circle *s, projection_way way)
{
    projection *p = NULL;
    ck_assert_int_eq(projection_create(&p, &s->levels, way), DAE_OK);
    return p;
}

static double residual(circle *s, size_t level, const double *z)
{
    double c[3] = {0}, worst = 0;
    value_of(s, level, 0, z, c);
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(c[i]));
    return worst;
}

/* The change is F c, F from the point before, both levels at once; the last level is met, and one
 * linearisation serves for all. */
ARENA_TEST(one_correction)
{
    circle s;
    begin(&s, memory_);
    projection *p = made(&s, PROJECTION_POST);
    double z[SIZE], before[SIZE];
    beside(0.8, 1e-4, z);
    memcpy(before, z, sizeof z);
    ck_assert_int_eq(projection_meet(p, 0, z), DAE_OK);
    double b[2] = {before[0] / M[0], before[1] / M[1]};
    double gb = before[0] * b[0] + before[1] * b[1];
    double beyond = (before[0] * before[0] + before[1] * before[1] - 1) / 2;
    for (int j = 0; j < 2; j++)
        ck_assert_double_eq_tol(z[j], before[j] - b[j] / gb * beyond, 4 * DBL_EPSILON);
    double along = before[0] * before[2] + before[1] * before[3];
    for (int j = 0; j < 2; j++)
        ck_assert_double_eq_tol(z[2 + j], before[2 + j] - b[j] / gb * along, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(residual(&s, 2, z), 0, 32 * DBL_EPSILON);
    ck_assert_int_eq(s.linearized, 1);
    projection_free(p);
}

/* The power of the distance with which a level is missed after the projection. */
static double power(circle *s, projection *p, size_t level)
{
    double far = 0, near = 0;
    for (int k = 0; k < 8; k++) {
        double z[SIZE];
        beside(0.3 + 0.7 * k, 1e-2, z);
        ck_assert_int_eq(projection_meet(p, 0, z), DAE_OK);
        far = fmax(far, residual(s, level, z));
        beside(0.3 + 0.7 * k, 1e-3, z);
        ck_assert_int_eq(projection_meet(p, 0, z), DAE_OK);
        near = fmax(near, residual(s, level, z));
    }
    return log10(far / near);
}

/* H F is the identity for positions; for velocities I - H F = -L, whose square vanishes: of first
 * order after one correction, of second after two (Ascher & Petzold (1998), Sec. 10.2.2). */
ARENA_TEST(powers_of_the_distance)
{
    circle s;
    begin(&s, memory_);
    projection *once = made(&s, PROJECTION_POST), *twice = made(&s, PROJECTION_POST2);
    ck_assert_double_eq_tol(power(&s, once, 0), 2, 0.1);
    ck_assert_double_eq_tol(power(&s, once, 1), 1, 0.1);
    ck_assert_double_eq_tol(power(&s, twice, 0), 3, 0.1); /* a simplified Newton's */
    ck_assert_double_eq_tol(power(&s, twice, 1), 2, 0.1);
    projection_free(once);
    projection_free(twice);
}

/* Along f_z: the change of positions is along M^-1 G' of the point before, to round-off; what
 * coordinate projection does is along G'. */
ARENA_TEST(along_multipliers)
{
    circle s;
    begin(&s, memory_);
    for (int coordinate = 0; coordinate < 2; coordinate++) {
        projection *p = made(&s, coordinate ? PROJECTION_COORDINATE : PROJECTION_FZ);
        double z[SIZE], before[SIZE];
        beside(0.8, 1e-4, z);
        memcpy(before, z, sizeof z);
        ck_assert_int_eq(projection_meet(p, 0, z), DAE_OK);
        for (size_t level = 0; level < 3; level++)
            ck_assert_double_eq_tol(residual(&s, level, z), 0, 32 * DBL_EPSILON);
        double ratio = (z[1] - before[1]) / (z[0] - before[0]) * before[0] / before[1];
        ck_assert_double_eq_tol(ratio, coordinate ? 1 : M[0] / M[1], 1e-3);
        projection_free(p);
    }
}

/* A state that has been corrected is not corrected again where values are asked for. */
ARENA_TEST(completed_without_another_correction)
{
    circle s;
    begin(&s, memory_);
    projection *p = made(&s, PROJECTION_POST);
    double z[SIZE], before[SIZE];
    beside(0.8, 1e-2, z);
    memcpy(before, z, sizeof z);
    ck_assert_int_eq(projection_complete(p, 0, z), DAE_OK);
    ck_assert_mem_eq(z, before, 4 * sizeof *z);
    ck_assert_double_eq_tol(residual(&s, 2, z), 0, 32 * DBL_EPSILON);
    projection_free(p);
}

/* Two equations that contradict each other, |q|^2 = 1 and 1.02: between them, and no failure. */
static dae_status twofold(void *self, size_t level, double t, const double *z, double *c)
{
    (void)self, (void)level, (void)t;
    c[0] = z[0] * z[0] + z[1] * z[1] - 1;
    c[1] = c[0] - 0.02;
    return DAE_OK;
}

static void twofold_jacobian(void *self, size_t level, double *value)
{
    const circle *s = self;
    (void)level;
    value[0] = value[1] = 2 * s->at[0];
    value[2] = value[3] = 2 * s->at[1];
}

ARENA_TEST(contradictions_in_the_least_squares_sense)
{
    static const constraint_levels_form contradicting = {
        .value = twofold, .linearize = linearize, .jacobian = twofold_jacobian};
    circle s;
    begin(&s, memory_);
    s.levels.form = &contradicting;
    s.levels.count = 1;
    s.level[0].rows = 2;
    s.level[0].pattern = full_pattern(memory_, 2, 2);
    s.level[0].last_row = NULL;
    projection *p = made(&s, PROJECTION_COORDINATE);
    double z[SIZE];
    beside(0.8, 1e-2, z);
    ck_assert_int_eq(projection_meet(p, 0, z), DAE_OK);
    ck_assert_double_eq_tol(z[0] * z[0] + z[1] * z[1], 1.01, 8 * DBL_EPSILON);
    projection_free(p);
}

UNIT_MAIN("projection/post", 20, one_correction, powers_of_the_distance, along_multipliers,
          completed_without_another_correction, contradictions_in_the_least_squares_sense)
