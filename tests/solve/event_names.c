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
    ck_assert_str_eq(found, "0.250 delay(n, 0.25)\n"
                            "0.300 time > 0.3\n"
                            "0.400 sample(0, 0.4)\n"
                            "0.450 x < 0.55\n"
                            "0.650 delay(n, 0.25)\n"
                            "0.800 sample(0, 0.4)\n");
    const dae_stats *stats = dae_solver_stats(s);
    ck_assert_uint_eq(stats->events, 6);
    ck_assert_uint_eq(stats->state_events, 1);
    ck_assert_uint_eq(stats->time_events, 5);
    is_ok(s, dae_solver_finish(s));
    ck_assert_str_eq(dae_solver_event(s)->name, "terminal()");
    dae_solver_free(s);
}
END_TEST

UNIT_MAIN("solve/event_names", 20, names)
