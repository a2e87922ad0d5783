/* The driver's seam for events, from inside: a source of roots whose solutions are known. */
#include "event/events.h"

#include "solve/equations.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

enum { MOST_EVENTS = 200, MOST_ROOTS = 2 };

/* What a test's right side and its events share. */
typedef struct world {
    int mode;
    size_t events;
    double at[MOST_EVENTS];
    signed char crossed[MOST_EVENTS][MOST_ROOTS];
    double before[MOST_EVENTS], behind[MOST_EVENTS]; /* of the second unknown */
    size_t last; /* at this event the run ends; 0: it does not */
    bool fails;
    signed char direction[MOST_ROOTS];
    event_source source;
} world;

static const double GRAVITY = 9.81, BACK = 0.8;

static int fall(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1];
    f[1] = -GRAVITY;
    return 0;
}

static void note(world *w, double t, const signed char *crossed, double before, double behind)
{
    ck_assert_uint_lt(w->events, MOST_EVENTS);
    memcpy(w->crossed[w->events], crossed, w->source.count * sizeof *crossed);
    w->before[w->events] = before;
    w->behind[w->events] = behind;
    w->at[w->events++] = t;
}

static dae_status height(void *self, double t, const double *y, const double *yp, double *value)
{
    (void)t, (void)yp;
    value[0] = y[0];
    return ((world *)self)->fails ? DAE_NOT_EVALUABLE : DAE_OK;
}

static dae_status bounce(void *self, double t, const signed char *crossed, bool due, double *y,
                         double *yp, event_outcome *outcome)
{
    (void)due;
    world *w = self;
    double before = y[1];
    y[1] = yp[0] = -BACK * before;
    note(w, t, crossed, before, y[1]);
    outcome->ends = w->last == w->events;
    return DAE_OK;
}

static void name_ground(const void *self, size_t root, text *t)
{
    (void)self, (void)root;
    text_add(t, "ground");
}

static const event_source_ops ball = {.roots = height, .update = bounce, .name = name_ground};

typedef int (*right_side)(double t, const double *y, double *f, void *user);

static dae_solver *begin(world *w, right_side f, size_t n, const event_source_ops *ops,
                         size_t roots, const dae_options *options, const double *start)
{
    const dae_mass_form form = {.n = n, .f = f, .about.user = w};
    dae_solver *s = solver_for(dae_problem_mass(&form), options);
    w->source = (event_source){ops, w, roots, w->direction};
    s->simulation->events = ops ? &w->source : NULL;
    is_ok(s, dae_solver_start(s, 0, start));
    return s;
}

static dae_options options_for(const char *name, double rtol)
{
    dae_options options = tolerance_of(rtol);
    options.method = name;
    options.max_steps = 100000;
    return options;
}

