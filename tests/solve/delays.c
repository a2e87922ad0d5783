/* Delays: runs against solutions by the method of steps. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

/* The last ones for equations without algebraic variables. */
static const char *const METHODS[] = {"auto", "radau-iia3", "bdf", "rodas5p", "dopri5"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS, IMPLICIT_COUNT = METHOD_COUNT - 1 };

typedef double solution(double t);

typedef struct checked {
    solution *exact;
    double worst;
    size_t variable;
} checked;

static int compare(double t, const double *y, const double *yp, void *user)
{
    (void)yp;
    checked *c = user;
    c->worst = fmax(c->worst, fabs(y[c->variable] - c->exact(t)));
    return 0;
}

static dae_solver *started(const char *model, const char *method, double tolerance)
{
    dae_options o = dae_options_default();
    o.method = method;
    o.rtol = o.atol = tolerance;
    return solver_of(model, &o);
}

/* The largest error at 101 points. */
static double error_of(const char *model, const char *method, double tolerance, double stop,
                       size_t variable, solution *exact)
{
    checked c = {.exact = exact, .variable = variable};
    dae_solver *s = started(model, method, tolerance);
    dae_times times = {.first = 0, .last = stop, .count = 101};
    dae_solver_output(s, &times, compare, &c);
    ck_assert_msg(dae_solver_run(s, stop) == DAE_OK, "%s: %s", method, dae_solver_message(s));
    dae_solver_free(s);
    return c.worst;
}

/* The error falls with the tolerance for each method. */
static void converges(const char *model, size_t methods, double stop, solution *exact)
{
    static const double TOLERANCE[] = {1e-4, 1e-7, 1e-10};
    for (size_t i = 0; i < methods; i++)
        for (size_t k = 0; k < 3; k++) {
            double error = error_of(model, METHODS[i], TOLERANCE[k], stop, 0, exact);
            ck_assert_msg(error < 10 * TOLERANCE[k], "%s at %g: %g", METHODS[i], TOLERANCE[k],
                          error);
        }
}

/* x' = -x(t - 1), x = 1 before 0: a sum of (-1)^k (t - k + 1)^k / k!. */
static double stepwise(double t)
{
    double sum = 0, factorial = 1;
    for (int k = 0; k == 0 || t - k + 1 > 0; k++) {
        factorial *= k > 0 ? k : 1;
        sum += (k % 2 ? -1 : 1) * pow(k ? t - k + 1 : 1, k) / factorial;
    }
    return sum;
}

static const char STEPWISE[] = "model M Real x(start = 1, fixed = true);\n"
                               "equation der(x) = -delay(x, 1); end M;";

START_TEST(constant_lag)
{
    converges(STEPWISE, METHOD_COUNT, 4.5, stepwise);
}
END_TEST

static double decay(double t)
{
    return exp(-t);
}

/* The pantograph equation: the lag vanishes at the start. */
START_TEST(vanishing_lag)
{
    converges("model M Real x(start = 1, fixed = true);\n"
              "equation der(x) = -delay(x, time/2, 5) + exp(-time/2) - exp(-time); end M;",
              METHOD_COUNT, 5, decay);
}
END_TEST

/* The delayed time stays at the start: rounding makes no events of that. */
START_TEST(standing_delay)
{
    dae_solver *s = started("model M Real x(start = 1, fixed = true);\n"
                            "equation der(x) = -delay(x, time, 5); end M;",
                            "auto", 1e-6);
    double y;
    is_ok(s, dae_solver_run(s, 3));
    is_ok(s, dae_solver_at(s, 3, &y, NULL));
    ck_assert_double_eq_tol(y, -2, 1e-12);
    ck_assert_uint_le(dae_solver_stats(s)->events, 2);
    dae_solver_free(s);
}
END_TEST

