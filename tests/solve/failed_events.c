/* A run that fails at an event, or within a step: what is kept ends there. */
#include "solve/equations.h"
#include "solve/models.h"
#include "solve/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What callbacks share with their test. */
typedef struct world {
    double sets; /* the speed after an event */
    int answer;  /* of the event callback */
    double ends; /* the root function sqrt(1 + y - ends) */
    size_t rows;
    double last_row;
} world;

static const double GRAVITY = 9.81;
static const char *const METHODS[] = {"auto", "dop853", "radau-iia5", "rodas5p", "bdf", "mebdf"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

static int fall(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1];
    f[1] = -GRAVITY;
    return 0;
}

static int fall_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + GRAVITY;
    return 0;
}

static int height(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp;
    g[0] = y[0];
    g[1] = 1 + sqrt(y[0] - ((const world *)user)->ends);
    return 0;
}

static int hit(dae_event *e, void *user)
{
    const world *w = user;
    e->y[1] = w->sets;
    e->changed = true;
    return w->answer;
}

static int count(double t, const double *y, const double *yp, void *user)
{
    world *w = user;
    (void)y, (void)yp;
    w->rows++;
    w->last_row = t;
    return 0;
}

static dae_solver *dropped(world *w, const char *with, bool residual)
{
    const dae_about about = {.roots = 2, .root = height, .event = hit, .user = w};
    dae_options options = tolerance_of(1e-9);
    options.method = with;
    options.keep_trajectory = true;
    dae_problem *p = residual
                         ? dae_problem_residual(&(dae_residual_form){
                               .n = 2, .residual = fall_residual, .about = about})
                         : dae_problem_mass(&(dae_mass_form){.n = 2, .f = fall, .about = about});
    dae_solver *s = solver_for(p, &options);
    is_ok(s, dae_solver_start(s, 0, (double[]){1, 0}));
    static double times[101];
    for (int k = 0; k <= 100; k++) times[k] = 0.01 * k;
    is_ok(s, dae_solver_output(s, &(dae_times){.at = times, .count = 101}, count, w));
    return s;
}

/* The run has ended at t, where the height is h; what lies before is kept, and nothing after. */
static void stands_at(dae_solver *s, const world *w, double t, double h)
{
    double now = dae_solver_time(s), y[2];
    char time[40];
    ck_assert_double_eq_tol(now, t, 1e-7);
    ck_assert_int_eq(dae_solver_at(s, now, y, NULL), DAE_OK);
    ck_assert_double_eq_tol(y[0], h, 1e-6);
    for (double part = 0.1; part < 0.95; part += 0.2) {
        ck_assert_int_eq(dae_solver_at(s, part * now, y, NULL), DAE_OK);
        ck_assert_double_eq_tol(y[0], 1 - 0.5 * GRAVITY * part * now * part * now, 1e-6);
    }
    ck_assert_int_eq(dae_solver_at(s, now + 0.01, y, NULL), DAE_USAGE);
    snprintf(time, sizeof time, "at t = %.9g", now);
    ck_assert_msg(strstr(dae_solver_message(s), time) != NULL, "%s", dae_solver_message(s));
    ck_assert_uint_eq(w->rows, 1 + (size_t)floor(100 * now));
    ck_assert_double_le(w->last_row, now);
}

START_TEST(a_callback_fails)
{
    static const struct {
        int answer;
        double sets;
        dae_status status;
    } ways[] = {{-1, 1, DAE_STOPPED},
                {2, 1, DAE_NOT_EVALUABLE},
                {0, (double)NAN, DAE_USAGE},
                {0, HUGE_VAL, DAE_USAGE}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        for (int residual = 0; residual < 2; residual++) {
            if (residual && strcmp(METHODS[_i], "dop853") == 0) continue;
            world w = {.answer = ways[k].answer, .sets = ways[k].sets, .ends = -100};
            dae_solver *s = dropped(&w, METHODS[_i], residual);
            ck_assert_int_eq(dae_solver_run(s, 1), ways[k].status);
            stands_at(s, &w, sqrt(2 / GRAVITY), 0);
            dae_solver_free(s);
        }
    }
}
END_TEST

/* The root function ends above the ground, where the run ends as well, or below it, where the
 * solution does not come. */
