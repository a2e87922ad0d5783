/* Runs through the public interface: what was computed can be asked for, backwards is as good as
 * forwards, limits and callbacks end a run with their status, and nothing is lost then. */
#include "solve/models.h"

static void is_said(dae_solver *solver, const char *part)
{
    ck_assert_msg(strstr(dae_solver_message(solver), part) != NULL, "no \"%s\" in: %s", part,
                  dae_solver_message(solver));
}

enum { MOST_STEPS = 5000 };

typedef struct step_ends {
    size_t count;
    double t[MOST_STEPS];
} step_ends;

static int note_end(double t, void *user)
{
    step_ends *ends = user;
    ck_assert_uint_lt(ends->count, MOST_STEPS);
    ends->t[ends->count++] = t;
    return 0;
}

/* Kept steps join: just before and just after each step's end there is the same value, to the
 * tolerance of the step where states are projected, else to round-off. */
static void is_continuous(const char *model, double stop, double jump)
{
    dae_options options = dae_options_default();
    step_ends ends = {0};
    options.keep_trajectory = true;
    dae_solver *solver = solver_of(model, &options);
    dae_solver_watch(solver, note_end, &ends);
    is_ok(solver, dae_solver_run(solver, stop));
    ck_assert_uint_eq(ends.count, dae_solver_stats(solver)->steps);
    ck_assert(ends.t[ends.count - 1] == stop);
    for (size_t k = 0; k + 1 < ends.count; k++) {
        double before[5], at[5], after[5], slope[5], t = ends.t[k], tiny = 1e-13 * fmax(1, fabs(t));
        is_ok(solver, dae_solver_at(solver, t - tiny, before, NULL));
        is_ok(solver, dae_solver_at(solver, t, at, slope));
        is_ok(solver, dae_solver_at(solver, t + tiny, after, NULL));
        for (int i = 0; i < 2; i++) {
            ck_assert_double_eq_tol(before[i], at[i], jump);
            ck_assert_double_eq_tol(after[i], at[i], jump);
        }
    }
    dae_solver_free(solver);
}

START_TEST(kept_trajectories_are_continuous)
{
    is_continuous(OSCILLATOR, 20, 1e-11);
    is_continuous(OSCILLATOR, -20, 1e-11);
    is_continuous(CIRCLING, 10, 1e-7);
}
END_TEST

START_TEST(error_control)
{
    size_t steps = 0;
    for (double rtol = 1e-4; rtol > 1e-10; rtol /= 100) {
        dae_options options = tolerance_of(rtol);
        double y[5], yp[5];
        dae_solver *solver = solver_of(CIRCLING, &options);
        is_ok(solver, dae_solver_run(solver, 10));
        is_ok(solver, dae_solver_at(solver, 10, y, yp));
        const double exact[5] = {cos(10), sin(10), -sin(10), cos(10), 1};
        for (int i = 0; i < 5; i++)
            ck_assert_double_eq_tol(y[i], exact[i], (i < 4 ? 30 : 300) * rtol);
        for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(yp[i], exact[2 + i], 30 * rtol);
        const dae_stats *stats = dae_solver_stats(solver);
        ck_assert_uint_gt(stats->steps, steps);
        ck_assert_int_eq(stats->index, 3);
        steps = stats->steps;
        dae_solver_free(solver);
    }
}
END_TEST

static int circle_is_met(double t, const double *y, const double *yp, void *user)
{
    size_t *rows = user;
    double along = y[0] * y[2] + y[1] * y[3], radius = y[0] * y[0] + y[1] * y[1];
    ck_assert(isfinite(t));
    ck_assert_double_eq_tol(radius, 1, 8 * DBL_EPSILON);
    ck_assert_double_eq_tol(along, 0, 16 * DBL_EPSILON);
    /* x x'' + y y'' + x'^2 + y'^2 = 0, with l from it */
    ck_assert_double_eq_tol(y[4], y[2] * y[2] + y[3] * y[3], 32 * DBL_EPSILON);
    ck_assert_double_eq_tol(yp[2], -y[4] * y[0], 32 * DBL_EPSILON);
    ++*rows;
    return 0;
}

