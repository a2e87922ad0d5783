/* The engine of Runge-Kutta methods, step by step: what Radau IIA does to polynomials and to linear
 * equations is known exactly, its order on nonlinear ones too, and the step control has to keep
 * what it promises. */
#include "integrate/linear.h"

/* One step multiplies by R(z) = (1 + 2z/5 + z^2/20) / (1 - 3z/5 + 3z^2/20 - z^3/60) exactly
 * (Hairer & Wanner II, Table IV.5.6, Ehle's second subdiagonal Pade approximation). */
START_TEST(one_step_is_the_stability_function)
{
    const double steps[] = {1e-3, 0.1, 1, 10, 1e6};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        example e;
        double y = 3, yp = -6, h = steps[k], z = -2 * h;
        double wanted = (1 + 0.4 * z + z * z / 20) / (1 - 0.6 * z + 0.15 * z * z - z * z * z / 60);
        begin(&e, 1, 1, decay, decay_slope);
        engine *g = engine_for(&e, "radau-iia3", (engine_options){.fixed_step = h});
        engine_start(g, 0, &y, &yp);
        ck_assert_int_eq(engine_step(g, h), DAE_OK);
        ck_assert(g->t == h);
        ck_assert_double_eq_tol(g->y[0], 3 * wanted, 32 * DBL_EPSILON);
        ck_assert_double_eq_tol(g->yp[0], -2 * g->y[0], 1e-13 * fmax(1, 6 / h));
        dispose(&e, g);
    }
}
END_TEST

static int power; /* of the right side */

static void monomial(double t, const double *y, double *f)
{
    (void)y;
    f[0] = (power + 1) * pow(t, power);
}

/* y' = (p+1) t^p: exact at the end of a step up to p = 2s-2, within it up to p = s-1. */
START_TEST(polynomials_are_exact)
{
    static const char *const name[] = {"implicit-euler", "radau-iia3", "radau-iia5", "radau-iia7"};
    const int stages[] = {1, 3, 5, 7};
    for (int k = 0; k < 4; k++) {
        int s = stages[k];
        for (power = 0; power <= 2 * s - 1; power++) {
            example e;
            double y = 0, yp = power == 0, inner, slope;
            begin(&e, 1, 1, monomial, no_slope);
            engine *g = engine_for(&e, name[k], (engine_options){.fixed_step = 1});
            engine_start(g, 0, &y, &yp);
            ck_assert_int_eq(engine_step(g, 1), DAE_OK);
            bool exact = fabs(g->y[0] - 1) < 64 * DBL_EPSILON;
            ck_assert_int_eq(exact, power <= 2 * s - 2);
            for (double x = 0.05; x < 1 && power < s; x += 0.1) {
                dense_output_evaluate(&g->dense, x, &inner, &slope);
                ck_assert_double_eq_tol(inner, pow(x, power + 1), 2000 * DBL_EPSILON);
                ck_assert_double_eq_tol(slope, (power + 1) * pow(x, power), 2e4 * DBL_EPSILON);
            }
            dispose(&e, g);
        }
    }
}
END_TEST

/* Nonlinear of index 1 in all variables, with the solution y = (cos t, exp(-t), sin t). */
static void nonlinear(double t, const double *y, double *f)
{
    f[0] = y[1] * y[2] - exp(-t) * sin(t) - sin(t);
    f[1] = -y[1] * y[1] * exp(t) + y[0] * y[2] - 0.5 * sin(2 * t);
    f[2] = y[2] + y[2] * y[0] * y[1] - sin(t) - 0.5 * sin(2 * t) * exp(-t);
}

static void nonlinear_slope(double t, const double *y, double *j)
{
    const double entries[9] = {0,    y[2],        y[1],        y[2],           -2 * y[1] * exp(t),
                               y[0], y[2] * y[1], y[2] * y[0], 1 + y[0] * y[1]};
    memcpy(j, entries, sizeof entries);
}

