/* Equations of C programs of index 2 and 3, which are reduced to index 1 unless told otherwise. */
#include "solve/equations.h"

#include <float.h>

/* How far off, in tolerances: `make random` asks for as much of drawn problems. */
static const double BOUND = 10;

static const char *const METHODS[] = {"auto",       "bdf",     "mebdf",   "radau",
                                      "radau-iia5", "rodas5p", "kvaerno5"};
enum { COUNT = sizeof METHODS / sizeof *METHODS };

/* The pendulum's motion on a circle of radius 1 at a steady rate, with a force that drives it:
 * index 3. Values are refused outside [begin, end]. */
typedef struct ring {
    double begin, end;
    int spoiled; /* calls after which it asks to stop; 0: never */
    int calls;
} ring;

static double angle(double t)
{
    return t + 0.2 * sin(2 * t);
}

static int around(double t, const double *y, const double *yp, double *r, void *user)
{
    ring *k = user;
    if (k->spoiled && ++k->calls >= k->spoiled) return -1;
    if (t < k->begin || t > k->end) return 1;
    double pull = -0.8 * sin(2 * t);
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0] + pull * y[1];
    r[3] = yp[3] + y[4] * y[1] - pull * y[0];
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

static double error_of(const double *y, double t)
{
    double rate = 1 + 0.4 * cos(2 * t), a = angle(t);
    const double exact[5] = {cos(a), sin(a), -rate * sin(a), rate * cos(a), rate * rate};
    double worst = 0;
    for (int j = 0; j < 5; j++) worst = fmax(worst, fabs(y[j] - exact[j]) / (1 + fabs(exact[j])));
    return worst;
}

static dae_solver *on_the_ring(ring *k, const dae_options *options)
{
    const dae_residual_form form = {.n = 5, .residual = around, .about.user = k};
    return solver_for(dae_problem_residual(&form), options);
}

static void multipliers_on_the_ring(const char *method)
{
    static const double start[5] = {1, 0, 0, 1.4, 1.96};
    for (double rtol = 1e-4; rtol > 1e-9; rtol /= 100) {
        ring k = {-HUGE_VAL, HUGE_VAL, 0, 0};
        dae_options options = tolerance_of(rtol);
        options.method = method;
        dae_solver *solver = on_the_ring(&k, &options);
        double y[5], worst = 0;
        is_ok(solver, dae_solver_start(solver, 0, start));
        ck_assert_str_eq(dae_solver_stats(solver)->formulation, "index1");
        ck_assert_int_eq(dae_solver_stats(solver)->index, 3);
        while (dae_solver_time(solver) < 5) {
            is_ok(solver, dae_solver_step(solver, 5));
            is_ok(solver, dae_solver_at(solver, dae_solver_time(solver), y, NULL));
            worst = fmax(worst, error_of(y, dae_solver_time(solver)));
        }
        ck_assert_msg(worst < BOUND * rtol, "%s, %g: %g tolerances", method, rtol, worst / rtol);
        dae_solver_free(solver);
    }
}

START_TEST(multipliers_are_as_accurate_as_positions)
{
    for (size_t k = 0; k < COUNT; k++)
        if (is_sampled(METHODS[k], k, 2)) multipliers_on_the_ring(METHODS[k]);
}
END_TEST

/* Between the ends of steps, where a polynomial of its own would be further off. */
START_TEST(multipliers_within_steps)
{
    static const double start[5] = {1, 0, 0, 1.4, 1.96}, place[] = {0.21, 0.5, 0.83};
    for (double rtol = 1e-4; rtol > 1e-9; rtol /= 100) {
        ring k = {-HUGE_VAL, HUGE_VAL, 0, 0};
        dae_options options = tolerance_of(rtol);
        options.method = "radau-iia5";
        dae_solver *solver = on_the_ring(&k, &options);
        double y[5], worst = 0;
        is_ok(solver, dae_solver_start(solver, 0, start));
        while (dae_solver_time(solver) < 5) {
            double from = dae_solver_time(solver);
            is_ok(solver, dae_solver_step(solver, 5));
            for (int i = 0; i < 3; i++) {
                double t = from + place[i] * (dae_solver_time(solver) - from);
                is_ok(solver, dae_solver_at(solver, t, y, NULL));
                worst = fmax(worst, error_of(y, t));
            }
        }
        ck_assert_msg(worst < BOUND * rtol, "%g: %g tolerances", rtol, worst / rtol);
        dae_solver_free(solver);
    }
}
END_TEST