START_TEST(constraints_hold_at_any_tolerance)
{
    dae_options options = tolerance_of(1e-2);
    const dae_times times = {.count = 2000, .first = 0, .last = 10};
    size_t rows = 0;
    dae_solver *solver = solver_of(CIRCLING, &options);
    is_ok(solver, dae_solver_output(solver, &times, circle_is_met, &rows));
    is_ok(solver, dae_solver_run(solver, 10));
    ck_assert_uint_eq(rows, 2000);
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_uint_eq(stats->constraint_levels, 3);
    for (size_t k = 0; k < 3; k++) ck_assert_double_lt(stats->max_constraint[k], 8 * DBL_EPSILON);
    ck_assert_str_eq(stats->projection, "coordinate");
    dae_solver_free(solver);
}
END_TEST

START_TEST(there_and_back)
{
    const char *const models[] = {OSCILLATOR, CIRCLING};
    for (int k = 0; k < 2; k++) {
        dae_options options = tolerance_of(1e-9);
        double start[5], end[5];
        dae_solver *solver = solver_of(models[k], &options);
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        is_ok(solver, dae_solver_at(solver, 0, start, NULL));
        is_ok(solver, dae_solver_run(solver, 7));
        is_ok(solver, dae_solver_run(solver, -3));
        ck_assert(dae_solver_time(solver) == -3);
        is_ok(solver, dae_solver_at(solver, -3, end, NULL));
        ck_assert_double_eq_tol(end[0], cos(3), 1e-6);
        is_ok(solver, dae_solver_run(solver, 0));
        is_ok(solver, dae_solver_at(solver, 0, end, NULL));
        for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(end[i], start[i], 1e-6);
        dae_solver_free(solver);
    }
}
END_TEST

START_TEST(too_many_steps)
{
    dae_options options = dae_options_default();
    double y[2];
    options.max_steps = 10;
    options.keep_trajectory = true;
    dae_solver *solver = solver_of(OSCILLATOR, &options);
    ck_assert_int_eq(dae_solver_run(solver, 1000), DAE_TOO_MANY_STEPS);
    ck_assert_int_eq(dae_solver_status(solver), DAE_TOO_MANY_STEPS);
    is_said(solver, "10 steps are allowed");
    double reached = dae_solver_time(solver);
    ck_assert(reached > 0 && reached < 1000);
    ck_assert_str_eq(dae_solver_stats(solver)->status, "too_many_steps");
    is_ok(solver, dae_solver_at(solver, reached / 2, y, NULL)); /* what was computed is there */
    ck_assert_double_eq_tol(y[0], cos(reached / 2), 1e-5);
    ck_assert_int_eq(dae_solver_run(solver, 2000), DAE_TOO_MANY_STEPS);
    ck_assert(dae_solver_time(solver) == reached);
    dae_solver_free(solver);
}
END_TEST

START_TEST(times_that_are_not_at_hand)
{
    double y[2], yp[2];
    dae_solver *solver = solver_of(OSCILLATOR, NULL);
    ck_assert_int_eq(dae_solver_at(solver, 0, y, yp), DAE_USAGE);
    is_ok(solver, dae_solver_run(solver, 10));
    ck_assert_int_eq(dae_solver_at(solver, 1, y, yp), DAE_USAGE);
    ck_assert_int_eq(dae_solver_at(solver, 10.5, y, yp), DAE_USAGE);
    ck_assert_int_eq(dae_solver_at(solver, (double)NAN, y, yp), DAE_USAGE);
    is_ok(solver, dae_solver_at(solver, 10, y, yp)); /* it stays usable */
    ck_assert_double_eq_tol(y[0], cos(10), 1e-4);
    is_ok(solver, dae_solver_run(solver, 11));
    ck_assert_int_eq(dae_solver_run(solver, (double)INFINITY), DAE_USAGE);
    dae_solver_free(solver);
}
END_TEST

