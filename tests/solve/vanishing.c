/* Drawn equations in which the factor of a derivative is 0 where the run starts, and not beside it:
 * each method is right or says that it cannot begin there. One that takes such an equation for a
 * constraint, because no derivative shows in its Jacobian there, keeps it for the whole run. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto",
                                      "radau-iia3",
                                      "radau-iia5",
                                      "bdf",
                                      "mebdf",
                                      "hedop5",
                                      "projected-gauss2",
                                      "projected-gauss3",
                                      "state-space-dopri5",
                                      "state-space-gauss3"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, TEXT = 500, DRAWN = 12 };

static const double RTOL[] = {1e-4, 1e-6, 1e-8};

/* t y' = t s' - k (y - s) has y = s alone that is smooth at t = 0; z + z^3/10 + y^2 = 0. */
static double draw(char *model, uint64_t *state)
{
    double w = scatter_between(state, 0.5, 3), b = scatter_between(state, -1, 1),
           k = scatter_between(state, 0.3, 3);
    snprintf(model, TEXT,
             "model M Real s, y(start = 1), z(start = -0.9); equation s = cos(%.17g*time) + "
             "(%.17g)*time;\n"
             "time*der(y) = time*(%.17g - %.17g*sin(%.17g*time)) - %.17g*(y - s);\n"
             "z + y^2 + 0.1*z^3 = 0; end M;",
             w, b, b, w, w, k);
    return cos(w) + b;
}

START_TEST(factors_that_vanish_at_the_start)
{
    uint64_t state = 35;
    for (size_t k = 0; k < DRAWN; k++) {
        char model[TEXT];
        double exact = draw(model, &state), y[3];
        for (size_t i = 0; i < sizeof RTOL / sizeof *RTOL; i++) {
            dae_options options = tolerance_of(RTOL[i]);
            options.method = METHODS[_i];
            dae_solver *solver = solver_of(model, &options);
            dae_status status = dae_solver_start(solver, 0, NULL);
            if (status == DAE_OK) status = dae_solver_run(solver, 1);
            double off = 0;
            if (status == DAE_OK) {
                is_ok(solver, dae_solver_at(solver, 1, y, NULL));
                off = fabs(y[1] - exact) / (RTOL[i] * (1 + fabs(exact)));
            }
            ck_assert_msg(off < 100, "%s, %g: off by %g tolerances\n%s", METHODS[_i], RTOL[i], off,
                          model);
            ck_assert_msg(status == DAE_OK || _i >= 5, "%s, %g: %s\n%s", METHODS[_i], RTOL[i],
                          dae_solver_message(solver), model);
            dae_solver_free(solver);
        }
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, factors_that_vanish_at_the_start, 0, METHODS_COUNT);
    return unit_run("solve/vanishing", tests);
}
