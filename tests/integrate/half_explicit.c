/* The engine of half-explicit methods, and of explicit ones on the state-space form: what holds at
 * the end of each step whatever its length, and where it cannot go. */
#include "integrate/nonlinear.h"
#include "integrate/ring.h"

static const char *const half_explicit[] = {"half-explicit-euler", "hem3", "hem4", "hedop5"};
static const char *const state_space[] = {"state-space-rk4", "state-space-dopri5",
                                          "state-space-dop853", "state-space-heun2", "hem4"};

enum {
    HALF_EXPLICIT = sizeof half_explicit / sizeof *half_explicit,
    STATE_SPACE = sizeof state_space / sizeof *state_space
};

/* Long steps, whose errors are seen in the angle. */
START_TEST(constraints_are_met_to_round_off)
{
    const char *name = half_explicit[_i];
    example e;
    engine *g = start_ring(&e, name, 10, 1e-6);
    for (int k = 0; k < 10; k++) {
        ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
        ck_assert_msg(off_ring(g->y) < 4 * DBL_EPSILON, "%s: %g", name, off_ring(g->y));
    }
    ck_assert_msg(angle_error(1.2, g->y) > 1e-9, "%s", name);
    dispose(&e, g);
}
END_TEST

/* But for hedop5, whose z is that of its last stage. */
START_TEST(z_solves_the_derivative_of_the_constraint)
{
    const char *name = half_explicit[_i];
    example e;
    engine *g = start_ring(&e, name, 10, 1e-6);
    for (int k = 0; k < 10; k++) ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
    double error = fabs(g->y[2] - exp(1.2));
    if (strcmp(name, "hedop5") == 0)
        ck_assert_msg(error > 1e-9 && error < 1e-4, "%s: %g", name, error);
    else
        ck_assert_msg(error < 1e-12, "%s: %g", name, error);
    double drift = g->y[0] * g->yp[0] + g->y[1] * g->yp[1]; /* y' as well */
    ck_assert_msg(fabs(drift) < (error > 1e-9 ? 1e-4 : 1e-12), "%s: %g", name, drift);
    dispose(&e, g);
}
END_TEST

/* A pendulum, and the same with its acceleration as an algebraic variable. */
static void swing(double t, const double *y, double *f)
{
    (void)t;
    f[0] = y[1], f[1] = -sin(y[0]);
}

static void swing_slope(double t, const double *y, double *j)
{
    (void)t;
    j[0] = 0, j[1] = 1;
    j[2] = -cos(y[0]), j[3] = 0;
}

static void swing_by_z(double t, const double *y, double *f)
{
    (void)t;
    f[0] = y[1], f[1] = y[2], f[2] = y[2] + sin(y[0]);
}

static void swing_by_z_slope(double t, const double *y, double *j)
{
    const double entries[9] = {0, 1, 0, 0, 0, 1, cos(y[0]), 0, 1};
    (void)t;
    memcpy(j, entries, sizeof entries);
}

static double steps_of_swing(const char *name, bool algebraic)
{
    example e;
    const double y[3] = {1, 0, -sin(1)}, yp[3] = {0, -sin(1), 0};
    begin(&e, algebraic ? 3 : 2, 2, algebraic ? swing_by_z : swing,
          algebraic ? swing_by_z_slope : swing_slope);
    engine *g = engine_for(&e, name, (engine_options){.rtol = 1e-9, .atol = 1e-9});
    engine_start(g, 0, y, yp);
    while (g->t < 100) ck_assert_int_eq(engine_step(g, 100), DAE_OK);
    if (algebraic) ck_assert_uint_eq(e.problem.counts.jacobians, 1); /* z enters linearly */
    double steps = (double)g->counts.steps;
    dispose(&e, g);
    return steps;
}

/* The error is judged as by the method itself, that of two estimators as well. Its mean over one
 * variable more is smaller by 2 / 3 under the root. */
