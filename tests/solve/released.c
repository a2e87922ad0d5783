/* Of bodies in a row that friction holds, one after the other is released: what that costs. */
#include "solve/model_simulation.h"
#include "solve/models.h"
#include "solve/solver.h"

enum { BODIES = 10, UNKNOWNS = 3 * BODIES + 1 };

/* A row of sliders between springs, pulled at one end. Friction holds the first one until the
 * spring exerts its force: 50 * 0.05 t = 0.2. */
static const char TRAIN[] =
    "model Train parameter Integer n = 10; Real x[n](each start = 0, each fixed = true);\n"
    "  Real v[n](each start = 0, each fixed = true), f[n+1];\n"
    "equation f[1] = 50*(0.05*time - x[1]); f[n+1] = 0;\n"
    "  for i in 2:n loop f[i] = 50*(x[i-1] - x[i]); end for;\n"
    "  for i in 1:n loop\n"
    "    der(x[i]) = v[i]; der(v[i]) = f[i] - f[i+1] - 0.2*sign(v[i]) - 0.5*v[i];\n"
    "  end for; end Train;";

static size_t formulations_of(dae_solver *s)
{
    return model_simulation_of(s->simulation)->newest;
}

/* Equations of three sets of bodies are made for each that begins to stick, as the force of the
 * spring before it shows, and of one for each that is released: the others are judged by their
 * shares. Until t = 1 four are released, and no force has come to the last ones. */
START_TEST(one_formulation_for_each_release)
{
    dae_options o = tolerance_of(1e-8);
    double y[UNKNOWNS];
    dae_solver *s = solver_of(TRAIN, &o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, 0.0799));
    is_ok(s, dae_solver_at(s, 0.0799, y, NULL));
    for (size_t i = 0; i < 2 * BODIES; i++) ck_assert_double_eq_tol(y[i], 0, 1e-9);
    is_ok(s, dae_solver_run(s, 0.09));
    is_ok(s, dae_solver_run(s, 1));
    is_ok(s, dae_solver_at(s, 1, y, NULL));
    for (size_t i = 0; i < BODIES; i++)
        ck_assert_msg(i < 4 ? y[BODIES + i] > 1e-3 : fabs(y[BODIES + i]) < 1e-9, "v[%zu] = %g",
                      i + 1, y[BODIES + i]);
    ck_assert_uint_le(formulations_of(s), 3 * BODIES);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, one_formulation_for_each_release);
    return unit_run("solve/released", tests);
}
