/* What follows from events of C programs: where runs stop, rows, fixed steps, failures. */
#include "solve/equations.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What callbacks share with their test. */
typedef struct world {
    int mode, answer, answers; /* `answers`: of the event callback */
    size_t seen;
    double at, speed;
    bool changes, stops;
} world;

static dae_options options_for(const char *method, double rtol)
{
    dae_options options = tolerance_of(rtol);
    options.method = method;
    return options;
}

static dae_solver *begin(dae_problem *problem, const dae_options *options, const double *start)
{
    dae_solver *s = solver_for(problem, options);
    is_ok(s, dae_solver_start(s, 0, start));
    return s;
}

/* y1 = sin t, y2' = y2 in mode 0 and -2 y2 in mode 1, which begins where y1 is 1/2. */
static int change(double t, const double *y, double *f, void *user)
{
    f[0] = cos(t);
    f[1] = ((const world *)user)->mode ? -2 * y[1] : y[1];
    return 0;
}

static int half(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp;
    g[0] = y[0] - 0.5;
    return ((const world *)user)->answer;
}

static int switch_over(dae_event *e, void *user)
{
    world *w = user;
    w->seen++;
    w->at = e->t;
    if (w->changes) w->mode = e->crossed[0] > 0;
    e->changed = w->changes;
    e->stop = w->stops;
    return w->answers;
}

static const char *const HALF[] = {"half"};

static dae_about about_half(world *w)
{
    return (dae_about){
        .roots = 1, .root = half, .root_name = HALF, .event = switch_over, .user = w};
}

static dae_solver *begin_change(world *w, const dae_options *options, bool watched)
{
    static const double start[] = {0, 1};
    const dae_about about = watched ? about_half(w) : (dae_about){.user = w};
    return begin(dae_problem_mass(&(dae_mass_form){.n = 2, .f = change, .about = about}), options,
                 start);
}

