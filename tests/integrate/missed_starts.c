/* Multistep methods from a point that misses an algebraic equation: brought back to it. */
#include "integrate/bdf_parts.h"
#include "integrate/example.h"

static const char *const names[] = {"bdf", "mebdf"};

/* y' = z, 0 = z - 1. */
static void slope_of_one(double t, const double *y, double *f)
{
    (void)t;
    f[0] = y[1], f[1] = y[1] - 1;
}

static void slope_of_one_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = 0, j[1] = 1, j[2] = 0, j[3] = 1;
}

/* Such a z changes at once, however short the step. */
START_TEST(an_algebraic_variable_is_brought_back)
{
    example e;
    const double y[2] = {0, 1.01}, yp[2] = {1.01, 0};
    begin(&e, 2, 1, slope_of_one, slope_of_one_slope);
    engine *g = engine_for(&e, names[_i], (engine_options){.rtol = 1e-6, .atol = 1e-6});
    engine_start(g, 0, y, yp);
    while (g->t != 1) ck_assert_int_eq(engine_step(g, 1), DAE_OK);
    ck_assert_double_eq_tol(g->y[0], 1, 1e-5);
    ck_assert_double_eq_tol(g->y[1], 1, 1e-12);
    ck_assert_uint_lt(g->counts.steps + g->counts.rejected, 60);
    dispose(&e, g);
}
END_TEST

/* The same in x, y = (x_1 + x_2, x_2 - x_1): no unknown is algebraic by itself. */
static dae_status turned_residual(void *self, double t, const double *x, const double *xp,
                                  double *r)
{
    const double y[2] = {x[0] + x[1], x[1] - x[0]}, yp[2] = {xp[0] + xp[1], xp[1] - xp[0]};
    return example_residual(self, t, y, yp, r);
}

static dae_status turned_linearize(void *self, double t, const double *x, const double *xp)
{
    example *e = self;
    const double y[2] = {x[0] + x[1], x[1] - x[0]};
    dae_status status = example_linearize(self, t, y, xp);
    for (size_t i = 0; i < 2; i++) {
        double first = e->by_y[i], second = e->by_y[2 + i];
        e->by_y[i] = first - second, e->by_y[2 + i] = first + second;
    }
    return status;
}

static engine *start_turned(example *e, problem_form *form, const char *name)
{
    static const double turned_mass[4] = {1, 0, 1, 0};
    const double x[2] = {-0.505, 0.505}, xp[2] = {0.505, 0.505};
    *form = example_form;
    form->residual = turned_residual;
    form->linearize = turned_linearize;
    begin(e, 2, 1, slope_of_one, slope_of_one_slope);
    e->dynamic[1] = true;
    e->problem.form = form;
    e->problem.by_yp = (problem_matrix){&e->full.pattern, turned_mass, NULL};
    engine *g = engine_for(e, name, (engine_options){.rtol = 1e-6, .atol = 1e-6});
    engine_start(g, 0, x, xp);
    return g;
}

START_TEST(so_is_a_combination)
{
    example e;
    problem_form form;
    engine *g = start_turned(&e, &form, names[_i]);
    while (g->t != 1) ck_assert_int_eq(engine_step(g, 1), DAE_OK);
    ck_assert_double_eq_tol(g->y[0] + g->y[1], 1, 1e-5);
    ck_assert_double_eq_tol(g->y[1] - g->y[0], 1, 1e-12);
    ck_assert_uint_lt(g->counts.steps + g->counts.rejected, 60);
    dispose(&e, g);
}
END_TEST

/* Of a change (1, 0) in y all is, of (0, 1) nothing. */
START_TEST(what_is_differentiated_is_reported)
{
    example e;
    problem_form form;
    engine *g = start_turned(&e, &form, "bdf");
    corrector *q = &((bdf *)g)->corrector;
    double first[2] = {0.5, 0.5}, second[2] = {-0.5, 0.5};
    while (g->t < 0.1 || q->factored == 0) ck_assert_int_eq(engine_step(g, 1), DAE_OK);
    for (int k = 0; k < 2; k++) g->stepping.weight[k] = g->stepping.effect_weight[k] = 1;
    ck_assert_double_eq_tol(corrector_norm_of_dynamic(q, first, 1), 0.5, 1e-14);
    for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(first[k], 0.5, 1e-14);
    ck_assert_double_eq_tol(corrector_norm_of_dynamic(q, second, 1), 0, 1e-14);
    dispose(&e, g);
}
END_TEST

/* x' = x, 0 = g(u) - g(x sin t), g(u) = u + u^3 / 10: u = exp(t) sin t. Where it comes back from
 * hundreds to 0 the slope of g falls by 1e4, and with an older one corrections are far too small.
 */
static void falling(double t, const double *y, double *f)
{
    double x = y[0] * sin(t), u = y[1];
    f[0] = y[0], f[1] = x + 0.1 * x * x * x - u - 0.1 * u * u * u;
}

static void falling_slope(double t, const double *y, double *j)
{
    double x = y[0] * sin(t), u = y[1];
    j[0] = 1, j[1] = 0, j[2] = (1 + 0.3 * x * x) * sin(t), j[3] = -1 - 0.3 * u * u;
}

START_TEST(an_iteration_that_ended_far_off_goes_on)
{
    for (double rtol = 1e-3; rtol > 1e-9; rtol /= 3) {
        example e;
        const double y[2] = {1, 0}, yp[2] = {1, 1};
        begin(&e, 2, 1, falling, falling_slope);
        engine *g = engine_for(&e, names[_i], (engine_options){.rtol = rtol, .atol = rtol});
        engine_start(g, 0, y, yp);
        while (g->t != 10)
            ck_assert_msg(engine_step(g, 10) == DAE_OK, "%g: stops at %g", rtol, g->t);
        ck_assert_double_eq_tol(g->y[1] / (exp(10) * sin(10)), 1, 20 * rtol);
        dispose(&e, g);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    unit_loop(tests, an_algebraic_variable_is_brought_back, 0, 2);
    unit_loop(tests, so_is_a_combination, 0, 2);
    unit_loop(tests, an_iteration_that_ended_far_off_goes_on, 0, 2);
    tcase_add_test(tests, what_is_differentiated_is_reported);
    return unit_run("integrate/missed_starts", tests);
}
