/* What a model's events are called. */
#include "solve/models.h"

#include <stdio.h>

static int list(const dae_event *e, void *user)
{
    char *to = user;
    size_t length = strlen(to);
    snprintf(to + length, 1000 - length, "%.3f %s\n", e->t, e->name);
    return 0;
}

/* Relations as they are written, samples and breaking points of delays; several at one instant. */
START_TEST(names)
{
    static const char MODEL[] =
        "model M parameter Real T = 0.3; Real x(start = 1, fixed = true);\n"
        "  Real y(start = 0, fixed = true); discrete Real n(start = 0, fixed = true);\n"
        "  Boolean late = time > T;\n"
        "equation der(x) = -1; der(y) = if late and x < 0.55 then 1 else delay(n, 0.25);\n"
        "  when sample(0, 0.4) then n = pre(n) + 1; elsewhen terminal() then n = 0; end when;\n"
        "end M;";
    char found[1000] = "";
    dae_options o = tolerance_of(1e-8);
    dae_solver *s = solver_of(MODEL, &o);
    dae_solver_watch_events(s, list, found);
    is_ok(s, dae_solver_run(s, 0.9));
    ck_assert_str_eq(found, "0.000 sample(0, 0.4)\n"
                            "0.250 delay(n, 0.25)\n"
                            "0.300 time > 0.3\n"
                            "0.400 sample(0, 0.4)\n"
                            "0.450 x < 0.55\n"
                            "0.650 delay(n, 0.25)\n"
                            "0.800 sample(0, 0.4)\n");
    const dae_stats *stats = dae_solver_stats(s);
    ck_assert_uint_eq(stats->events, 7);
    ck_assert_uint_eq(stats->state_events, 1);
    ck_assert_uint_eq(stats->time_events, 6);
    is_ok(s, dae_solver_finish(s));
    ck_assert_str_eq(dae_solver_event(s)->name, "terminal()");
    dae_solver_free(s);
}
END_TEST

/* A function jumps by its own name, and not by the relations of its whole part, of which two change
 * where it turns back. */
START_TEST(functions_that_jump)
{
    static const char MODEL[] =
        "model M parameter Real T = 0.45; Real x(start = 0.1, fixed = true), y, z;\n"
        "equation der(x) = 1; y = mod(2*x, 0.7) + rem(x, T) + div(x, 0.35);\n"
        "  z = floor(1.5*x) + ceil(x/0.9) + integer(4*x) + mod(2*time, 1.36); end M;";
    char found[1000] = "";
    dae_options o = tolerance_of(1e-8);
    dae_solver *s = solver_of(MODEL, &o);
    dae_solver_watch_events(s, list, found);
    is_ok(s, dae_solver_run(s, 0.82));
    ck_assert_str_eq(found, "0.150 integer(4*x)\n"
                            "0.250 mod(2*x, 0.7), div(x, 0.35)\n"
                            "0.350 rem(x, T)\n"
                            "0.400 integer(4*x)\n"
                            "0.567 floor(1.5*x)\n"
                            "0.600 mod(2*x, 0.7), div(x, 0.35)\n"
                            "0.650 integer(4*x)\n"
                            "0.680 mod(2*time, 1.36)\n"
                            "0.800 rem(x, T), ceil(x/0.9)\n");
    dae_solver_free(s);
}
END_TEST

/* What is compared with a number stands on the left, as its author writes it: by the function that
 * jumps or selects, as far as it is no part of a longer sum. */
