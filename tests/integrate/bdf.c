/* The engine of variable BDF: steps satisfy their formulas and estimates are those of them; orders
 * with equal and with alternating steps, on index 3 as theory denies them; what is kept. */
#include "integrate/bdf_parts.h"

#include "integrate/linear.h"
#include "integrate/nonlinear.h"

/* kappa of the numerical differentiation formulas of order 1 to 5 (Shampine & Reichelt, SIAM J.
 * Sci. Comput. 18 (1997) 1, Table 1), and 1 + 1/2 + ... + 1/k. */
static const double KAPPA[] = {0, -37.0 / 200, -1.0 / 9, -0.0823, -0.0415, 0};
static const double GAMMA[] = {0, 1, 1.5, 11.0 / 6, 25.0 / 12, 137.0 / 60};

/* sum_(m <= k) nabla^m y / m - kappa gamma nabla^(k+1) y - h y', of values at equal steps, the
 * newest first; what is left of it over nabla^(k+1) y. */
static double defect(int k, const double *value, double h_slope, double *highest)
{
    double row[8], sum = -h_slope;
    memcpy(row, value, (size_t)(k + 2) * sizeof *row);
    for (int m = 1; m <= k + 1; m++) {
        for (int j = 0; j <= k + 1 - m; j++) row[j] -= row[j + 1];
        sum += m <= k ? row[0] / m : -KAPPA[k] * GAMMA[k] * row[0];
    }
    *highest = row[0];
    return sum;
}

static void remember(double *value, double y)
{
    memmove(value + 1, value, 6 * sizeof *value);
    value[0] = y;
}

START_TEST(steps_satisfy_their_formulas)
{
    for (int k = 1; k <= BDF_MOST_ORDER; k++) {
        example e;
        double y = 1, yp = 1, value[8] = {1}, h = 0.0625, highest;
        begin(&e, 1, 1, square, square_slope);
        engine *g = engine_for(&e, "bdf", (engine_options){.fixed_step = h, .max_order = k});
        engine_start(g, 0, &y, &yp);
        for (int n = 1; n < 12; n++) {
            ck_assert_int_eq(engine_step(g, 1), DAE_OK);
            ck_assert_double_eq_tol(g->t, n * h, 1e-15);
            remember(value, g->y[0]);
            if (n <= k) continue; /* made by the starting method */
            ck_assert_double_eq_tol(defect(k, value, h * g->yp[0], &highest), 0, 1e-13);
            ck_assert_double_eq_tol(g->yp[0], g->y[0] * g->y[0], 1e-12);
        }
        dispose(&e, g);
    }
}
END_TEST

/* What t^(k+1) leaves of the formula of order k, the newest point being 0. */
START_TEST(estimates_are_those_of_the_formulas)
{
    example e;
    double y = 1, yp = 1, x = 3, value[8], highest;
    begin(&e, 1, 1, square, square_slope);
    engine *g = engine_for(&e, "bdf", (engine_options){.first_step = 0.01});
    engine_start(g, 0, &y, &yp);
    bdf *b = (bdf *)g;
    for (int k = 1; k <= BDF_MOST_ORDER; k++) {
        for (int j = 0; j < 8; j++) value[j] = pow(-j, k + 1);
        double expected = fabs(defect(k, value, 0, &highest) / highest);
        b->base.stepping.weight[0] = 2;
        ck_assert_double_eq_tol(bdf_size(b, k, &x), 6 * expected, 1e-14);
    }
    e.index[0] =
        3; /* a velocity's would be 2; those that are differentiated count with powers of h */
    b->past.h = 0.125;
    ck_assert_double_eq_tol(bdf_size(b, 5, &x), 6 / 6.0 / 64, 1e-14);
    e.dynamic[0] = false;
    ck_assert_double_eq(bdf_size(b, 5, &x), 0);
    dispose(&e, g);
}
END_TEST

/* Towards t_end, at first with equal steps, then with h and ratio * h in turn; the largest errors
 * of each variable at the ends of the steps of the second half. */
