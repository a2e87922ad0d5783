/* The first step of variable BDF after a start: what makes it short, and what it knows of the
 * start before. */
#include "integrate/example.h"

/* y_1' = 1, 0 = y_2 - 1e6 t. */
static void beside_a_steep_line(double t, const double *y, double *f)
{
    f[0] = 1, f[1] = y[1] - 1e6 * t;
}

static void beside_a_steep_line_slope(double t, const double *y, double *j)
{
    const double entries[4] = {0, 0, 0, 1};
    (void)t, (void)y;
    memcpy(j, entries, sizeof entries);
}

/* Formulas of order 1 are exact for lines, whatever the step, and an algebraic variable brings no
 * error of its own. */
START_TEST(change_of_an_algebraic_variable_is_no_error)
{
    example e;
    const double y[2] = {0, 0}, yp[2] = {1, 0};
    double found[2];
    begin(&e, 2, 1, beside_a_steep_line, beside_a_steep_line_slope);
    engine *g = engine_for(&e, "bdf", (engine_options){0});
    engine_start(g, 0, y, yp);
    while (g->t < 1) {
        ck_assert_int_eq(engine_step(g, 1), DAE_OK);
        for (double x = 0.25; x <= 1; x += 0.25) {
            double t = g->dense.t + x * g->dense.h;
            dense_output_evaluate(engine_polynomial(g), t, found, NULL);
            ck_assert_double_eq_tol(found[0], t, 1e-12);
            ck_assert_double_eq_tol(found[1], 1e6 * t, 1e-6);
        }
    }
    ck_assert_uint_eq(g->counts.rejected, 0);
    dispose(&e, g);
}
END_TEST

/* y_1' = -sin t, 0 = y_2 - 1000 y_1. */
static void amplified(double t, const double *y, double *f)
{
    f[0] = -sin(t), f[1] = y[1] - 1000 * y[0];
}

static void amplified_slope(double t, const double *y, double *j)
{
    const double entries[4] = {0, 0, -1000, 1};
    (void)t, (void)y;
    memcpy(j, entries, sizeof entries);
}

/* An error of the other variables goes to an algebraic one, and its tolerance then bounds the
 * step. */
START_TEST(errors_go_to_algebraic_variables)
{
    example e;
    const double y[2] = {1 + cos(0.5), 1000 * (1 + cos(0.5))}, yp[2] = {-sin(0.5), 0};
    begin(&e, 2, 1, amplified, amplified_slope);
    const double atols[] = {1, 1e-4};
    engine *g = engine_for(&e, "bdf", (engine_options){.rtol = 1e-9, .atols = atols});
    engine_start(g, 0.5, y, yp);
    ck_assert_int_eq(engine_step(g, 1), DAE_OK);
    ck_assert_double_eq_tol(g->y[1], 1000 * (1 + cos(g->t)), 1e-4);
    dispose(&e, g);
}
END_TEST

/* y_1' = 1, 0 = y_2 - 1000 y_1^2. */
static void bend(double t, const double *y, double *f)
{
    (void)t;
    f[0] = 1, f[1] = y[1] - 1000 * y[0] * y[0];
}

static void bend_slope(double t, const double *y, double *j)
{
    const double entries[4] = {0, 0, -2000 * y[0], 1};
    (void)t;
    memcpy(j, entries, sizeof entries);
}

/* The polynomial of the first step is a line in y_2, which bends away from it by 250 h^2. */
START_TEST(bends_of_algebraic_variables_count)
{
    example e;
    const double y[2] = {0.1, 10}, yp[2] = {1, 0};
    double found[2];
    begin(&e, 2, 1, bend, bend_slope);
    engine *g = engine_for(&e, "bdf", (engine_options){.first_step = 0.1});
    engine_start(g, 0.1, y, yp);
    ck_assert_int_eq(engine_step(g, 1), DAE_OK);
    double t = g->dense.t + 0.5 * g->dense.h;
    dense_output_evaluate(engine_polynomial(g), t, found, NULL);
    ck_assert_double_eq_tol(found[1], 1000 * t * t, 1e-6 * (1 + 1000 * t * t));
    dispose(&e, g);
}
END_TEST

static const double STIFF = 1e3;

/* y_1 follows a ramp, y_1' = STIFF (t - y_1), y_2' = 1e-2. From y_1 = 0 at t = 0 it first has to
 * take up the slope: y_1 = t - (1 - exp(-STIFF t)) / STIFF, which its slope 0 does not show. */
static void follow_ramp(double t, const double *y, double *f)
{
    f[0] = STIFF * (t - y[0]), f[1] = 1e-2;
}

static void follow_ramp_slope(double t, const double *y, double *j)
{
    const double entries[4] = {-STIFF, 0, 0, 0};
    (void)t, (void)y;
    memcpy(j, entries, sizeof entries);
}

/* Starts and makes the first step. Returns its length. */
static double first_step(engine *g, double y_1)
{
    const double y[2] = {y_1, 0}, yp[2] = {-STIFF * y_1, 1e-2};
    engine_start(g, 0, y, yp);
    ck_assert_int_eq(engine_step(g, 100), DAE_OK);
    return g->dense.h;
}

START_TEST(a_start_repeats_no_failures_of_the_last)
{
    example e;
    begin(&e, 2, 2, follow_ramp, follow_ramp_slope);
    engine *g = engine_for(&e, "bdf", (engine_options){0});
    double h = first_step(g, 0);
    size_t rejected = g->counts.rejected;
    ck_assert_uint_gt(rejected, 1);
    ck_assert_double_eq_tol(first_step(g, 0), h, 1e-3 * h);
    ck_assert_uint_eq(g->counts.rejected, rejected);
    dispose(&e, g);
}
END_TEST

/* On the ramp itself, y_1 = t - 1 / STIFF, there is no transient. */
START_TEST(short_first_steps_are_forgotten)
{
    example e;
    begin(&e, 2, 2, follow_ramp, follow_ramp_slope);
    engine *g = engine_for(&e, "bdf", (engine_options){0});
    double usual = first_step(g, -1 / STIFF), last = 0;
    first_step(g, 0);
    for (int k = 0; k < 20; k++) {
        double h = first_step(g, -1 / STIFF);
        ck_assert_double_ge(h, last);
        last = h;
    }
    ck_assert_double_eq(last, usual);
    dispose(&e, g);
}
END_TEST

UNIT_MAIN("integrate/first_steps", 20, change_of_an_algebraic_variable_is_no_error,
          errors_go_to_algebraic_variables, bends_of_algebraic_variables_count,
          a_start_repeats_no_failures_of_the_last, short_first_steps_are_forgotten)