/* Where a run ends after a step that was undone, what it computed is not at hand: at a pulse that
 * steps have jumped and go back to. */
START_TEST(steps_that_were_undone_are_not_at_hand)
{
    static const char model[] = "model Pulse Real x(start = 0, fixed = true);\n"
                                "equation der(x) = 3*exp(-((time - 7)/0.05)^2); end Pulse;";
    dae_options options = tolerance_of(1e-5);
    options.method = "radau-iia5";
    for (options.max_steps = 1; options.max_steps <= 20; options.max_steps++) {
        double y[1];
        dae_solver *solver = solver_of(model, &options);
        ck_assert_int_eq(dae_solver_run(solver, 10), DAE_TOO_MANY_STEPS);
        double reached = dae_solver_time(solver);
        ck_assert_int_eq(dae_solver_at(solver, reached, y, NULL), DAE_OK);
        for (double beyond = 1e-9; beyond < 10; beyond *= 10)
            ck_assert_msg(dae_solver_at(solver, reached + beyond, y, NULL) == DAE_USAGE,
                          "%g beyond the end at %g", beyond, reached);
        dae_solver_free(solver);
    }
}
END_TEST

typedef struct receiver {
    size_t count, stop_at;
    int answer;
    double t[64], x[64];
} receiver;

static int receive(double t, const double *y, const double *yp, void *user)
{
    receiver *r = user;
    ck_assert(isfinite(yp[0]));
    r->t[r->count] = t;
    r->x[r->count++] = y[0];
    return r->count == r->stop_at ? r->answer : 0;
}

START_TEST(output_at_the_times_asked_for)
{
    const double at[] = {-1, 0, 0.1, 0.1, 0.7, 2, 2.5};
    receiver r = {0};
    dae_solver *solver = solver_of(DECAY, NULL);
    is_ok(solver, dae_solver_output(solver, &(dae_times){.at = at, .count = 7}, receive, &r));
    is_ok(solver, dae_solver_run(solver, 2)); /* -1 is before the start, 2.5 not reached */
    ck_assert_uint_eq(r.count, 5);
    for (size_t k = 0; k < 5; k++) {
        ck_assert(r.t[k] == at[k + 1]);
        ck_assert_double_eq_tol(r.x[k], exp(-at[k + 1]), 1e-6);
    }
    is_ok(solver, dae_solver_run(solver, 3));
    ck_assert_uint_eq(r.count, 6);
    ck_assert(r.t[5] == 2.5);
    dae_solver_free(solver);

    r = (receiver){0}; /* backwards, in equal distances, both ends included */
    solver = solver_of(DECAY, NULL);
    is_ok(solver, dae_solver_output(solver, &(dae_times){.count = 11, .first = 0, .last = -1},
                                    receive, &r));
    is_ok(solver, dae_solver_run(solver, -1));
    ck_assert_uint_eq(r.count, 11);
    for (size_t k = 0; k < 11; k++) {
        ck_assert_double_eq_tol(r.t[k], -0.1 * (double)k, 1e-15);
        ck_assert_double_eq_tol(r.x[k], exp(-r.t[k]), 1e-5);
    }
    dae_solver_free(solver);
}
END_TEST

/* What lies after when the output is asked for is not at hand any more. */
START_TEST(output_asked_for_on_the_way)
{
    receiver r = {0};
    dae_solver *solver = solver_of(DECAY, NULL);
    is_ok(solver, dae_solver_run(solver, 1));
    is_ok(solver,
          dae_solver_output(solver, &(dae_times){.count = 5, .first = 0, .last = 2}, receive, &r));
    is_ok(solver, dae_solver_run(solver, 2));
    ck_assert_uint_eq(r.count, 3);
    for (size_t k = 0; k < 3; k++) {
        ck_assert(r.t[k] == 1 + 0.5 * (double)k);
        ck_assert_double_eq_tol(r.x[k], exp(-r.t[k]), 1e-6);
    }
    dae_solver_free(solver);
}
END_TEST