static void alternate(engine *g, double h, double ratio, double t_end,
                      void (*solution)(double, double *, double *), double *error)
{
    double y[MOST], yp[MOST];
    solution(0, y, yp);
    engine_start(g, 0, y, yp);
    memset(error, 0, MOST * sizeof *error);
    for (int n = 0; g->t < t_end; n++) {
        double t = g->t + (n > BDF_MOST_ORDER && n % 2 ? ratio * h : h);
        ck_assert_int_eq(engine_step(g, t), DAE_OK);
        ck_assert(g->t == t);
        solution(t, y, yp);
        for (size_t i = 0; i < g->problem->n && t > t_end / 2; i++)
            error[i] = fmax(error[i], fabs(g->y[i] - y[i]));
    }
}

static void check_order(int expected, double coarse, double fine)
{
    double slope = log2(coarse / fine);
    ck_assert_msg(slope > expected - 0.25, "%.3g, %.3g: order %.2f, expected %d", coarse, fine,
                  slope, expected);
}

START_TEST(order_k_with_alternating_steps_on_index_1)
{
    for (int k = 1; k <= BDF_MOST_ORDER; k++) {
        example e;
        double coarse[MOST], fine[MOST];
        begin(&e, 3, 2, nonlinear, nonlinear_slope);
        engine *g = engine_for(&e, "bdf", (engine_options){.fixed_step = 1, .max_order = k});
        alternate(g, 1.0 / 64, 0.75, 1, exact, coarse);
        alternate(g, 1.0 / 128, 0.75, 1, exact, fine);
        for (int i = 0; i < 3; i++) check_order(k, coarse[i], fine[i]);
        dispose(&e, g);
    }
}
END_TEST

/* y_1 = exp(t) cos(t), y_1' = y_2, y_2' = y_3: index 3. */
static void growing_chain(double t, const double *y, double *f)
{
    f[0] = y[1], f[1] = y[2], f[2] = y[0] - exp(t) * cos(t);
}

static void growing_chain_exact(double t, double *y, double *yp)
{
    double c = exp(t) * cos(t), s = exp(t) * sin(t);
    y[0] = c, y[1] = c - s, y[2] = -2 * s;
    yp[0] = y[1], yp[1] = y[2], yp[2] = -2 * (s + c);
}

static engine *chain_engine(example *e, int order)
{
    begin(e, 3, 2, growing_chain, chain_slope);
    for (unsigned char i = 0; i < 3; i++) e->index[i] = i + 1;
    return engine_for(e, "bdf", (engine_options){.fixed_step = 1, .max_order = order});
}

/* Brenan, Campbell & Petzold 1996, Sec. 3.2.4: order k - 1 in the last variable where steps change,
 * none of k = 1. */
START_TEST(order_k_less_1_with_alternating_steps_on_index_3)
{
    for (int k = 1; k <= BDF_MOST_ORDER; k++) {
        example e;
        double coarse[MOST], fine[MOST], h = k < 4 ? 1.0 / 64 : 1.0 / 16;
        engine *g = chain_engine(&e, k);
        alternate(g, h, 0.75, 2, growing_chain_exact, coarse);
        alternate(g, h / 2, 0.75, 2, growing_chain_exact, fine);
        ck_assert_double_lt(fine[0], 1e-12);
        check_order(k, coarse[1], fine[1]);
        check_order(k - 1, coarse[2], fine[2]);
        ck_assert_double_lt(log2(coarse[2] / fine[2]), k - 0.8);
        if (k == 1) ck_assert_double_gt(fine[2], 0.1);
        dispose(&e, g);
    }
}
END_TEST

/* ... and of order k in all variables where they do not (Brenan & Engquist, Math. Comp. 51 (1988)):
 * the same engine, so that it is the change of the step that costs the order. */
START_TEST(order_k_with_equal_steps_on_index_3)
{
    for (int k = 1; k <= BDF_MOST_ORDER; k++) {
        example e;
        double coarse[MOST], fine[MOST], h = k < 4 ? 1.0 / 64 : 1.0 / 16;
        engine *g = chain_engine(&e, k);
        alternate(g, h, 1, 2, growing_chain_exact, coarse);
        alternate(g, h / 2, 1, 2, growing_chain_exact, fine);
        for (int i = 1; i < 3; i++) check_order(k, coarse[i], fine[i]);
        dispose(&e, g);
    }
}
END_TEST