static const char *const METHODS[] = {"auto", "dopri5", "dop853",  "radau-iia3", "radau",
                                      "bdf",  "mebdf",  "rodas5p", "esdirk4"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

/* Dropped from 1: it meets the ground at t_0 = sqrt(2 / g), then after flights that are 0.8 times
 * as long each time. */
START_TEST(a_ball_bounces)
{
    const double start[] = {1, 0}, rtol = 1e-8;
    world w = {.direction = {-1}};
    dae_options options = options_for(METHODS[_i], rtol);
    dae_solver *s = begin(&w, fall, 2, &ball, 1, &options, start);
    is_ok(s, dae_solver_run(s, 2.5));
    double t = sqrt(2 / GRAVITY), speed = GRAVITY * t;
    for (size_t k = 0; k < w.events; k++) {
        ck_assert_double_eq_tol(w.at[k], t, 1e-5);
        ck_assert_double_eq_tol(w.before[k], -speed, 1e-5);
        speed *= BACK;
        ck_assert_double_eq_tol(w.behind[k], speed, 1e-5);
        ck_assert_int_eq(w.crossed[k][0], -1);
        t += 2 * speed / GRAVITY;
    }
    ck_assert_double_gt(t, 2.5);
    ck_assert_double_le(t - 2 * speed / GRAVITY, 2.5);
    ck_assert_uint_eq(dae_solver_stats(s)->events, w.events);
    double y[2], since = 2.5 - (t - 2 * speed / GRAVITY);
    is_ok(s, dae_solver_at(s, 2.5, y, NULL));
    ck_assert_double_eq_tol(y[0], speed * since - GRAVITY / 2 * since * since, 1e-5);
    dae_solver_free(s);
}
END_TEST

/* y_1 = sin t; y_2 grows as exp t until y_1 is 1/2, and falls as exp -2t from there. */
static int change(double t, const double *y, double *f, void *user)
{
    f[0] = cos(t);
    f[1] = ((const world *)user)->mode ? -2 * y[1] : y[1];
    return 0;
}

static dae_status half(void *self, double t, const double *y, const double *yp, double *value)
{
    (void)self, (void)t, (void)yp;
    value[0] = y[0] - 0.5;
    return DAE_OK;
}

static dae_status change_mode(void *self, double t, const signed char *crossed, bool due, double *y,
                              double *yp, event_outcome *outcome)
{
    (void)due;
    world *w = self;
    w->mode = crossed[0] > 0;
    (void)outcome;
    note(w, t, crossed, y[1], y[1]);
    yp[1] = w->mode ? -2 * y[1] : y[1];
    return DAE_OK;
}

static const event_source_ops threshold = {
    .roots = half, .update = change_mode, .name = name_ground};

static double error_of_change(const char *name, double step, double rtol, size_t *steps)
{
    const double start[] = {0, 1}, at = asin(0.5);
    world w = {0};
    dae_options options = options_for(name, rtol);
    options.step = step;
    dae_solver *s = begin(&w, change, 2, &threshold, 1, &options, start);
    is_ok(s, dae_solver_run(s, 1.3));
    ck_assert_uint_eq(w.events, 1);
    ck_assert_int_eq(w.crossed[0][0], 1);
    double y[2];
    is_ok(s, dae_solver_at(s, 1.3, y, NULL));
    if (steps) *steps = dae_solver_stats(s)->steps;
    dae_solver_free(s);
    return fabs(y[1] - exp(at - 2 * (1.3 - at)));
}

/* The error across the event falls with the method's order, or with that of its dense output, by
 * which the instant is found: the collocation polynomial of radau-iia3 is off by h^4 (Hairer &
 * Wanner II, Sec. IV.8). */
START_TEST(the_order_is_kept_across_an_event)
{
    static const struct {
        const char *name;
        int order;
        double step;
    } row[] = {{"rk4", 4, 1.0 / 8},         {"dopri5", 5, 1.0 / 6},
               {"radau-iia2", 3, 1.0 / 16}, {"radau-iia3", 4, 1.0 / 6},
               {"rodas5p", 5, 1.0 / 6},     {"implicit-euler", 1, 1.0 / 64}};
    enum { HALVINGS = 4 };
    double sum_x = 0, sum_y = 0, sum_xy = 0, sum_xx = 0;
    for (int k = 0; k < HALVINGS; k++) {
        double h = ldexp(row[_i].step, -k), error = 0;
        for (int j = 0; j < 5;
             j++) /* where in a step the event lies matters: of several the mean */
            error += log2(error_of_change(row[_i].name, h * (1 + 0.05 * j), 1e-6, NULL)) / 5;
        sum_x += k, sum_y += error, sum_xy += k * error, sum_xx += k * k;
    }
    double slope = (HALVINGS * sum_xy - sum_x * sum_y) / (HALVINGS * sum_xx - sum_x * sum_x);
    ck_assert_msg(-slope > row[_i].order - 0.3, "%s: order %.2f", row[_i].name, -slope);
}
END_TEST

START_TEST(errors_across_an_event_follow_the_tolerance)
{
    for (double rtol = 1e-4; rtol > 1e-9; rtol *= 1e-2) {
        double error = error_of_change(METHODS[_i], 0, rtol, NULL);
        ck_assert_msg(error < 20 * rtol, "%s at %g: %g", METHODS[_i], rtol, error);
    }
}
END_TEST

static dae_status go_through(void *self, double t, const signed char *crossed, bool due, double *y,
                             double *yp, event_outcome *outcome)
{
    (void)due;
    (void)yp, (void)outcome;
    note(self, t, crossed, y[1], y[1]);
    return DAE_OK;
}

static const event_source_ops nothing = {.roots = half, .update = go_through, .name = name_ground};

/* Where nothing changes, at most three steps more are needed. (At 1e-8 a step of `radau`
 * is made again by the judge, which costs its order, with events and without.) */
START_TEST(going_on_is_cheap)
{
    static const char *const names[] = {"dopri5",  "dop853", "radau-iia3", "radau",
                                        "rodas5p", "bdf",    "mebdf"};
    const double start[] = {0, 1};
    for (double rtol = 1e-4; rtol > 1e-7; rtol *= 1e-2) {
        size_t steps[2];
        for (int with = 0; with < 2; with++) {
            world w = {0};
            dae_options options = options_for(names[_i], rtol);
            dae_solver *s = begin(&w, change, 2, with ? &nothing : NULL, with ? 1 : 0, &options,
                                  start);
            is_ok(s, dae_solver_run(s, 6)); /* three roots */
            ck_assert_uint_eq(w.events, with ? 2 : 0);
            steps[with] = dae_solver_stats(s)->steps + dae_solver_stats(s)->rejected;
            dae_solver_free(s);
        }
        ck_assert_msg(steps[1] <= steps[0] + 3 * 2, "%s at %g: %zu steps, %zu without", names[_i],
                      rtol, steps[1], steps[0]);
    }
}
END_TEST

/* At an event there are two values: the segments before and after it tell them. */
START_TEST(both_values_are_kept)
{
    const double start[] = {1, 0};
    world w = {.direction = {-1}};
    dae_options options = options_for("dopri5", 1e-8);
    options.keep_trajectory = true;
    dae_solver *s = begin(&w, fall, 2, &ball, 1, &options, start);
    is_ok(s, dae_solver_run(s, 2));
    ck_assert_uint_gt(w.events, 2);
    for (size_t k = 0; k < w.events; k++) {
        double y[2];
        const dense_output *before = trajectory_find(&s->kept, w.at[k], true);
        const dense_output *behind = trajectory_find(&s->kept, w.at[k], false);
        ck_assert(before && behind && before != behind);
        dense_output_evaluate(before, w.at[k], y, NULL);
        ck_assert_double_eq(y[1], w.before[k]);
        dense_output_evaluate(behind, w.at[k], y, NULL);
        ck_assert_double_eq(y[1], w.behind[k]);
        is_ok(s, dae_solver_at(s, w.at[k], y, NULL));
        ck_assert_double_eq(y[1], w.behind[k]);
    }
    dae_solver_free(s);
}
END_TEST

/* Two roots of the time, of which the second falls; both at 0.5 exactly. */
static dae_status clock_roots(void *self, double t, const double *y, const double *yp,
                              double *value)
{
    (void)self, (void)y, (void)yp;
    value[0] = t - 0.5;
    value[1] = 1 - 2 * t;
    return DAE_OK;
}

static dae_status jump(void *self, double t, const signed char *crossed, bool due, double *y,
                       double *yp, event_outcome *outcome)
{
    (void)due;
    (void)yp, (void)outcome;
    double before = y[1];
    y[1] += 1;
    note(self, t, crossed, before, y[1]);
    return DAE_OK;
}

static const event_source_ops by_clock = {
    .roots = clock_roots, .update = jump, .name = name_ground};

typedef struct rows {
    size_t count;
    double t[20], y[20];
} rows;

static int keep_row(double t, const double *y, const double *yp, void *user)
{
    rows *r = user;
    (void)yp;
    r->t[r->count] = t;
    r->y[r->count++] = y[1];
    return 0;
}

static int rest(double t, const double *y, double *f, void *user)
{
    (void)t, (void)y, (void)user;
    f[0] = f[1] = 0;
    return 0;
}

/* A row at the instant shows what is behind it; a step ends there. */
START_TEST(rows_and_steps)
{
    const double start[] = {0, 0}, times[] = {0, 0.25, 0.5, 0.75, 1};
    world w = {0};
    rows r = {0};
    dae_options options = options_for("dopri5", 1e-6);
    dae_solver *s = begin(&w, rest, 2, &by_clock, 2, &options, start);
    is_ok(s, dae_solver_output(s, &(dae_times){.count = 5, .at = times}, keep_row, &r));
    is_ok(s, dae_solver_run(s, 1));
    ck_assert_uint_eq(w.events, 1);
    ck_assert_double_eq_tol(w.at[0], 0.5, 4 * DBL_EPSILON);
    ck_assert(w.crossed[0][0] == 1 && w.crossed[0][1] == -1);
    ck_assert_uint_eq(r.count, 5);
    for (size_t k = 0; k < 5; k++) ck_assert_double_eq(r.y[k], times[k] >= w.at[0] ? 1 : 0);
    is_ok(s, dae_solver_start(s, 0, start));
    w.events = 0;
    while (w.events == 0) is_ok(s, dae_solver_step(s, 1));
    ck_assert_double_eq(dae_solver_time(s), w.at[0]);
    dae_solver_free(s);
}
END_TEST

/* Roots that pass the other way are none; a source may end the run; and one may have no values. */
START_TEST(what_ends_a_run)
{
    const double start[] = {1, 0};
    dae_options options = options_for("radau-iia3", 1e-6);
    world rising = {.direction = {1}};
    dae_solver *s = begin(&rising, fall, 2, &ball, 1, &options, start);
    is_ok(s, dae_solver_run(s, 1));
    ck_assert_uint_eq(rising.events, 0);
    dae_solver_free(s);
    world ends = {.direction = {-1}, .last = 2};
    s = begin(&ends, fall, 2, &ball, 1, &options, start);
    ck_assert_int_eq(dae_solver_run(s, 2), DAE_STOPPED);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "by the event ground"));
    ck_assert_double_eq(dae_solver_time(s), ends.at[1]);
    dae_solver_free(s);
    world fails = {.direction = {-1}};
    s = begin(&fails, fall, 2, &ball, 1, &options, start);
    fails.fails = true;
    ck_assert_int_eq(dae_solver_run(s, 2), DAE_NOT_EVALUABLE);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "events"));
    dae_solver_free(s);
}
END_TEST

