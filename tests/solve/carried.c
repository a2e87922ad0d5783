/* Drawn models in which an algebraic variable holds L times a state, L being large: what is little
 * of the state is much of that variable, and explicit methods at their border of stability are off
 * by about a tolerance of the state. And notes on equations that are integrated as they are given.
 */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto",   "radau-iia3",         "bdf",
                                      "mebdf",  "projected-gauss3",   "state-space-gauss3",
                                      "hedop5", "state-space-dopri5", "rodas5p"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, TEXT = 500, DRAWN = 12 };

static const double RTOL[] = {1e-4, 1e-5, 1e-6};

/* x1 = sin t, x2 = cos t, z = s(t) on the constraint x1 + c x2. */
static double draw(char *model, uint64_t *state)
{
    double L = pow(10, 3 + 1.7 * scatter(state)), c = 0.4 + 0.3 * scatter(state);
    double w = 1.5 + scatter(state);
    snprintf(
        model, TEXT,
        "model M Real s, x1(start = 0, fixed = true), x2(start = 1), z;\n"
        "equation s = sin(%.17g*time); der(x1) = -%.17g*(x1 - sin(time)) + cos(time) + z - s;\n"
        "der(x2) = -x2 + z - s + cos(time) - sin(time);\n"
        "x1 + %.17g*x2 = sin(time) + %.17g*cos(time); end M;",
        w, L, c, c);
    return sin(w);
}

START_TEST(what_is_little_of_a_state)
{
    uint64_t state = 36;
    for (size_t k = 0; k < DRAWN; k++) {
        char model[TEXT];
        double exact = draw(model, &state);
        for (size_t i = 0; i < sizeof RTOL / sizeof *RTOL; i++) {
            dae_options options = tolerance_of(RTOL[i]);
            options.method = METHODS[_i];
            double z = end_of(model, &options, 1, "z");
            double off = fabs(z - exact) / (RTOL[i] * (1 + fabs(exact)));
            ck_assert_msg(off < 30, "%s, %g: off by %g tolerances\n%s", METHODS[_i], RTOL[i], off,
                          model);
        }
    }
}
END_TEST

static void check_noted(const char *model, const char *method, double step, const char *words)
{
    dae_options options = tolerance_of(1e-5);
    options.formulation = "direct";
    options.method = method;
    options.step = step;
    dae_solver *solver = solver_of(model, &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    ck_assert_msg(strstr(dae_solver_notes(solver), words), "%s: %s", method,
                  dae_solver_notes(solver));
    dae_solver_free(solver);
}

START_TEST(a_high_index_as_given_is_noted)
{
    static const char chain[] = "model Chain Real a, b, c(start = 0), d; equation a = sin(time);\n"
                                "der(a) = b; der(b) = c; der(c) = d; end Chain;";
    static const char *const names[] = {"auto", "radau-iia3", "radau", "mebdf", "implicit-euler"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        check_noted(PENDULUM, names[k], 0, "less accurate than the tolerance says");
        check_noted(chain, names[k], 0, "promises nothing beyond 3");
    }
    check_noted(chain, "radau-iia3", 0.01, "promises nothing beyond 3");
    check_noted(chain, "bdf3", 0.01, "promises nothing beyond 3");
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, what_is_little_of_a_state, 0, METHODS_COUNT);
    tcase_add_test(tests, a_high_index_as_given_is_noted);
    return unit_run("solve/carried", tests);
}