/* The lag is a state, and the delayed time passes the start. */
START_TEST(lag_of_state)
{
    converges("model M Real x(start = 0, fixed = true), l(start = 1, fixed = true);\n"
              "equation der(l) = 0.5*cos(time); der(x) = cos(time) - delay(x, l, 2)\n"
              "  + (if time - l > 0 then sin(time - l) else 0); end M;",
              METHOD_COUNT, 5, sin);
}
END_TEST

/* The integral of a pulse from 1 to 1.25, 0.7 later. */
static double later_pulse(double t)
{
    return fmin(fmax(t - 1.7, 0), 0.25);
}

START_TEST(delayed_pulse)
{
    static const char PULSE[] =
        "model M discrete Real p(start = 0, fixed = true); Real x(start = 0, fixed = true), a;\n"
        "equation when time >= 1 then p = 1; elsewhen time >= 1.25 then p = 0; end when;\n"
        "  a = delay(p, 0.7); der(x) = a; end M;";
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        double error = error_of(PULSE, METHODS[i], 1e-6, 30, 1, later_pulse);
        ck_assert_msg(error < 1e-12, "%s: %g", METHODS[i], error);
    }
    dae_solver *s = started(PULSE, "auto", 1e-6);
    ck_assert_int_eq(dae_solver_run(s, 30), DAE_OK);
    ck_assert_uint_eq(dae_solver_stats(s)->events, 5); /* the edges, these later, the start later */
    dae_solver_free(s);
}
END_TEST

/* u = -1.5 x at 0, 0.2, ..., taken up 0.07 later, and before 0.07 as at the start. */
static double sampled_late(double t)
{
    double x = 1, u = -1.5;
    for (int k = 0;; k++) {
        double begin = 0.2 * k, late = begin + 0.07, end = begin + 0.2, next = -1.5 * x;
        if (t <= late) return x + u * (t - begin);
        x += u * 0.07;
        u = next;
        if (t <= end) return x + u * (t - late);
        x += u * 0.13;
    }
}

START_TEST(delayed_samples)
{
    static const char LATE[] =
        "model M Real x(start = 1, fixed = true), ua; discrete Real u(start = 0, fixed = true);\n"
        "equation when sample(0, 0.2) then u = -1.5*x; end when;\n"
        "  ua = delay(u, 0.07); der(x) = ua; end M;";
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        double error = error_of(LATE, METHODS[i], 1e-6, 3, 0, sampled_late);
        ck_assert_msg(error < 1e-10, "%s: %g", METHODS[i], error);
    }
}
END_TEST

/* y(t) = t + y(t - 1)/2: jumps of the derivative at each whole time, for ever. */
static double neutral(double t)
{
    double sum = 0, factor = 1;
    for (; t > 0; t--, factor /= 2) sum += factor * t;
    return sum;
}

START_TEST(algebraic_variable)
{
    static const char NEUTRAL[] = "model M Real y, x(start = 0, fixed = true);\n"
                                  "equation y = time + 0.5*delay(y, 1); der(x) = y; end M;";
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        double error = error_of(NEUTRAL, METHODS[i], 1e-6, 12.5, 0, neutral);
        ck_assert_msg(error < 1e-9, "%s: %g", METHODS[i], error);
    }
}
END_TEST

/* A loop of a DAE of index 1, with z in its own past: x' = -z, z + z^3 = x(t - 1) + x(t - 1)^3. */
/* The derivative of x = delay(z, 0.72)/2 + cos(t) with z = sin(t): where an equation is
 * differentiated, so is what is delayed. */
static double derived(double t)
{
    return (t > 0.72 ? 0.5 * cos(t - 0.72) : 0) - sin(t);
}