enum { LATE = 1000000 };

static int around_late(double t, const double *y, const double *yp, double *r, void *user)
{
    return around(t - LATE, y, yp, r, user);
}

/* Distances of differences are not rounded there. */
START_TEST(start_values_stay_late_on_the_clock)
{
    static const double start[5] = {1, 0, 0, 1.4, 1.96};
    ring k = {-HUGE_VAL, HUGE_VAL, 0, 0};
    const dae_residual_form form = {.n = 5, .residual = around_late, .about.user = &k};
    dae_options options = tolerance_of(1e-8);
    dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
    double y[5];
    is_ok(solver, dae_solver_start(solver, LATE, start));
    ck_assert_str_eq(dae_solver_stats(solver)->formulation, "index1");
    is_ok(solver, dae_solver_at(solver, LATE, y, NULL));
    for (int j = 0; j < 5; j++) ck_assert_double_le(fabs(y[j] - start[j]), 1e-12);
    dae_solver_free(solver);
}
END_TEST

/* Differences reach beyond both ends of a run: not where there are no values. */
START_TEST(values_beyond_the_ends_are_not_needed)
{
    static const double start[5] = {1, 0, 0, 1.4, 1.96};
    ring k = {0, 5, 0, 0};
    dae_options options = tolerance_of(1e-6);
    dae_solver *solver = on_the_ring(&k, &options);
    double y[5];
    is_ok(solver, dae_solver_start(solver, 0, start));
    ck_assert_str_eq(dae_solver_stats(solver)->formulation, "index1");
    is_ok(solver, dae_solver_run(solver, 5));
    is_ok(solver, dae_solver_at(solver, 5, y, NULL));
    ck_assert_double_lt(error_of(y, 5), BOUND * 1e-6);
    dae_solver_free(solver);
}
END_TEST