/* The largest error of the nonlinear example at the ends of steps and within them. */
static double error_on_the_way(engine *g, double t_end, double *within)
{
    double y[MOST], yp[MOST], found[MOST], worst = 0;
    exact(g->t, y, yp);
    engine_start(g, g->t, y, yp);
    *within = 0;
    while (g->t != t_end) {
        ck_assert_int_eq(engine_step(g, t_end), DAE_OK);
        exact(g->t, y, yp);
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(g->y[i] - y[i]));
        for (double x = 0.125; x < 1; x += 0.125) {
            double t = g->dense.t + x * g->dense.h;
            dense_output_evaluate(engine_polynomial(g), t, found, NULL);
            exact(t, y, yp);
            for (int i = 0; i < 3; i++) *within = fmax(*within, fabs(found[i] - y[i]));
        }
    }
    return worst;
}

START_TEST(tolerances_are_met_forth_and_back_and_within_steps)
{
    for (int digits = 4; digits <= 10; digits += 2) {
        double tolerance = pow(10, -digits), within;
        for (int back = 0; back < 2; back++) {
            example e;
            begin(&e, 3, 2, nonlinear, nonlinear_slope);
            engine *g = engine_for(
                &e, "bdf",
                (engine_options){.rtol = tolerance, .atol = tolerance, .direction = back ? -1 : 1});
            g->t = back ? 1 : 0;
            ck_assert_double_lt(error_on_the_way(g, back ? 0 : 1, &within), 10 * tolerance);
            ck_assert_double_lt(within, 10 * tolerance);
            dispose(&e, g);
        }
    }
}
END_TEST

/* One engine is asked for the polynomial after each step, another only after the end of the step
 * was replaced, when its history is another one: they are the same, and lead from end to end. */
START_TEST(a_polynomial_is_that_of_its_step_whenever_it_is_asked_for)
{
    const char *const names[] = {"bdf", "mebdf"};
    const engine_options options = {.rtol = 1e-6, .atol = 1e-6};
    for (int m = 0; m < 2; m++) {
        example e[2];
        engine *g[2];
        double y[MOST], yp[MOST], value[2][MOST], begun[MOST];
        exact(0, y, yp);
        for (int i = 0; i < 2; i++) {
            begin(&e[i], 3, 2, nonlinear, nonlinear_slope);
            g[i] = engine_for(&e[i], names[m], options);
            engine_start(g[i], 0, y, yp);
        }
        while (g[0]->t != 1) {
            double t = g[0]->t;
            memcpy(begun, g[0]->y, sizeof y[0] * 3);
            for (int i = 0; i < 2; i++) ck_assert_int_eq(engine_step(g[i], 1), DAE_OK);
            dense_output_evaluate(engine_polynomial(g[0]), t, value[0], NULL);
            ck_assert_double_le(fabs(g[0]->dense.t - t), m == 1 ? 0 : DBL_EPSILON);
            for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(value[0][k], begun[k], 1e-4);
            dense_output_evaluate(engine_polynomial(g[0]), g[0]->t, value[0], NULL);
            for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(value[0][k], g[0]->y[k], 1e-13);
            for (int k = 0; k < 3; k++) y[k] = g[0]->y[k] * (1 + 1e-9);
            for (int i = 0; i < 2; i++) engine_replace(g[i], y, NULL);
            dense_output_evaluate(engine_polynomial(g[1]), g[1]->t, value[1], NULL);
            ck_assert_mem_eq(value[0], value[1], 3 * sizeof y[0]);
        }
        for (int i = 0; i < 2; i++) dispose(&e[i], g[i]);
    }
}
END_TEST

START_TEST(no_order_is_above_the_highest)
{
    for (int k = 1; k <= BDF_MOST_ORDER; k++) {
        example e;
        double y[MOST], yp[MOST];
        int highest = 0;
        begin(&e, 3, 2, nonlinear, nonlinear_slope);
        engine *g = engine_for(&e, "bdf",
                               (engine_options){.rtol = 1e-5, .atol = 1e-5, .max_order = k});
        exact(0, y, yp);
        engine_start(g, 0, y, yp);
        while (g->t != 1) {
            ck_assert_int_eq(engine_step(g, 1), DAE_OK);
            if (((bdf *)g)->order > highest) highest = ((bdf *)g)->order;
        }
        ck_assert_int_eq(highest, k);
        dispose(&e, g);
    }
}
END_TEST

