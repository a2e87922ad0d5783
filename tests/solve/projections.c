/* Projections by their names: what each of them meets at outputs, and where it is refused. */
#include "solve/equations.h"
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const NAMES[] = {"coordinate", "fz",    "derivative",
                                    "post",       "post2", "least-squares"};
enum { COUNT = sizeof NAMES / sizeof *NAMES };

static int ignore(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

/* A run with outputs at ends of steps and within them. */
static void run(dae_solver *solver)
{
    const dae_times times = {.count = 41, .first = 0, .last = 1};
    dae_solver_output(solver, &times, ignore, NULL);
    is_ok(solver, dae_solver_run(solver, 1));
}

static bool meets(const char *name)
{
    return strncmp(name, "post", 4) != 0;
}

START_TEST(of_a_model)
{
    for (int k = 0; k < COUNT; k++) {
        dae_options options = tolerance_of(1e-5);
        options.projection = NAMES[k];
        dae_solver *solver = solver_for(problem_of(PENDULUM), &options);
        run(solver);
        const dae_stats *stats = dae_solver_stats(solver);
        ck_assert_str_eq(stats->projection, NAMES[k]);
        ck_assert_uint_eq(stats->constraint_levels, 3);
        for (int level = 0; level < 3; level++)
            ck_assert_double_lt(stats->max_constraint[level],
                                meets(NAMES[k]) || level == 2 ? 1e-14 : 1e-5);
        ck_assert_ptr_nonnull(strstr(stats->reasons, "3 constraint levels"));
        dae_solver_free(solver);
    }
}
END_TEST

/* On the unit circle at unit speed: x' = v1 + x l and y' = -x + y l, 0 = x^2 + y^2 - 1, l = 0, and
 * beside it an algebraic variable of index 1. */
static int round_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = z[1] + x[0] * z[0];
    f[1] = -x[0] + x[1] * z[0];
    return 0;
}

static int round_g(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = x[0] * x[0] + x[1] * x[1] - 1;
    g[1] = z[1] + z[1] * z[1] * z[1] - x[1] - x[1] * x[1] * x[1];
    return 0;
}

static dae_problem *turning_with_index_2(bool reported)
{
    static const unsigned char index[4] = {1, 1, 2, 1};
    const dae_semi_explicit_form form = {
        .nx = 2, .nz = 2, .f = round_f, .g = round_g, .about.index = reported ? index : NULL};
    return dae_problem_semi_explicit(&form);
}

/* x^2 + y^2 = 1, the multiplier that its derivative determines, x' and y': at any time. */
START_TEST(of_equations_of_index_2)
{
    static const double start[4] = {0, 1, 0, 1};
    for (int k = 0; k < 2 * COUNT; k++) {
        const char *name = NAMES[k / 2];
        dae_options options = tolerance_of(1e-5);
        double y[4], yp[4];
        options.projection = name;
        dae_solver *solver = solver_for(turning_with_index_2(k % 2), &options);
        is_ok(solver, dae_solver_start(solver, 0, start));
        run(solver);
        const dae_stats *stats = dae_solver_stats(solver);
        ck_assert_str_eq(stats->projection, name);
        ck_assert_int_eq(stats->index, 2);
        ck_assert_double_lt(stats->max_constraint[0], meets(name) ? 1e-14 : 1e-7);
        is_ok(solver, dae_solver_run(solver, 1.5));
        is_ok(solver, dae_solver_at(solver, 1.5 - 0.3 * (1.5 - 1.49), y, yp));
        double time = 1.5 - 0.3 * (1.5 - 1.49);
        ck_assert_double_eq_tol(y[0], sin(time), 1e-4);
        ck_assert_double_eq_tol(y[1], cos(time), 1e-4);
        ck_assert_double_eq_tol(y[0] * y[0] + y[1] * y[1], 1, meets(name) ? 4 * DBL_EPSILON : 1e-7);
        ck_assert_double_eq_tol(y[0] * yp[0] + y[1] * yp[1], 0, 1e-10);
        ck_assert_double_eq_tol(yp[0], y[3] + y[0] * y[2], 1e-10);
        ck_assert_double_eq_tol(y[2], 0, 1e-9); /* whatever the point */
        dae_solver_free(solver);
    }
}
END_TEST

static void is_refused(dae_problem *problem, const char *projection, dae_status status,
                       const char *part)
{
    const double start[5] = {1, 0, 0, 1, 1};
    dae_options options = dae_options_default();
    options.projection = projection;
    dae_solver *solver = solver_for(problem, &options);
    if (dae_solver_status(solver) == DAE_OK) dae_solver_start(solver, 0, start);
    ck_assert_msg(dae_solver_status(solver) == status, "%s: %s", projection,
                  dae_solver_message(solver));
    is_said(solver, part);
    ck_assert_uint_eq(dae_solver_stats(solver)->steps, 0);
    dae_solver_free(solver);
}

static dae_problem *circling_unreported(void)
{
    const dae_residual_form form = {.n = 5, .residual = circle};
    return dae_problem_residual(&form);
}