START_TEST(a_stop_in_the_search_for_the_index_is_collected)
{
    static const double start[5] = {1, 0, 0, 1.4, 1.96};
    dae_options options = tolerance_of(1e-6);
    ring whole = {-HUGE_VAL, HUGE_VAL, 1 << 30, 0};
    dae_solver *solver = on_the_ring(&whole, &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    dae_solver_free(solver);
    for (int at = 1; at <= whole.calls; at += whole.calls / 100 + 1) {
        ring k = {-HUGE_VAL, HUGE_VAL, at, 0};
        solver = on_the_ring(&k, &options);
        dae_status status = dae_solver_start(solver, 0, start);
        ck_assert_msg(status == DAE_STOPPED, "call %d of %d: %s", at, whole.calls,
                      dae_status_word(status));
        dae_solver_free(solver);
    }
}
END_TEST

/* w_1 = cos t, w_1' = w_2 with w_1 = y_1 + s y_2, w_2 = y_2 and s = sin t: an entry of the mass
 * matrix is 0 at the start alone. */
static int turned_mass(double t, const double *y, double *m, void *user)
{
    (void)y, (void)user;
    m[0] = 1, m[1] = 0;
    m[2] = sin(t), m[3] = 0;
    return 0;
}

static int turned(double t, const double *y, double *f, void *user)
{
    (void)user;
    f[0] = y[1] - cos(t) * y[1];
    f[1] = y[0] + sin(t) * y[1] - cos(t);
    return 0;
}

static void turned_by(const char *method)
{
    const dae_mass_form form = {.n = 2, .f = turned, .mass = turned_mass};
    static const double start[2] = {1, 0};
    for (double rtol = 1e-4; rtol > 1e-9; rtol /= 100) {
        dae_options options = tolerance_of(rtol);
        options.method = method;
        dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
        is_ok(solver, dae_solver_start(solver, 0, start));
        while (dae_solver_time(solver) < 4) {
            double y[2];
            is_ok(solver, dae_solver_step(solver, 4));
            double t = dae_solver_time(solver), s = sin(t);
            is_ok(solver, dae_solver_at(solver, t, y, NULL));
            double off = fmax(fabs(y[1] + s), fabs(y[0] - cos(t) - s * s));
            ck_assert_msg(off < BOUND * rtol, "%s, %g: %g tolerances at %g", method, rtol,
                          off / rtol, t);
        }
        dae_solver_free(solver);
    }
}

START_TEST(what_is_0_at_the_start_alone)
{
    for (size_t k = 0; k < COUNT; k++)
        if (is_sampled(METHODS[k], k + 1, 2)) turned_by(METHODS[k]);
}
END_TEST

/* x' = z, 0 = x - sin(w t), and x' = v, v' = l with the same: nothing but time says how fast, and
 * at the start the sine has no second derivative. */
static int driven(double t, const double *y, const double *yp, double *r, void *user)
{
    double w = *(const double *)user;
    r[0] = yp[0] - y[1];
    r[1] = y[0] - sin(w * t);
    return 0;
}

static int driven_twice(double t, const double *y, const double *yp, double *r, void *user)
{
    double w = *(const double *)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = y[0] - sin(w * t);
    return 0;
}

static void follow_fast(double w, size_t n, double rtol)
{
    const double start[3] = {0, w, 0}, end = 10 / w, nominal[3] = {1, w, w * w};
    const dae_residual_form form = {.n = n,
                                    .residual = n == 2 ? driven : driven_twice,
                                    .about = {.user = &w, .nominal = nominal}};
    dae_options options = tolerance_of(rtol);
    dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    while (dae_solver_time(solver) < end) {
        double y[3];
        is_ok(solver, dae_solver_step(solver, end));
        double t = dae_solver_time(solver), exact = n == 2 ? w * cos(w * t) : -w * w * sin(w * t);
        is_ok(solver, dae_solver_at(solver, t, y, NULL));
        double off = fabs(y[n - 1] - exact) / pow(w, (double)(n - 1));
        ck_assert_msg(off < BOUND * rtol, "w = %g, n = %zu, %g: %g tolerances at %g", w, n, rtol,
                      off / rtol, t);
    }
    dae_solver_free(solver);
}

START_TEST(fast_functions_of_time)
{
    static const double RATE[] = {0.3, 3, 10, 50, 100 * 3.14159265358979, 1e4};
    for (size_t k = 0; k < sizeof RATE / sizeof *RATE; k++)
        for (size_t n = 2; n <= 3; n++)
            for (double rtol = 1e-4; is_sampled("rates", k + n, 3) && rtol > 1e-9; rtol /= 100)
                follow_fast(RATE[k], n, rtol);
}
END_TEST

/* A pendulum so short that it is fast, from rest, where nothing shows that: its energy. */
static int short_pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1e-4;
    return 0;
}

START_TEST(fast_motion_from_rest)
{
    static const double start[5] = {1e-2, 0, 0, 0, 0};
    static const double nominal[5] = {1e-2, 1e-2, 0.3, 0.3, 1e3};
    const dae_residual_form form = {.n = 5, .residual = short_pendulum, .about.nominal = nominal};
    dae_options options = tolerance_of(1e-6);
    dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    while (dae_solver_time(solver) < 0.5) {
        double y[5];
        is_ok(solver, dae_solver_step(solver, 0.5));
        is_ok(solver, dae_solver_at(solver, dae_solver_time(solver), y, NULL));
        double kinetic = (y[2] * y[2] + y[3] * y[3]) / 2, l = (2 * kinetic - 9.81 * y[1]) / 1e-4;
        ck_assert_double_lt(fabs(kinetic + 9.81 * y[1]), 1e-4 * 9.81 * 1e-2);
        ck_assert_double_lt(fabs(y[4] - l), 1e-4 * 1e3);
    }
    dae_solver_free(solver);
}
END_TEST

/* Two masses, 1 and 3, on a rod of length 2 that turns at the rate 3 in free flight: index 3. Their
 * momentum is linear in time, and a method of high order is to keep it so. */
static int fly(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    for (int k = 0; k < 2; k++) {
        double pull = z[0] * (x[2 + k] - x[k]);
        f[k] = x[4 + k], f[2 + k] = x[6 + k];
        f[4 + k] = pull - 9.81 * k, f[6 + k] = -pull / 3 - 9.81 * k;
    }
    return 0;
}

