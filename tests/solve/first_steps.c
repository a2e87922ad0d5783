/* What the first steps of a run evaluate. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

/* Heat along a rod with a source that saturates, whose steps are long parts of so short a run. */
static const char ROD[] =
    "model Rod parameter Integer n = 100; Real x[n](each start = 1, each fixed = true);\n"
    "equation der(x[1]) = x[2] - x[1];\n"
    "  for i in 2:n-1 loop der(x[i]) = (x[i-1] - 2*x[i] + x[i+1])*n^2 - sin(x[i])*i; end for;\n"
    "  der(x[n]) = x[n-1] - x[n]; end Rod;";

/* Each hundredth of the run is looked at once. What a tolerance makes of the rows is found at both
 * ends of the first step, and not at each of its points, which would take two more each. */
START_TEST(points_of_the_first_step)
{
    dae_solver *solver = solver_of(ROD, NULL);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    is_ok(solver, dae_solver_run(solver, 1e-8));
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_uint_eq(stats->steps, 1);
    ck_assert_uint_lt(stats->residual_calls, 150);
    dae_solver_free(solver);
}
END_TEST

/* A pulse of a state within the first step, of which neither end tells: y grows by its integral,
 * sqrt(pi) times its width over the rate of x. */
START_TEST(pulses_within_the_first_step)
{
    static const char *const METHOD[] = {"auto", "radau", "radau-iia5", "bdf", "rodas5p"};
    uint64_t state = 7;
    for (size_t k = 0; k < 20; k++) {
        char model[400];
        double way = pow(10, scatter_between(&state, -6, -1)), width = way / 50;
        double centre = 1 + way * scatter_between(&state, 0.2, 0.8), stop = 1e-3;
        snprintf(model, sizeof model,
                 "model M Real x(start = 1, fixed = true), y(start = 0, fixed = true), q;\n"
                 "equation der(x) = %.17g; q + 0.1*q^3 = exp(-((x - %.17g)/%.17g)^2);\n"
                 "  der(y) = %.17g*(q + 0.1*q^3); end M;",
                 way / stop, centre, width, way / stop / width);
        dae_options options = tolerance_of(1e-6);
        options.method = METHOD[k % (sizeof METHOD / sizeof *METHOD)];
        double found = end_of(model, &options, stop, "y");
        ck_assert_msg(fabs(found - sqrt(acos(-1.0))) <= 1e-2, "%s: y = %.17g\n%s", options.method,
                      found, model);
    }
}
END_TEST

UNIT_MAIN("solve/first_steps", 60, points_of_the_first_step, pulses_within_the_first_step)