/* Hidden constraints that are not determined: nothing shows their multipliers. */
static const char UNDETERMINED[] =
    "model M Real x(start = 1, fixed = true), y, z;\n"
    "equation der(x) + der(y) + z = time; x + y = sin(time); x*z - z^2*y = 0.1*time; end M;";

START_TEST(refused)
{
    is_refused(problem_of(PENDULUM), "cordinate", DAE_USAGE, "\"coordinate\"");
    is_refused(problem_of(OSCILLATOR), "mass", DAE_UNSUPPORTED, "a mechanical system");
    is_refused(problem_of(PENDULUM), "embedded", DAE_UNSUPPORTED,
               "invariants of an ODE that a C program declares");
    is_refused(problem_of(UNDETERMINED), "fz", DAE_UNSUPPORTED, "shows no multipliers");
    is_refused(turning_in_invariant_form(true), "fz", DAE_UNSUPPORTED, "shows no multipliers");
    is_refused(decay_in_mass_form(true), "embedded", DAE_UNSUPPORTED, "invariant form");
    for (int k = 0; k < COUNT; k++) {
        is_refused(decay_in_semi_explicit_form(true), NAMES[k], DAE_UNSUPPORTED, "invariant form");
        is_refused(circling_in_residual_form(), NAMES[k], DAE_UNSUPPORTED, "up to index 2");
        is_refused(circling_unreported(), NAMES[k], DAE_UNSUPPORTED, "up to index 2");
    }
}
END_TEST

/* One level of index 1, met along algebraic directions unless another way is asked for. */
START_TEST(of_a_structure_that_misleads)
{
    for (int k = 0; k <= COUNT; k++) {
        dae_options options = tolerance_of(1e-6);
        options.projection = k < COUNT ? NAMES[k] : "auto";
        dae_solver *solver = solver_for(problem_of(CAPACITORS), &options);
        run(solver);
        ck_assert_str_eq(dae_solver_stats(solver)->projection, k < COUNT ? NAMES[k] : "fz");
        ck_assert_double_lt(dae_solver_stats(solver)->max_constraint[0], 1e-9);
        dae_solver_free(solver);
    }
}
END_TEST

/* Where only y' is brought back, and the method takes nothing from it. */
START_TEST(noted)
{
    static const char *const methods[] = {"dopri5", "esdirk4", "radau-iia3", "bdf", "mebdf"};
    for (int k = 0; k < 5; k++) {
        dae_options options = tolerance_of(1e-5);
        options.projection = "derivative";
        options.method = methods[k];
        dae_solver *solver = solver_for(turning_in_invariant_form(true), &options);
        const double start[2] = {1, 0};
        is_ok(solver, dae_solver_start(solver, 0, start));
        ck_assert_int_eq(strstr(dae_solver_notes(solver), "not on the steps") != NULL, k > 1);
        dae_solver_free(solver);
    }
}
END_TEST

/* Of index 2, with z = cos t + sin t - exp(-t). */
static const char HELD[] = "model Held Real u(start = 1, fixed = true), x, z;\n"
                           "equation der(u) = -u; der(x) = -x + z + u; x = sin(time); end Held;";

static int worst_of_z(double t, const double *y, const double *yp, void *user)
{
    double *worst = user;
    (void)yp;
    *worst = fmax(*worst, fabs(y[2] - (cos(t) + sin(t) - exp(-t))));
    return 0;
}

/* Within the first step where it is that, and within the steps after it. */
static double error_within(const char *name, double step, bool first)
{
    dae_options options = dae_options_default();
    double worst = 0, at[] = {0.3 * step, 0.6 * step, 1.3 * step, 2.6 * step, 3.5 * step};
    options.method = name;
    options.formulation = "index1";
    options.projection = "none";
    options.step = step;
    dae_solver *solver = solver_for(problem_of(HELD), &options);
    const dae_times times = {.at = first ? at : at + 2, .count = first ? 2 : 3};
    is_ok(solver, dae_solver_output(solver, &times, worst_of_z, &worst));
    is_ok(solver, dae_solver_run(solver, 1));
    dae_solver_free(solver);
    return worst;
}

/* Between the ends of steps they are those of a cubic polynomial, or better, whose slopes at both
 * ends are theirs: with other slopes the order would be 1. */
START_TEST(algebraic_variables_that_are_not_projected)
{
    static const char *const names[] = {"state-space-rk4", "hedop5", "projected-gauss2"};
    for (int k = 0; k < 3; k++)
        for (int first = 0; first < 2; first++) {
            double coarse = error_within(names[k], 0.1, first);
            double order = log2(coarse / error_within(names[k], 0.05, first));
            ck_assert_msg(order > 3.5, "%s, %d: order %.2f", names[k], first, order);
        }
}
END_TEST

UNIT_MAIN("solve/projections", 60, of_a_model, of_equations_of_index_2, refused,
          of_a_structure_that_misleads, noted, algebraic_variables_that_are_not_projected)