static void stiff(double t, const double *y, double *f)
{
    f[0] = -1000 * (y[0] - cos(t)), f[1] = y[1] - y[0] * y[0];
}

static void stiff_slope(double t, const double *y, double *j)
{
    (void)t;
    j[0] = -1000, j[1] = 0, j[2] = -2 * y[0], j[3] = 1;
}

START_TEST(matrices_are_kept_over_many_steps)
{
    example e;
    const double y[2] = {1, 1}, yp[2] = {0, 0};
    begin(&e, 2, 1, stiff, stiff_slope);
    engine *g = engine_for(&e, "bdf", (engine_options){.rtol = 1e-6, .atol = 1e-6});
    engine_start(g, 0, y, yp);
    while (g->t != 20) ck_assert_int_eq(engine_step(g, 20), DAE_OK);
    ck_assert_uint_gt(g->counts.steps, 100);
    ck_assert_uint_lt(6 * e.problem.counts.factorizations, g->counts.steps);
    ck_assert_uint_le(e.problem.counts.jacobians, e.problem.counts.factorizations);
    ck_assert_uint_lt(10 * g->counts.newton_iterations, 18 * g->counts.steps);
    dispose(&e, g);
}
END_TEST

static void turn(double t, const double *y, double *f)
{
    (void)t;
    f[0] = -y[1], f[1] = y[0];
}

static void turn_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = 0, j[1] = -1, j[2] = 1, j[3] = 0;
}

/* Once round the circle, and brought back to it after each step or not; how far the end is from
 * where it should be. */
static double round_trip(bool projected, size_t *steps)
{
    example e;
    double y[2] = {1, 0}, yp[2] = {0, 1}, t_end = 8 * atan(1);
    begin(&e, 2, 2, turn, turn_slope);
    engine *g = engine_for(&e, "bdf", (engine_options){.rtol = 1e-6, .atol = 1e-6});
    engine_start(g, 0, y, yp);
    while (g->t != t_end) {
        double begun[2], before[2] = {g->y[0], g->y[1]};
        ck_assert_int_eq(engine_step(g, t_end), DAE_OK);
        dense_output_evaluate(engine_polynomial(g), g->dense.t, begun, NULL);
        for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(begun[i], before[i], 1e-14);
        double radius = hypot(g->y[0], g->y[1]);
        for (int i = 0; i < 2; i++) y[i] = g->y[i] / radius, yp[i] = g->yp[i] / radius;
        if (projected) engine_replace(g, y, yp);
    }
    if (projected) ck_assert_double_eq_tol(hypot(g->y[0], g->y[1]), 1, 1e-15);
    *steps = g->counts.steps;
    double error = hypot(g->y[0] - 1, g->y[1]);
    dispose(&e, g);
    return error;
}

START_TEST(a_projected_point_is_gone_on_from_without_a_restart)
{
    size_t steps, without;
    double plain = round_trip(false, &without);
    ck_assert_double_lt(round_trip(true, &steps), 1.5 * plain);
    ck_assert_uint_lt(steps, without + without / 10);
}
END_TEST

/* Steps before an end are not cut to pieces, and one that the user cuts says nothing against the
 * step before. */
START_TEST(the_step_is_taken_up_again_after_an_end)
{
    example e;
    double y[MOST], yp[MOST], step = 0;
    begin(&e, 3, 2, nonlinear, nonlinear_slope);
    engine *g = engine_for(&e, "bdf", (engine_options){.rtol = 1e-6, .atol = 1e-6});
    exact(0, y, yp);
    engine_start(g, 0, y, yp);
    while (g->t != 0.5) {
        ck_assert_int_eq(engine_step(g, 0.5), DAE_OK);
        if (g->t > 0.3) ck_assert_double_gt(g->dense.h, 0.49 * step);
        step = g->stepping.step;
    }
    ck_assert_int_eq(engine_step(g, 0.5 + step / 100), DAE_OK);
    ck_assert_int_eq(engine_step(g, 1), DAE_OK);
    ck_assert_double_gt(g->dense.h, 0.03 * step);
    dispose(&e, g);
}
END_TEST

/* An engine at order 4 whose differences of order 3, 4 and 5 are these, small beside the tolerance,
 * after so many steps of one length that it may choose. */
