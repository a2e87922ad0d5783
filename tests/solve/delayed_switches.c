/* Delays of what switches, and switches by what is delayed. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const WAYS[] = {"auto", "radau-iia5", "bdf", "rodas5p", "esdirk4"};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

static dae_solver *run_to(const char *model, const char *method, double rtol, double stop)
{
    dae_options o = tolerance_of(rtol);
    o.method = method;
    o.max_steps = 20000;
    dae_solver *s = solver_of(model, &o);
    ck_assert_msg(dae_solver_run(s, stop) == DAE_OK, "%s at %g: %s\n%s", method, rtol,
                  dae_solver_message(s), model);
    return s;
}

/* What else jumps or bends where s passes C: nothing, a delayed expression with the lag of d, the
 * derivative of a state, a delayed expression without a jump, and one that switches by d. */
static const char *const ASIDE[] = {
    "x = 0;",
    "x = delay(if s > C then 1 else 2, L);",
    "der(x) = if s > C then 1 else -0.5;",
    "x = delay(max(s, C), L);",
    "x = delay(abs(s - C)*(if d > C then 1 else 2), L);",
};
enum { ASIDE_COUNT = sizeof ASIDE / sizeof *ASIDE };

/* How often A sin(w t + phase) rises through C from 0 to `stop`. */
static double rises(double w, double phase, double at, double stop)
{
    double turn = 2 * acos(-1.0), rise = asin(at);
    return floor((w * stop + phase - rise) / turn) - floor((phase - rise) / turn);
}

/* How often it falls through it. */
static double falls(double w, double phase, double at, double stop)
{
    return rises(w, phase + acos(-1.0), -at, stop);
}

/* s, s a lag later, and that a lag later pass a threshold equally often, but for what has not come
 * yet: not once more because a breaking point comes at the same instant. */
START_TEST(passages_of_a_delayed_variable)
{
    enum { DRAWS = WAY_COUNT * ASIDE_COUNT };
    uint64_t state = 3;
    char model[900];
    for (size_t i = 0; i < DRAWS; i++) {
        double w = scatter_between(&state, 0.5, 4), phase = scatter_between(&state, 0, 6);
        double at = scatter_between(&state, -0.9, 0.9), lag = scatter_between(&state, 0.1, 1.5);
        double rtol = pow(10, scatter_between(&state, -8, -3)), stop = 6;
        const char *aside = ASIDE[i / WAY_COUNT % ASIDE_COUNT], *way = WAYS[i % WAY_COUNT];
        snprintf(
            model, sizeof model,
            "model M Integer n(start = 0), m(start = 0), k(start = 0), nf(start = 0),\n"
            "mf(start = 0), kf(start = 0); Real s(start = %.17g, fixed = true),\n"
            "c(start = %.17g, fixed = true), d, dd, x%s; parameter Real C = %.17g, L = %.17g;\n"
            "equation der(s) = %.17g*c; der(c) = -%.17g*s; d = delay(s, L); dd = delay(d, L);\n"
            "%s\nwhen s > C then n = pre(n) + 1; end when; when s < C then nf = pre(nf) + 1;\n"
            "end when; when d > C then m = pre(m) + 1; end when; when d < C then\n"
            "mf = pre(mf) + 1; end when; when dd > C then k = pre(k) + 1; end when;\n"
            "when dd < C then kf = pre(kf) + 1; end when; end M;",
            sin(phase), cos(phase), strstr(aside, "der") ? "(start = 0, fixed = true)" : "", at,
            lag, w, w, aside);
        dae_solver *s = run_to(model, way, rtol, stop);
        double y[16];
        is_ok(s, dae_solver_at(s, stop, y, NULL));
        for (size_t j = 0; j < 3; j++) {
            double until = stop - (double)j * lag;
            double wanted = rises(w, phase, at, until), fall = falls(w, phase, at, until);
            ck_assert_msg(y[j] == wanted && y[3 + j] == fall,
                          "%s at %g, %zu lags: %g and %g passages, not %g and %g\n%s", way, rtol, j,
                          y[j], y[3 + j], wanted, fall, model);
        }
        dae_solver_free(s);
    }
}
END_TEST

static void has_events(const char *model, double stop, size_t events)
{
    for (size_t i = 0; i < WAY_COUNT; i++) {
        dae_solver *s = run_to(model, WAYS[i], 1e-6, stop);
        ck_assert_msg(dae_solver_stats(s)->events == events, "%s: %zu events, not %zu\n%s", WAYS[i],
                      (size_t)dae_solver_stats(s)->events, events, model);
        dae_solver_free(s);
    }
}

/* s switches at 3 instants, and a lag later kd does. The start comes back once by each delay. */
#define SWITCHED_ONCE                                                                        \
    "model M Real s(start = -0.5, fixed = true), c(start = -0.9, fixed = true), d, k, kd;\n" \
    "equation der(s) = 2*c; der(c) = -2*s; k = if s > 0.3 then 1 else -0.5; kd = delay(k, 0.1);\n"

/* A breaking point comes back by the delays of what depends on it, and by no others. */
START_TEST(breaking_points_of_their_own_delays)
{
    has_events(SWITCHED_ONCE "d = delay(s, 0.13); end M;", 5, 8);
    has_events(SWITCHED_ONCE "d = delay(s, 0.1*(1 + 0.5*sin(0.7*time)), 0.2); end M;", 5, 8);
    /* a chain: k, kd a lag later, and d after the second one */
    has_events(SWITCHED_ONCE "d = delay(kd, 0.13); end M;", 5, 12);
    /* an integral of k bends, and so does its delay */
    has_events("model M Real s(start = -0.5, fixed = true), c(start = -0.9, fixed = true), d;\n"
               "Real x(start = 0, fixed = true); equation der(s) = 2*c; der(c) = -2*s;\n"
               "der(x) = if s > 0.3 then 1 else -0.5; d = delay(x, 0.1) + delay(s, 0.2); end M;",
               5, 8);
}
END_TEST