START_TEST(a_root_ends)
{
    world w = {.ends = 0.5};
    dae_solver *s = dropped(&w, METHODS[_i], false);
    ck_assert_int_eq(dae_solver_run(s, 1), DAE_NOT_EVALUABLE);
    ck_assert(strstr(dae_solver_message(s), "root 2") != NULL);
    stands_at(s, &w, sqrt(1 / GRAVITY), 0.5);
    dae_solver_free(s);
    w = (world){.ends = -1e-3, .sets = 0.5 * GRAVITY};
    s = dropped(&w, METHODS[_i], false);
    is_ok(s, dae_solver_run(s, 1));
    double y[2], flight = 1 - sqrt(2 / GRAVITY);
    is_ok(s, dae_solver_at(s, 1, y, NULL));
    ck_assert_double_eq_tol(y[0], 0.5 * GRAVITY * flight * (1 - flight), 1e-6);
    ck_assert_uint_eq(dae_solver_stats(s)->events, 1);
    ck_assert_uint_eq(w.rows, 101);
    dae_solver_free(s);
}
END_TEST

static const char FALLS[] = "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                            "  Integer n(start = 0, fixed = true);\n"
                            "equation der(h) = v; der(v) = -9.81;\n";

static dae_solver *model_run(const char *rest, const char *with, world *w, dae_status status)
{
    char whole[1000];
    snprintf(whole, sizeof whole, "%s%s", FALLS, rest);
    dae_options o = tolerance_of(1e-9);
    o.method = with;
    o.keep_trajectory = true;
    dae_solver *s = solver_of(whole, &o);
    dae_times times = {.first = 0, .last = 1, .count = 101};
    *w = (world){0};
    is_ok(s, dae_solver_output(s, &times, count, w));
    ck_assert_msg(dae_solver_run(s, 1) == status, "%s: %s", with, dae_solver_message(s));
    return s;
}

static void model_fails(const char *rest, const char *with, dae_status status, double t, double h,
                        const char *says)
{
    world w;
    dae_solver *s = model_run(rest, with, &w, status);
    double now = dae_solver_time(s), y[3];
    ck_assert_msg(strstr(dae_solver_message(s), says) != NULL, "%s", dae_solver_message(s));
    ck_assert_double_eq_tol(now, t, 1e-7);
    ck_assert_int_eq(dae_solver_at(s, now, y, NULL), DAE_OK);
    ck_assert_double_eq_tol(y[0], h, 1e-6);
    ck_assert_double_eq_tol(y[1], -GRAVITY * t, 1e-6); /* before the event */
    ck_assert_int_eq(dae_solver_at(s, 0.5 * now, y, NULL), DAE_OK);
    ck_assert_double_eq_tol(y[0], 1 - 0.125 * GRAVITY * t * t, 1e-6);
    ck_assert_int_eq(dae_solver_at(s, now + 0.01, y, NULL), DAE_USAGE);
    ck_assert_uint_eq(w.rows, 1 + (size_t)floor(100 * now));
    dae_solver_free(s);
}

/* The event of a model fails at the ground; an assertion, on the way there. */
START_TEST(a_model_fails)
{
    double ground = sqrt(2 / GRAVITY);
    const char *with = METHODS[_i];
    model_fails(
        "  when h < 0 then reinit(v, 3); n = pre(n) + 1; assert(n < 1, \"ground\"); end when;"
        " end M;",
        with, DAE_ASSERTION, ground, 0, "ground (m.mo:4)");
    model_fails("  n = if h < 0 then pre(n) + 1 else 0; end M;", with, DAE_EVENT, ground, 0,
                "n (line");
    model_fails("  n = 0; assert(h > 0.5, \"low\"); end M;", with, DAE_ASSERTION, sqrt(1 / GRAVITY),
                0.5, "low (m.mo:4)");
    model_fails("  n = 0; when h < 0 then reinit(v, sqrt(h - 1)); end when; end M;", with,
                DAE_NOT_EVALUABLE, ground, 0, "v at t = 0.451523641 a value that is not finite");
    model_fails(
        "  n = if time > 2 then 1 else 0; when h < 0 then reinit(v, 1 / n); end when; end M;", with,
        DAE_NOT_EVALUABLE, ground, 0, "(m.mo:4)");
}
END_TEST

/* Steps lead far below the ground, where the assertion fails; the solution does not. */
START_TEST(an_event_comes_before)
{
    world w;
    double y[3], flight = 1 - sqrt(2 / GRAVITY), speed = 0.5 * GRAVITY;
    dae_solver *s = model_run("  when h < 0 then reinit(v, 4.905); n = pre(n) + 1; end when;\n"
                              "  assert(h > -1e-6, \"below\"); end M;",
                              METHODS[_i], &w, DAE_OK);
    is_ok(s, dae_solver_at(s, 1, y, NULL));
    ck_assert_double_eq_tol(y[0], flight * (speed - 0.5 * GRAVITY * flight), 1e-6);
    ck_assert_double_eq(y[2], 1);
    ck_assert_uint_eq(w.rows, 101);
    dae_solver_free(s);
}
END_TEST

