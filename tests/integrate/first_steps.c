/* The first steps of variable BDF and modified extended BDF after a start: what makes them short,
 * what they know of the start before, and how a starter leads where a level is known. */
#include "integrate/bdf_parts.h"
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

static const char *const names[] = {"bdf", "mebdf"};

/* y_1' = y_2, y_2' = -y_1, 0 = y_3 - y_1 y_2. */
static void circle(double t, const double *y, double *f)
{
    (void)t;
    f[0] = y[1], f[1] = -y[0], f[2] = y[2] - y[0] * y[1];
}

static void circle_slope(double t, const double *y, double *j)
{
    const double entries[9] = {0, 1, 0, -1, 0, 0, -y[1], -y[0], 1};
    (void)t;
    memcpy(j, entries, sizeof entries);
}

/* From t = 0 to 3 with an event at 1, from which the solution goes on at 2 (sin t, cos t). Returns
 * the steps after that, and the largest error of a step, at its end or within. */
static size_t pass_event(engine *g, int level, double *off)
{
    const double y[3] = {0, 1, 0}, yp[3] = {1, 0, 0};
    const double next[3] = {2 * sin(1), 2 * cos(1), 2 * sin(2)};
    const double next_yp[3] = {2 * cos(1), -2 * sin(1), 0};
    double found[3];
    *off = 0;
    engine_start(g, 0, y, yp);
    while (g->t < 1) ck_assert_int_eq(engine_step(g, 1), DAE_OK);
    size_t before = g->counts.steps;
    engine_restart(g, 1, next, next_yp, level > 0 ? 0.01 : 0, level);
    while (g->t < 3) {
        ck_assert_int_eq(engine_step(g, 3), DAE_OK);
        for (double x = 0.25; x <= 1; x += 0.25) {
            double t = g->dense.t + x * g->dense.h;
            dense_output_evaluate(engine_polynomial(g), t, found, NULL);
            *off = fmax(*off, fabs(found[0] - 2 * sin(t)));
            *off = fmax(*off, fabs(found[1] - 2 * cos(t)));
            *off = fmax(*off, fabs(found[2] - 2 * sin(2 * t)));
        }
    }
    return g->counts.steps - before;
}

/* An engine on the circle after an event, which its starter leads, with this first step. */
static engine *led_from(example *e, const char *name, double first)
{
    const double y[3] = {0, 1, 0}, yp[3] = {1, 0, 0};
    begin(e, 3, 2, circle, circle_slope);
    engine *g = engine_for(e, name, (engine_options){.events = true});
    engine_restart(g, 0, y, yp, first, 3);
    return g;
}

/* Of the steps with which a formula of order 1 begins, nothing is left but those of the starter. */
START_TEST(a_known_level_saves_the_first_steps)
{
    for (double rtol = 1e-4; rtol > 1e-9; rtol *= 1e-2) {
        example e;
        double off, without;
        begin(&e, 3, 2, circle, circle_slope);
        engine *g = engine_for(&e, names[_i],
                               (engine_options){.rtol = rtol, .atol = rtol, .events = true});
        size_t steps = pass_event(g, 0, &without), fewer = pass_event(g, 3, &off);
        ck_assert_msg(fewer + 12 <= steps, "%g: %zu steps, %zu with a starter", rtol, steps, fewer);
        ck_assert_double_lt(off, 30 * rtol);
        dispose(&e, g);
    }
}
END_TEST

/* What the starter leaves is the history of a formula of high order, nearly with its step: a failed
 * attempt changes it by a factor. */