static const char *const METHODS[] = {"auto", "dopri5", "radau-iia3", "rodas5p", "bdf", "mebdf"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

/* Where nothing changes the run is that without events, to the last bit. */
START_TEST(nothing_changes)
{
    size_t steps[2];
    double y[2][2];
    for (int watched = 0; watched < 2; watched++) {
        world w = {0};
        dae_options options = options_for(METHODS[_i], 1e-6);
        dae_solver *s = begin_change(&w, &options, watched);
        is_ok(s, dae_solver_run(s, 6));
        ck_assert_uint_eq(w.seen, watched ? 2 : 0); /* asin(1/2), pi - asin(1/2) */
        if (watched) ck_assert_double_eq_tol(w.at, acos(-1.0) - asin(0.5), 1e-5);
        steps[watched] = dae_solver_stats(s)->steps;
        is_ok(s, dae_solver_at(s, 6, y[watched], NULL));
        dae_solver_free(s);
    }
    ck_assert_uint_eq(steps[0], steps[1]);
    ck_assert(y[0][0] == y[1][0] && y[0][1] == y[1][1]);
}
END_TEST

/* The run returns at each event, shows both values, and goes on to the same end. */
START_TEST(runs_that_stop_at_events)
{
    world w = {.changes = true};
    dae_options options = options_for(METHODS[_i], 1e-8);
    options.stop_at_events = true;
    dae_solver *s = begin_change(&w, &options, true);
    const double at[] = {asin(0.5), acos(-1.0) - asin(0.5)};
    double y[2], yp[2], before[2], before_yp[2];
    ck_assert_ptr_null(dae_solver_event(s));
    for (int k = 0; k < 2; k++) {
        is_ok(s, dae_solver_run(s, 3));
        ck_assert_double_eq_tol(dae_solver_time(s), at[k], 1e-7);
        const dae_event *e = dae_solver_event(s);
        ck_assert(e && e->t == dae_solver_time(s) && e->roots == 1 && !e->due);
        ck_assert_int_eq(e->crossed[0], k ? -1 : 1);
        ck_assert_str_eq(e->name, "half");
        is_ok(s, dae_solver_at(s, e->t, y, yp));
        is_ok(s, dae_solver_at_left(s, e->t, before, before_yp));
        ck_assert_double_eq_tol(y[1], before[1], 1e-12);
        ck_assert_double_eq_tol(yp[1], (k ? 1 : -2) * y[1], 1e-6);
        ck_assert_double_eq_tol(before_yp[1], (k ? -2 : 1) * y[1], 1e-6);
        ck_assert(before[1] == e->y_before[1] && before_yp[1] == e->yp_before[1]);
    }
    is_ok(s, dae_solver_run(s, 3));
    ck_assert_double_eq(dae_solver_time(s), 3);
    is_ok(s, dae_solver_at(s, 3, y, NULL));
    ck_assert_double_eq_tol(y[1], exp(at[0] - 2 * (at[1] - at[0]) + 3 - at[1]), 1e-6);
    dae_solver_free(s);
}
END_TEST

typedef struct rows {
    size_t count;
    double t[40], rate[40]; /* of the second variable, over its value */
} rows;

static int keep_row(double t, const double *y, const double *yp, void *user)
{
    rows *r = user;
    r->t[r->count] = t;
    r->rate[r->count++] = yp[1] / y[1];
    return 0;
}

static int count_event(const dae_event *e, void *user)
{
    ck_assert_ptr_null(e->y);
    ++*(size_t *)user;
    return 0;
}

/* N rows are N rows; with event_rows each event has two more, and rows due there are not doubled.
 */
START_TEST(rows_at_events)
{
    const double at[] = {asin(0.5), acos(-1.0) - asin(0.5)};
    for (int asked = 0; asked < 2; asked++) {
        world w = {.changes = true};
        rows r = {0};
        size_t events = 0;
        dae_options options = options_for("dopri5", 1e-8);
        options.event_rows = asked;
        dae_solver *s = begin_change(&w, &options, true);
        dae_solver_watch_events(s, count_event, &events);
        is_ok(s, dae_solver_output(s, &(dae_times){.count = 7, .last = 3}, keep_row, &r));
        is_ok(s, dae_solver_run(s, 3));
        ck_assert_uint_eq(events, 2);
        ck_assert_uint_eq(r.count, asked ? 11 : 7);
        for (size_t k = 0, passed = 0; k < r.count; k++) {
            if (asked && k > 0 && r.t[k] == r.t[k - 1]) passed++;
            if (!asked) passed = (r.t[k] > at[0]) + (r.t[k] > at[1]);
            ck_assert_double_eq_tol(r.rate[k], passed == 1 ? -2 : 1, 1e-4);
        }
        dae_solver_free(s);
    }
}
END_TEST

/* A callback that wants an end, one that fails, values that are missing. */
START_TEST(what_ends_a_run)
{
    const double at = asin(0.5);
    double y[2];
    dae_options options = options_for("dopri5", 1e-8);
    world stops = {.stops = true};
    dae_solver *s = begin_change(&stops, &options, true);
    ck_assert_int_eq(dae_solver_run(s, 3), DAE_STOPPED);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "by the event half"));
    ck_assert_double_eq_tol(dae_solver_time(s), at, 1e-7);
    is_ok(s, dae_solver_at(s, dae_solver_time(s), y, NULL));
    ck_assert_double_eq_tol(y[0], 0.5, 1e-7);
    dae_solver_free(s);
    for (int k = -1; k <= 1; k += 2) {
        world answers = {.answers = k};
        s = begin_change(&answers, &options, true);
        ck_assert_int_eq(dae_solver_run(s, 3), k < 0 ? DAE_STOPPED : DAE_NOT_EVALUABLE);
        ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "event"));
        dae_solver_free(s);
        world refuses = {0};
        s = begin_change(&refuses, &options, true);
        refuses.answer = k;
        ck_assert_int_eq(dae_solver_run(s, 3), k < 0 ? DAE_STOPPED : DAE_NOT_EVALUABLE);
        ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "root"));
        dae_solver_free(s);
    }
}
END_TEST