START_TEST(wrong_output_times)
{
    const double turning[] = {0, 1, 0.5}, missing[] = {0, (double)NAN};
    const dae_times wrong[] = {{.at = turning, .count = 3},
                               {.at = missing, .count = 2},
                               {.count = 3, .first = 0, .last = (double)INFINITY},
                               {.count = 1, .first = 0.3, .last = 1}};
    for (int k = 0; k < 4; k++) {
        receiver r = {0};
        dae_solver *solver = solver_of(DECAY, NULL);
        ck_assert_int_eq(dae_solver_output(solver, &wrong[k], receive, &r), DAE_USAGE);
        is_said(solver, k < 3 ? "in one direction" : "one time of output");
        dae_solver_free(solver);
    }
}
END_TEST

/* They would be values of steps that are gone. */
START_TEST(output_times_against_the_run)
{
    const double falling[] = {1, 0.5, 0}, rising[] = {-1, -0.5, 0.5, 1};
    const struct {
        dae_times times;
        double end;
    } cases[] = {{{.at = falling, .count = 3}, 1},
                 {{.count = 3, .first = 1, .last = 0}, 2},
                 {{.at = rising, .count = 4}, -0.7},
                 {{.count = 5, .first = -1, .last = 0}, -1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        receiver r = {0};
        dae_solver *solver = solver_of(DECAY, NULL);
        is_ok(solver, dae_solver_output(solver, &cases[k].times, receive, &r));
        ck_assert_int_eq(dae_solver_run(solver, cases[k].end), DAE_USAGE);
        is_said(solver, "in the other order than the run");
        ck_assert_uint_eq(r.count, 0);
        dae_solver_free(solver);
    }
}
END_TEST

/* Those that are not on a run's way wait for one in their own direction. */
START_TEST(output_there_and_back)
{
    receiver r = {0};
    dae_solver *solver = solver_of(DECAY, NULL);
    const dae_times times = {.count = 6, .first = 0, .last = 1};
    is_ok(solver, dae_solver_output(solver, &times, receive, &r));
    is_ok(solver, dae_solver_run(solver, 0.5));
    ck_assert_uint_eq(r.count, 3);
    is_ok(solver, dae_solver_run(solver, -0.3));
    ck_assert_uint_eq(r.count, 3);
    is_ok(solver, dae_solver_run(solver, 1));
    ck_assert_uint_eq(r.count, 6);
    for (size_t k = 0; k < 6; k++) {
        ck_assert_double_eq_tol(r.t[k], 0.2 * (double)k, 1e-15);
        ck_assert_double_eq_tol(r.x[k], exp(-r.t[k]), 1e-5);
    }
    dae_solver_free(solver);
}
END_TEST

static int stop_watching(double t, void *user)
{
    return t > *(double *)user ? 1 : 0;
}

START_TEST(callbacks_end_a_run)
{
    const int answers[] = {1, -1};
    const dae_status wanted[] = {DAE_STOPPED, DAE_OUTPUT_FAILED};
    for (int k = 0; k < 2; k++) {
        receiver r = {.stop_at = 4, .answer = answers[k]};
        dae_solver *solver = solver_of(DECAY, NULL);
        is_ok(solver, dae_solver_output(solver, &(dae_times){.count = 11, .first = 0, .last = 1},
                                        receive, &r));
        ck_assert_int_eq(dae_solver_run(solver, 1), wanted[k]);
        ck_assert_uint_eq(r.count, 4);
        is_said(solver, "0.3");
        dae_solver_free(solver);
    }
    double limit = 0.5, y[1];
    dae_solver *solver = solver_of(DECAY, NULL);
    dae_solver_watch(solver, stop_watching, &limit);
    ck_assert_int_eq(dae_solver_run(solver, 100), DAE_STOPPED);
    double reached = dae_solver_time(solver);
    ck_assert(reached > 0.5 && reached < 100);
    is_ok(solver, dae_solver_at(solver, reached, y, NULL));
    ck_assert_double_eq_tol(y[0], exp(-reached), 1e-5);
    dae_solver_free(solver);
}
END_TEST

START_TEST(a_search_for_the_start_can_be_stopped)
{
    double limit = -1;
    dae_solver *solver = solver_of(DECAY, NULL);
    dae_solver_watch_start(solver, stop_watching, &limit);
    ck_assert_int_eq(dae_solver_start(solver, 0, NULL), DAE_STOPPED);
    is_said(solver, "in the search for the start");
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_STOPPED);
    dae_solver_free(solver);
}
END_TEST

