/* Algebraic variables beside a state that grows by six decades: their errors are what the equations
 * make of those of the states, and no run stops where one of them falls through 0. */
#include "solve/models.h"

static const double END = 14;

/* u + u^3 / 10 is monotone: u = p = exp(t) sin t, which is 0 at each multiple of pi. */
static const char FALLING[] =
    "model Falling Real x(start = 1, fixed = true), p, u(start = 0);\n"
    "equation der(x) = x; p = x*sin(time); u + u^3/10 = p + p^3/10; end Falling;";

/* u = x - w = sin t: two large states that differ by little. */
static const char CANCELLING[] =
    "model Cancelling Real x(start = 1, fixed = true), w(start = 1, fixed = true), d;\n"
    "  Real u(start = 0);\n"
    "equation der(x) = x; der(w) = w + sin(time) - cos(time); d = x - w;\n"
    "  u + u^3/10 = d + d^3/10; end Cancelling;";

static dae_solver *run_to_end(const char *model, const char *name, double tolerance)
{
    dae_options options = dae_options_default();
    options.method = name;
    options.rtol = options.atol = tolerance;
    options.keep_trajectory = true;
    dae_solver *solver = solver_of(model, &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    is_ok(solver, dae_solver_run(solver, END));
    return solver;
}

/* Where |u| falls by much in one step, what that step left of its equation is large for the next,
 * however short that is. */
START_TEST(no_run_stops_where_an_algebraic_variable_falls)
{
    static const char *const names[] = {"radau-iia3", "radau",  "rodas4", "esdirk4",
                                        "bdf",        "gauss2", "gauss3"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (double tolerance = 1e-3; tolerance > 5e-6; tolerance /= 10) {
            dae_solver *solver = run_to_end(FALLING, names[k], tolerance);
            for (double t = 0; t <= END; t += 0.01) {
                double y[3], wanted = exp(t) * sin(t);
                is_ok(solver, dae_solver_at(solver, t, y, NULL));
                ck_assert_msg(fabs(y[2] - wanted) < tolerance * exp(t), "%s, %g: %g at %g",
                              names[k], tolerance, y[2] - wanted, t);
            }
            dae_solver_free(solver);
        }
}
END_TEST

/* The error of u is that of x - w, many tolerances of u, and nothing more. */
START_TEST(an_algebraic_error_is_that_of_the_states)
{
    const double tolerance = 1e-6;
    double most = 0;
    dae_solver *solver = run_to_end(CANCELLING, "radau-iia3", tolerance);
    for (double t = 0; t <= END; t += 0.01) {
        double y[4];
        is_ok(solver, dae_solver_at(solver, t, y, NULL));
        ck_assert_double_le(fabs(y[3] - (y[0] - y[1])), 8 * DBL_EPSILON * exp(t));
        ck_assert_double_le(fabs(y[0] - exp(t)), tolerance * exp(t));
        most = fmax(most, fabs(y[3] - sin(t)));
    }
    ck_assert_double_gt(most, 100 * tolerance);
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/growing", 60, no_run_stops_where_an_algebraic_variable_falls,
          an_algebraic_error_is_that_of_the_states)
