/* The choice of the method by `auto`: stiff and not, and the change from one to the other on the
 * run, which keeps the solution as accurate as one method does. */
#include "solve/equations.h"
#include "solve/models.h"
#include "zoo/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double stiffness;

/* van der Pol's oscillator: slow, stiff parts and fast turns. */
static int oscillate(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1];
    f[1] = stiffness * (1 - y[0] * y[0]) * y[1] - y[0];
    return 0;
}

/* A body that flies round another: never stiff. */
static int fly(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    double cube = pow(y[0] * y[0] + y[1] * y[1], 1.5);
    f[0] = y[2], f[1] = y[3];
    f[2] = -y[0] / cube, f[3] = -y[1] / cube;
    return 0;
}

/* The oscillation (sin t, cos t), held by a damper from t = 10 on. */
static int grip(double t, const double *y, double *f, void *user)
{
    (void)user;
    double damper = 1e5 * (0.5 + 0.5 * tanh(20 * (t - 10)));
    f[0] = y[1];
    f[1] = -y[0] - damper * (y[1] - cos(t));
    return 0;
}

/* The same on the way back from t = 30, by what would drive it forth. */
static int grip_behind(double t, const double *y, double *f, void *user)
{
    (void)user;
    double drive = 1e5 * (0.5 + 0.5 * tanh(20 * (20 - t)));
    f[0] = y[1];
    f[1] = -y[0] + drive * (y[1] - cos(t));
    return 0;
}

enum { FAST = 1000 };

/* sin t, held by a spring: an oscillation that nothing damps, and nothing begins. */
static int hold(double t, const double *y, double *f, void *user)
{
    (void)user;
    f[0] = y[1];
    f[1] = -sin(t) - (double)FAST * FAST * (y[0] - sin(t));
    return 0;
}

typedef int (*right_side)(double t, const double *y, double *f, void *user);

static dae_solver *run(right_side f, size_t n, const double *start, double stop, const char *name)
{
    dae_mass_form form = {.n = n, .f = f};
    dae_options options = dae_options_default();
    options.method = name;
    options.rtol = options.atol = 1e-7;
    dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_run(solver, stop));
    return solver;
}

static void states_agree(dae_solver *a, dae_solver *b, size_t n, double tolerance)
{
    double one[4], other[4];
    is_ok(a, dae_solver_at(a, dae_solver_time(a), one, NULL));
    is_ok(b, dae_solver_at(b, dae_solver_time(b), other, NULL));
    for (size_t k = 0; k < n; k++)
        ck_assert_double_eq_tol(one[k], other[k], tolerance * (1 + fabs(other[k])));
}

START_TEST(not_stiff)
{
    const double start[] = {0.5, 0, 0, sqrt(3)}; /* eccentricity 1/2 */
    dae_solver *solver = run(fly, 4, start, 8 * acos(-1), "auto");
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_str_eq(stats->method, "dopri5");
    ck_assert_uint_eq(stats->method_changes, 0);
    ck_assert_uint_eq(stats->factorizations, 0);
    ck_assert_ptr_nonnull(strstr(stats->reasons, "largest eigenvalue"));
    dae_solver_free(solver);
}
END_TEST

START_TEST(stiff)
{
    const double start[] = {2, 0};
    stiffness = 1e3;
    dae_solver *solver = run(oscillate, 2, start, 500, "auto");
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_uint_eq(stats->method_changes, 0);
    ck_assert_uint_gt(stats->factorizations, 0);
    dae_solver_free(solver);
}
END_TEST

/* Explicit at first, and implicit from where the damper grips. */
START_TEST(becomes_stiff)
{
    const double start[] = {0, 1};
    dae_solver *solver = run(grip, 2, start, 30, "auto");
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_uint_ge(stats->method_changes, 1);
    ck_assert_uint_gt(stats->factorizations, 0);
    ck_assert_uint_lt(stats->steps, 2000); /* of 1e6 that stability would ask of an explicit one */
    ck_assert_ptr_nonnull(strstr(stats->reasons, "gave way to"));
    double end[2];
    is_ok(solver, dae_solver_at(solver, 30, end, NULL));
    ck_assert_double_eq_tol(end[0], sin(30), 1e-5);
    dae_solver_free(solver);
}
END_TEST

static int count_step(double t, void *user)
{
    (void)t;
    ++*(size_t *)user;
    return 0;
}

/* What was counted before a change of the method goes on, and so does the direction. */
START_TEST(becomes_stiff_on_the_way_back)
{
    const double start[] = {sin(30), cos(30)};
    dae_mass_form form = {.n = 2, .f = grip_behind};
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-7;
    options.max_steps = 2000;
    dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
    size_t steps = 0;
    double end[2];
    dae_solver_watch(solver, count_step, &steps);
    is_ok(solver, dae_solver_start(solver, 30, start));
    is_ok(solver, dae_solver_run(solver, 0));
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_uint_ge(stats->method_changes, 1);
    ck_assert_uint_eq(stats->steps, steps);
    is_ok(solver, dae_solver_at(solver, 0, end, NULL));
    ck_assert_double_eq_tol(end[1], 1, 1e-5);
    dae_solver_free(solver);
}
END_TEST

