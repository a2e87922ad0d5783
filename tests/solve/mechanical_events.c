/* Events of mechanical systems: impacts, and constraints that close. */
#include "solve/equations.h"

#include <math.h>
#include <string.h>

typedef struct world {
    int mode;
    double restitution, aside; /* the part of a forbidden velocity that the callback adds */
    size_t seen;
    double at;
} world;

static const double GRAVITY = 9.81;

static dae_solver *begin(const dae_mechanical_form *form, const dae_options *options,
                         const double *start)
{
    dae_solver *s = solver_for(dae_problem_mechanical(form), options);
    is_ok(s, dae_solver_start(s, 0, start));
    return s;
}

/* --- a pendulum of length 1 that is released at a right angle and hits a wall below its pivot ---
 */

static int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[1] = -GRAVITY;
    f[0] = 0;
    return 0;
}

static int rod(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1);
    return 0;
}

static int rod_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = q[0];
    dq[1] = q[1];
    return 0;
}

static int wall(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return 0;
}

/* The wall throws it back; along the rod the callback adds what the rod takes away again. */
static int rebound(dae_event *e, void *user)
{
    world *w = user;
    w->seen++;
    w->at = e->t;
    e->y[2] = -w->restitution * e->y_before[2] + w->aside * e->y_before[0];
    e->y[3] = -w->restitution * e->y_before[3] + w->aside * e->y_before[1];
    e->changed = true;
    return 0;
}

static const char *const FORMULATIONS[] = {"auto",   "elimination",  "ggl",
                                           "index1", "nullspace-qr", "partition"};
enum { FORMULATIONS_COUNT = sizeof FORMULATIONS / sizeof *FORMULATIONS };

/* The wall is hit after K(1/sqrt 2)/sqrt g, at the speed sqrt(2 g); after the impact the pendulum
 * swings back to the height r^2 and hits the wall again, of which the time follows from K as well.
 */
START_TEST(a_pendulum_hits_a_wall)
{
    static const signed char falls[] = {-1};
    static const double quarter = 1.8540746773013719; /* K at the modulus sin(pi/4) */
    const double start[] = {1, 0, 0, 0, 0};
    for (int k = 0; k < 2; k++) {
        world w = {.restitution = 0.5, .aside = k ? 3 : 0};
        const dae_mechanical_form form = {
            .nq = 2,
            .holonomic = 1,
            .force = weight,
            .constraint = rod,
            .constraint_q = rod_q,
            .about = {
                .roots = 1, .root = wall, .root_direction = falls, .event = rebound, .user = &w}};
        dae_options options = tolerance_of(1e-9);
        options.formulation = FORMULATIONS[_i];
        options.stop_at_events = true;
        dae_solver *s = begin(&form, &options, start);
        is_ok(s, dae_solver_run(s, 3));
        ck_assert_double_eq_tol(dae_solver_time(s), quarter / sqrt(GRAVITY), 1e-7);
        double y[5], yp[5], speed = sqrt(2 * GRAVITY);
        is_ok(s, dae_solver_at_left(s, w.at, y, yp));
        ck_assert_double_eq_tol(y[2], -speed, 1e-6);
        ck_assert_double_eq_tol(y[4], -3 * GRAVITY, 1e-5); /* the rod carries it around */
        is_ok(s, dae_solver_at(s, w.at, y, yp));
        ck_assert_double_eq_tol(y[2], 0.5 * speed, 1e-6);
        ck_assert_double_eq_tol(y[3], 0, 1e-6);
        ck_assert_double_eq_tol(y[4], -1.5 * GRAVITY, 1e-5);
        ck_assert_double_eq_tol(yp[3], 0.5 * GRAVITY, 1e-5);
        double hit = w.at;
        is_ok(s, dae_solver_run(s, 3));
        ck_assert_uint_eq(w.seen, 2);
        /* 1 - cos a = 1/4: two quarters at the modulus sin(a/2) = sqrt(1/8) */
        double modulus = 0.125, a = 1, b = sqrt(1 - modulus);
        for (int i = 0; i < 6; i++) {
            double mean = 0.5 * (a + b);
            b = sqrt(a * b);
            a = mean;
        }
        ck_assert_double_eq_tol(w.at - hit, acos(-1.0) / a / sqrt(GRAVITY), 1e-6);
        dae_solver_free(s);
    }
}
END_TEST

