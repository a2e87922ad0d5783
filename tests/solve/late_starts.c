/* Starts so late that the round-off of the time counts. */
#include "solve/models.h"

/* Seconds since 1970: the round-off of the time is larger than the shortest of first steps. */
START_TEST(late_starts)
{
    const double late = 1.7e9;
    double y[1];
    dae_options options = tolerance_of(1e-8);
    dae_solver *solver = solver_of(DECAY, &options);
    is_ok(solver, dae_solver_start(solver, late, NULL));
    is_ok(solver, dae_solver_run(solver, late + 1));
    is_ok(solver, dae_solver_at(solver, late + 1, y, NULL));
    ck_assert_double_eq_tol(y[0], exp(-1), 1e-5);
    dae_solver_free(solver);
    options.step = 1e-9;
    solver = solver_of(DECAY, &options);
    is_ok(solver, dae_solver_start(solver, late, NULL));
    ck_assert_int_eq(dae_solver_run(solver, late + 1), DAE_STEP_TOO_SMALL);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(solver), "longer ones are not allowed"));
    dae_solver_free(solver);
}
END_TEST

/* x + y = 0, y fixed on its stiff slow motion, and z = cos(t - T) with a guess that is off: the
 * round-off of the time times the stiffness does not excuse the guess. */
START_TEST(late_guesses_meet_the_equations)
{
    uint64_t state = 4;
    for (size_t k = 0; k < 12; k++) {
        double start = pow(10, scatter_between(&state, 3, 7)), y[3];
        double stiffness = pow(10, scatter_between(&state, 4, 8));
        double guess = 1 + 0.1 * scatter(&state);
        char model[600];
        start = scatter(&state) < 0 ? floor(start) : start;
        snprintf(model, sizeof model,
                 "model M Real x(start = 0, fixed = true), y(start = 0, fixed = true);\n"
                 "Real z(start = %.17g);\n"
                 "equation x + y = 0; der(x) = cos(time - %.17g) - 2*z;\n"
                 "der(y) = z - %.17g*(y - sin(time - %.17g)); end M;",
                 guess, start, stiffness, start);
        dae_options options = tolerance_of(1e-6);
        dae_solver *solver = solver_of(model, &options);
        is_ok(solver, dae_solver_start(solver, start, NULL));
        is_ok(solver, dae_solver_at(solver, start, y, NULL));
        ck_assert_msg(fabs(y[2] - 1) < 1e-6, "from %g: z = %.9g\n%s", guess, y[2], model);
        is_ok(solver, dae_solver_run(solver, start + 1));
        is_ok(solver, dae_solver_at(solver, start + 1, y, NULL));
        ck_assert_msg(fabs(y[2] - cos(1)) < 1e-4 + 1e-15 * stiffness * start, "z = %.9g\n%s", y[2],
                      model);
        dae_solver_free(solver);
    }
}
END_TEST

static double exact_v3(double begin, double end)
{
    /* 1e-4 v3'' + 0.01 v3' + v3 = 5 sin(50 t): v3 = A sin 50 t + B cos 50 t, and what decays */
    const double w = 50, a = 1 - 1e-4 * w * w, b = 0.01 * w, d = a * a + b * b;
    const double A = 5 * a / d, B = -5 * b / d, decay = 50, turns = sqrt(1e4 - decay * decay);
    double x0 = -(A * sin(w * begin) + B * cos(w * begin));
    double v0 = -w * (A * cos(w * begin) - B * sin(w * begin)), t = end - begin;
    double left = x0 * cos(turns * t) + (v0 + decay * x0) / turns * sin(turns * t);
    return A * sin(w * end) + B * cos(w * end) + exp(-decay * t) * left;
}

/* A circuit whose source moves by some tolerances within the round-off of the time: steps that miss
 * it are made shorter, and not as long again as a first step. A method that cannot says so at once.
 */
START_TEST(a_late_source)
{
    static const char circuit[] =
        "model M Real v1, v2, v3(start = 0, fixed = true), i(start = 0, fixed = true);\n"
        "equation v1 = 5*sin(50*time); v1 - v2 = 10*i; 0.1*der(i) = v2 - v3;\n"
        "1e-3*der(v3) = i; end M;";
    static const char *const method[] = {"auto", "state-space-dop853", "radau-iia3", "bdf"};
    double end[4];
    for (size_t k = 0; k < 4; k++) {
        dae_options options = tolerance_of(1e-6);
        options.method = method[k];
        options.max_steps = 5000;
        dae_solver *solver = solver_of(circuit, &options);
        is_ok(solver, dae_solver_start(solver, 1e8, NULL));
        dae_status status = dae_solver_run(solver, 1e8 + 0.5);
        ck_assert_msg(status == DAE_OK || (k > 0 && status == DAE_STEP_TOO_SMALL), "%s: %s",
                      method[k], dae_solver_message(solver));
        if (status == DAE_OK) {
            is_ok(solver, dae_solver_at(solver, 1e8 + 0.5, end, NULL));
            double v3 = exact_v3(1e8, 1e8 + 0.5);
            ck_assert_msg(fabs(end[2] - v3) < 1e-3, "%s: %g", method[k], end[2] - v3);
        }
        dae_solver_free(solver);
    }
}
END_TEST

UNIT_MAIN("solve/late_starts", 30, late_starts, late_guesses_meet_the_equations, a_late_source)
