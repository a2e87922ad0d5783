/* Structural methods from start to end: formulations that name the level of the constraints, what
 * is chosen where they leave it open, projections, what the statistics tell. */
#include "solve/equations.h"
#include "zoo/mechanical.h"
#include "zoo/mechanical_chain.h"

#include <string.h>

static dae_options fixed(const char *name, const char *formulation, double step)
{
    dae_options options = dae_options_default();
    options.method = name;
    options.formulation = formulation;
    options.step = step;
    return options;
}

/* A solver that has begun from the start of a row. */
static dae_solver *begun(const zoo_mechanical *row, const dae_options *options)
{
    double start[3 * ZOO_MECHANICAL_MOST];
    dae_solver *s = solver_for(dae_problem_mechanical(&row->form), options);
    for (size_t i = 0; i < 3 * ZOO_MECHANICAL_MOST; i++) start[i] = (double)NAN;
    row->start(start, start + row->form.nq);
    is_ok(s, dae_solver_start(s, 0, start));
    return s;
}

/* --- formulations --- */

/* How far x^2 + y^2 = 1 and its derivatives are met. */
static void find_levels(const double *y, const double *yp, double *level)
{
    level[0] = y[0] * y[0] + y[1] * y[1] - 1;
    level[1] = 2 * (y[0] * y[2] + y[1] * y[3]);
    level[2] = 2 * (y[0] * yp[2] + y[1] * yp[3] + y[2] * y[2] + y[3] * y[3]);
}