/* --- a clutch: two masses of which one moves, until a velocity constraint holds both --- */

static int nothing(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = f[1] = 0;
    return 0;
}

static int clutch(double t, const double *q, double *a, void *user)
{
    const world *w = user;
    (void)t, (void)q;
    a[0] = w->mode;
    a[1] = -w->mode;
    return 0;
}

static int reach(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.5;
    return 0;
}

static int close(dae_event *e, void *user)
{
    world *w = user;
    w->seen++;
    w->mode = 1;
    e->changed = true;
    return 0;
}

/* Masses 1 and 3: the impulse keeps the momentum, and both move with a quarter of the velocity. */
START_TEST(a_clutch_closes)
{
    static const double mass[] = {1, 0, 0, 3};
    const double start[] = {0, 0, 1, 0, 0};
    world w = {0};
    const dae_mechanical_form form = {
        .nq = 2,
        .nonholonomic = 1,
        .constant_mass = mass,
        .force = nothing,
        .velocity_constraint = clutch,
        .about = {.roots = 1, .root = reach, .event = close, .user = &w}};
    dae_options options = tolerance_of(1e-9);
    dae_solver *s = begin(&form, &options, start);
    is_ok(s, dae_solver_run(s, 2));
    double y[5];
    ck_assert_uint_eq(w.seen, 1);
    is_ok(s, dae_solver_at(s, 2, y, NULL));
    ck_assert_double_eq_tol(y[2], 0.25, 1e-9);
    ck_assert_double_eq_tol(y[3], 0.25, 1e-9);
    ck_assert_double_eq_tol(y[0], 0.5 + 0.25 * 1.5, 1e-8);
    ck_assert_double_eq_tol(y[1], 0.25 * 1.5, 1e-8);
    dae_solver_free(s);
}
END_TEST

static int grows(double t, const double *y, double *f, void *user)
{
    (void)t, (void)y, (void)user;
    f[0] = 1;
    return 0;
}

static int at_half(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.5;
    return 0;
}

/* --- two masses on rods, 2 and 1/2 kg; the second one meets a wall without friction --- */

static int two_masses(double t, const double *q, double *m, void *user)
{
    (void)t, (void)q, (void)user;
    memset(m, 0, 16 * sizeof *m);
    m[0] = m[5] = 2;
    m[10] = m[15] = 0.5;
    return 0;
}

static int two_weights(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = f[2] = 0;
    f[1] = -2 * GRAVITY;
    f[3] = -0.5 * GRAVITY;
    return 0;
}

static int two_rods(double t, const double *q, double *phi, void *user)
{
    double x = q[2] - q[0], y = q[3] - q[1];
    (void)t, (void)user;
    phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1);
    phi[1] = 0.5 * (x * x + y * y - 1);
    return 0;
}

static int two_rods_q(double t, const double *q, double *dq, void *user)
{
    double x = q[2] - q[0], y = q[3] - q[1];
    (void)t, (void)user;
    dq[0] = q[0];
    dq[2] = q[1];
    dq[1] = -x;
    dq[3] = -y;
    dq[5] = x;
    dq[7] = y;
    return 0;
}

static int beyond_wall(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = 0.3 - y[2];
    return 0;
}

static int struck(dae_event *e, void *user)
{
    static const double along_x2[] = {0, 0, 1, 0};
    world *w = user;
    if (w->seen++ == 0) w->at = e->t;
    e->blow = along_x2;
    e->restitution = w->restitution;
    return 0;
}

static double energy_of_motion(const double *v)
{
    return v[0] * v[0] + v[1] * v[1] + 0.25 * (v[2] * v[2] + v[3] * v[3]);
}