START_TEST(steps_are_those_on_an_ode)
{
    const double five = steps_of_swing("state-space-dopri5", true) /
                        steps_of_swing("dopri5", false);
    const double eight = steps_of_swing("state-space-dop853", true) /
                         steps_of_swing("dop853", false);
    ck_assert_msg(fabs(five - 1) < 0.08, "dopri5: %.3f", five);
    ck_assert_msg(fabs(eight - 1) < 0.08, "dop853: %.3f", eight);
}
END_TEST

/* The matrix of a step is kept for later ones, and what is solved is so down to round-off. */
START_TEST(fine_steps_end_at_round_off)
{
    for (int steps = 100; steps <= 1600; steps *= 2) {
        double error = ring_error("hedop5", steps);
        ck_assert_msg(error < 1e-12 + 100 * pow(steps, -5), "%d steps: %g", steps, error);
    }
}
END_TEST

START_TEST(algebraic_equations_are_met_to_round_off)
{
    const char *name = state_space[_i];
    example e;
    double y[3], yp[3], f[3], worst = 0;
    begin(&e, 3, 2, nonlinear, nonlinear_slope);
    exact(0.2, y, yp);
    engine *g = engine_for(&e, name, (engine_options){.fixed_step = 0.1});
    engine_start(g, 0.2, y, yp);
    for (int k = 0; k < 10; k++) {
        ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
        nonlinear(g->t, g->y, f);
        ck_assert_msg(fabs(f[2]) < 1e-15, "%s: %g", name, f[2]);
        for (int i = 0; i < 2; i++) /* y' is that of this y and z */
            ck_assert_msg(fabs(f[i] - g->yp[i]) < 1e-14, "%s: %g", name, f[i] - g->yp[i]);
        exact(g->t, y, yp);
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(g->y[i] - y[i]));
    }
    ck_assert_msg(worst > 1e-14 && worst < 1e-2, "%s: %g", name, worst);
    dispose(&e, g);
}
END_TEST

/* The state-space form of an ODE is that ODE. */
START_TEST(nothing_algebraic_is_the_explicit_method)
{
    static const char *const pair[][2] = {
        {"state-space-rk4", "rk4"}, {"hedop5", "dopri5"}, {"state-space-dop853", "dop853"}};
    double end[2];
    for (int way = 0; way < 2; way++) {
        example e;
        double y = 1, yp = 1;
        begin(&e, 1, 1, square, square_slope);
        e.problem.constant_mass = true;
        engine *g = engine_for(&e, pair[_i][way], (engine_options){.fixed_step = 0.05});
        engine_start(g, 0, &y, &yp);
        while (g->t < 0.5) ck_assert_int_eq(engine_step(g, 0.5), DAE_OK);
        end[way] = g->y[0];
        dispose(&e, g);
    }
    ck_assert_double_eq_tol(end[0], end[1], 64 * DBL_EPSILON);
    ck_assert(fabs(end[0] - 2) > 1e-15);
}
END_TEST

/* y_1' = -y_1 + y_2, 0 = y_1 + y_2 - sin t */
static void linear(double t, const double *y, double *f)
{
    f[0] = -y[0] + y[1];
    f[1] = sin(t) - y[0] - y[1];
}

static void linear_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = -1, j[1] = 1, j[2] = -1, j[3] = -1;
}

START_TEST(one_factorisation_serves_a_linear_run)
{
    example e;
    double y[2] = {1, -1}, yp[2] = {-2, 0};
    begin(&e, 2, 1, linear, linear_slope);
    e.problem.constant_mass = e.problem.constant = true;
    engine *g = engine_for(&e, "state-space-dopri5", (engine_options){.rtol = 1e-6});
    engine_start(g, 0, y, yp);
    while (g->t < 10) ck_assert_int_eq(engine_step(g, 10), DAE_OK);
    ck_assert_uint_gt(g->counts.steps, 10);
    ck_assert_uint_eq(e.problem.counts.factorizations, 1);
    /* y_1' = -2 y_1 + sin t */
    double wanted = 1.2 * exp(-20) + 0.4 * sin(10) - 0.2 * cos(10);
    ck_assert_double_eq_tol(g->y[0], wanted, 1e-5);
    ck_assert_double_eq_tol(g->y[1], sin(10) - g->y[0], 1e-14);
    dispose(&e, g);
}
END_TEST