static int no_number(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)yp, (void)user;
    g[0] = t < 1 ? 1 + y[0] : (double)NAN;
    return 0;
}

static double announces(double t, void *user)
{
    (void)t;
    return ((const world *)user)->at;
}

START_TEST(wrong_answers_are_named)
{
    const double start[] = {0, 1};
    dae_options options = options_for("dopri5", 1e-8);
    world w = {0};
    const dae_about missing = {.roots = 1, .root = no_number, .root_name = HALF, .user = &w};
    dae_solver *s = begin(dae_problem_mass(&(dae_mass_form){.n = 2, .f = change, .about = missing}),
                          &options, start);
    ck_assert_int_eq(dae_solver_run(s, 3), DAE_NOT_EVALUABLE);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "root function of half"));
    dae_solver_free(s);
    const dae_about late = {.next_event = announces, .user = &w};
    const dae_mass_form form = {.n = 2, .f = change, .about = late};
    s = begin(dae_problem_mass(&form), &options, start);
    ck_assert_int_eq(dae_solver_run(s, 3), DAE_USAGE); /* 0 is not after 0 */
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "next_event"));
    dae_solver_free(s);
    s = begin(dae_problem_mass(&form), &options, start);
    ck_assert_int_eq(dae_solver_run(s, -3), DAE_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "next_event"));
    dae_solver_free(s);
    w.at = HUGE_VAL;
    s = begin(dae_problem_mass(&form), &options, start);
    is_ok(s, dae_solver_run(s, 1));
    dae_solver_free(s);
}
END_TEST

/* 0 = z^2 + 1 in mode 1: nothing is consistent there. */
static int speed(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)x, (void)user;
    f[0] = z[0];
    return 0;
}

static int square(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)x;
    g[0] = ((const world *)user)->mode ? z[0] * z[0] + 1 : z[0] - 1;
    return 0;
}

START_TEST(nothing_is_consistent_behind)
{
    const double start[] = {0, 1};
    world w = {.changes = true};
    dae_options options = options_for("radau-iia5", 1e-8);
    options.keep_trajectory = true;
    const dae_semi_explicit_form form = {
        .nx = 1, .nz = 1, .f = speed, .g = square, .about = about_half(&w)};
    dae_solver *s = begin(dae_problem_semi_explicit(&form), &options, start);
    ck_assert_int_eq(dae_solver_run(s, 1), DAE_EVENT);
    const char *says = dae_solver_message(s);
    ck_assert_msg(strstr(says, "half") && strstr(says, "t = 0.5"), "%s", says);
    double y[2];
    ck_assert_int_eq(dae_solver_at(s, 0.25, y, NULL), DAE_OK);
    ck_assert_double_eq_tol(y[0], 0.25, 1e-8);
    ck_assert_ptr_nonnull(dae_solver_stats(s));
    dae_solver_free(s);
}
END_TEST

/* --- fixed steps --- */

static int keep_time(double t, void *user)
{
    rows *r = user;
    if (r->count < 40) r->t[r->count++] = t;
    return 0;
}

static double error_of(const char *name, double step)
{
    world w = {.changes = true};
    dae_options options = options_for(name, 1e-6);
    options.step = step;
    dae_solver *s = begin_change(&w, &options, true);
    is_ok(s, dae_solver_run(s, 1.5));
    ck_assert_uint_eq(w.seen, 1);
    double y[2], at = asin(0.5);
    is_ok(s, dae_solver_at(s, 1.5, y, NULL));
    dae_solver_free(s);
    return fabs(y[1] - exp(at - 2 * (1.5 - at)));
}