/* What rods and wall do is an impulse each: (2 du1, 2 dv1, du2/2, dv2/2) = L1 (x1, y1, 0, 0) +
 * L2 (-x, -y, x, y) + L3 (0, 0, 1, 0). So 2 kg times the speed of mass 1 along its circle takes up
 * what the second rod gives it. Thrown back wholly, the masses keep their energy. */
START_TEST(a_blow_is_passed_on)
{
    static const signed char falls[] = {-1};
    const double start[] = {-0.8, -0.6, -1.2, -0.6 - sqrt(0.84), 0, 0, 0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        world w = {.restitution = 0.5 * k};
        const dae_mechanical_form form = {.nq = 4,
                                          .holonomic = 2,
                                          .mass = two_masses,
                                          .force = two_weights,
                                          .constraint = two_rods,
                                          .constraint_q = two_rods_q,
                                          .about = {.roots = 1,
                                                    .root = beyond_wall,
                                                    .root_direction = falls,
                                                    .event = struck,
                                                    .user = &w}};
        dae_options options = tolerance_of(1e-8);
        options.formulation = FORMULATIONS[_i];
        options.stop_at_events = true;
        dae_solver *s = begin(&form, &options, start);
        double before[10], y[10];
        is_ok(s, dae_solver_run(s, 0.9));
        ck_assert_uint_ge(w.seen, 1);
        is_ok(s, dae_solver_at_left(s, w.at, before, NULL));
        is_ok(s, dae_solver_at(s, w.at, y, NULL));
        const double *v = y + 4, *from = before + 4;
        double x = y[2] - y[0], height = y[3] - y[1];
        ck_assert_double_eq_tol(v[2], -w.restitution * from[2], 1e-9);
        ck_assert_double_eq_tol(y[0] * v[0] + y[1] * v[1], 0, 1e-10);
        ck_assert_double_eq_tol(x * (v[2] - v[0]) + height * (v[3] - v[1]), 0, 1e-10);
        double pull = 0.5 * (v[3] - from[3]) / height;
        double turned = 2 * (y[0] * (v[1] - from[1]) - y[1] * (v[0] - from[0]));
        ck_assert_double_eq_tol(turned, pull * (y[1] * x - y[0] * height), 1e-9);
        if (k == 2) ck_assert_double_eq_tol(energy_of_motion(v), energy_of_motion(from), 1e-8);
        dae_solver_free(s);
    }
}
END_TEST

/* A blow along a rod that grows longer moves nothing; nor does one that is 0 or not a number. */
static int struck_along_rod(dae_event *e, void *user)
{
    static double along[2];
    world *w = user;
    along[0] = w->mode == 2 ? 0 : e->y_before[0];
    along[1] = w->mode == 1 ? (double)NAN : w->mode == 2 ? 0 : e->y_before[1];
    e->blow = along;
    e->restitution = w->restitution;
    return 0;
}

static int growing_rod(double t, const double *q, double *phi, void *user)
{
    (void)user;
    phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - (1 + t) * (1 + t));
    return 0;
}

static int growing_rod_t(double t, const double *q, double *dt, void *user)
{
    (void)q, (void)user;
    dt[0] = -(1 + t);
    return 0;
}

START_TEST(a_blow_that_moves_nothing)
{
    static const char *const said[] = {"the blow moves nothing", "is 0 or not finite",
                                       "is 0 or not finite", "a restitution of -1",
                                       "a restitution of nan"};
    const double start[] = {1, 0, 1, 0, (double)NAN}, restitution[] = {1, 1, 1, -1, (double)NAN};
    world w = {.mode = _i < 3 ? _i : 0, .restitution = restitution[_i]};
    const dae_mechanical_form form = {
        .nq = 2,
        .holonomic = 1,
        .force = weight,
        .constraint = growing_rod,
        .constraint_q = rod_q,
        .constraint_t = growing_rod_t,
        .about = {.roots = 1, .root = wall, .event = struck_along_rod, .user = &w}};
    dae_options options = tolerance_of(1e-6);
    dae_solver *s = begin(&form, &options, start);
    ck_assert_int_eq(dae_solver_run(s, 3), _i < 3 ? DAE_EVENT : DAE_USAGE);
    ck_assert_msg(strstr(dae_solver_message(s), said[_i]), "%s", dae_solver_message(s));
    dae_solver_free(s);
}
END_TEST