/* From 2.5 back to 0: what falls rises. */
START_TEST(runs_back)
{
    const double start[] = {0.5, 1};
    world w = {.direction = {1}};
    dae_options options = options_for("dopri5", 1e-6);
    dae_solver *s = begin(&w, rest, 2, &by_clock, 1, &options, start);
    is_ok(s, dae_solver_start(s, 1, start));
    is_ok(s, dae_solver_run(s, 0));
    ck_assert_uint_eq(w.events, 0);
    w.direction[0] = -1; /* t - 0.5 falls in the direction of the run */
    is_ok(s, dae_solver_start(s, 1, start));
    is_ok(s, dae_solver_run(s, 0));
    ck_assert_uint_eq(w.events, 1);
    ck_assert_double_eq_tol(w.at[0], 0.5, 4 * DBL_EPSILON);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, a_ball_bounces, 0, METHODS_COUNT);
    unit_loop(tests, the_order_is_kept_across_an_event, 0, 6);
    unit_loop(tests, errors_across_an_event_follow_the_tolerance, 0, METHODS_COUNT);
    unit_loop(tests, going_on_is_cheap, 0, 7);
    tcase_add_test(tests, both_values_are_kept);
    tcase_add_test(tests, rows_and_steps);
    tcase_add_test(tests, what_ends_a_run);
    tcase_add_test(tests, runs_back);
    return unit_run("solve/events", tests);
}