START_TEST(errors_follow_the_tolerance)
{
    double before = 1;
    for (double rtol = 1e-4; rtol > 1e-9; rtol /= 100) {
        example e;
        engine *g = start_ring(&e, "hedop5", 0, rtol);
        while (g->t < 1.2) ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
        double error = angle_error(1.2, g->y), in_z = fabs(g->y[2] - exp(1.2));
        ck_assert_msg(error < 10 * rtol && error < before / 10, "%g: %g", rtol, error);
        ck_assert_msg(in_z < 1000 * rtol, "%g: z %g", rtol, in_z);
        before = error;
        dispose(&e, g);
    }
}
END_TEST

/* Within steps the cubic of both ends in y, and three values in z. */
START_TEST(orders_within_steps)
{
    double worst[2][2] = {{0}};
    for (int k = 0; k < 2; k++) {
        example e;
        double y[3];
        engine *g = start_ring(&e, "hem4", 20 << k, 1e-6);
        while (g->t < 1.2 - 1e-9) {
            ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
            if (g->t < 0.4) continue; /* a first step has but two values */
            dense_output_evaluate(&g->dense, g->t - 0.4 * g->dense.h, y, NULL);
            worst[k][0] = fmax(worst[k][0], off_ring(y));
            worst[k][1] = fmax(worst[k][1], fabs(y[2] - exp(g->t - 0.4 * g->dense.h)));
        }
        dispose(&e, g);
    }
    ck_assert_msg(log2(worst[0][0] / worst[1][0]) > 3.7, "y: %g %g", worst[0][0], worst[1][0]);
    ck_assert_msg(log2(worst[0][1] / worst[1][1]) > 2.7, "z: %g %g", worst[0][1], worst[1][1]);
}
END_TEST

/* What is known of y to order 7 within a step, z is as well. */
START_TEST(long_steps_are_sharp_within)
{
    for (double rtol = 1e-5; rtol > 1e-10; rtol /= 100) {
        example e;
        double y[3], yp[3], wanted[3], worst = 0;
        begin(&e, 3, 2, nonlinear, nonlinear_slope);
        exact(0.2, y, yp);
        engine *g = engine_for(&e, "state-space-dop853",
                               (engine_options){.rtol = rtol, .atol = rtol});
        engine_start(g, 0.2, y, yp);
        while (g->t < 1.2) {
            ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
            for (double x = 0.1; x < 1; x += 0.1) {
                double t = g->dense.t + x * g->dense.h;
                dense_output_evaluate(&g->dense, t, y, NULL);
                exact(t, wanted, yp);
                for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(y[i] - wanted[i]));
            }
        }
        ck_assert_msg(worst < 0.1 * rtol, "%g: %g", rtol, worst);
        ck_assert_uint_lt(g->counts.steps, 20);
        dispose(&e, g);
    }
}
END_TEST

START_TEST(back_in_time)
{
    example e;
    double y[3] = {cos(1), sin(1), exp(1)}, yp[3] = {-sin(1), cos(1), 0};
    begin(&e, 3, 2, ring, ring_slope);
    e.index[2] = 2;
    engine *g = engine_for(&e, "hem4", (engine_options){.fixed_step = 0.01, .direction = -1});
    engine_start(g, 1, y, yp);
    while (g->t > 0.5) ck_assert_int_eq(engine_step(g, 0.5), DAE_OK);
    ck_assert_double_lt(angle_error(0.5, g->y), 1e-7);
    ck_assert_double_eq_tol(g->y[2], exp(0.5), 1e-12);
    dispose(&e, g);
}
END_TEST