/* --- gravity that ends at t = 0.4 --- */

static int weight_of_mode(double t, const double *q, const double *v, double *f, void *user)
{
    weight(t, q, v, f, user);
    if (((const world *)user)->mode) f[1] = 0;
    return 0;
}

static double at_two_fifths(double t, void *user)
{
    (void)user;
    return t < 0.4 ? 0.4 : HUGE_VAL;
}

static int end_gravity(dae_event *e, void *user)
{
    ((world *)user)->mode = 1;
    e->changed = true;
    return 0;
}

/* What the run was before the event can still be asked for after it: accelerations and the force
 * of the rod are those with gravity, although the callbacks have none any more. */
START_TEST(before_an_event_functions_were_others)
{
    enum { TIMES = 7 };
    const double start[] = {1, 0, 0, 0, 0};
    world w = {0};
    const dae_mechanical_form form = {
        .nq = 2,
        .holonomic = 1,
        .force = weight_of_mode,
        .constraint = rod,
        .constraint_q = rod_q,
        .about = {.next_event = at_two_fifths, .event = end_gravity, .user = &w}};
    dae_options options = tolerance_of(1e-8);
    options.formulation = FORMULATIONS[_i];
    options.keep_trajectory = true;
    dae_solver *s = begin(&form, &options, start);
    is_ok(s, dae_solver_run(s, 1));
    for (int k = 0; k < TIMES; k++) {
        double y[5], yp[5];
        is_ok(s, dae_solver_at_left(s, 0.4 * (k + 0.6) / TIMES, y, yp));
        double along = y[0] * yp[2] + y[1] * yp[3]; /* v^2 + q v' = 0 */
        ck_assert_double_eq_tol(along, -y[2] * y[2] - y[3] * y[3], 1e-5);
        ck_assert_double_eq_tol(y[0] * yp[3] - y[1] * yp[2], -GRAVITY * y[0], 1e-5);
        ck_assert_double_eq_tol(y[4], 3 * GRAVITY * y[1], 1e-5); /* from rest at a right angle */
    }
    dae_solver_free(s);
}
END_TEST

static double at_half_second(double t, void *user)
{
    (void)user;
    return t < 0.5 ? 0.5 : HUGE_VAL;
}

static int struck_by(dae_event *e, void *user)
{
    e->blow = user;
    e->restitution = 1;
    return 0;
}

/* A pendulum without weight turns at the rate 1 and is at its lowest point at the event. The
 * velocity along its rod is 0 and stays so; any other blow turns it back, however large it is. */
START_TEST(a_blow_of_any_size)
{
    static const double blows[][2] = {{0, 1},      {0, -1e200}, {1e-9, 1},
                                      {1e-200, 0}, {1e200, 0},  {1e-4, 1}};
    const double angle = 0.5,
                 start[] = {-sin(angle), -cos(angle), cos(angle), -sin(angle), (double)NAN};
    for (size_t k = 0; k < sizeof blows / sizeof *blows; k++) {
        double w[] = {blows[k][0], blows[k][1]};
        const dae_mechanical_form form = {
            .nq = 2,
            .holonomic = 1,
            .force = nothing,
            .constraint = rod,
            .constraint_q = rod_q,
            .about = {.next_event = at_half_second, .event = struck_by, .user = w}};
        dae_options options = tolerance_of(1e-8);
        double turned = k < 3 ? 1 : -1, y[5];
        dae_solver *s = begin(&form, &options, start);
        is_ok(s, dae_solver_run(s, 0.5));
        is_ok(s, dae_solver_at(s, 0.5, y, NULL));
        ck_assert_double_eq_tol(y[2], turned, 1e-6);
        dae_solver_free(s);
    }
}
END_TEST