static void exact(double t, double *y, double *yp)
{
    y[0] = cos(t), y[1] = exp(-t), y[2] = sin(t);
    yp[0] = -sin(t), yp[1] = -exp(-t), yp[2] = cos(t);
}

static double error_of(const engine *g)
{
    double y[3], yp[3], worst = 0;
    exact(g->t, y, yp);
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(g->y[i] - y[i]));
    return worst;
}

static double fixed_step_error(const char *name, int steps, double from, double to)
{
    example e;
    double y[3], yp[3];
    begin(&e, 3, 2, nonlinear, nonlinear_slope);
    engine_options options = {.fixed_step = fabs(to - from) / steps,
                              .direction = to > from ? 1 : -1};
    engine *g = engine_for(&e, name, options);
    exact(from, y, yp);
    engine_start(g, from, y, yp);
    while (g->t != to) ck_assert_int_eq(engine_step(g, to), DAE_OK);
    ck_assert_uint_eq(g->counts.steps, (size_t)steps);
    double error = error_of(g);
    dispose(&e, g);
    return error;
}

/* Steps in the ratio 2 : 3 have errors in the ratio (3/2)^(2s-1), on differential and algebraic
 * variables alike. */
START_TEST(order_on_index_1)
{
    static const char *const name[] = {"implicit-euler", "radau-iia3"};
    const int stages[] = {1, 3}, steps[] = {64, 8};
    for (int k = 0; k < 2; k++) {
        for (int back = 0; back < 2; back++) {
            double from = back ? 2.2 : 0.2, to = back ? 0.2 : 2.2;
            double coarse = fixed_step_error(name[k], steps[k], from, to);
            double fine = fixed_step_error(name[k], steps[k] * 3 / 2, from, to);
            double slope = log(coarse / fine) / log(1.5);
            ck_assert_msg(slope > 2 * stages[k] - 1.4, "%d stages: %g, %g", stages[k], coarse,
                          fine);
            ck_assert_double_lt(fine, 0.05);
        }
    }
}
END_TEST

/* Over a decade of tolerances each: the error stays below 30 rtol and falls with it. */
START_TEST(error_control)
{
    double before = HUGE_VAL;
    size_t steps_before = 0;
    for (double tolerance = 1e-3; tolerance > 1e-11; tolerance /= 10) {
        example e;
        double y[3], yp[3], worst = 0, within = 0, inner[3];
        begin(&e, 3, 2, nonlinear, nonlinear_slope);
        engine_options options = {.rtol = tolerance, .atol = tolerance};
        engine *g = engine_for(&e, "radau-iia3", options);
        exact(0.2, y, yp);
        engine_start(g, 0.2, y, yp);
        while (g->t != 3) {
            ck_assert_int_eq(engine_step(g, 3), DAE_OK);
            worst = fmax(worst, error_of(g));
            for (double x = 0.1; x < 1; x += 0.2) {
                double t = g->dense.t + x * g->dense.h;
                dense_output_evaluate(&g->dense, t, inner, NULL);
                exact(t, y, yp);
                for (int i = 0; i < 3; i++) within = fmax(within, fabs(inner[i] - y[i]));
            }
        }
        ck_assert_msg(worst < 30 * tolerance, "%g: %g", tolerance, worst);
        ck_assert_msg(within < 30 * tolerance, "%g: %g within steps", tolerance, within);
        ck_assert_double_lt(worst, before);
        ck_assert_uint_ge(g->counts.steps, steps_before);
        ck_assert_uint_lt(g->counts.steps, 700);
        before = worst;
        steps_before = g->counts.steps;
        dispose(&e, g);
    }
}
END_TEST

/* y' = 200 (cos t - y) - sin t: stability bounds the steps of explicit methods, and what decays is
 * large within them (A. Prothero & A. Robinson, Math. Comp. 28 (1974)). */
static void pulled(double t, const double *y, double *f)
{
    f[0] = 200 * (cos(t) - y[0]) - sin(t);
}