START_TEST(derivative_of_a_delay)
{
    static const double TOLERANCE[] = {1e-4, 1e-7, 1e-10};
    for (size_t i = 0; i < IMPLICIT_COUNT; i++) {
        for (size_t k = 0; k < 3; k++) {
            double error = error_of("model M Real z(start = 0, fixed = true), x, v;\n"
                                    "Real p(start = 0, fixed = true);\n"
                                    "equation der(z) = cos(time) - (z - sin(time));\n"
                                    "x = 0.5*delay(z, 0.72) + cos(time); der(x) = v;\n"
                                    "der(p) = v; end M;",
                                    METHODS[i], TOLERANCE[k], 5, 2, derived);
            ck_assert_msg(error < 4 * TOLERANCE[k], "%s at %g: %g", METHODS[i], TOLERANCE[k],
                          error);
        }
    }
}
END_TEST

START_TEST(feedback_loop)
{
    converges("model M Real x(start = 1, fixed = true), z;\n"
              "equation der(x) = -z; z + z^3 = delay(x + x^3, 1); end M;",
              IMPLICIT_COUNT, 4.5, stepwise);
}
END_TEST

/* At the start, what is delayed has its value there: y = 1 + y/2. */
START_TEST(loop_at_start)
{
    dae_solver *s = started("model M Real y(start = 0), x(start = 3, fixed = true);\n"
                            "equation y = 1 + 0.5*delay(y, 1); der(x) = -x*y; end M;",
                            "auto", 1e-8);
    double y[2], yp[2];
    ck_assert_int_eq(dae_solver_start(s, 5, NULL), DAE_OK);
    ck_assert_int_eq(dae_solver_at(s, 5, y, yp), DAE_OK);
    ck_assert_double_eq_tol(y[0], 2, 1e-12);
    ck_assert_int_eq(dae_solver_run(s, 8), DAE_OK);
    ck_assert_int_eq(dae_solver_at(s, 8, y, yp), DAE_OK);
    ck_assert_double_eq_tol(y[0], 2, 1e-10);
    dae_solver_free(s);
}
END_TEST

/* Earlier steps are evaluated with the past of then. */
START_TEST(kept_trajectory)
{
    dae_options o = dae_options_default();
    o.keep_trajectory = true;
    o.rtol = o.atol = 1e-9;
    dae_solver *s = solver_of("model M Real x(start = 1, fixed = true), a;\n"
                              "equation der(x) = -a; a = delay(x, 1); end M;",
                              &o);
    ck_assert_int_eq(dae_solver_run(s, 6.5), DAE_OK);
    for (double t = 0.1; t < 6.5; t += 0.1) {
        double y[2], yp[2];
        ck_assert_int_eq(dae_solver_at(s, t, y, yp), DAE_OK);
        ck_assert_double_eq_tol(y[0], stepwise(t), 1e-8);
        ck_assert_double_eq_tol(y[1], t < 1 ? 1 : stepwise(t - 1), 1e-8);
    }
    dae_solver_free(s);
}
END_TEST

/* An event that changes no equation makes no breaking points. */
START_TEST(unrelated_events)
{
    dae_solver *s = started("model M Real x(start = 1, fixed = true); discrete Real n(start = 0);\n"
                            "equation der(x) = -delay(x, 1);\n"
                            "  when sample(0.05, 0.1) then n = pre(n) + 1; end when; end M;",
                            "auto", 1e-6);
    double y[2];
    is_ok(s, dae_solver_run(s, 10.5));
    is_ok(s, dae_solver_at(s, 10.5, y, NULL));
    ck_assert_double_eq_tol(y[0], stepwise(10.5), 1e-5);
    ck_assert_uint_eq(dae_solver_stats(s)->events, 105 + 8);
    dae_solver_free(s);
}
END_TEST

static void fails(const char *model, double stop, dae_status status, const char *says)
{
    dae_solver *s = started(model, "auto", 1e-6);
    ck_assert_int_eq(dae_solver_run(s, stop), status);
    ck_assert_msg(strstr(dae_solver_message(s), says) != NULL, "%s", dae_solver_message(s));
    dae_solver_free(s);
}

