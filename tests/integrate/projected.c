/* Projected methods and implicit ones on the state-space form: what holds at the end of each step,
 * beside the same method without it. */
#include "integrate/nonlinear.h"
#include "integrate/ring.h"

static const char *const projected[] = {"projected-gauss1",
                                        "projected-gauss2",
                                        "projected-gauss3",
                                        "projected-radau-ia2",
                                        "projected-radau-ia3",
                                        "projected-sdirk-hw18",
                                        "projected-collocation(0.2,0.7)"};

enum { PROJECTED = sizeof projected / sizeof *projected };

START_TEST(both_constraints_are_met_to_round_off)
{
    const char *name = projected[_i];
    example e;
    engine *g = start_ring(&e, name, 10, 1e-6);
    for (int k = 0; k < 10; k++) {
        ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
        ck_assert_msg(off_ring(g->y) < 4 * DBL_EPSILON, "%s: %g", name, off_ring(g->y));
        double error = fabs(g->y[2] - exp(g->t));
        ck_assert_msg(error < 1e-12, "%s: z %g", name, error);
    }
    dispose(&e, g);
}
END_TEST

START_TEST(without_projection_they_are_not)
{
    example e;
    engine *g = start_ring(&e, "radau-ia2", 10, 1e-6);
    for (int k = 0; k < 5; k++) ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
    ck_assert_double_gt(off_ring(g->y), 1e-5);
    ck_assert_double_gt(fabs(g->y[2] - exp(g->t)), 1e-3);
    dispose(&e, g);
}
END_TEST

/* From order s or s + 1 to 2s (Ascher & Petzold 1991). */
START_TEST(gauss_superconverges)
{
    double twice = log2(ring_error("projected-gauss2", 10) / ring_error("projected-gauss2", 20));
    double thrice = log2(ring_error("projected-gauss3", 5) / ring_error("projected-gauss3", 10));
    ck_assert_msg(fabs(twice - 4) < 0.3, "%g", twice);
    ck_assert_msg(fabs(thrice - 6) < 0.5, "%g", thrice);
}
END_TEST

/* z by the weights, as epsilon-embedding has it, leaves a residual; z of the state-space form does
 * not. */
static double worst_residual(const char *name, double *error)
{
    example e;
    double y[3], yp[3], f[3], worst = 0;
    begin(&e, 3, 2, nonlinear, nonlinear_slope);
    exact(0.2, y, yp);
    engine *g = engine_for(&e, name, (engine_options){.fixed_step = 0.1});
    engine_start(g, 0.2, y, yp);
    for (int k = 0; k < 10; k++) {
        ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
        nonlinear(g->t, g->y, f);
        worst = fmax(worst, fabs(f[2]));
    }
    exact(g->t, y, yp);
    *error = fabs(g->y[2] - y[2]);
    dispose(&e, g);
    return worst;
}

START_TEST(algebraic_equations_are_met_to_round_off)
{
    static const char *const name[] = {"state-space-gauss2", "state-space-lobatto-iiib3",
                                       "state-space-lobatto-iiicstar3", "state-space-radau-ia2",
                                       "projected-gauss2"};
    double error, weights;
    ck_assert_double_gt(worst_residual("gauss2", &weights), 1e-5);
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        double worst = worst_residual(name[k], &error);
        ck_assert_msg(worst < 1e-15, "%s: %g", name[k], worst);
        ck_assert_msg(error < weights / 5, "%s: z %g, by the weights %g", name[k], error, weights);
    }
}
END_TEST

/* The projected state is where the next step begins. */
START_TEST(errors_follow_the_tolerance)
{
    double before = 1;
    for (double rtol = 1e-3; rtol > 1e-8; rtol /= 100) {
        example e;
        engine *g = start_ring(&e, "projected-gauss3", 0, rtol);
        while (g->t < 1.2) ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
        double error = angle_error(1.2, g->y);
        ck_assert_msg(error < 10 * rtol && error < before, "%g: %g", rtol, error);
        ck_assert_double_lt(fabs(g->y[2] - exp(1.2)), 10 * rtol);
        before = error;
        dispose(&e, g);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, both_constraints_are_met_to_round_off, 0, PROJECTED);
    tcase_add_test(tests, without_projection_they_are_not);
    tcase_add_test(tests, gauss_superconverges);
    tcase_add_test(tests, algebraic_equations_are_met_to_round_off);
    tcase_add_test(tests, errors_follow_the_tolerance);
    return unit_run("integrate/projected", tests);
}