static void pulled_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = -200;
}

/* The largest error at and between the ends of steps, over the tolerance. */
static double error_of_run(example *e, const char *name, double tolerance)
{
    engine_options options = {.rtol = tolerance, .atol = tolerance};
    engine *g = engine_for(e, name, options);
    double y[3], yp[3], inner[3], worst = 0;
    exact(0.2, y, yp);
    engine_start(g, 0.2, y, yp);
    while (g->t != 3) {
        ck_assert_int_eq(engine_step(g, 3), DAE_OK);
        for (int k = 1; k <= 10; k++) {
            double t = g->dense.t + 0.1 * k * g->dense.h;
            dense_output_evaluate(&g->dense, t, inner, NULL);
            exact(t, y, yp);
            for (size_t i = 0; i < g->problem->n; i++)
                worst = fmax(worst, fabs(inner[i] - y[i]) / tolerance);
        }
    }
    dispose(e, g);
    return worst;
}

/* Interpolants of lower order than their method are held at the tolerance as well, from the first
 * step on. */
START_TEST(error_within_steps)
{
    static const char *const explicit[] = {"dopri5", "dop853"};
    static const char *const diagonal[] = {"sdirk-hw16", "kvaerno3", "kvaerno4", "kvaerno5",
                                           "esdirk3",    "esdirk4",  "esdirk5"};
    for (double tolerance = 1e-4; tolerance > 1e-9; tolerance /= 100) {
        example e;
        for (size_t k = 0; k < sizeof explicit / sizeof *explicit; k++) {
            begin(&e, 1, 1, pulled, pulled_slope);
            double worst = error_of_run(&e, explicit[k], tolerance);
            ck_assert_msg(worst < 30, "%s, %g: %g", explicit[k], tolerance, worst);
        }
        for (size_t k = 0; k < sizeof diagonal / sizeof *diagonal; k++) {
            begin(&e, 3, 2, nonlinear, nonlinear_slope);
            double worst = error_of_run(&e, diagonal[k], tolerance);
            ck_assert_msg(worst < 30, "%s, %g: %g", diagonal[k], tolerance, worst);
        }
    }
}
END_TEST

/* The polynomial begins where the last one ended, and ends in the new state with its slope. */
START_TEST(dense_output_is_continuous)
{
    for (int back = 0; back < 2; back++) {
        example e;
        double y[3], yp[3], last[3], at[3], slope[3], end = back ? 0.2 : 3;
        begin(&e, 3, 2, nonlinear, nonlinear_slope);
        engine *g = engine_for(&e, "radau-iia3", (engine_options){.direction = back ? -1 : 1});
        exact(back ? 3 : 0.2, y, yp);
        engine_start(g, back ? 3 : 0.2, y, yp);
        while (g->t != end) {
            memcpy(last, g->y, sizeof last);
            double begun = g->t;
            ck_assert_int_eq(engine_step(g, end), DAE_OK);
            ck_assert(g->dense.t == begun);
            dense_output_evaluate(&g->dense, begun, at, NULL);
            for (int i = 0; i < 3; i++) ck_assert(at[i] == last[i]);
            dense_output_evaluate(&g->dense, g->t, at, slope);
            for (int i = 0; i < 3; i++) {
                ck_assert_double_eq_tol(at[i], g->y[i], 8 * DBL_EPSILON);
                ck_assert_double_eq_tol(slope[i], g->yp[i], 1e-12 / fabs(g->dense.h));
            }
        }
        ck_assert_double_lt(error_of(g), 1e-4);
        dispose(&e, g);
    }
}
END_TEST

static void stiff(double t, const double *y, double *f)
{
    f[0] = -1e6 * (y[0] - cos(t)) - sin(t);
}

static void stiff_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = -1e6;
}

/* Off the slow solution the first step is refused until it resolves the layer, of width 1e-6; after
 * it steps are as long as the slow solution allows. */