START_TEST(a_formula_takes_over_at_its_order)
{
    example e;
    const double y[3] = {0, 1, 0}, yp[3] = {1, 0, 0};
    begin(&e, 3, 2, circle, circle_slope);
    engine *g = engine_for(&e, names[_i],
                           (engine_options){.rtol = 1e-8, .atol = 1e-8, .events = true});
    const bdf *b = (const bdf *)g;
    engine_restart(g, 0, y, yp, 0.1, 3);
    for (int k = 0; b->leads; k++) {
        ck_assert_int_le(k, 6);
        ck_assert_int_eq(engine_step(g, 100), DAE_OK);
    }
    ck_assert_int_ge(b->order, 4);
    ck_assert_double_ge(g->dense.h, 0.009);
    size_t rejected = g->counts.rejected, steps = g->counts.steps;
    double taken = g->dense.h;
    while (g->counts.steps < steps + 5) ck_assert_int_eq(engine_step(g, 100), DAE_OK);
    ck_assert_uint_le(g->counts.rejected, rejected + 1);
    ck_assert_double_ge(g->dense.h, 0.5 * taken);
    dispose(&e, g);
}
END_TEST

/* y_1 = t^5 - t^3, 0 = y_2 - y_1 + t^2. */
static void quintic(double t, const double *y, double *f)
{
    f[0] = (5 * t * t - 3) * t * t, f[1] = y[1] - y[0] + t * t;
}

static void quintic_slope(double t, const double *y, double *j)
{
    const double entries[4] = {0, 0, -1, 1};
    (void)t, (void)y;
    memcpy(j, entries, sizeof entries);
}

/* The starter's polynomial is exact, and so is the formula of order 5 that follows from it. No
 * attempt fails, and steps that could be longer than the longest one do not keep the starter. */
START_TEST(from_an_exact_history_no_attempt_fails)
{
    example e;
    const double y[2] = {0, -1}, yp[2] = {2, 0};
    begin(&e, 2, 1, quintic, quintic_slope);
    engine *g = engine_for(
        &e, names[_i],
        (engine_options){.rtol = 1e-8, .atol = 1e-8, .max_step = 0.1, .events = true});
    engine_restart(g, 1, y, yp, 0.1, 3);
    while (g->t < 3) {
        ck_assert_int_eq(engine_step(g, 3), DAE_OK);
        double t = g->t, cube = t * t * t;
        ck_assert_double_eq_tol(g->y[0], cube * (t * t - 1), 1e-7);
        ck_assert(g->t < 1.55 || !((const bdf *)g)->leads);
    }
    ck_assert_uint_eq(g->counts.rejected, 0);
    dispose(&e, g);
}
END_TEST

/* y_1' = 1e6 (cos t - y_1) - sin t, y_2' = y_1. */
static void beside_slow(double t, const double *y, double *f)
{
    f[0] = 1e6 * (cos(t) - y[0]) - sin(t), f[1] = y[0];
}

static void beside_slow_slope(double t, const double *y, double *j)
{
    const double entries[4] = {-1e6, 0, 1, 0};
    (void)t, (void)y;
    memcpy(j, entries, sizeof entries);
}

/* A start value off the slow motion by 1e-5 is off by no more at any time, and not any more at the
 * end of a step. */
START_TEST(what_lies_beside_a_slow_motion_returns)
{
    example e;
    const double y[2] = {1 + 1e-5, 0}, yp[2] = {-10, 1 + 1e-5};
    double found[2];
    begin(&e, 2, 2, beside_slow, beside_slow_slope);
    engine *g = engine_for(&e, names[_i], (engine_options){.events = true});
    engine_restart(g, 0, y, yp, 0.1, 3);
    while (g->t < 2) {
        ck_assert_int_eq(engine_step(g, 2), DAE_OK);
        for (double x = 0; x <= 1; x += 0.125) {
            double t = g->dense.t + x * g->dense.h;
            dense_output_evaluate(engine_polynomial(g), t, found, NULL);
            ck_assert_double_eq_tol(found[0], cos(t), 1.1e-5);
        }
        ck_assert_double_eq_tol(g->y[0], cos(g->t), 2e-6);
        ck_assert_double_eq_tol(g->y[1], sin(g->t), 2e-5);
    }
    dispose(&e, g);
}
END_TEST