/* The order across an event, of one-step and multistep methods. */
START_TEST(fixed_steps_keep_their_order)
{
    static const struct {
        const char *name;
        int order;
        double step;
    } row[] = {{"rk4", 4, 1.0 / 8},
               {"radau-iia2", 3, 1.0 / 16},
               {"bdf2", 2, 1.0 / 32},
               {"bdf4", 4, 1.0 / 32},
               {"adams-bashforth4", 4, 1.0 / 32},
               {"adams-moulton3", 4, 1.0 / 32},
               {"bdf", 5, 1.0 / 40},
               {"mebdf", 5, 1.0 / 12}};
    enum { HALVINGS = 4 };
    double sum_x = 0, sum_y = 0, sum_xy = 0, sum_xx = 0;
    for (int k = 0; k < HALVINGS; k++) {
        double h = ldexp(row[_i].step, -k), error = 0;
        for (int j = 0; j < 5; j++) error += log2(error_of(row[_i].name, h * (1 + 0.05 * j))) / 5;
        sum_x += k, sum_y += error, sum_xy += k * error, sum_xx += k * k;
    }
    double slope = (HALVINGS * sum_xy - sum_x * sum_y) / (HALVINGS * sum_xx - sum_x * sum_x);
    ck_assert_msg(-slope > row[_i].order - 0.3, "%s: order %.2f", row[_i].name, -slope);
}
END_TEST

/* All points but the event and the end lie at multiples of the step. */
START_TEST(the_grid_goes_on)
{
    static const char *const names[] = {"rk4", "radau-iia3", "bdf3", "bdf", "mebdf"};
    world w = {.changes = true};
    rows r = {0};
    dae_options options = options_for(names[_i], 1e-6);
    options.step = 0.1;
    dae_solver *s = begin_change(&w, &options, true);
    dae_solver_watch(s, keep_time, &r);
    is_ok(s, dae_solver_run(s, 1.55));
    size_t beside = 0;
    for (size_t k = 0; k < r.count; k++) {
        double steps = r.t[k] / 0.1;
        beside += fabs(steps - round(steps)) > 1e-9;
    }
    ck_assert_uint_eq(beside, 2);
    ck_assert_uint_eq(r.count, 17); /* 0.1, ..., 1.5, the event, the end */
    dae_solver_free(s);
}
END_TEST

/* --- a root that stays at 0 after its event, where the state is found anew --- */

static int turned_slope(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t;
    f[0] = ((const world *)user)->mode ? 1.6 - 2 * x[0] : 0.6 + 0.1 * x[0];
    f[1] = z[0];
    return 0;
}

static int second_follows(double t, const double *x, const double *z, double *g, void *user)
{
    (void)z, (void)user;
    g[0] = x[0] / 8 + sin(3.6 * t) / 2 - x[1];
    return 0;
}

static int is_crossed(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] + 0.6;
    return 0;
}

static int toggle(dae_event *e, void *user)
{
    world *w = user;
    w->seen++;
    w->mode = !w->mode;
    e->changed = true;
    return 0;
}

static const char *const OF_INDEX_2[] = {"auto",   "rodas4",     "rodas5p", "gauss2",
                                         "gauss3", "radau-iia3", "bdf",     "mebdf"};

/* After the event x is moved by what the constraint of index 2 was missed by, which may be back
 * over the root. A mode that is toggled is toggled once. x' = 0.6 + 0.1 x from -0.9 to -0.6. */
START_TEST(a_root_is_crossed_once)
{
    const double start[] = {-0.9, -0.9 / 8, 0}, at = 10 * log(5.4 / 5.1);
    for (int k = 0; k < 6; k++) {
        world w = {0};
        const dae_about about = {.roots = 1, .root = is_crossed, .event = toggle, .user = &w};
        const dae_semi_explicit_form form = {
            .nx = 2, .nz = 1, .f = turned_slope, .g = second_follows, .about = about};
        dae_options options = options_for(OF_INDEX_2[_i], pow(10, -3 - k));
        dae_solver *s = begin(dae_problem_semi_explicit(&form), &options, start);
        double y[3];
        is_ok(s, dae_solver_run(s, 1.5));
        ck_assert_msg(w.seen == 1, "%s, rtol 1e-%d: %zu events", OF_INDEX_2[_i], 3 + k, w.seen);
        is_ok(s, dae_solver_at(s, 1.5, y, NULL));
        ck_assert_double_eq_tol(y[0], 0.8 - 1.4 * exp(-2 * (1.5 - at)), 40 * options.rtol);
        dae_solver_free(s);
    }
}
END_TEST