/* Of bodies that touch, an event tries very many modes. */
START_TEST(a_search_for_modes_can_be_stopped)
{
    double limit = 0.9, y[4];
    dae_solver *solver = solver_of(
        "model M Real x(start = 0, fixed = true), v(start = 1, fixed = true);\n"
        "Real y(start = 1, fixed = true), w(start = 0, fixed = true);\n"
        "equation der(x) = v; der(v) = 0; der(y) = w; der(w) = 0; when x > y and v > w\n"
        "then reinit(v, pre(w)); reinit(w, pre(v)); end when; end M;",
        NULL);
    dae_solver_watch_start(solver, stop_watching, &limit);
    ck_assert_int_eq(dae_solver_run(solver, 3), DAE_STOPPED);
    is_said(solver, "stopped at t = 1 on request, within an event");
    is_ok(solver, dae_solver_at(solver, dae_solver_time(solver), y, NULL));
    ck_assert_double_eq_tol(y[0], 1, 1e-6);
    ck_assert_double_eq_tol(y[1], 1, 1e-6); /* as before the event */
    dae_solver_free(solver);
}
END_TEST

START_TEST(start_values_from_the_caller)
{
    double y[5];
    dae_solver *solver = solver_of(DECAY, NULL);
    is_ok(solver, dae_solver_start(solver, 2, (double[]){5}));
    is_ok(solver, dae_solver_run(solver, 3));
    is_ok(solver, dae_solver_at(solver, 3, y, NULL));
    ck_assert_double_eq_tol(y[0], 5 * exp(-1), 1e-5);
    is_ok(solver, dae_solver_start(solver, 0, (double[]){(double)NAN})); /* as it was, 5 */
    is_ok(solver, dae_solver_at(solver, 0, y, NULL));
    ck_assert(y[0] == 5);
    ck_assert_uint_eq(dae_solver_stats(solver)->steps, 0);
    dae_solver_free(solver);
}
END_TEST

START_TEST(fixed_steps)
{
    dae_options options = dae_options_default();
    double y[1];
    options.step = 0.125;
    dae_solver *solver = solver_of(DECAY, &options);
    is_ok(solver, dae_solver_run(solver, 2));
    ck_assert_uint_eq(dae_solver_stats(solver)->steps, 16);
    is_ok(solver, dae_solver_at(solver, 2, y, NULL));
    double z = -0.125; /* the stability function of Radau IIA with 3 stages, 16 times */
    double factor = (1 + 0.4 * z + z * z / 20) / (1 - 0.6 * z + 0.15 * z * z - z * z * z / 60);
    ck_assert_double_eq_tol(y[0], pow(factor, 16), 100 * DBL_EPSILON);
    dae_solver_free(solver);
}
END_TEST