/* --- root functions that have no value in the mode that an event sets --- */

static int rises(double t, const double *y, double *f, void *user)
{
    (void)t, (void)y, (void)user;
    f[0] = 1;
    return 0;
}

static int half(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp;
    g[0] = ((const world *)user)->rows > 0 ? (double)NAN : y[0] - 0.5;
    return 0;
}

static int loses_root(dae_event *e, void *user)
{
    ((world *)user)->rows = 1;
    e->changed = true;
    return 0;
}

/* No root is watched beyond the event, so that nothing beyond it is the solution. */
START_TEST(a_root_ends_at_an_event)
{
    world w = {0};
    const dae_mass_form form = {
        .n = 1, .f = rises, .about = {.roots = 1, .root = half, .event = loses_root, .user = &w}};
    dae_options options = tolerance_of(1e-6);
    options.method = METHODS[_i];
    dae_solver *s = solver_for(dae_problem_mass(&form), &options);
    double y;
    is_ok(s, dae_solver_start(s, 0, (double[]){0}));
    ck_assert_int_eq(dae_solver_run(s, 2), DAE_NOT_EVALUABLE);
    ck_assert(strstr(dae_solver_message(s), "at t = 0.5 the root function of root 1"));
    ck_assert_double_eq_tol(dae_solver_time(s), 0.5, 1e-6);
    ck_assert_int_eq(dae_solver_at(s, dae_solver_time(s), &y, NULL), DAE_OK);
    ck_assert_double_eq_tol(y, 0.5, 1e-6);
    dae_solver_free(s);
}
END_TEST

/* --- what a solver notes of events --- */

static int decays(double t, const double *x, const double *z, double *r, void *user)
{
    (void)t, (void)x, (void)user;
    r[0] = -z[0];
    return 0;
}

static int turned_equation(double t, const double *x, const double *z, double *r, void *user)
{
    (void)t;
    r[0] = ((const world *)user)->sets * (z[0] - x[0]);
    return 0;
}

static double each_hundredth(double t, void *user)
{
    (void)user;
    return (floor(t * 100 + 1e-9) + 1) / 100;
}

static int turns_equation(dae_event *e, void *user)
{
    world *w = user;
    w->sets = -1 - w->sets;
    e->changed = true;
    return 0;
}

/* An event that changes an equation may change the sign of the determinant: no solutions meet. */
START_TEST(another_sign_behind_an_event)
{
    world w = {.sets = 1};
    const dae_semi_explicit_form form = {
        .nx = 1,
        .nz = 1,
        .f = decays,
        .g = turned_equation,
        .about = {.next_event = each_hundredth, .event = turns_equation, .user = &w}};
    dae_options options = tolerance_of(1e-6);
    options.method = METHODS[_i];
    if (strcmp(options.method, "dop853") == 0) options.method = "esdirk4";
    dae_solver *s = solver_for(dae_problem_semi_explicit(&form), &options);
    double y[2];
    is_ok(s, dae_solver_start(s, 0, (double[]){1, 1}));
    is_ok(s, dae_solver_run(s, 1));
    is_ok(s, dae_solver_at(s, 1, y, NULL));
    ck_assert_double_eq_tol(y[0], exp(-1), 1e-4);
    const char *notes = dae_solver_notes(s), *end = strchr(notes, '\n');
    ck_assert_msg(!strstr(notes, "determinant"), "%s", notes);
    ck_assert_msg(!end || !end[1], "%s", notes); /* one at most */
    dae_solver_free(s);
}
END_TEST

/* A diode shorts a source that turns positive at pi/6: no mode has a solution from there on. The
 * run is refused there, after a few events that change nothing. */
