/* Steps that an event leaves: what lies after it costs little, and comes later. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"dopri5", "dop853", "radau-iia5", "esdirk4"};

/* Ten lines that are thrown back at 1, one after the other every 1/11. A method of order 2 or more
 * could make a step of the whole run, which has a hundred points that are judged. Up to the event
 * there is one. */
START_TEST(what_follows_on_an_event_is_not_judged)
{
    dae_options options = tolerance_of(1e-6);
    options.method = METHODS[_i];
    dae_solver *s = solver_of("model M Real x[10](start = {i/11 for i in 1:10}, each fixed = true);"
                              "equation for i in 1:10 loop der(x[i]) = 1;"
                              "when x[i] > 1 then reinit(x[i], 0); end when; end for; end M;",
                              &options);
    is_ok(s, dae_solver_run(s, 10));
    const dae_stats *stats = dae_solver_stats(s);
    ck_assert_uint_eq(stats->events, 100);
    ck_assert_uint_lt(stats->residual_calls, 30 * stats->steps);
    dae_solver_free(s);
}
END_TEST

enum { LEVELS = 8 };

typedef struct passes {
    int count;
    double at[LEVELS];
} passes;

static int note_pass(const dae_event *e, void *user)
{
    passes *p = user;
    ck_assert_int_lt(p->count, LEVELS);
    p->at[p->count++] = e->t;
    return 0;
}

/* A body that passes drawn levels, in whatever order these are written, and may come back to some
 * of them within the same step: x = t - t^2 / 8. */
START_TEST(the_first_of_many_roots_comes_first)
{
    uint64_t seed = 5;
    for (int draw = 0; draw < 10; draw++) {
        char text[1000];
        double level[LEVELS];
        passes p = {0};
        int length = snprintf(text, sizeof text,
                              "model M Real x(start = 0, fixed = true), v(start = 1, fixed = true);"
                              "Integer n(start = 0, fixed = true); equation der(x) = v;"
                              "der(v) = -0.25; n = 0");
        for (int k = 0; k < LEVELS; k++) {
            level[k] = scatter_between(&seed, 0.01, 1.99);
            length += snprintf(text + length, sizeof text - (size_t)length,
                               " + (if x > %.17g then 1 else 0)", level[k]);
        }
        snprintf(text + length, sizeof text - (size_t)length, "; end M;");
        dae_options options = tolerance_of(1e-10);
        options.method = METHODS[_i];
        dae_solver *s = solver_of(text, &options);
        dae_solver_watch_events(s, note_pass, &p);
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_run(s, 4));
        ck_assert_int_eq(p.count, LEVELS);
        for (int k = 0; k < LEVELS; k++) {
            double t = 4 - sqrt(16 - 8 * level[k]), off = HUGE_VAL;
            for (int i = 0; i < LEVELS; i++) off = fmin(off, fabs(p.at[i] - t));
            ck_assert_double_lt(off, 1e-8);
            if (k > 0) ck_assert_double_gt(p.at[k], p.at[k - 1]);
        }
        dae_solver_free(s);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    int methods = sizeof METHODS / sizeof *METHODS;
    unit_loop(tests, what_follows_on_an_event_is_not_judged, 0, methods);
    unit_loop(tests, the_first_of_many_roots_comes_first, 0, methods);
    return unit_run("solve/left_steps", tests);
}