/* What seemed stiff at the start and is not, in a run that is long enough for a change. */
START_TEST(is_not_stiff_after_all)
{
    const double start[] = {2, 0};
    stiffness = 1;
    dae_solver *solver = run(oscillate, 2, start, 40, "auto");
    dae_solver *fixed = run(oscillate, 2, start, 40, "dop853");
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_str_eq(stats->method, "dopri5");
    ck_assert_uint_le(stats->method_changes, 2); /* one by way of a higher order */
    states_agree(solver, fixed, 2, 1e-5);
    dae_solver_free(solver);
    dae_solver_free(fixed);
}
END_TEST

/* Explicit, as no eigenvalue is damped; but the fast one binds steps, of which an implicit method
 * takes fewer. */
START_TEST(bound_without_damping)
{
    const double start[] = {0, 1};
    dae_solver *solver = run(hold, 2, start, 50, "auto");
    dae_solver *bound = run(hold, 2, start, 50, "dopri5");
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_ptr_nonnull(strstr(stats->reasons, "stability may bind steps"));
    ck_assert_uint_gt(stats->factorizations, 0);
    ck_assert_uint_lt(4 * stats->steps, dae_solver_stats(bound)->steps);
    states_agree(solver, bound, 1, 1e-6);
    dae_solver_free(solver);
    dae_solver_free(bound);
}
END_TEST

/* The ring modulator at loose tolerances: its eigenvalues come and go with the state, and an
 * explicit method that seemed to do would take a million steps. */
START_TEST(gives_up_what_comes_less_far)
{
    const zoo_ivp *ivp = zoo_ivp_named("ring modulator");
    static const double rtol[] = {1e-2, 1e-3};
    for (int k = 0; k < 2; k++) {
        zoo_outcome chosen, fixed;
        zoo_solve(ivp, "auto", rtol[k], 200000, &chosen);
        zoo_solve(ivp, "bdf", rtol[k], 200000, &fixed);
        ck_assert_msg(chosen.status == DAE_OK, "%s", chosen.message);
        ck_assert_int_eq(fixed.status, DAE_OK);
        ck_assert_uint_lt(chosen.residual_calls, 2 * fixed.residual_calls);
    }
}
END_TEST

static dae_solver *run_model(const char *model, const char *name, double stop)
{
    dae_options options = dae_options_default();
    options.method = name;
    options.rtol = options.atol = 1e-7;
    dae_solver *solver = solver_of(model, &options);
    is_ok(solver, dae_solver_run(solver, stop));
    return solver;
}

/* Of index 3, multipliers eliminated: they follow at each stage, and a step costs its stages. */
START_TEST(a_mechanism_is_not_stiff)
{
    dae_solver *solver = run_model(PENDULUM, "auto", 3);
    dae_solver *other = run_model(PENDULUM, "radau-iia3", 3);
    const dae_stats *stats = dae_solver_stats(solver), *implicit = dae_solver_stats(other);
    ck_assert_str_eq(stats->method, "dop853");
    ck_assert_uint_eq(stats->method_changes, 0);
    ck_assert_uint_eq(stats->newton_iterations, 0);
    ck_assert_uint_lt(2 * stats->residual_calls, implicit->residual_calls);
    double one[5], two[5];
    is_ok(solver, dae_solver_at(solver, 3, one, NULL));
    is_ok(other, dae_solver_at(other, 3, two, NULL));
    for (int k = 0; k < 5; k++) ck_assert_double_eq_tol(one[k], two[k], 1e-4 * (1 + fabs(two[k])));
    dae_solver_free(solver);
    dae_solver_free(other);
}
END_TEST

/* The same damper on a point that a constraint leads, with its multiplier. */
static const char GRIPPED[] =
    "model Gripped Real x(start = 0, fixed = true), v(start = 1, fixed = true), y, w, l, d;\n"
    "equation der(x) = v; der(y) = w; d = 1e5*(0.5 + 0.5*tanh(20*(time - 10)));\n"
    "  der(v) = -2*x - d*(v - cos(time)) + l; der(w) = -l; x - y = 0; end Gripped;";

START_TEST(a_mechanism_becomes_stiff)
{
    dae_solver *solver = run_model(GRIPPED, "auto", 20);
    const dae_stats *stats = dae_solver_stats(solver);
    double end[6];
    ck_assert_ptr_nonnull(strstr(stats->reasons, "dop853 gave way to"));
    ck_assert_uint_lt(stats->steps, 2000);
    is_ok(solver, dae_solver_at(solver, 20, end, NULL));
    ck_assert_double_eq_tol(end[0], sin(20), 1e-5);
    dae_solver_free(solver);
}
END_TEST