/* What integrates an impulse may be delayed: p jumps by 2 at 1, and q rises from 1.5 on. */
START_TEST(integral_of_an_impulse)
{
    dae_options o = tolerance_of(1e-9);
    double q = end_of("model M Real u, i, p(start = 0, fixed = true), q(start = 0, fixed = true);\n"
                      "equation u = if time < 1 then 1 else 3; i = der(u); der(p) = i;\n"
                      "der(q) = delay(p, 0.5); end M;",
                      &o, 2, "q");
    ck_assert_double_eq_tol(q, 1, 1e-8);
}
END_TEST

START_TEST(refused)
{
    fails(STEPWISE, -1, DAE_UNSUPPORTED, "backward");
    fails("model M Real x(start = 1, fixed = true);\n"
          "equation der(x) = -delay(x, 0.5 - time, 1); end M;",
          1, DAE_ASSERTION, "the lag of delay(x, 0.5 - time, 1) is -0.001 at t = 0.501, below 0");
    fails("model M Real x(start = 1, fixed = true);\n"
          "equation der(x) = -delay(x, time, 1); end M;",
          3, DAE_ASSERTION, "is 1.001 at t = 1.001, above its largest value (m.mo:2)");
    fails("model M Real u, i, p(start = 0, fixed = true);\n"
          "equation u = if time < 1 then 1 else 3; i = der(u); der(p) = delay(i, 0.5); end M;",
          2, DAE_EVENT, "the event at t = 1 gives what delay(i, 0.5) (m.mo:2) delays an impulse");
    fails("model M Real x, v, a, p(start = 0, fixed = true), q(start = 0, fixed = true);\n"
          "equation x = if time < 1 then 1 else 3; v = der(x); a = der(v); der(q) = a;\n"
          "der(p) = delay(v, 0.5); end M;",
          2, DAE_EVENT, "delay(v, 0.5) (m.mo:3) delays an impulse");
    dae_options o = dae_options_default();
    o.step = 2;
    o.method = "rk4";
    dae_solver *s = solver_of(STEPWISE, &o);
    ck_assert_int_eq(dae_solver_run(s, 4), DAE_UNSUPPORTED);
    dae_solver_free(s);
}
END_TEST

/* A fixed step that does not divide the lag: the events shorten steps, and the order stays. */
START_TEST(fixed_steps)
{
    double error[2];
    for (int k = 0; k < 2; k++) {
        dae_options o = dae_options_default();
        o.step = k ? 0.03 : 0.06;
        o.method = "rk4";
        dae_solver *s = solver_of(STEPWISE, &o);
        double y;
        ck_assert_int_eq(dae_solver_run(s, 6), DAE_OK);
        ck_assert_int_eq(dae_solver_at(s, 6, &y, NULL), DAE_OK);
        error[k] = fabs(y - stepwise(6));
        dae_solver_free(s);
    }
    ck_assert_double_lt(error[1], error[0] / 10);
}
END_TEST

/* y = sin 2t depends on its own delay, whose lag comes to 0, by a factor up to 0.9. Within a step
 * that is longer than the lag values follow from each other. */