/* The levels of constraints that hold at the ends of steps, within rounding. */
static void check_levels(const char *formulation, const char *projection, bool positions,
                         bool velocities, bool accelerations)
{
    double worst[3] = {0, 0, 0};
    const bool holds[] = {positions, velocities, accelerations};
    dae_options options = fixed("generalized-alpha:rho_inf=0.5", formulation, 0.01);
    options.projection = projection;
    dae_solver *s = begun(&zoo_pendulum, &options);
    for (int k = 1; k <= 100; k++) {
        double y[5], yp[5], level[3];
        is_ok(s, dae_solver_run(s, 0.01 * k));
        is_ok(s, dae_solver_at(s, 0.01 * k, y, yp));
        find_levels(y, yp, level);
        for (int i = 0; i < 3; i++) worst[i] = fmax(worst[i], fabs(level[i]));
        zoo_motion exact;
        zoo_pendulum.exact(0.01 * k, &exact);
        ck_assert_double_eq_tol(y[0], exact.q[0], 5e-3);
        ck_assert_double_eq_tol(y[4], exact.lambda[0], 0.2);
    }
    const dae_stats *stats = dae_solver_stats(s);
    ck_assert_uint_eq(stats->constraint_levels, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_msg((worst[i] < 1e-12) == holds[i], "%s, %s: level %d: %g", formulation,
                      projection, i, worst[i]);
    ck_assert_str_eq(stats->formulation, formulation);
    ck_assert_str_eq(stats->method, "generalized-alpha:rho_inf=0.5");
    ck_assert_uint_eq(stats->steps, 100);
    ck_assert_uint_gt(stats->residual_calls, 200);
    ck_assert_uint_gt(stats->factorizations, 0);
    dae_solver_free(s);
}

START_TEST(the_formulation_is_the_level_of_the_constraints)
{
    check_levels("index3", "auto", true, false, false);
    check_levels("direct", "auto", true, false, false);
    check_levels("index2", "none", false, true, false);
    check_levels("index1", "none", false, false, true);
    check_levels("tangent", "auto", true, true, true);
}
END_TEST

/* Velocities and accelerations after each step. */
START_TEST(projected_after_the_step)
{
    check_levels("index3", "coordinate", true, true, true);
    check_levels("index3", "mass", true, true, true);
    check_levels("index2", "coordinate", true, true, true);
    check_levels("index1", "auto", true, true, true);
}
END_TEST

static void chosen(const zoo_mechanical *row, const char *name, const char *formulation)
{
    dae_options options = fixed(name, "auto", 1e-3);
    dae_solver *s = begun(row, &options);
    ck_assert_str_eq(dae_solver_stats(s)->formulation, formulation);
    is_ok(s, dae_solver_run(s, 0.01));
    dae_solver_free(s);
}

/* The level of positions where multipliers converge on it. */
START_TEST(what_is_left_open_suits_the_method)
{
    chosen(&zoo_pendulum, "generalized-alpha", "index3");
    chosen(&zoo_pendulum, "newmark", "tangent");
    chosen(&zoo_pendulum, "fox-goodwin", "tangent");
    chosen(&zoo_skate, "hht", "index2");
    chosen(&zoo_skate, "newmark", "tangent");
    chosen(&zoo_top, "hht", "index3");
    chosen(&zoo_top, "newmark", "tangent");
}
END_TEST

/* --- the tangent --- */

START_TEST(frequencies_are_reported)
{
    dae_options options = fixed("fox-goodwin", "tangent", 0.1);
    dae_solver *s = begun(&zoo_pendulum_torque, &options);
    is_ok(s, dae_solver_run(s, 10));
    const dae_stats *stats = dae_solver_stats(s);
    ck_assert_double_eq_tol(stats->frequency, sqrt(9.8), 1e-6);
    ck_assert_double_eq_tol(stats->stable_step, sqrt(6 / 9.8), 1e-6);
    dae_solver_free(s);
    options.step = 1;
    options.stable_steps = true;
    s = begun(&zoo_pendulum_torque, &options);
    is_ok(s, dae_solver_run(s, 100));
    ck_assert_uint_ge(dae_solver_stats(s)->steps, 128); /* 100 / 0.7825 */
    ck_assert_uint_le(dae_solver_stats(s)->steps, 132);
    dae_solver_free(s);
    options = fixed("newmark", "index3", 0.1);
    s = begun(&zoo_pendulum_torque, &options);
    is_ok(s, dae_solver_run(s, 1));
    ck_assert_double_eq(dae_solver_stats(s)->frequency, 0);
    dae_solver_free(s);
}
END_TEST

/* The double four-bar has a constraint too many, and passes a configuration in which it has three
 * freedoms for its one, at 0.714 s. x of the first joint, twice that of a bar's centre. */
START_TEST(singular_configurations_are_passed)
{
    dae_options options = fixed("fox-goodwin:corrected=1", "tangent", 0.01);
    dae_solver *s = begun(&zoo_double_four_bar, &options);
    double y[3 * ZOO_MECHANICAL_MOST];
    is_ok(s, dae_solver_run(s, 1));
    is_ok(s, dae_solver_at(s, 1, y, NULL));
    ck_assert_double_eq_tol(2 * y[0], -0.19502030194943509, 2e-7);
    dae_solver_free(s);
}
END_TEST

/* With error control: round-off of constraints that are about to lose rank is no error. The
 * platform of one redundant crank passes the horizontal at 0.344 s. */
START_TEST(singular_configurations_are_passed_with_error_control)
{
    static const char *const name[] = {"newmark", "fox-goodwin", "generalized-alpha"};
    const zoo_mechanical *const row[] = {&zoo_double_four_bar, &zoo_platform};
    for (int k = 0; k < 6; k++) {
        dae_options options = fixed(name[k / 2], "tangent", 0);
        double y[3 * ZOO_MECHANICAL_MOST], x = -0.19502030194943509 / 2;
        zoo_motion exact;
        options.rtol = options.atol = 1e-6;
        dae_solver *s = begun(row[k % 2], &options);
        is_ok(s, dae_solver_run(s, 1));
        is_ok(s, dae_solver_at(s, 1, y, NULL));
        if (k % 2) row[1]->exact(1, &exact), x = exact.q[0];
        ck_assert_double_eq_tol(y[0], x, 1e-5);
        ck_assert_uint_lt(dae_solver_stats(s)->steps, 6000);
        dae_solver_free(s);
    }
}
END_TEST

/* --- adaptive, within steps, refused --- */

START_TEST(adaptive_steps_and_values_between_them)
{
    const char *const formulation[] = {"index3", "index2", "index1", "tangent"};
    for (int f = 0; f < 4; f++) {
        dae_options options = fixed("generalized-alpha:rho_inf=0.5", formulation[f], 0);
        options.rtol = options.atol = 1e-6;
        options.keep_trajectory = true;
        dae_solver *s = begun(&zoo_pendulum, &options);
        is_ok(s, dae_solver_run(s, 1));
        for (int k = 0; k <= 97; k++) {
            double y[5], yp[5], t = k / 97.0;
            zoo_motion exact;
            is_ok(s, dae_solver_at(s, t, y, yp));
            zoo_pendulum.exact(t, &exact);
            for (int i = 0; i < 2; i++) {
                ck_assert_double_eq_tol(y[i], exact.q[i], 1e-4);
                ck_assert_double_eq_tol(y[2 + i], exact.v[i], 1e-4);
                ck_assert_double_eq_tol(yp[i], y[2 + i], 1e-3);
                ck_assert(isfinite(yp[2 + i]));
            }
            double level[3];
            find_levels(y, yp, level);
            for (int i = 0; i < 3 && f == 3; i++) ck_assert_double_le(fabs(level[i]), 1e-12);
        }
        dae_solver_free(s);
    }
}
END_TEST

static void refused(const zoo_mechanical *row, const char *name, const char *formulation,
                    const char *words)
{
    dae_options options = fixed(name, formulation, 0.01);
    double start[3 * ZOO_MECHANICAL_MOST];
    dae_solver *s = solver_for(dae_problem_mechanical(&row->form), &options);
    for (size_t i = 0; i < 3 * ZOO_MECHANICAL_MOST; i++) start[i] = (double)NAN;
    row->start(start, start + row->form.nq);
    ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_UNSUPPORTED);
    ck_assert_msg(strstr(dae_solver_message(s), words), "%s", dae_solver_message(s));
    dae_solver_free(s);
}