START_TEST(wrong_options)
{
    dae_options options = dae_options_default();
    options.rtol = 2;
    dae_solver *solver = solver_of(DECAY, &options);
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_USAGE);
    is_said(solver, "rtol = 2 is not between 1e-13 and 1");
    dae_solver_free(solver);
    options = dae_options_default();
    options.method = "radua5";
    solver = solver_of(DECAY, &options);
    ck_assert_int_eq(dae_solver_status(solver), DAE_USAGE);
    is_said(solver, "nearest: \"radau5\"");
    dae_solver_free(solver);
    options = dae_options_default();
    options.rtol = (double)NAN;
    solver = solver_of(DECAY, &options);
    ck_assert_int_eq(dae_solver_status(solver), DAE_USAGE);
    dae_solver_free(solver);
    dae_solver_free(NULL);
}
END_TEST

/* One tolerance a variable; a derivative that is integrated takes that of its variable, here v that
 * of x', which is what it is. */
static size_t steps_with(const char *model, const double *atols, double atol, double *y)
{
    dae_options options = tolerance_of(1e-6);
    options.atol = atol;
    options.atols = atols;
    dae_solver *solver = solver_of(model, &options);
    is_ok(solver, dae_solver_run(solver, 20));
    is_ok(solver, dae_solver_at(solver, 20, y, NULL));
    size_t steps = dae_solver_stats(solver)->steps;
    dae_solver_free(solver);
    return steps;
}

START_TEST(tolerances_of_variables)
{
    const char *const models[] = {OSCILLATOR, CIRCLING};
    const double equal[5] = {1e-4, 1e-4, 1e-4, 1e-4, 1e-4};
    const double tight[5] = {1e-9, 1e-4, 1e-4, 1e-4, 1e-4};
    for (int k = 0; k < 2; k++) {
        double one[5] = {0}, each[5] = {0};
        size_t steps = steps_with(models[k], NULL, 1e-4, one);
        ck_assert_uint_eq(steps_with(models[k], equal, 1, each), steps);
        ck_assert_mem_eq(one, each, sizeof one);
        ck_assert_uint_gt(steps_with(models[k], tight, 1, each), steps + 5);
    }
}
END_TEST

/* Where hardly anything moves at the start, the first step would be longer than any run: an
 * iteration that fails over the whole run shortens what was tried. */
START_TEST(first_steps_beyond_the_end)
{
    static const char LEDS[] =
        "model Leds parameter Real Is = 1e-15, VT = 0.05;\n"
        "Real i(start = 0, fixed = true), a(start = 0.1), b(start = 0.1), c(start = 0.1);\n"
        "equation i = Is*(exp(a/VT) - 1) + 1e-7*a; i = Is*(exp(b/VT) - 1) + 3e-7*b;\n"
        "  i = 1.1*Is*(exp(c/VT) - 1) + 2e-7*c;\n"
        "  1e-3*der(i) = 6*sin(400*time) - a - b - c - 3*i; end Leds;";
    dae_options options = dae_options_default();
    options.method = "radau-iia5";
    options.rtol = options.atol = 1e-9;
    double exact = end_of(LEDS, &options, 0.005, "i");
    options.method = "bdf";
    options.rtol = options.atol = 1e-5;
    ck_assert_double_eq_tol(end_of(LEDS, &options, 0.005, "i"), exact, 3e-5);
}
END_TEST

UNIT_MAIN("solve/runs", 30, first_steps_beyond_the_end, kept_trajectories_are_continuous,
          error_control, tolerances_of_variables, constraints_hold_at_any_tolerance, there_and_back,
          too_many_steps, times_that_are_not_at_hand, steps_that_were_undone_are_not_at_hand,
          output_at_the_times_asked_for, output_asked_for_on_the_way, wrong_output_times,
          output_times_against_the_run, output_there_and_back, callbacks_end_a_run,
          a_search_for_the_start_can_be_stopped, a_search_for_modes_can_be_stopped,
          start_values_from_the_caller, fixed_steps, wrong_options)
