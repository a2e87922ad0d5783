/* Equations of index 2 as given, whose differential variable is known from the constraint alone, so
 * that nothing but the algebraic one says how long a step may be. */
#include "solve/equations.h"

/* x' = z, 0 = x - exp(t) */
static int driven_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)x, (void)user;
    f[0] = z[0];
    return 0;
}

static int driven_g(double t, const double *x, const double *z, double *g, void *user)
{
    (void)z, (void)user;
    g[0] = x[0] - exp(t);
    return 0;
}

static dae_solver *driven_by(const char *method, double rtol)
{
    static const double start[2] = {1, 1};
    static const unsigned char index[2] = {1, 2};
    const dae_semi_explicit_form form = {
        .nx = 1, .nz = 1, .f = driven_f, .g = driven_g, .about.index = index};
    dae_options options = tolerance_of(rtol);
    options.method = method;
    options.formulation = "direct";
    dae_solver *solver = solver_for(dae_problem_semi_explicit(&form), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    return solver;
}

/* It counts with the step h, so that its error is the tolerance over h, and falls with it. */
START_TEST(algebraic_variables_count)
{
    static const char *const name[] = {"radau-iia3", "sdirk-hw16", "kvaerno3", "kvaerno4",
                                       "kvaerno5",   "esdirk3",    "esdirk4",  "esdirk5"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        for (double rtol = 1e-4; rtol > 1e-7; rtol /= 100) {
            double y[2];
            dae_solver *solver = driven_by(name[k], rtol);
            is_ok(solver, dae_solver_run(solver, 1));
            is_ok(solver, dae_solver_at(solver, 1, y, NULL));
            double error = fabs(y[1] - exp(1)) / rtol;
            ck_assert_msg(error < 10 + 5 * (double)dae_solver_stats(solver)->steps,
                          "%s, %g: %g tolerances in %zu steps", name[k], rtol, error,
                          dae_solver_stats(solver)->steps);
            dae_solver_free(solver);
        }
    }
}
END_TEST

START_TEST(what_counts_less_is_said)
{
    dae_solver *solver = driven_by("kvaerno3", 1e-6);
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(solver), "the error test of kvaerno3 counts with "
                                                           "the step what has index 2"));
    dae_solver_free(solver);
    solver = driven_by("radau-iia3", 1e-6);
    ck_assert_str_eq(dae_solver_notes(solver), "");
    dae_solver_free(solver);
}
END_TEST

START_TEST(an_index_that_is_not_said)
{
    static const double start[2] = {1, 1};
    const dae_semi_explicit_form form = {.nx = 1, .nz = 1, .f = driven_f, .g = driven_g};
    dae_options direct = dae_options_default();
    direct.formulation = "direct";
    dae_solver *solver[] = {solver_for(dae_problem_semi_explicit(&form), &direct),
                            solver_for(decay_in_semi_explicit_form(true), NULL),
                            driven_by("radau-iia3", 1e-6),
                            solver_for(dae_problem_semi_explicit(&form), NULL)};
    is_ok(solver[0], dae_solver_start(solver[0], 0, start));
    is_ok(solver[3], dae_solver_start(solver[3], 0, start));
    is_ok(solver[1], dae_solver_start(solver[1], 0, (const double[]){1, 0}));
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(solver[0]), "found at the start: z1 of 2"));
    ck_assert_int_eq(dae_solver_stats(solver[0])->index, 2);
    ck_assert_str_eq(dae_solver_notes(solver[1]), "");
    ck_assert_str_eq(dae_solver_notes(solver[2]), "");
    ck_assert_str_eq(dae_solver_notes(solver[3]), ""); /* reduced, and nothing is to be said */
    ck_assert_int_eq(dae_solver_stats(solver[3])->index, 2);
    for (int k = 0; k < 4; k++) dae_solver_free(solver[k]);
}
END_TEST

/* x' = z1, 0 = x - cos t + z2 - z1, 0 = z2 - z1: no constraint stands by itself, and only the
 * derivative of a sum of two gives z1 = z2 = -sin t. */
static int hidden_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)x, (void)user;
    f[0] = z[0];
    return 0;
}

static int hidden_g(double t, const double *x, const double *z, double *g, void *user)
{
    (void)user;
    g[0] = x[0] - cos(t) + z[1] - z[0];
    g[1] = z[1] - z[0];
    return 0;
}

START_TEST(hidden_constraints_of_an_index_that_is_not_said)
{
    const double start[3] = {cos(0.5), (double)NAN, (double)NAN};
    const dae_semi_explicit_form form = {.nx = 1, .nz = 2, .f = hidden_f, .g = hidden_g};
    double y[3];
    dae_solver *solver = solver_for(dae_problem_semi_explicit(&form), NULL);
    is_ok(solver, dae_solver_start(solver, 0.5, start));
    is_ok(solver, dae_solver_at(solver, 0.5, y, NULL));
    ck_assert_double_eq_tol(y[0], cos(0.5), 1e-12);
    for (int k = 1; k < 3; k++) ck_assert_double_eq_tol(y[k], -sin(0.5), 1e-9);
    is_ok(solver, dae_solver_run(solver, 2));
    is_ok(solver, dae_solver_at(solver, 2, y, NULL));
    ck_assert_double_eq_tol(y[0], cos(2), 1e-5);
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/index_2", 30, algebraic_variables_count, what_counts_less_is_said,
          an_index_that_is_not_said, hidden_constraints_of_an_index_that_is_not_said)