static int rod(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)z, (void)user;
    g[0] = hypot(x[2] - x[0], x[3] - x[1]) - 2;
    return 0;
}

static void flown(double t, double *y)
{
    double c = cos(3 * t), s = sin(3 * t), x = t, height = 10 * t - 9.81 * t * t / 2;
    const double all[9] = {
        x - 1.5 * c, height - 1.5 * s,        x + 0.5 * c, height + 0.5 * s,
        1 + 4.5 * s, 10 - 9.81 * t - 4.5 * c, 1 - 1.5 * s, 10 - 9.81 * t + 1.5 * c,
        6.75};
    memcpy(y, all, sizeof all);
}

START_TEST(ends_of_steps_of_high_order_stay)
{
    const dae_semi_explicit_form form = {.nx = 8, .nz = 1, .f = fly, .g = rod};
    static const char *const methods[] = {"auto", "mebdf", "bdf", "radau"};
    for (int k = 0; k < 4 * 5; k++) {
        dae_options options = tolerance_of(1e-7 / pow(10, 0.5 * (double)(k / 4)));
        options.method = methods[k % 4];
        dae_solver *solver = solver_for(dae_problem_semi_explicit(&form), &options);
        double y[9], exact[9], worst = 0;
        flown(0, y);
        is_ok(solver, dae_solver_start(solver, 0, y));
        while (dae_solver_time(solver) < 2) {
            is_ok(solver, dae_solver_step(solver, 2));
            is_ok(solver, dae_solver_at(solver, dae_solver_time(solver), y, NULL));
            flown(dae_solver_time(solver), exact);
            for (int j = 0; j < 9; j++)
                worst = fmax(worst, fabs(y[j] - exact[j]) / (1 + fabs(exact[j])) / options.rtol);
        }
        ck_assert_msg(worst < BOUND, "%s at %g: %g tolerances", methods[k % 4], options.rtol,
                      worst);
        dae_solver_free(solver);
    }
}
END_TEST

/* x' = z, 0 = (1 - t) (x - sin t): beyond index 2 at t = 1, where nothing holds x. */
static int loose(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = (1 - t) * (y[0] - sin(t));
    return 0;
}

static void loose_by(const char *method)
{
    const dae_residual_form form = {.n = 2, .residual = loose};
    static const double start[2] = {0, 1};
    dae_options options = tolerance_of(1e-6);
    options.method = method;
    dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    if (dae_solver_run(solver, 2) == DAE_OK) {
        double y[2];
        is_ok(solver, dae_solver_at(solver, 2, y, NULL));
        ck_assert_double_lt(fabs(y[0] - sin(2)), 1e-4);
        ck_assert_double_lt(fabs(y[1] - cos(2)), 1e-4);
    } else {
        ck_assert_double_gt(dae_solver_time(solver), 0.9);
        ck_assert_double_lt(dae_solver_time(solver), 1.1);
    }
    dae_solver_free(solver);
}

START_TEST(an_index_that_changes_ends_the_run_or_does_not_matter)
{
    for (size_t k = 0; k < COUNT; k++)
        if (is_sampled(METHODS[k], k, 2)) loose_by(METHODS[k]);
}
END_TEST

/* y1 + w^2/4 is fast, at a rate of 1e6, and w = y2 - 0.625 sin y1 is given: index 2 with y3, the
 * derivative of a given y4. A small error of a state on trial moves all derivatives far. */
static const double FAST = 1e6, BEND = -0.625;

static void fast_exact(double t, double *y)
{
    y[0] = -0.375 - 1.625 * exp(-0.5 * t);
    y[1] = 0.375 - 0.625 * exp(-t);
    y[2] = -0.625 - 0.625 * cos(t);
    y[3] = -0.1875 * t - 0.75 * cos(1.375 * t);
}