static dae_status finds_nothing(engine *e, double h, bool last, bool *accepted)
{
    (void)h, (void)last, (void)accepted;
    e->failure.cause = DAE_NEWTON;
    return DAE_NEWTON;
}

/* Order 1 is what is left where the starter makes no step. */
START_TEST(a_starter_that_fails_is_left)
{
    example e;
    double off;
    begin(&e, 3, 2, circle, circle_slope);
    engine *g = engine_for(&e, names[_i], (engine_options){.events = true});
    engine_ops broken = *g->starter.engine->ops;
    broken.attempt = finds_nothing;
    g->starter.engine->ops = &broken;
    pass_event(g, 3, &off);
    ck_assert_double_lt(off, 3e-5);
    dispose(&e, g);
}
END_TEST

/* As where the noise of the equations is found: the engine starts again from where it is. */
static dae_status finds_noise(engine *e, double h, bool last, bool *accepted)
{
    double factor;
    (void)h, (void)last;
    *accepted = false;
    for (int k = 0; k < 2; k++) bdf_shortened(e, DAE_NEWTON, &factor);
    e->ops->start(e);
    return DAE_OK;
}

/* A formula that cannot take over lets the starter lead on, to the end if need be. */
START_TEST(a_formula_that_fails_is_left)
{
    example e;
    const double y[3] = {0, 1, 0}, yp[3] = {1, 0, 0};
    begin(&e, 3, 2, circle, circle_slope);
    engine *g = engine_for(&e, names[_i / 2], (engine_options){.events = true});
    engine_ops broken = *g->ops;
    broken.attempt = _i % 2 ? finds_noise : finds_nothing;
    g->ops = &broken;
    engine_restart(g, 0, y, yp, 0.1, 3);
    while (g->t < 3) {
        ck_assert_int_eq(engine_step(g, 3), DAE_OK);
        ck_assert_double_eq_tol(g->y[0], sin(g->t), 1e-5);
    }
    ck_assert_uint_gt(g->counts.attempts, g->counts.steps);
    dispose(&e, g);
}
END_TEST

/* A step of the starter that is made again is made by it, as long as it is asked for. */
START_TEST(a_step_of_the_starter_is_made_again_by_it)
{
    example e;
    engine *g = led_from(&e, names[_i], 0.1);
    ck_assert_int_eq(engine_step(g, 3), DAE_OK);
    g->undone = true;
    engine_restart(g, 0, (double[]){0, 1, 0}, (double[]){1, 0, 0}, 0.01, 0);
    g->undone = false;
    ck_assert_int_eq(engine_step(g, 3), DAE_OK);
    ck_assert(((const bdf *)g)->leads);
    ck_assert_double_eq(g->t, 0.01);
    ck_assert_double_eq_tol(g->y[0], sin(0.01), 1e-12);
    dispose(&e, g);
}
END_TEST

/* From a first step that is far too short the starter has to grow, in as many steps as it takes. */
START_TEST(steps_that_grow_do_not_count)
{
    example e;
    engine *g = led_from(&e, names[_i], 1e-12);
    while (((const bdf *)g)->leads) ck_assert_int_eq(engine_step(g, 100), DAE_OK);
    ck_assert_double_ge(g->dense.h, 0.01);
    dispose(&e, g);
}
END_TEST

/* Goes through so many events, one in each interval, and counts those at which order 1 began. */
static int count_starts_from_1(engine *g, int events, double interval)
{
    int count = 0;
    for (int k = 0; k < events; k++) {
        double t = g->t, end = t + interval;
        const double y[3] = {sin(t), cos(t), sin(t) * cos(t)}, yp[3] = {cos(t), -sin(t), 0};
        engine_restart(g, t, y, yp, interval, g->order_level);
        count += !((const bdf *)g)->leads;
        while (g->t < end) ck_assert_int_eq(engine_step(g, end), DAE_OK);
    }
    return count;
}

/* One step of order 1 costs less than one of the starter. Where intervals are long, few such starts
 * are tried. */
