/* A run that round-off keeps from its tolerance stops, and says so. */
#include "stepping/round_off.h"
#include "base/unit.h"
#include "zoo/zoo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 4, STEPS = 5000 };

/* Steps of 1, and from then on of 1e-6 but where a trial is asked for; errors h^power in units of
 * the short step's. The number of steps after which round-off rules, or STEPS. */
static int steps_to_rule(double power)
{
    static const double SHORT = 1e-6, ERROR = 0.3;
    round_off_watch r = {0};
    double next = round_off_follow(&r, 1, ERROR, ORDER, 0, false);
    ck_assert_double_eq(next, 0);
    for (int k = 0; k < STEPS; k++) {
        if (round_off_rules(&r)) return k;
        double h = next > 0 ? next : SHORT;
        next = round_off_follow(&r, h, ERROR * pow(h / SHORT, power), ORDER, 0, false);
    }
    return STEPS;
}

/* Of a method it rises at least with the square of the step. */
START_TEST(laws)
{
    ck_assert_int_lt(steps_to_rule(1), 200);
    ck_assert_int_lt(steps_to_rule(0.9), 200);
    ck_assert_int_eq(steps_to_rule(2), STEPS);
    ck_assert_int_eq(steps_to_rule(ORDER + 1), STEPS);
}
END_TEST

/* Longer steps with the same error are simply taken. */
START_TEST(recovery)
{
    round_off_watch r = {0};
    double h = 1e-6;
    (void)round_off_follow(&r, 1, 0.3, ORDER, 0, false);
    for (int k = 0; k < 10; k++) {
        double next = round_off_follow(&r, h, 0.3, ORDER, 0, false);
        if (!(next > 0)) break;
        ck_assert_double_eq(next, 8 * h);
        h = next;
    }
    ck_assert_double_ge(h, 0.1);
    ck_assert(!round_off_rules(&r));
}
END_TEST

/* Late in a run steps are short that are no shorter than others. */
START_TEST(short_for_the_time)
{
    round_off_watch r = {0};
    for (int k = 0; k < STEPS && !round_off_rules(&r); k++) {
        double next = round_off_follow(&r, 1e-6, 0.3, ORDER, 1e-3, false);
        if (next > 0) (void)round_off_follow(&r, next, 0.2, ORDER, 1e-3, false);
    }
    ck_assert(round_off_rules(&r));
}
END_TEST

/* After how many steps round-off rules where one of so many shows it; more than STEPS: never. */
static int looks_to_rule(int every)
{
    round_off_watch r = {0};
    for (int k = 1; k <= STEPS; k++) {
        round_off_look_back(&r, 0.2, k % every == 0 ? 0.3 : 0.1);
        if (round_off_rules(&r)) return k;
    }
    return STEPS + 1;
}

/* A surplus of 100 over one in 20 steps. */
START_TEST(looks_back)
{
    ck_assert_int_eq(looks_to_rule(1), 100);
    ck_assert_int_lt(looks_to_rule(10), 3000);
    ck_assert_int_gt(looks_to_rule(21), STEPS);
    ck_assert_int_gt(looks_to_rule(STEPS), STEPS);
    /* Where nothing happens, steps are not short for the sake of an error. */
    round_off_watch still = {0};
    for (int k = 0; k < STEPS; k++) round_off_look_back(&still, 0, 0);
    ck_assert(!round_off_rules(&still));
}
END_TEST

static dae_status run(const char *name, const char *with, double rtol, size_t *steps,
                      char *reported, size_t room)
{
    double y[ZOO_MOST], yp[ZOO_MOST], atols[ZOO_MOST];
    const zoo_ivp *ivp = zoo_ivp_named(name);
    dae_options options = dae_options_default();
    options.method = with;
    options.rtol = rtol;
    options.atols = atols;
    zoo_tolerances(ivp, rtol, atols);
    dae_problem *handle = zoo_problem(ivp->form);
    dae_solver *solver = dae_solver_create(handle, &options);
    ivp->start(y, yp);
    dae_status status = dae_solver_start_with(solver, 0, y, yp);
    if (status == DAE_OK) status = dae_solver_run(solver, ivp->t_end);
    const dae_stats *stats = dae_solver_stats(solver);
    *steps = stats->steps + stats->rejected;
    (void)strncat(reported, dae_solver_message(solver), room - 1);
    dae_solver_free(solver);
    dae_problem_free(handle);
    return status;
}

/* Accelerations of 1e10 times the displacements of the rod have no 12 digits; 10 they have. */
START_TEST(slider_crank)
{
    char reported[1000] = "";
    size_t steps = 0;
    ck_assert_int_eq(run("slider crank", "radau", 1e-12, &steps, reported, sizeof reported),
                     DAE_ERROR_TEST);
    ck_assert_ptr_nonnull(strstr(reported, "round-off"));
    ck_assert_ptr_nonnull(strstr(reported, "Loosen the tolerance"));
    ck_assert_uint_lt(steps, STEPS);
    ck_assert_int_eq(run("slider crank", "radau", 1e-10, &steps, reported, sizeof reported),
                     DAE_OK);
}
END_TEST

/* Voltages of a few volts have no 13 digits where transistors conduct; 12 they have. */
START_TEST(transistor_amplifier)
{
    static const char *const methods[] = {"bdf", "mebdf"};
    for (int k = 0; k < 2; k++) {
        char reported[1000] = "";
        size_t steps = 0;
        ck_assert_int_eq(
            run("transistor amplifier", methods[k], 1e-13, &steps, reported, sizeof reported),
            DAE_ERROR_TEST);
        ck_assert_ptr_nonnull(strstr(reported, "round-off"));
        ck_assert_uint_lt(steps, 100000);
        reported[0] = '\0';
        ck_assert_int_eq(
            run("transistor amplifier", methods[k], 1e-12, &steps, reported, sizeof reported),
            DAE_OK);
        ck_assert_str_eq(reported, "");
    }
}
END_TEST