START_TEST(no_mode_has_a_solution_behind_the_event)
{
    static const char MODEL[] =
        "model M Real v, s, i, i0, u1, u2, w(start = 0, fixed = true); Boolean off = s < 0;"
        "equation u2 - u1 = cos(3*time); v = u1 - u2; v = if off then s else 0;"
        "i = if off then 0 else s; w = -u2; 0.5*der(w) = i0 - i; -i0 + i + u1/1.4 = 0; end M;";
    dae_options options = tolerance_of(1e-6);
    dae_solver *solver = solver_of(MODEL, &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    ck_assert_int_eq(dae_solver_run(solver, 2.5), DAE_EVENT);
    const char *said = dae_solver_message(solver);
    ck_assert_msg(strstr(said, "at t = 0.5235987"), "%s", said);
    ck_assert_int_le(dae_solver_stats(solver)->events, 20);
    dae_solver_free(solver);
}
END_TEST

/* Time-optimal control to rest: the solution comes to the origin at t = 0.3 + 2 sqrt(1.045) and
 * rests there by sliding of second order, which is not formed. A run gets there and goes round the
 * origin within its errors, or says so: it never makes events without an end. */
START_TEST(chatter_about_a_point_ends)
{
    static const char MODEL[] = "model M Real x(start = 1, fixed = true), v(start = 0.3, fixed = "
                                "true); equation der(x) = v;"
                                "der(v) = if x + v*abs(v)/2 > 0 then -1 else 1; end M;";
    dae_options options = tolerance_of(1e-6);
    options.method = METHODS[_i];
    dae_solver *solver = solver_of(MODEL, &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    dae_status status = dae_solver_run(solver, 4);
    const char *said = dae_solver_message(solver);
    bool chatters = status == DAE_EVENT && strstr(said, "chatters at x + 0.5");
    /* rodas5p takes the share of a sliding motion for an error that does not fall */
    bool ends = status == DAE_OK || chatters || status == DAE_STEP_TOO_SMALL;
    ck_assert_msg(ends, "%s: %s", METHODS[_i], said);
    double t = dae_solver_time(solver), y[2];
    ck_assert_double_ge(t, 0.3 + 2 * sqrt(1.045));
    ck_assert_int_eq(dae_solver_at(solver, t, y, NULL), DAE_OK);
    ck_assert_double_le(fabs(y[0]), 1e-5);
    ck_assert_double_le(fabs(y[1]), sqrt(1e-5));
    ck_assert_int_le(dae_solver_stats(solver)->events, 10000);
    dae_solver_free(solver);
}
END_TEST

/* Crossings of a vibration that has died away are as far apart as before: no chatter. */
START_TEST(a_vibration_dies_away)
{
    static const char MODEL[] =
        "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true, nominal = 1000);"
        "Real z(start = 0, fixed = true); equation der(x) = v; der(v) = -1e6*x - 40*v;"
        "der(z) = if x > 0 then 1 else 0; end M;";
    dae_options options = tolerance_of(1e-6);
    options.method = "dop853";
    dae_solver *solver = solver_of(MODEL, &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    is_ok(solver, dae_solver_run(solver, 5));
    ck_assert_int_ge(dae_solver_stats(solver)->events, 1200);
    dae_solver_free(solver);
}
END_TEST

/* A relay between -1e-12 and 1e-12 without a nominal size: the remedy is one. */
START_TEST(levels_below_the_tolerance_want_a_nominal_size)
{
    static const char MODEL[] =
        "model M Real x(start = 0, fixed = true%s); Boolean up(start = true, fixed = true);"
        "Integer n(start = 0, fixed = true); equation up = x < -1e-12 or pre(up) and x < 1e-12;"
        "der(x) = if up then 1e-3 else -1e-3; when up then n = pre(n) + 1; end when; end M;";
    dae_options options = tolerance_of(1e-6);
    for (int nominal = 0; nominal < 2; nominal++) {
        char model[400];
        (void)snprintf(model, sizeof model, MODEL, nominal ? ", nominal = 1e-12" : "");
        dae_solver *solver = solver_of(model, &options);
        dae_status status = dae_solver_start(solver, 0, NULL);
        if (status == DAE_OK) status = dae_solver_run(solver, 21e-9);
        ck_assert_int_eq(status, nominal ? DAE_OK : DAE_EVENT);
        if (!nominal) ck_assert(strstr(dae_solver_message(solver), "a nominal size") != NULL);
        if (nominal) ck_assert_uint_ge(dae_solver_stats(solver)->events, 10);
        dae_solver_free(solver);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, a_callback_fails, 0, METHODS_COUNT);
    unit_loop(tests, a_root_ends, 0, METHODS_COUNT);
    unit_loop(tests, a_model_fails, 0, METHODS_COUNT);
    unit_loop(tests, an_event_comes_before, 0, METHODS_COUNT);
    unit_loop(tests, a_root_ends_at_an_event, 0, METHODS_COUNT);
    unit_loop(tests, another_sign_behind_an_event, 0, METHODS_COUNT);
    tcase_add_test(tests, no_mode_has_a_solution_behind_the_event);
    unit_loop(tests, chatter_about_a_point_ends, 0, METHODS_COUNT);
    tcase_add_test(tests, a_vibration_dies_away);
    tcase_add_test(tests, levels_below_the_tolerance_want_a_nominal_size);
    return unit_run("solve/failed_events", tests);
}