START_TEST(order_1_begins_where_its_steps_reach_as_far)
{
    example e;
    const double y[3] = {0, 1, 0}, yp[3] = {1, 0, 0};
    begin(&e, 3, 2, circle, circle_slope);
    engine *g = engine_for(&e, names[_i], (engine_options){.events = true});
    engine_start(g, 0, y, yp);
    g->order_level = 1;
    ck_assert_int_ge(count_starts_from_1(g, 30, 1e-6), 25);
    ck_assert_int_le(count_starts_from_1(g, 30, 0.05), 8);
    dispose(&e, g);
}
END_TEST

static dae_status stay(void *self, double t, double *y)
{
    (void)self, (void)t, (void)y;
    return DAE_OK;
}

/* Other unknowns are carried while the starter leads: here they are the same ones. */
START_TEST(a_starter_is_carried_to_other_unknowns)
{
    example e;
    engine *g = led_from(&e, names[_i], 0.1);
    for (int k = 0; g->t < 2; k++) {
        if (k == 2) ck_assert(((bdf *)g)->leads);
        if (k == 2) ck_assert_int_eq(engine_carry(g, g->y, g->yp, stay, NULL), DAE_OK);
        ck_assert_int_eq(engine_step(g, 2), DAE_OK);
        ck_assert_double_eq_tol(g->y[0], sin(g->t), 1e-5);
    }
    dispose(&e, g);
}
END_TEST

static void cost_nothing(const void *self, problem_costs *costs)
{
    (void)self;
    costs->residual = costs->jacobian = 0;
}

/* Where equations cost nothing, the matrices of the starter cost more than steps of order 1, which
 * then begin as without a level. */
START_TEST(dear_matrices_are_not_factored)
{
    example e;
    double off;
    problem_form form = example_form;
    form.costs = cost_nothing;
    begin(&e, 3, 2, circle, circle_slope);
    e.problem.form = &form;
    engine *g = engine_for(&e, names[_i], (engine_options){.events = true});
    size_t steps = pass_event(g, 0, &off);
    ck_assert_uint_eq(pass_event(g, 3, &off), steps);
    dispose(&e, g);
}
END_TEST

/* A bound for the order is one for the starter, too. */
START_TEST(no_starter_beyond_the_highest_order)
{
    static const engine_options without[] = {{.events = true, .max_order = 3}, {.events = false}};
    for (int k = 0; k < 2; k++) {
        example e;
        begin(&e, 3, 2, circle, circle_slope);
        engine *g = engine_for(&e, names[_i], without[k]);
        ck_assert_ptr_null(g->starter.engine);
        dispose(&e, g);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, change_of_an_algebraic_variable_is_no_error);
    tcase_add_test(tests, errors_go_to_algebraic_variables);
    tcase_add_test(tests, bends_of_algebraic_variables_count);
    tcase_add_test(tests, a_start_repeats_no_failures_of_the_last);
    tcase_add_test(tests, short_first_steps_are_forgotten);
    unit_loop(tests, a_known_level_saves_the_first_steps, 0, 2);
    unit_loop(tests, a_formula_takes_over_at_its_order, 0, 2);
    unit_loop(tests, from_an_exact_history_no_attempt_fails, 0, 2);
    unit_loop(tests, what_lies_beside_a_slow_motion_returns, 0, 2);
    unit_loop(tests, a_starter_that_fails_is_left, 0, 2);
    unit_loop(tests, a_formula_that_fails_is_left, 0, 4);
    unit_loop(tests, a_step_of_the_starter_is_made_again_by_it, 0, 2);
    unit_loop(tests, steps_that_grow_do_not_count, 0, 2);
    unit_loop(tests, order_1_begins_where_its_steps_reach_as_far, 0, 2);
    unit_loop(tests, a_starter_is_carried_to_other_unknowns, 0, 2);
    unit_loop(tests, dear_matrices_are_not_factored, 0, 2);
    unit_loop(tests, no_starter_beyond_the_highest_order, 0, 2);
    return unit_run("integrate/first_steps", tests);
}