static int fast_behind_a_bend(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double e[4], w = y[1] + BEND * sin(y[0]), wp = yp[1] + BEND * cos(y[0]) * yp[0];
    fast_exact(t, e);
    double u = e[0] + 0.25 * pow(e[1] + BEND * sin(e[0]), 2), ep = 0.8125 * exp(-0.5 * t);
    double up = ep + 0.5 * (e[1] + BEND * sin(e[0])) * (0.625 * exp(-t) + BEND * cos(e[0]) * ep);
    double slope = -0.1875 + 0.75 * 1.375 * sin(1.375 * t);
    r[0] = yp[0] + 0.5 * w * wp - up + FAST * (y[0] + 0.25 * w * w - u);
    r[1] = e[1] + BEND * sin(e[0]) - w;
    r[2] = yp[3] - y[2] - 0.1875 * y[3] * y[3] - (slope - e[2] - 0.1875 * e[3] * e[3]);
    r[3] = e[3] - y[3];
    return 0;
}

static void bend_by(const char *method, double rtol)
{
    const dae_residual_form form = {.n = 4, .residual = fast_behind_a_bend};
    double y[4], exact[4];
    fast_exact(0, y);
    dae_options options = tolerance_of(rtol);
    options.method = method;
    dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
    is_ok(solver, dae_solver_start(solver, 0, y));
    ck_assert_str_eq(dae_solver_stats(solver)->formulation, "index1");
    is_ok(solver, dae_solver_run(solver, 0.25));
    is_ok(solver, dae_solver_at(solver, 0.25, y, NULL));
    fast_exact(0.25, exact);
    for (int j = 0; j < 4; j++)
        ck_assert_msg(fabs(y[j] - exact[j]) < BOUND * rtol * (1 + fabs(exact[j])),
                      "%s, %g: y%d is off by %g", method, rtol, j + 1, y[j] - exact[j]);
    dae_solver_free(solver);
}

/* What is found at a state on trial is not what other states are looked at by. */
START_TEST(states_on_trial_do_not_mislead)
{
    for (size_t k = 0; k < COUNT; k++)
        for (double rtol = 1e-6; is_sampled(METHODS[k], k, 2) && rtol > 1e-9; rtol /= 100)
            bend_by(METHODS[k], rtol);
}
END_TEST

/* A constraint q = b p, b = 0 at the start, and u = p' fast: what of the multiplier's derivative is
 * in the constraints has a factor b over that rate. Without it the multiplier is off by 0.03. */
static const double RATE = 2e5;

static int dull_start(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double b = 50 * sin(0.5 * t), pull = y[4] - 1.375 * cos(1.5 * t);
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = (yp[2] + sin(t)) / RATE + y[2] - cos(t) + b * pull / RATE;
    r[3] = yp[3] + cos(t) - pull;
    r[4] = y[1] - cos(t) - b * (y[0] - sin(t));
    return 0;
}

static void dull_by(const char *method)
{
    static const double start[5] = {0, 1, 1, 0, 1.375};
    const dae_residual_form form = {.n = 5, .residual = dull_start};
    const double rtol = 1e-6;
    double y[5], worst = 0;
    dae_options options = tolerance_of(rtol);
    options.method = method;
    dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    ck_assert_str_eq(dae_solver_stats(solver)->formulation, "index1");
    while (dae_solver_time(solver) < 3) {
        is_ok(solver, dae_solver_step(solver, 3));
        double t = dae_solver_time(solver);
        is_ok(solver, dae_solver_at(solver, t, y, NULL));
        worst = fmax(worst, fabs(y[4] - 1.375 * cos(1.5 * t)));
    }
    ck_assert_msg(worst < BOUND * rtol, "%s: %g tolerances", method, worst / rtol);
    dae_solver_free(solver);
}

START_TEST(ranks_of_a_special_start_are_left)
{
    dull_by("radau-iia5");
    dull_by("bdf");
    dull_by("mebdf");
    dull_by("auto");
}
END_TEST

UNIT_MAIN("solve/reduced", 60, multipliers_are_as_accurate_as_positions, multipliers_within_steps,
          start_values_stay_late_on_the_clock, values_beyond_the_ends_are_not_needed,
          a_stop_in_the_search_for_the_index_is_collected, what_is_0_at_the_start_alone,
          fast_functions_of_time, fast_motion_from_rest, ends_of_steps_of_high_order_stay,
          an_index_that_changes_ends_the_run_or_does_not_matter, states_on_trial_do_not_mislead,
          ranks_of_a_special_start_are_left)