static int uniform(double t, const double *y, double *f, void *user)
{
    (void)t, (void)y, (void)user;
    f[0] = 1;
    return 0;
}

static int level(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp;
    g[0] = y[0] - ((const world *)user)->speed;
    return 0;
}

static int counts(dae_event *e, void *user)
{
    world *w = user;
    w->seen++;
    if (w->stops) e->y[0] += 1; /* without a word of it */
    return 0;
}

/* A root that lies within rounding of where a run stops is crossed once, before or after it. */
START_TEST(a_root_beside_a_stop)
{
    static const double BESIDE[] = {0, 1e-16, -1e-16, 1e-15, 3e-15, 1e-14, 1e-13, 1e-12};
    static const char *const methods[] = {"auto",    "bdf",   "radau-iia3", "esdirk4",
                                          "rodas5p", "mebdf", "dopri5"};
    for (int k = 0; k < 12; k++) {
        double stop = 0.5 + 0.41 * k * (k % 3 + 1), part = BESIDE[(_i + k) % 8];
        world w = {.speed = stop * (1 - part)};
        dae_options options = options_for(methods[(_i + k) % 7], 1e-8);
        const double start[] = {0};
        dae_about about = {.roots = 1, .root = level, .event = counts, .user = &w};
        dae_solver *s = begin(
            dae_problem_mass(&(dae_mass_form){.n = 1, .f = uniform, .about = about}), &options,
            start);
        is_ok(s, dae_solver_run(s, stop));
        ck_assert_uint_le(w.seen, 1);
        is_ok(s, dae_solver_run(s, 2 * stop));
        ck_assert_msg(w.seen == 1, "%s, %.17g, %g: %zu", options.method, stop, part, w.seen);
        dae_solver_free(s);
    }
}
END_TEST

/* What a callback makes of y without `changed` does not count, and is told once. */
START_TEST(values_that_are_not_taken)
{
    world w = {.stops = true};
    const double start[] = {0};
    double y;
    dae_options options = options_for("auto", 1e-8);
    dae_about about = {.roots = 1, .root = level, .event = counts, .user = &w};
    w.speed = 0.5;
    dae_solver *s = begin(dae_problem_mass(&(dae_mass_form){.n = 1, .f = uniform, .about = about}),
                          &options, start);
    is_ok(s, dae_solver_run(s, 1));
    is_ok(s, dae_solver_at(s, 1, &y, NULL));
    ck_assert_double_eq_tol(y, 1, 1e-9);
    ck_assert_uint_eq(w.seen, 1);
    const char *notes = dae_solver_notes(s);
    ck_assert_msg(strstr(notes, "`changed`") && strstr(notes, "t = 0.5"), "%s", notes);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, nothing_changes, 0, METHODS_COUNT);
    unit_loop(tests, runs_that_stop_at_events, 0, METHODS_COUNT);
    tcase_add_test(tests, rows_at_events);
    tcase_add_test(tests, what_ends_a_run);
    tcase_add_test(tests, wrong_answers_are_named);
    tcase_add_test(tests, nothing_is_consistent_behind);
    unit_loop(tests, fixed_steps_keep_their_order, 0, 8);
    unit_loop(tests, the_grid_goes_on, 0, 5);
    unit_loop(tests, a_root_is_crossed_once, 0, 8);
    unit_loop(tests, a_root_beside_a_stop, 0, 8);
    tcase_add_test(tests, values_that_are_not_taken);
    return unit_run("solve/passed_events", tests);
}
