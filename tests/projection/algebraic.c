/* The way along algebraic directions, on linear equations J z + f of our own with z = p, p', p'',
 * q, q', r, r', s: a variable of second order, two of first, one without a derivative. E = dF/dy'
 * has rank 2, though each of p'', q' and r' is in every equation. */
#include "projection/algebraic.h"
#include "projection/projection.h"

#include "linalg/matrices.h"

#include <string.h>

enum { ROWS = 4, SIZE = 8, TRIALS = 200 };

static const size_t COLUMNS[SIZE] = {0, 1, 2, 3, 4, 5, 6, 7}, SLOPES[3] = {2, 4, 6},
                    VALUES[3] = {1, 3, 5};
static const level_pair PAIRS[ROWS + 1] = {
    {0, 1, true}, {1, 2, false}, {3, 4, false}, {5, 6, false}, {7, PAIR_NOWHERE, false}};

typedef struct linear {
    constraint_levels levels;
    constraint_level level;
    double jacobian[SIZE][ROWS], right[2][3], f[ROWS];
} linear;

static dae_status value_of(void *self, size_t level, double t, const double *z, double *c)
{
    const linear *s = self;
    (void)level, (void)t;
    for (int i = 0; i < ROWS; i++) {
        c[i] = s->f[i];
        for (int j = 0; j < SIZE; j++) c[i] += s->jacobian[j][i] * z[j];
    }
    return DAE_OK;
}

static dae_status linearize(void *self, double t, const double *z)
{
    (void)self, (void)t, (void)z;
    return DAE_OK;
}

static void jacobian_of(void *self, size_t level, double *value)
{
    const linear *s = self;
    (void)level;
    memcpy(value, s->jacobian, sizeof s->jacobian);
}

static const constraint_levels_form form = {
    .value = value_of, .linearize = linearize, .jacobian = jacobian_of};

static void begin(linear *s, arena *a, uint64_t *state)
{
    static const double ones[SIZE] = {1, 1, 1, 1, 1, 1, 1, 1};
    double left[ROWS][2];
    *s = (linear){.levels = {.form = &form, .size = SIZE, .count = 1, .nominal = ones},
                  .level = {.rows = ROWS, .columns = SIZE, .column = COLUMNS}};
    s->level.pattern = full_pattern(a, ROWS, SIZE);
    s->level.pairs = ROWS + 1;
    s->level.pair = PAIRS;
    s->levels.level = &s->level;
    s->levels.self = s;
    for (int i = 0; i < ROWS; i++) s->f[i] = scatter(state);
    for (int k = 0; k < 2 * ROWS; k++) left[k / 2][k % 2] = scatter(state);
    for (int k = 0; k < 6; k++) s->right[k / 3][k % 3] = scatter(state);
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < ROWS; i++) s->jacobian[j][i] = scatter(state);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < ROWS; i++)
            s->jacobian[SLOPES[j]][i] = left[i][0] * s->right[0][j] + left[i][1] * s->right[1][j];
}

static double largest(size_t n, const double *x)
{
    double most = 0;
    for (size_t j = 0; j < n; j++) most = fmax(most, fabs(x[j]));
    return most;
}

/* (1 - p)^2 (1 + 2 p) + p^2 (3 - 2 p) = 1: one change meets linear equations, whatever the step. */
ARENA_TEST(one_change_meets_what_is_linear)
{
    uint64_t state = 301;
    for (int trial = 0; trial < TRIALS; trial++) {
        linear s;
        algebraic_way way;
        double c[ROWS], change[SIZE], h = pow(10, 6 * scatter(&state) - 3);
        begin(&s, memory_, &state);
        ck_assert_int_eq(algebraic_way_begin(&way, &s.level), DAE_OK);
        ck_assert_int_eq(algebraic_way_factor(&way, s.jacobian[0], trial % 2 ? h : -h), DAE_OK);
        algebraic_way_correct(&way, s.f, change);
        value_of(&s, 0, 0, change, c);
        double size = largest(SIZE, change) * (1 + fabs(way.alpha)); /* E y' is in y's as well */
        ck_assert_double_le(largest(ROWS, c), 1e-12 * size);
        algebraic_way_clear(&way);
    }
}

/* How far E y moves, over how far y moves. */
static double moved(const linear *s, const double *before, const double *after)
{
    double most = 0, size = 0;
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) sum += s->right[i][j] * (after[VALUES[j]] - before[VALUES[j]]);
        most = fmax(most, fabs(sum));
    }
    for (int j = 0; j < 3; j++) size = fmax(size, fabs(after[VALUES[j]] - before[VALUES[j]]));
    return most / size;
}

/* What has been integrated, E y and p, stays: the shortest change moves it as much as the rest. */
ARENA_TEST(what_was_integrated_stays)
{
    static const projection_way ways[] = {PROJECTION_FZ, PROJECTION_POST, PROJECTION_COORDINATE};
    uint64_t state = 302;
    double worst[3] = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        linear s;
        begin(&s, memory_, &state);
        for (int k = 0; k < 3; k++) {
            projection *p = NULL;
            double z[SIZE], before[SIZE], c[ROWS];
            for (int j = 0; j < SIZE; j++) before[j] = z[j] = scatter(&state);
            ck_assert_int_eq(projection_create(&p, &s.levels, ways[k]), DAE_OK);
            projection_after_step(p, 1e-7, false);
            ck_assert_int_eq(projection_meet(p, 0, z), DAE_OK);
            value_of(&s, 0, 0, z, c);
            if (ways[k] != PROJECTION_POST) /* which iterates nothing */
                ck_assert_double_le(largest(ROWS, c), 1e-13 * (1 + largest(SIZE, z)));
            worst[k] = fmax(worst[k], moved(&s, before, z));
            projection_free(p);
        }
    }
    ck_assert_double_lt(worst[0], 1e-4);
    ck_assert_double_lt(worst[1], 1e-4);
    ck_assert_double_gt(worst[2], 0.1);
}

/* q' = s, s + lambda q = 0: of a residual of the second s takes a part of about 1 where lambda is
 * slow beside the step, and q takes it where that decays within a tenth of a step. */
ARENA_TEST(what_decays_at_once_is_as_if_algebraic)
{
    static const level_pair pairs[2] = {{0, 1, false}, {2, PAIR_NOWHERE, false}};
    constraint_level level = {.rows = 2,
                              .columns = 3,
                              .column = COLUMNS,
                              .pattern = full_pattern(memory_, 2, 3),
                              .pairs = 2,
                              .pair = pairs};
    const double residual[2] = {0, 1};
    for (int k = -6; k <= 6; k += 12) {
        algebraic_way way;
        double lambda = pow(10, k), change[3];
        const double jacobian[6] = {0, lambda, 1, 0, -1, 1};
        ck_assert_int_eq(algebraic_way_begin(&way, &level), DAE_OK);
        ck_assert_int_eq(algebraic_way_factor(&way, jacobian, 1), DAE_OK);
        algebraic_way_correct(&way, residual, change);
        if (k < 0) ck_assert_double_eq_tol(change[2], -1, 1e-6);
        if (k > 0) ck_assert_double_eq_tol(lambda * change[0], -1, 1e-4);
        algebraic_way_clear(&way);
    }
}

UNIT_MAIN("projection/algebraic", 20, one_change_meets_what_is_linear, what_was_integrated_stays,
          what_decays_at_once_is_as_if_algebraic)