START_TEST(only_mechanical_systems_take_a_blow)
{
    world w = {.restitution = 1};
    const dae_mass_form form = {
        .n = 1, .f = grows, .about = {.roots = 1, .root = at_half, .event = struck, .user = &w}};
    dae_options options = tolerance_of(1e-6);
    dae_solver *s = solver_for(dae_problem_mass(&form), &options);
    is_ok(s, dae_solver_start(s, 0, (double[]){0}));
    ck_assert_int_eq(dae_solver_run(s, 1), DAE_USAGE);
    ck_assert(strstr(dae_solver_message(s), "at t = 0.5 the callback event sets a blow"));
    dae_solver_free(s);
}
END_TEST

/* --- many pairs of masses on a line, each pair held at a distance of 1 --- */

enum { PAIRS = 22, MASSES = 2 * PAIRS };

static int drag(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    for (int i = 0; i < MASSES; i++) f[i] = -0.1 * v[i];
    return 0;
}

/* The pair that constraint k holds: mode 1 has the first pair held once more by the last. */
static int pair_of(const world *w, int k)
{
    return w->mode ? k % (PAIRS - 1) : k;
}

static int distances(double t, const double *q, double *phi, void *user)
{
    (void)t;
    for (int k = 0; k < PAIRS; k++) {
        int i = 2 * pair_of(user, k);
        phi[k] = q[i + 1] - q[i] - 1;
    }
    return 0;
}

static int distances_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)q;
    for (int k = 0; k < PAIRS; k++) {
        int i = 2 * pair_of(user, k);
        dq[i * PAIRS + k] = -1;
        dq[(i + 1) * PAIRS + k] = 1;
    }
    return 0;
}

static double at_fifth(double t, void *user)
{
    (void)user;
    return t < 0.2 ? 0.2 : HUGE_VAL;
}

static int pushed(dae_event *e, void *user)
{
    (void)user;
    e->y[MASSES] = 3;
    e->changed = true;
    return 0;
}

/* A push of one mass of a pair is shared by both. A large system watches no dependent constraints
 * in formulations with multipliers, nor by elimination where some depend on others. */
START_TEST(many_constraints_meet_an_event)
{
    static const struct {
        const char *formulation;
        int mode;
    } ways[] = {{"ggl", 0},       {"index1", 0}, {"index3", 0},
                {"baumgarte", 0}, {"auto", 0},   {"elimination", 1}};
    world w = {.mode = ways[_i].mode};
    const dae_mechanical_form form = {
        .nq = MASSES,
        .holonomic = PAIRS,
        .force = drag,
        .constraint = distances,
        .constraint_q = distances_q,
        .about = {.next_event = at_fifth, .event = pushed, .user = &w}};
    double start[2 * MASSES + PAIRS] = {0}, y[2 * MASSES + PAIRS];
    for (int i = 0; i < MASSES; i++) {
        start[i] = i;
        start[MASSES + i] = 1 + i / 2;
    }
    dae_options options = tolerance_of(1e-8);
    options.formulation = ways[_i].formulation;
    dae_solver *s = begin(&form, &options, start);
    is_ok(s, dae_solver_run(s, 0.4));
    is_ok(s, dae_solver_at(s, 0.4, y, NULL));
    double shared = 0.5 * (3 + exp(-0.02)) * exp(-0.02);
    ck_assert_double_eq_tol(y[MASSES], shared, 1e-6);
    ck_assert_double_eq_tol(y[MASSES + 1], shared, 1e-6);
    ck_assert_double_eq_tol(y[MASSES + 3], 2 * exp(-0.04), 1e-6);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, a_pendulum_hits_a_wall, 0, FORMULATIONS_COUNT);
    tcase_add_test(tests, a_clutch_closes);
    unit_loop(tests, a_blow_is_passed_on, 0, FORMULATIONS_COUNT);
    unit_loop(tests, before_an_event_functions_were_others, 0, FORMULATIONS_COUNT);
    unit_loop(tests, a_blow_that_moves_nothing, 0, 5);
    tcase_add_test(tests, a_blow_of_any_size);
    tcase_add_test(tests, only_mechanical_systems_take_a_blow);
    unit_loop(tests, many_constraints_meet_an_event, 0, 6);
    return unit_run("solve/mechanical_events", tests);
}