/* What creation, or examining a start, says. */
static void refuse_start(example *e, const char *name, double t, const double *y, const double *yp,
                         double step, dae_status status, const char *words)
{
    message m = {0};
    engine *g = NULL;
    const engine_options options = {.rtol = 1e-6, .atol = 1e-6, .fixed_step = step, .direction = 1};
    ck_assert_int_eq(method_create(&e->which, name, &m), DAE_OK);
    dae_status found = engine_create(&g, &e->problem, e->which, &options, &m);
    if (found == DAE_OK) engine_start(g, t, y, yp);
    if (found == DAE_OK) found = engine_examine(g, &m);
    ck_assert_msg(found == status, "%s: %d", name, found);
    ck_assert_msg(strstr(message_string(&m), words), "%s: %s", name, message_string(&m));
    message_free(&m);
    dispose(e, g);
}

static void refuse(const char *name, int highest, double step, dae_status status, const char *words)
{
    example e;
    double y[3] = {cos(0.2), sin(0.2), exp(0.2)}, yp[3] = {-sin(0.2), cos(0.2), 0};
    begin(&e, 3, 2, ring, ring_slope);
    e.index[2] = (unsigned char)highest;
    refuse_start(&e, name, 0.2, y, yp, step, status, words);
}

START_TEST(refusals)
{
    refuse("hem4", 3, 0.1, DAE_INDEX, "first derivatives of the constraints on positions");
    refuse("hem4", 2, 0, DAE_USAGE, "hem4 has no error estimate");
    refuse("state-space-rk4", 2, 0.1, DAE_INDEX, "y3 has index 2; try hem4");
    refuse("state-space-rk4", 1, 0.1, DAE_INDEX, "no algebraic variable occurs");
    refuse("state-space-gauss2", 1, 0.1, DAE_INDEX, "no algebraic variable occurs");
    refuse("projected-gauss2", 3, 0.1, DAE_INDEX, "y3 has index 3");
}
END_TEST

/* T y1' = y2, 0 = y2 + y3 - y1, 0 = y2 + y3 - 2 y1 + t/T: the difference, y1 = t/T, holds no
 * algebraic variable, though each equation does. */
static const double T = 1e-12;

static void same_in_z(double t, const double *y, double *f)
{
    f[0] = y[1] / T;
    f[1] = y[1] + y[2] - y[0];
    f[2] = y[1] + y[2] - 2 * y[0] + t / T;
}

static void same_in_z_slope(double t, const double *y, double *j)
{
    const double whole[9] = {0, 1 / T, 0, -1, 1, 1, -2, 1, 1};
    (void)t, (void)y;
    memcpy(j, whole, sizeof whole);
}

/* Whatever the unit of time. */
START_TEST(a_hidden_constraint_is_refused)
{
    static const char *const names[] = {"hem4", "half-explicit-euler", "state-space-rk4"};
    const double y[3] = {0.5, 1, -0.5}, yp[3] = {1 / T, 0, 0};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        example e;
        begin(&e, 3, 1, same_in_z, same_in_z_slope);
        refuse_start(&e, names[k], 0.5 * T, y, yp, 0.1 * T, DAE_UNSUPPORTED, "do not follow");
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, constraints_are_met_to_round_off, 0, HALF_EXPLICIT);
    unit_loop(tests, z_solves_the_derivative_of_the_constraint, 0, HALF_EXPLICIT);
    tcase_add_test(tests, fine_steps_end_at_round_off);
    unit_loop(tests, algebraic_equations_are_met_to_round_off, 0, STATE_SPACE);
    unit_loop(tests, nothing_algebraic_is_the_explicit_method, 0, 3);
    tcase_add_test(tests, one_factorisation_serves_a_linear_run);
    tcase_add_test(tests, errors_follow_the_tolerance);
    tcase_add_test(tests, orders_within_steps);
    tcase_add_test(tests, long_steps_are_sharp_within);
    tcase_add_test(tests, back_in_time);
    tcase_add_test(tests, steps_are_those_on_an_ode);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, a_hidden_constraint_is_refused);
    return unit_run("integrate/half_explicit", tests);
}