/* What is fed back through a state is smoother by one derivative each time: the instants i L + j K
 * with 1 <= i + j <= 8 are events, and none that follow. */
START_TEST(feedback_that_dies_out)
{
    has_events("model M Real x(start = 1, fixed = true); equation\n"
               "der(x) = -0.5*delay(x, 0.37) - 0.3*delay(x, 0.5); end M;",
               8, 44);
}
END_TEST

/* A relay whose switch sees x a lag later: lines between the switches, by the method of steps. */
typedef struct relay {
    double rise, fall, at, lag;
    double t, x;
    bool falls;
    double due[64]; /* instants of its switches to come, and ... */
    size_t first, count;
    double knot_t[400], knot_x[400]; /* of x, from the start on */
    size_t knots, rises, later;      /* passages of x upward, and of what is delayed */
} relay;

static void relay_run(relay *r, double stop)
{
    while (r->t < stop) {
        double slope = r->falls ? -r->fall : r->rise, way = (r->at - r->x) / slope;
        double meets = way > 1e-12 ? r->t + way : HUGE_VAL, next = fmin(stop, meets);
        bool due = r->count > 0 && r->due[r->first] <= next;
        if (due) next = r->due[r->first];
        r->x += slope * (next - r->t);
        r->t = next;
        r->knot_t[r->knots] = next;
        r->knot_x[r->knots++] = r->x;
        if (due) {
            r->first = (r->first + 1) % 64, r->count--;
            r->falls = !r->falls;
            r->later += r->falls;
        } else if (next == meets) {
            r->x = r->at;
            r->rises += slope > 0;
            r->due[(r->first + r->count++) % 64] = next + r->lag;
        }
    }
}

static double relay_at(const relay *r, double t)
{
    size_t k = 1;
    if (t <= 0) return r->knot_x[0];
    while (r->knot_t[k] < t) k++;
    double part = (t - r->knot_t[k - 1]) / (r->knot_t[k] - r->knot_t[k - 1]);
    return r->knot_x[k - 1] + part * (r->knot_x[k] - r->knot_x[k - 1]);
}

START_TEST(relay_by_what_is_delayed)
{
    uint64_t state = 11;
    char model[700];
    for (size_t i = 0; i < 2 * WAY_COUNT; i++) {
        relay r = {.rise = scatter_between(&state, 0.3, 2),
                   .fall = scatter_between(&state, 0.3, 2),
                   .at = scatter_between(&state, -1, 1),
                   .lag = scatter_between(&state, 0.1, 1)};
        double begin = scatter_between(&state, -2, 2), other = scatter_between(&state, 0.1, 2);
        double stop = 9, y[6], rtol = pow(10, scatter_between(&state, -8, -3));
        if (i % 2) other = r.lag;
        r.x = r.knot_x[r.knots++] = begin;
        r.falls = begin > r.at;
        relay_run(&r, stop);
        snprintf(
            model, sizeof model,
            "model M Integer n(start = 0), m(start = 0); Real x(start = %.17g, fixed = true);\n"
            "Real d, top, twice; parameter Real C = %.17g, L = %.17g, K = %.17g;\n"
            "equation d = delay(x, L); der(x) = if d > C then %.17g else %.17g;\n"
            "top = delay(max(x, C), K); twice = delay(d, K);\n"
            "when x > C then n = pre(n) + 1; end when;\n"
            "when d > C then m = pre(m) + 1; end when; end M;",
            begin, r.at, r.lag, other, -r.fall, r.rise);
        dae_solver *s = run_to(model, WAYS[i % WAY_COUNT], rtol, stop);
        is_ok(s, dae_solver_at(s, stop, y, NULL));
        double late = relay_at(&r, stop - other), off = fabs(y[2] - r.x);
        off = fmax(off, fabs(y[4] - fmax(late, r.at)));
        off = fmax(off, fabs(y[5] - relay_at(&r, stop - other - r.lag)));
        ck_assert_msg(off < 1e-9, "%s at %g: off by %g\n%s", WAYS[i % WAY_COUNT], rtol, off, model);
        ck_assert_msg(y[0] == (double)r.rises && y[1] == (double)r.later,
                      "%s at %g: %g and %g rises, not %zu and %zu\n%s", WAYS[i % WAY_COUNT], rtol,
                      y[0], y[1], r.rises, r.later, model);
        dae_solver_free(s);
    }
}
END_TEST

/* What is delayed comes back as it was, to the last bit: it may be compared. */
START_TEST(delayed_count)
{
    static const char COUNT[] =
        "model M Integer n(start = 0), k(start = 0); Real x(start = 0, fixed = true), d;\n"
        "equation der(x) = sin(x) + 1; when sample(0.1, 0.2) then n = pre(n) + 1; end when;\n"
        "d = delay(n, 0.13); when d >= 3 then k = pre(k) + 1; end when; end M;";
    for (size_t i = 0; i < WAY_COUNT; i++) {
        double y[4];
        dae_solver *s = run_to(COUNT, WAYS[i], 1e-6, 2);
        is_ok(s, dae_solver_at(s, 2, y, NULL));
        ck_assert_double_eq(y[3], 9);
        ck_assert_double_eq(y[1], 1);
        dae_solver_free(s);
    }
}
END_TEST

UNIT_MAIN("solve/delayed_switches", 60, passages_of_a_delayed_variable,
          breaking_points_of_their_own_delays, feedback_that_dies_out, relay_by_what_is_delayed,
          delayed_count)
