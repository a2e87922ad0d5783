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

UNIT_MAIN("solve/late_starts", 30, late_starts, late_guesses_meet_the_equations)