START_TEST(tangent_takes_a_method)
{
    dae_options options = fixed("auto", "tangent", 0.01);
    double start[3 * ZOO_MECHANICAL_MOST];
    dae_solver *s = solver_for(dae_problem_mechanical(&zoo_pendulum.form), &options);
    for (size_t i = 0; i < 3 * ZOO_MECHANICAL_MOST; i++) start[i] = (double)NAN;
    zoo_pendulum.start(start, start + zoo_pendulum.form.nq);
    ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_OK);
    ck_assert_ptr_nonnull(strstr(dae_solver_stats(s)->method, "generalized-alpha"));
    ck_assert_str_eq(dae_solver_stats(s)->formulation, "tangent");
    dae_solver_free(s);
}
END_TEST

START_TEST(unsuitable_pairs)
{
    refused(&zoo_pendulum, "newmark", "ggl", "index3, index2, index1 or tangent, not ggl");
    refused(&zoo_pendulum, "radau-iia3", "tangent", "structural methods");
    refused(&zoo_pendulum, "central-difference", "index3", "constraints on positions");
    refused(&zoo_top, "fox-goodwin:corrected=1", "tangent", "q' = S v");
    dae_options options = fixed("newmark", "auto", 0.01);
    const double first[2] = {1, (double)NAN};
    dae_solver *s = solver_for(decay_in_mass_form(true), &options);
    ck_assert_int_eq(dae_solver_start(s, 0, first), DAE_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "advances mechanical systems"));
    dae_solver_free(s);
}
END_TEST

/* The tangent is for as many as dense decompositions are for. */
START_TEST(large_systems)
{
    enum { LINKS = 150 };
    double start[8 * LINKS];
    zoo_chain *chain = zoo_chain_create(LINKS);
    dae_options options = fixed("newmark", "tangent", 1e-3);
    dae_solver *s = solver_for(dae_problem_mechanical(&chain->form), &options);
    for (size_t i = 0; i < 8 * LINKS; i++) start[i] = (double)NAN;
    zoo_chain_start(chain, start, start + 3 * LINKS);
    ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "450 velocities and 300 constraints"));
    dae_solver_free(s);
    zoo_chain_free(chain);
}
END_TEST

/* Fox-Goodwin with constraints on positions: a note at the start, and then the names of what does
 * not converge. */
START_TEST(failures_have_names)
{
    dae_options options = fixed("fox-goodwin", "index3", 0.1);
    zoo_mechanical named = zoo_pendulum_torque;
    named.form.about.variable = (const char *const[]){"x",  "y",    "angle", "vx",
                                                      "vy", "rate", "Rx",    "Ry"};
    dae_solver *s = begun(&named, &options);
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(s), "multiplied by 9.899 in each step"));
    ck_assert_int_eq(dae_solver_run(s, 100), DAE_NEWTON);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "Newton's iteration does not converge"));
    ck_assert_msg(strstr(dae_solver_message(s), "worst in y and in the equation of motion of vy") ||
                      strstr(dae_solver_message(s), " and in constraint "),
                  "%s", dae_solver_message(s));
    dae_solver_free(s);
}
END_TEST

UNIT_MAIN("solve/structural", 60, the_formulation_is_the_level_of_the_constraints,
          projected_after_the_step, what_is_left_open_suits_the_method, frequencies_are_reported,
          singular_configurations_are_passed, singular_configurations_are_passed_with_error_control,
          adaptive_steps_and_values_between_them, tangent_takes_a_method, unsuitable_pairs,
          large_systems, failures_have_names)
