/* Roots at their ends, where values are finite and slopes are not: a guarded root, as of a tank
 * that runs empty, and flows that turn. */
#include "solve/models.h"

#include <math.h>

static const char *const METHODS[] = {"auto",    "radau-iia3",      "radau-iia5", "radau",
                                      "rodas5p", "esdirk4",         "kvaerno5",   "mebdf",
                                      "gauss2",  "projected-gauss2"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

static void ends_at(const char *model, double stop, const char *name, double value)
{
    static const double RTOL[] = {1e-4, 1e-6};
    for (int m = 0; m < METHODS_COUNT; m++) {
        for (int k = 0; k < 2; k++) {
            dae_options options = dae_options_default();
            options.method = METHODS[m];
            options.rtol = options.atol = RTOL[k];
            double end = end_of(model, &options, stop, name);
            ck_assert_msg(fabs(end - value) < 20 * RTOL[k], "%s, rtol %g: %.9g is not %.9g\n%s",
                          METHODS[m], RTOL[k], end, value, model);
        }
    }
}

/* h = (1 - t)^2 until 1 */
START_TEST(a_tank_runs_empty)
{
    static const char TANK[] = "model Tank Real h(start = 1, fixed = true), q;\n"
                               "equation q = 2*sqrt(max(h, 0)); der(h) = -q; end Tank;";
    ends_at(TANK, 0.5, "h", 0.25);
    ends_at(TANK, 3, "h", 0);
}
END_TEST

/* s - 0.02 sqrt(s) falls ... until s = 0: 1 - s + 0.02 (1 - sqrt(s)) = t, so that s = 0 at 1.02 */
START_TEST(a_substrate_is_used_up)
{
    static const char CELLS[] =
        "model Cells Real s(start = 1, fixed = true), p(start = 0, fixed = true), r;\n"
        "equation r = max(s, 0)^0.5/(0.01 + max(s, 0)^0.5); der(s) = -r; der(p) = r; end Cells;";
    ends_at(CELLS, 2, "p", 1);
}
END_TEST

/* Of d = p1 - p2, d' = sin t - 2 sign(d) sqrt |d|, by another program. */
START_TEST(a_flow_begins_between_equal_pressures)
{
    static const char TANKS[] =
        "model Tanks Real p1(start = 1, fixed = true), p2(start = 1, fixed = true), q;\n"
        "equation q = sign(p1 - p2)*sqrt(abs(p1 - p2)); der(p1) = sin(time) - q; der(p2) = q;\n"
        "end Tanks;";
    ends_at(TANKS, 3, "p1", 2.0136045);
    ends_at(TANKS, 3, "p2", 1.9763880);
}
END_TEST

/* An unguarded root ends the run, and the message says what a guard is. */
START_TEST(a_root_that_ends)
{
    dae_problem *read = problem_of("model Open Real h(start = 1, fixed = true);\n"
                                   "equation der(h) = -2*sqrt(h); end Open;");
    dae_options options = dae_options_default();
    dae_solver *solver = dae_solver_create(read, &options);
    dae_problem_free(read);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    ck_assert_int_ne(dae_solver_run(solver, 2), DAE_OK);
    const char *said = dae_solver_message(solver);
    ck_assert_msg(strstr(said, "the root of h") && strstr(said, "max(h, 0)"), "%s", said);
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/roots", 60, a_tank_runs_empty, a_substrate_is_used_up,
          a_flow_begins_between_equal_pressures, a_root_that_ends)