/* Where the matrix of y' becomes singular the solution ends, and is not carried on beyond. */
START_TEST(an_end_is_not_crossed)
{
    const char *model = "model M Real y(start = 2, fixed = true), z; equation der(y) = z;"
                        " (1 - y^2)*z = y; end M;";
    static const char *const names[] = {"auto", "state-space-dop853", "dopri5"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        dae_options options = dae_options_default();
        options.method = names[k];
        dae_solver *solver = solver_of(model, &options);
        ck_assert_int_ne(dae_solver_run(solver, 1), DAE_OK);
        ck_assert_double_eq_tol(dae_solver_time(solver), 1.5 - log(2), 1e-4);
        ck_assert_uint_lt(dae_solver_stats(solver)->steps, 1000);
        dae_solver_free(solver);
    }
}
END_TEST

/* Started again and again: after two runs of a Radau method a multistep one has a whole run, and
 * then the one that came further for its work goes on. Which multistep one is a question of the
 * tolerance. */
START_TEST(tries_both_kinds_over_many_runs)
{
    const double start[] = {2, 0};
    stiffness = 100;
    dae_mass_form form = {.n = 2, .f = oscillate};
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-4;
    dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
    for (int k = 1; k <= 4; k++) {
        is_ok(solver, dae_solver_start(solver, 0, start));
        is_ok(solver, dae_solver_run(solver, 20));
        const dae_stats *stats = dae_solver_stats(solver);
        if (k <= 2) ck_assert_str_eq(stats->method, "radau-iia3");
        if (k == 3) ck_assert_str_eq(stats->method, "bdf");
        ck_assert_uint_eq(stats->method_changes, 0);
    }
    dae_solver_free(solver);
    options.rtol = options.atol = 1e-6;
    solver = solver_for(dae_problem_mass(&form), &options);
    for (int k = 1; k <= 3; k++) {
        is_ok(solver, dae_solver_start(solver, 0, start));
        is_ok(solver, dae_solver_run(solver, 20));
    }
    ck_assert_str_eq(dae_solver_stats(solver)->method, "mebdf");
    dae_solver_free(solver);
}
END_TEST

/* At a tight tolerance orders pay from the start, but not after a corner; the same start is the
 * same run. */
START_TEST(no_high_order_from_corner_to_corner)
{
    const double start[] = {2, 0};
    stiffness = 100;
    for (int second = 0; second < 2; second++) {
        dae_mass_form form = {.n = 2, .f = oscillate};
        dae_options options = dae_options_default();
        options.rtol = options.atol = 1e-7;
        dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
        for (int k = 0; k < 2; k++) {
            is_ok(solver, dae_solver_start(solver, k * second, start));
            is_ok(solver, dae_solver_step(solver, 10));
            const char *name = k * second > 0 ? "radau-iia3" : "radau-iia5";
            ck_assert_str_eq(dae_solver_stats(solver)->method, name);
        }
        dae_solver_free(solver);
    }
}
END_TEST

/* A sliding mass comes to rest at t = 0.2/1.3 in dry friction that is steeper than the tolerance:
 * an explicit method goes to and fro across it, in steps of 5e-7, and no point shows an eigenvalue.
 */
START_TEST(rest_in_friction_is_left_to_an_implicit_method)
{
    static const double WIDTH[] = {1e-6, 1e-7, 1e-8, 5e-9, 2e-9, 1.5e-9, 1.3e-9, 1.1e-9, 1e-9};
    for (size_t k = 0; k < sizeof WIDTH / sizeof *WIDTH; k++) {
        char model[200];
        (void)snprintf(
            model, sizeof model,
            "model Slider Real x(start = 0, fixed = true), v(start = 0.2, fixed = true);\n"
            "equation der(x) = v; der(v) = -1.3*tanh(v/%g); end Slider;",
            WIDTH[k]);
        dae_options options = dae_options_default();
        dae_solver *solver = solver_of(model, &options);
        double y[2];
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        is_ok(solver, dae_solver_run(solver, 1));
        is_ok(solver, dae_solver_at(solver, 1, y, NULL));
        ck_assert_double_le(fabs(y[0] - 0.5 * 0.2 * 0.2 / 1.3), 1e-5);
        ck_assert_uint_lt(dae_solver_stats(solver)->steps, 20000);
        dae_solver_free(solver);
    }
}
END_TEST

UNIT_MAIN("solve/method_selection", 30, a_mechanism_is_not_stiff, a_mechanism_becomes_stiff,
          an_end_is_not_crossed, not_stiff, stiff, becomes_stiff, becomes_stiff_on_the_way_back,
          is_not_stiff_after_all, bound_without_damping, gives_up_what_comes_less_far,
          tries_both_kinds_over_many_runs, no_high_order_from_corner_to_corner,
          rest_in_friction_is_left_to_an_implicit_method)