START_TEST(functions_that_are_compared)
{
    static const char MODEL[] =
        "model M parameter Real P = 0.3, R = 2; Real x(start = 0.05, fixed = true), e, y[5];\n"
        "equation der(x) = 1; e = 4*x - 2.8; y[1] = if mod(time, P) < 0.1 then 1 else 0;\n"
        "  y[2] = max(-R, min(R, e)); y[3] = if ceil(x) - mod(x + 1, 0.8) > 0.5 then 1 else 0;\n"
        "  y[4] = if abs(e) > 1.3 then 1 else 0; y[5] = max(-1, if time < 0.22 then e else 3*e); "
        "end M;";
    char found[1000] = "";
    dae_options o = tolerance_of(1e-8);
    dae_solver *s = solver_of(MODEL, &o);
    dae_solver_watch_events(s, list, found);
    is_ok(s, dae_solver_run(s, 0.58));
    ck_assert_str_eq(found, "0.100 mod(time, P) < 0.1\n"
                            "0.150 min(2, e) > -2\n"
                            "0.220 time < 0.22\n"
                            "0.250 -x - floor(-x) + 0.8*floor((x + 1)/0.8) - 1 > 0.5\n"
                            "0.300 mod(time, P)\n"
                            "0.325 abs(e) > 1.3\n"
                            "0.400 mod(time, P) < 0.1\n"
                            "0.550 mod(x + 1, 0.8)\n"
                            "0.567 (if time < 0.22 then e else 3*e) > -1\n");
    dae_solver_free(s);
}
END_TEST

/* A sample that is taken at the start is an event of time there: it is told once, as the run
 * begins, with the values before it; and what begins to change with the time. */
START_TEST(events_of_the_start)
{
    static const char MODEL[] =
        "model M Real x(start = 3, fixed = true); discrete Real n(start = 5, fixed = true);\n"
        "  Boolean late = time > 1, begun = time > 0;\n"
        "equation der(x) = if begun then -1 else 1;\n"
        "  when sample(0, 0.5) then n = pre(n) + 1; reinit(x, 2*pre(x)); end when; end M;";
    char found[1000] = "";
    double y[4];
    dae_options o = tolerance_of(1e-8);
    dae_problem *p = problem_of(MODEL);
    dae_solver *s = dae_solver_create(p, &o);
    size_t x = dae_problem_find(p, "x"), n = dae_problem_find(p, "n");
    dae_problem_free(p);
    is_ok(s, dae_solver_start(s, 0, NULL));
    dae_solver_watch_events(s, list, found);
    const dae_event *event = dae_solver_event(s);
    ck_assert(event && event->due && event->t == 0);
    ck_assert_double_eq(event->y_before[x], 3);
    ck_assert_double_eq(event->y_before[n], 5);
    is_ok(s, dae_solver_run(s, 0.25));
    is_ok(s, dae_solver_run(s, 0.75));
    ck_assert_str_eq(found, "0.000 sample(0, 0.5), time > 0\n0.500 sample(0, 0.5)\n");
    is_ok(s, dae_solver_at(s, 0.75, y, NULL));
    ck_assert_double_eq_tol(y[x], 10.75, 1e-6); /* 2 (2*3 - 0.5) - 0.25 */
    ck_assert_double_eq(y[n], 7);
    ck_assert_uint_eq(dae_solver_stats(s)->time_events, 2);
    dae_solver_free(s);
}
END_TEST

/* Initial equations give pre() of the start alone: each round after that has the values of the one
 * before, of a memory that is set at once as well as of one that is reset at x = 0.6. */
START_TEST(values_before_the_start)
{
    static const char MODEL[] =
        "model M Real x(start = 1, fixed = true), y, z; Boolean b, c; Integer n;\n"
        "initial equation pre(b) = false; pre(c) = x > 2; pre(n) = 4;\n"
        "equation der(x) = -1; b = x > 0.5; c = not pre(c) and x > 0.9 or pre(c) and x > 0.6;\n"
        "  n = if b then pre(n) else 7; y = if c then 1 else 0; z = n; end M;";
    char found[1000] = "";
    double y[8];
    dae_options o = tolerance_of(1e-8);
    dae_solver *s = solver_of(MODEL, &o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    dae_solver_watch_events(s, list, found);
    is_ok(s, dae_solver_at(s, 0, y, NULL));
    ck_assert(y[1] == 1 && y[2] == 4);
    is_ok(s, dae_solver_run(s, 0.8));
    is_ok(s, dae_solver_at(s, 0.8, y, NULL));
    ck_assert(y[1] == 0 && y[2] == 7);
    ck_assert_str_eq(found, "0.100 x > 0.9\n0.400 x > 0.6\n0.500 x > 0.5\n");
    dae_solver_free(s);
}
END_TEST

UNIT_MAIN("solve/event_names", 20, names, functions_that_jump, functions_that_are_compared,
          events_of_the_start, values_before_the_start)
