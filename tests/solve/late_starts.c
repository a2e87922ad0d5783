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
    ck_assert_ptr_nonnull(strstr(dae_solver_message(solver), "longer steps have to be allowed"));
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/late_starts", 30, late_starts)