START_TEST(own_delay_that_vanishes)
{
    static const char *const WAYS[] = {"auto", "radau", "radau-iia5", "esdirk4", "rodas5p"};
    static const char *const LAGS[] = {"0.5*time", "0.4*sin(time)^2", "0.25*time*(1 + cos(3*time))",
                                       "0.1*time*(time - 1)^2", "0.2*time*sin(1.7*time)^2"};
    static const char *const FORMS[] = {
        "y = sin(2*time) + (%.17g)*(delay(y, %s, 4) - sin(2*(time - %s))); der(x) = "
        "2*cos(2*time) + y - x;",
        "y = sin(2*time) + (%.17g)*(delay(y, %s, 4) - sin(2*(time - %s))) + 0.3*(x - "
        "sin(2*time)); der(x) = 2*cos(2*time) + y - x;",
        "y = sin(2*time) + (%.17g)/2*(delay(y, %s, 4)^2 - sin(2*(time - %s))^2); der(x) = "
        "2*cos(2*time) - y + sin(2*time);"};
    uint64_t state = 9;
    char equations[400], model[600];
    for (size_t k = 0; k < 30; k++) {
        double factor = scatter_between(&state, -0.9, 0.9);
        double tolerance = pow(10, scatter_between(&state, -9, -4));
        const char *lag = LAGS[k % 5], *method = WAYS[(k + k / 5) % 5];
        snprintf(equations, sizeof equations, FORMS[k % 3], factor, lag, lag);
        snprintf(model, sizeof model,
                 "model M Real y, x(start = 0, fixed = true); equation %s end M;", equations);
        dae_options o = tolerance_of(tolerance);
        o.method = method;
        o.max_steps = 2000;
        dae_solver *s = solver_of(model, &o);
        for (double t = 0.25; t <= 4; t += 0.25) {
            double y[2];
            ck_assert_msg(dae_solver_run(s, t) == DAE_OK, "%s, %s: %s", method, model,
                          dae_solver_message(s));
            is_ok(s, dae_solver_at(s, t, y, NULL));
            double off = fmax(fabs(y[0] - sin(2 * t)), fabs(y[1] - sin(2 * t))) / tolerance;
            ck_assert_msg(off < 10, "%s at %g: %g tolerances\n%s", method, tolerance, off, model);
        }
        dae_solver_free(s);
    }
}
END_TEST

/* y counts from 0 to a top again and again; before the run it is 0. */
static double saw(double t, double top)
{
    return t > 0 ? fmod(t, top) : 0;
}

/* Where the lag jumps, the delayed time goes over to another window of the past. The integral of
 * sin(3 y) at that time, by midpoints. */
START_TEST(lag_that_jumps)
{
    static const char *const WAYS[] = {"radau-iia5", "bdf", "mebdf", "rodas5p", "esdirk4", "auto"};
    enum { POINTS = 200000 };
    uint64_t state = 5;
    for (size_t k = 0; k < 12; k++) {
        double top = scatter_between(&state, 0.8, 1.4), at = scatter_between(&state, 0.2, 0.7);
        double low = scatter_between(&state, 0.05, 0.45),
               high = scatter_between(&state, 0.05, 0.45);
        double sum = 0, stop = 4.9, y[4];
        char model[600];
        for (int i = 0; i < POINTS; i++) {
            double t = stop * (i + 0.5) / POINTS;
            sum += sin(3 * saw(t - (saw(t, top) > at ? high : low), top));
        }
        snprintf(model, sizeof model,
                 "model M Real x(start = 0, fixed = true), y(start = 0, fixed = true), w, lag;\n"
                 "equation der(y) = 1; when y >= %.17g then reinit(y, 0); end when;\n"
                 "lag = if y > %.17g then %.17g else %.17g; w = delay(sin(3*y), lag, 0.5);\n"
                 "der(x) = w; end M;",
                 top, at, high, low);
        dae_solver *s = started(model, WAYS[k % 6], k < 6 ? 1e-6 : 1e-8);
        is_ok(s, dae_solver_run(s, stop));
        is_ok(s, dae_solver_at(s, stop, y, NULL));
        ck_assert_msg(fabs(y[0] - sum * stop / POINTS) < 3e-4, "%s: %.9g, not %.9g\n%s",
                      WAYS[k % 6], y[0], sum * stop / POINTS, model);
        dae_solver_free(s);
    }
}
END_TEST

UNIT_MAIN("solve/delays", 60, constant_lag, vanishing_lag, standing_delay, lag_of_state,
          delayed_pulse, delayed_samples, algebraic_variable, derivative_of_a_delay, feedback_loop,
          loop_at_start, kept_trajectory, unrelated_events, integral_of_an_impulse, refused,
          fixed_steps, own_delay_that_vanishes, lag_that_jumps)