START_TEST(steps_are_refused)
{
    example e;
    double y = 0, yp = 1e6;
    begin(&e, 1, 1, stiff, stiff_slope);
    engine *g = engine_for(&e, "radau-iia3", (engine_options){.first_step = 0.5});
    engine_start(g, 0, &y, &yp);
    ck_assert_int_eq(engine_step(g, 10), DAE_OK);
    ck_assert_uint_gt(g->counts.rejected, 3);
    ck_assert_double_lt(g->t, 1e-5);
    while (g->t != 10) ck_assert_int_eq(engine_step(g, 10), DAE_OK);
    ck_assert_double_eq_tol(g->y[0], cos(10), 1e-6);
    ck_assert_uint_lt(g->counts.steps, 300);
    ck_assert_uint_eq(g->counts.attempts, g->counts.steps + g->counts.rejected);
    dispose(&e, g);
}
END_TEST

START_TEST(bounds_on_steps)
{
    example e;
    double y = 1, yp = -2;
    size_t steps = 0;
    begin(&e, 1, 1, decay, decay_slope);
    engine *g = engine_for(&e, "radau-iia3",
                           (engine_options){.max_step = 0.01, .first_step = 1e-3});
    engine_start(g, 0, &y, &yp);
    while (g->t != 1) {
        ck_assert_int_eq(engine_step(g, 1), DAE_OK);
        ck_assert_double_le(g->dense.h, 0.01 * 1.011); /* stretched to the end, never beyond */
        if (steps++ == 0) ck_assert_double_eq_tol(g->t, 1e-3, 1e-15);
        ck_assert_double_le(g->t, 1);
    }
    ck_assert_uint_ge(steps, 100);
    dispose(&e, g);
}
END_TEST

/* y = 1/(1-t) ends at 1, and values at 0.5 where `until` says so. */
START_TEST(where_the_solution_ends)
{
    const double until[] = {HUGE_VAL, 0.5}, last[] = {1, 0.5};
    for (int k = 0; k < 2; k++) {
        example e;
        double y = 1, yp = 1;
        begin(&e, 1, 1, square, square_slope);
        e.until = until[k];
        engine *g = engine_for(&e, "radau-iia3", (engine_options){0});
        engine_start(g, 0, &y, &yp);
        dae_status status = DAE_OK;
        while (status == DAE_OK && g->t != 2) status = engine_step(g, 2);
        ck_assert_int_eq(status, DAE_STEP_TOO_SMALL);
        ck_assert_double_eq_tol(g->t, last[k], k == 0 ? 1e-5 : 1e-9);
        if (k == 1) ck_assert_int_eq(g->failure.cause, DAE_NOT_EVALUABLE);
        ck_assert(isfinite(g->y[0]));
        dispose(&e, g);
    }
}
END_TEST

START_TEST(goes_on_from_what_replaces_the_end)
{
    example e;
    double y = 1, yp = -2;
    begin(&e, 1, 1, decay, decay_slope);
    engine *g = engine_for(&e, "radau-iia3", (engine_options){.rtol = 1e-9, .atol = 1e-9});
    engine_start(g, 0, &y, &yp);
    while (g->t != 1) ck_assert_int_eq(engine_step(g, 1), DAE_OK);
    y = 5, yp = -10;
    engine_replace(g, &y, &yp);
    while (g->t != 2) ck_assert_int_eq(engine_step(g, 2), DAE_OK);
    ck_assert_double_eq_tol(g->y[0], 5 * exp(-2), 1e-7);
    dispose(&e, g);
    engine_free(NULL);
}
END_TEST

UNIT_MAIN("integrate/runge_kutta", 30, one_step_is_the_stability_function, polynomials_are_exact,
          order_on_index_1, error_control, error_within_steps, dense_output_is_continuous,
          steps_are_refused, bounds_on_steps, where_the_solution_ends,
          goes_on_from_what_replaces_the_end)