/* Where shorter and shorter steps only end in failure the message says so of any method. */
START_TEST(any_method_says_so)
{
    static const char *const runs[][2] = {{"slider crank", "radau-iia5"},
                                          {"slider crank", "kvaerno5"},
                                          {"slider crank", "esdirk4"},
                                          {"Robertson", "bdf"}};
    char reported[1000] = "";
    size_t steps = 0;
    ck_assert_int_eq(run(runs[_i][0], runs[_i][1], 1e-13, &steps, reported, sizeof reported),
                     DAE_ERROR_TEST);
    ck_assert_msg(strstr(reported, "round-off"), "%s", reported);
    ck_assert_uint_lt(steps, STEPS);
}
END_TEST

static int square(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[0] * y[0];
    return 0;
}

/* y = 1 / (1 - t): there errors fall with the step, however tight the tolerance. */
START_TEST(a_pole_is_not_blamed_on_it)
{
    static const char *const methods[] = {"radau", "radau-iia5", "esdirk4", "bdf",
                                          "mebdf", "dopri5",     "rodas4"};
    const double mass = 1, y = 1;
    const dae_mass_form form = {.n = 1, .f = square, .constant_mass = &mass};
    dae_options options = dae_options_default();
    options.method = methods[_i];
    options.rtol = options.atol = 1e-12;
    dae_problem *handle = dae_problem_mass(&form);
    dae_solver *solver = dae_solver_create(handle, &options);
    ck_assert_int_eq(dae_solver_start(solver, 0, &y), DAE_OK);
    ck_assert_int_ne(dae_solver_run(solver, 2), DAE_OK);
    const char *reported = dae_solver_message(solver);
    ck_assert_msg(!strstr(reported, "round-off"), "%s: %s", methods[_i], reported);
    dae_solver_free(solver);
    dae_problem_free(handle);
}
END_TEST

/* A variable order that falls to 1 where a flow becomes turbulent asks for no more than before. */
START_TEST(a_variable_order_keeps_to_its_tolerance)
{
    for (double rtol = 1e-4; rtol > 1e-12; rtol /= 10) {
        char reported[1000] = "";
        size_t steps = 0;
        dae_status status = run("water tube", "radau", rtol, &steps, reported, sizeof reported);
        ck_assert_msg(status == DAE_OK, "%g: %s", rtol, reported);
        ck_assert_uint_lt(steps, STEPS);
    }
}
END_TEST

/* x' = z - x, z = cos t but for noise that comes with their last digits and grows with t. */
static int noisy_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = z[0] - x[0];
    return 0;
}

static int noisy_g(double t, const double *x, const double *z, double *g, void *user)
{
    uint64_t digits[2];
    (void)x;
    memcpy(&digits[0], &t, sizeof t);
    memcpy(&digits[1], z, sizeof *z);
    digits[1] += scatter_bits(&digits[0]);
    g[0] = z[0] - cos(t) + *(const double *)user * t * scatter(&digits[1]);
    return 0;
}

static int noisy_jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    (void)t, (void)x, (void)z, (void)user;
    j[0] = -1, j[2] = j[3] = 1;
    return 0;
}

/* The part of a tolerance that noise is said to change z by where the run stops; 0: it is not. */
static double noise_reported(double noise, double rtol)
{
    static const char words[] = "Round-off in the equations changes z1 by ";
    const dae_semi_explicit_form form = {.nx = 1,
                                         .nz = 1,
                                         .f = noisy_f,
                                         .g = noisy_g,
                                         .jacobian = noisy_jacobian,
                                         .about.user = &noise};
    const double start[2] = {1, 1};
    dae_options options = dae_options_default();
    options.method = "gauss3";
    options.rtol = options.atol = rtol;
    dae_problem *handle = dae_problem_semi_explicit(&form);
    dae_solver *solver = dae_solver_create(handle, &options);
    ck_assert_int_eq(dae_solver_start(solver, 0, start), DAE_OK);
    bool stops = dae_solver_run(solver, 2) != DAE_OK;
    const char *said = stops ? strstr(dae_solver_message(solver), words) : NULL;
    double part = said ? strtod(said + strlen(words), NULL) : 0;
    dae_solver_free(solver);
    dae_problem_free(handle);
    return part;
}

/* An iteration has to meet a small part of the tolerance, so that less noise than that stops it. */
START_TEST(noise_below_a_tolerance_is_named)
{
    size_t below = 0;
    for (double part = 0.3; part < 3; part *= 1.02) {
        double reported = noise_reported(part * 1e-6, 1e-6);
        below += reported > 0 && reported < 1;
    }
    ck_assert_uint_gt(below, 5);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, laws);
    tcase_add_test(tests, recovery);
    tcase_add_test(tests, short_for_the_time);
    tcase_add_test(tests, looks_back);
    tcase_add_test(tests, slider_crank);
    tcase_add_test(tests, transistor_amplifier);
    unit_loop(tests, any_method_says_so, 0, 4);
    unit_loop(tests, a_pole_is_not_blamed_on_it, 0, 7);
    tcase_add_test(tests, noise_below_a_tolerance_is_named);
    tcase_add_test(tests, a_variable_order_keeps_to_its_tolerance);
    return unit_run("solve/round_off", tests);
}