static void choose_by(example *e, double third, double fourth, double fifth, int *order,
                      double *growth)
{
    double y = 1, yp = 1;
    begin(e, 1, 1, square, square_slope);
    engine *g = engine_for(e, "bdf", (engine_options){.first_step = 0.01, .max_order = 4});
    engine_start(g, 0, &y, &yp);
    bdf *b = (bdf *)g;
    b->order = 4, b->steady = 20, b->past.h = 0.01;
    b->base.stepping.weight[0] = 1;
    b->past.difference[3] = third, b->past.difference[4] = fourth, b->past.difference[5] = fifth;
    bdf_choose(b);
    *order = b->order;
    *growth = b->base.stepping.step / 0.01;
    dispose(e, g);
}

/* Differences that do not fall with their order tell of no smooth solution, and small ones then
 * nothing of longer steps: the order falls, the step stays. One that is larger than the fifth is
 * enough for a longer step. */
START_TEST(no_step_grows_by_differences_that_do_not_fall)
{
    example e;
    int order;
    double growth;
    choose_by(&e, 1e-3, 1e-3, 1e-3, &order, &growth);
    ck_assert_int_eq(order, 3);
    ck_assert_double_eq_tol(growth, 1, 1e-14);
    choose_by(&e, 2e-3, 1e-3, 1e-3, &order, &growth);
    ck_assert_double_gt(growth, 2);
    choose_by(&e, 1e-3, 2e-3, 1e-3, &order, &growth);
    ck_assert_double_gt(growth, 2);
}
END_TEST

/* Two failures of a step are answered with shorter ones of the same order. A third one says that
 * the past tells nothing of what is ahead, and order 1 asks least of it. */
START_TEST(the_third_failure_is_answered_with_order_1)
{
    for (int failures = 2; failures <= 4; failures++) {
        example e;
        double y = 1, yp = 1;
        begin(&e, 1, 1, square, square_slope);
        engine *g = engine_for(&e, "bdf", (engine_options){.first_step = 0.01});
        engine_start(g, 0, &y, &yp);
        bdf *b = (bdf *)g;
        b->order = 4, b->past.h = 0.01, b->failures = failures;
        bdf_retreat(b, 2);
        ck_assert_int_eq(b->order, failures == 2 ? 4 : 1);
        ck_assert_double_le(b->base.stepping.step, 0.005);
        dispose(&e, g);
    }
}
END_TEST

START_TEST(failures_are_reported)
{
    example e;
    double y = 1, yp = 1;
    begin(&e, 1, 1, square, square_slope);
    e.until = 0.5;
    engine *g = engine_for(&e, "bdf", (engine_options){.rtol = 1e-6, .atol = 1e-6});
    engine_start(g, 0, &y, &yp);
    dae_status status = DAE_OK;
    while (status == DAE_OK && g->t < 1) status = engine_step(g, 1);
    ck_assert(status == DAE_STEP_TOO_SMALL || status == DAE_NOT_EVALUABLE);
    ck_assert_int_eq(g->failure.cause, DAE_NOT_EVALUABLE);
    ck_assert_uint_eq(g->failure.worst_row, 0);
    ck_assert_double_eq_tol(g->t, 0.5, 1e-9);
    e.until = HUGE_VAL; /* and to infinity at t = 1 */
    engine_start(g, 0, &y, &yp);
    for (status = DAE_OK; status == DAE_OK && g->t < 2;) status = engine_step(g, 2);
    ck_assert_int_ne(status, DAE_OK);
    ck_assert_double_eq_tol(g->t, 1, 1e-4);
    dispose(&e, g);
}
END_TEST

UNIT_MAIN("integrate/bdf", 20, steps_satisfy_their_formulas, estimates_are_those_of_the_formulas,
          order_k_with_alternating_steps_on_index_1,
          order_k_less_1_with_alternating_steps_on_index_3, order_k_with_equal_steps_on_index_3,
          tolerances_are_met_forth_and_back_and_within_steps,
          a_polynomial_is_that_of_its_step_whenever_it_is_asked_for, no_order_is_above_the_highest,
          matrices_are_kept_over_many_steps, a_projected_point_is_gone_on_from_without_a_restart,
          the_step_is_taken_up_again_after_an_end, no_step_grows_by_differences_that_do_not_fall,
          the_third_failure_is_answered_with_order_1, failures_are_reported)
