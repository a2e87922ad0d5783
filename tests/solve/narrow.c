/* Assertions that fail for a shorter time than a step takes are found, at the instant at which they
 * begin to fail; those that hold all the time end nothing. */
#include "solve/models.h"

static const char *const METHODS[] = {"auto",   "radau-iia5", "bdf",    "mebdf",
                                      "dopri5", "rodas5p",    "esdirk4"};

/* x = t and s = sin(t) up to t = 3. */
static dae_solver *run(const char *assertion, const char *method, dae_status *status)
{
    char model[500];
    snprintf(model, sizeof model,
             "model M Real x(start = 0, fixed = true), s(start = 0, fixed = true);\n"
             "  Real c(start = 1, fixed = true);\n"
             "equation der(x) = 1; der(s) = c; der(c) = -s; assert(%s); end M;",
             assertion);
    dae_options o = tolerance_of(1e-9);
    o.method = method;
    dae_solver *solver = solver_of(model, &o);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    *status = dae_solver_run(solver, 3);
    return solver;
}

static const struct {
    const char *assertion;
    double at; /* where it fails; 0: nowhere */
} rows[] = {
    {"x < 0.5 or x > 0.50001, \"gap\"", 0.5},
    {"noEvent(x <= 2.25 or x >= 2.2501), \"gap\"", 2.25},
    {"(x < 1.5 or x > 1.50001) and (x < 2.5 or x > 2.50001), \"two gaps\"", 1.5},
    {"x < 0.5 or x > 0.50001 or s < 0.7, \"elsewhere\"", 0},
    {"s < 0.9999999, \"peak\"", 1.5703491127}, /* asin(0.9999999) */
    {"s < 1.00001, \"above the peak\"", 0},
    {"c*c > 1e-7, \"valley\"", 1.5704800990}, /* acos(sqrt(1e-7)) */
};

START_TEST(short_violations_are_found)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (size_t m = 0; m < sizeof METHODS / sizeof *METHODS; m++) {
            dae_status status;
            dae_solver *solver = run(rows[k].assertion, METHODS[m], &status);
            const char *words = dae_solver_message(solver), *at = strstr(words, "at t = ");
            ck_assert_msg(status == (rows[k].at > 0 ? DAE_ASSERTION : DAE_OK), "%s, %s: %s",
                          rows[k].assertion, METHODS[m], words);
            if (rows[k].at > 0)
                ck_assert_msg(fabs(strtod(at + 7, NULL) - rows[k].at) <= 1e-5, "%s, %s: %s",
                              rows[k].assertion, METHODS[m], words);
            dae_solver_free(solver);
        }
    }
}
END_TEST

/* The run goes on, and the instant is noted. */
START_TEST(short_warnings_are_noted)
{
    dae_status status;
    dae_solver *solver = run("x < 0.5 or x > 0.50001, \"gap\", AssertionLevel.warning", "auto",
                             &status);
    is_ok(solver, status);
    const char *notes = dae_solver_notes(solver);
    ck_assert_msg(strstr(notes, "assertion at t = 0.5: gap"), "%s", notes);
    dae_solver_free(solver);
}
END_TEST

/* A step that ends the run at an assertion has warnings on its way, each at its own instant. */
START_TEST(warnings_before_the_end)
{
    dae_status status;
    dae_solver *solver = run("x < 0.3, \"warm\", AssertionLevel.warning); assert(x < 0.5, \"hot\"",
                             "auto", &status);
    ck_assert_int_eq(status, DAE_ASSERTION);
    const char *notes = dae_solver_notes(solver);
    ck_assert_msg(strstr(notes, "assertion at t = 0.3: warm"), "%s", notes);
    dae_solver_free(solver);
}
END_TEST

/* What an event prevents is no violation: h is below 0.1 nowhere. */
START_TEST(an_event_comes_first)
{
    dae_options o = tolerance_of(1e-8);
    double h = end_of("model Ball Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                      "equation der(h) = v; der(v) = -9.81; assert(h > 0.0999999, \"low\");\n"
                      "  when h < 0.1 then reinit(v, -pre(v)); end when; end Ball;",
                      &o, 2 * sqrt(2 * 0.9 / 9.81), "h");
    ck_assert_double_eq_tol(h, 1, 1e-6);
}
END_TEST

UNIT_MAIN("solve/narrow", 60, short_violations_are_found, short_warnings_are_noted,
          warnings_before_the_end, an_event_comes_first)
