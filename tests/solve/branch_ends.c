/* Branches of `if` that have values only where their condition holds: sqrt(h) where h > 0, and the
 * bends of diodes beside logarithms and divisors. Each run is compared with an exact solution, or
 * with the same equations written so that they have values everywhere. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const METHODS[] = {
    "auto",   "bdf",    "mebdf",   "radau",  "radau-iia3",         "radau-iia5", "esdirk4",
    "rodas4", "rodasp", "rodas5p", "gauss3", "state-space-dopri5", "dopri5"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, EXPLICIT = METHODS_COUNT - 1, DRAWN = 4 };

static const double RTOL[] = {1e-5, 1e-8};

static void meets(const char *model, const char *method, double stop, const char *name,
                  double wanted)
{
    for (size_t k = 0; k < sizeof RTOL / sizeof *RTOL; k++)
        ends_near(model, method, RTOL[k], stop, name, wanted);
}

/* h' = -l - c sqrt(h) ends at 0 with a rate, where there is a leak l; without, h = (sqrt(h0) - c
 * t/2)^2 comes to rest. */
START_TEST(a_tank_runs_empty)
{
    uint64_t state = 3;
    char model[400];
    for (int k = 0; k < DRAWN; k++) {
        double h = scatter_between(&state, 0.3, 2), c = scatter_between(&state, 0.5, 2);
        double leak = k % 2 ? scatter_between(&state, 0.1, 1) : 0, end = 2 * sqrt(h) / c;
        if (leak > 0) end -= 2 * leak / (c * c) * log(1 + c * sqrt(h) / leak);
        snprintf(
            model, sizeof model,
            "model M Real h(start = %.17g, fixed = true), x(start = 0, fixed = true); equation\n"
            "der(h) = if h > 0 then -%.17g - %.17g*sqrt(h) else 0;\n"
            "der(x) = if h > 0 then 1 else 0; end M;",
            h, leak, c);
        meets(model, METHODS[_i], end + 1, "h", 0);
        if (leak > 0) meets(model, METHODS[_i], end + 1, "x", end);
    }
}
END_TEST

/* The same with fixed steps: those that have no values are shortened up to the end of the branch,
 * and after it the run is back on the grid. Errors are those of the method. */
START_TEST(a_tank_runs_empty_in_fixed_steps)
{
    static const char *const FIXED[] = {"bdf",    "bdf2",   "mebdf",      "radau-iia5",  "esdirk4",
                                        "gauss3", "dopri5", "radau-iia3", "trapezoidal", "rk4"};
    uint64_t state = 5;
    char model[400];
    for (size_t k = 0; k < sizeof FIXED / sizeof *FIXED; k++) {
        double h = scatter_between(&state, 0.3, 2), c = scatter_between(&state, 0.5, 2);
        double leak = scatter_between(&state, 0.1, 1);
        double end = 2 * sqrt(h) / c - 2 * leak / (c * c) * log(1 + c * sqrt(h) / leak);
        snprintf(
            model, sizeof model,
            "model M Real h(start = %.17g, fixed = true), x(start = 0, fixed = true), z(start = 0, "
            "fixed = true); equation der(h) = if h > 0 then -%.17g - %.17g*sqrt(h) else 0;\n"
            "der(x) = if h > 0 then 1 else 0; der(z) = 1; end M;",
            h, leak, c);
        dae_options o = tolerance_of(1e-6);
        o.method = FIXED[k];
        o.step = (end + 1) / 60;
        ck_assert_double_eq(end_of(model, &o, end + 1, "h"), 0);
        ck_assert_double_eq_tol(end_of(model, &o, end + 1, "x"), end, 3e-3 * end);
        ck_assert_double_eq_tol(end_of(model, &o, end + 1, "z"), end + 1, 1e-12);
    }
}
END_TEST

/* A cascade that runs empty, and is filled again from t = 6 on. */
static void write_cascade(const double *c, const char *root, char *model, size_t room)
{
    char out[2][100];
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "h2" : "h1";
        snprintf(out[i], sizeof out[i], root, name, name, c[i]);
    }
    snprintf(
        model, room,
        "model M Real h1(start = %.17g, fixed = true), h2(start = %.17g, fixed = true), q1, q2;\n"
        "equation q1 = %s; q2 = %s;\n"
        "der(h1) = (if time > 6 then %.17g else 0) - q1; der(h2) = q1 - q2; end M;",
        c[2], c[3], out[0], out[1], c[4]);
}

START_TEST(tanks_are_filled_again)
{
    uint64_t state = 8;
    char model[600], guarded[600];
    for (int k = 0; k < DRAWN; k++) {
        double c[5];
        for (int i = 0; i < 5; i++) c[i] = scatter_between(&state, 0.3, 1.8);
        write_cascade(c, "if %s > 0 then sqrt(%s)*%.17g else 0", model, sizeof model);
        write_cascade(c, "sqrt(max(%s, 0*%s))*%.17g", guarded, sizeof guarded);
        dae_options o = tolerance_of(1e-11);
        o.method = "radau-iia5";
        meets(model, METHODS[_i], 8, "h1", end_of(guarded, &o, 8, "h1"));
        meets(model, METHODS[_i], 8, "h2", end_of(guarded, &o, 8, "h2"));
    }
}
END_TEST

/* sin(x)/x within a guard, of x that passes 0: its series is the reference. */
START_TEST(a_quotient_is_guarded)
{
    uint64_t state = 4;
    char model[400], series[600];
    for (int k = 0; k < DRAWN; k++) {
        double eps = pow(10, scatter_between(&state, -9, -2)), w = scatter_between(&state, 1, 5);
        double shift = scatter_between(&state, 0, 1);
        snprintf(
            model, sizeof model,
            "model M Real x(start = %.17g, fixed = true), y(start = 0, fixed = true); equation\n"
            "der(x) = cos(%.17g*time); der(y) = (if abs(x) > %.17g then sin(x)/x else 1) - y;\n"
            "end M;",
            -shift / w, w, eps);
        snprintf(series, sizeof series,
                 "model M Real x = (sin(%.17g*time) - %.17g)/%.17g, y(start = 0, fixed = true);\n"
                 "equation der(y) = 1 - x^2/6 + x^4/120 - x^6/5040 + x^8/362880 - x^10/39916800\n"
                 "+ x^12/6227020800 - x^14/1307674368000 - y; end M;",
                 w, shift, w);
        dae_options o = tolerance_of(1e-11);
        meets(model, METHODS[_i], 4, "y", end_of(series, &o, 4, "y"));
    }
}
END_TEST

/* A rectifier as in bends.c, beside roots, logarithms and divisors that do not depend on its
 * current, or have values whatever that is. The diode solved by hand has the same solution. */
START_TEST(diodes_beside_limits)
{
    static const char *const BESIDE[] = {"y = log(1 + v^2); der(z) = y - z*log(1 + z);",
                                         "y = 1/(2 + sin(v)); der(z) = y - z/(1 + z^2);",
                                         "y = sqrt(z)*i; der(z) = y - z;",
                                         "y = i/z; der(z) = y - z + 1;",
                                         "y = log(z) + u; der(z) = y - z + 3;",
                                         "y = v/(1 + abs(z)); der(z) = sqrt(1 + y^2) - z;"};
    static const char *const DIODE[] = {
        "u = min(s, 0) + (%.17g)*max(s, 0); i = max(s, 0) + (%.17g)*min(s, 0);",
        "u = (s - abs(s))/2 + (%.17g)*(s + abs(s))/2; i = (s + abs(s))/2 + (%.17g)*(s - "
        "abs(s))/2;"};
    static const char *const REST = "model M Real v(start = 0, fixed = true), s, u, i, y,"
                                    " z(start = 1, fixed = true); equation %s\n"
                                    "u = sin(%.17g*time) - v - %.17g*i;"
                                    " 0.1*der(v) = i - %.17g*v%s; %s end M;";
    static const char *const EXPONENTIAL[] = {"", " - 1e-9*(exp(v/0.1) - 1)"};
    uint64_t state = 6;
    char model[900], solved[900], diode[400];
    for (int k = 0; k < (int)(sizeof BESIDE / sizeof *BESIDE) && _i != EXPLICIT; k++) {
        double leak = pow(10, scatter_between(&state, -8, -3)), f = scatter_between(&state, 3, 9);
        double r = scatter_between(&state, 0.05, 0.3), load = scatter_between(&state, 0.2, 2);
        snprintf(diode, sizeof diode, DIODE[k % 2], leak, leak);
        snprintf(model, sizeof model, REST, diode, f, r, load, EXPONENTIAL[k % 2], BESIDE[k]);
        snprintf(diode, sizeof diode, "s = u + %.17g*i; i = if s < 0 then %.17g*s else %.17g*s;", r,
                 leak / (1 + r * leak), 1 / (leak + r));
        snprintf(solved, sizeof solved, REST, diode, f, r, load, EXPONENTIAL[k % 2], BESIDE[k]);
        dae_options o = tolerance_of(1e-11);
        meets(model, METHODS[_i], 2.3, "v", end_of(solved, &o, 2.3, "v"));
        meets(model, METHODS[_i], 2.3, "z", end_of(solved, &o, 2.3, "z"));
    }
}
END_TEST

/* The row before the event has the values of the branch that ends there. */
START_TEST(nothing_is_noted)
{
    static const char TANK[] = "model M Real h(start = 1, fixed = true);\n"
                               "equation der(h) = if h > 0 then -sqrt(h) else 0; end M;";
    dae_options o = tolerance_of(1e-6);
    o.method = METHODS[_i];
    dae_solver *s = solver_of(TANK, &o);
    double before, yp;
    ck_assert_int_eq(dae_solver_run(s, 3), DAE_OK);
    ck_assert_msg(*dae_solver_notes(s) == 0, "%s: %s", o.method, dae_solver_notes(s));
    const dae_event *e = dae_solver_event(s);
    ck_assert_int_eq(dae_solver_at_left(s, e->t, &before, &yp), DAE_OK);
    ck_assert(before >= 0 && before < 1e-6);
    ck_assert_double_eq(dae_solver_stats(s)->state_events, 1);
    dae_solver_free(s);
}
END_TEST

/* The time from `from` to `to` with s' = -a - b sign(s) |s|^p: Simpson's rule in the cube root of
 * s, which makes broken powers smooth enough. */
static double time_of_fall(double from, double to, double a, double b, double p)
{
    enum { PARTS = 20000 };
    double low = cbrt(to), high = cbrt(from), h = (high - low) / PARTS, sum = 0;
    for (int i = 0; i <= PARTS; i++) {
        double u = low + i * h, power = copysign(pow(fabs(u), 3 * p), u);
        int weight = i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2;
        sum += weight * 3 * u * u / (a + b * power);
    }
    return sum * h / 3;
}

/* Signed powers, as in the flow through an orifice, change their branch where the slope of the root
 * is infinite; at 0 each branch has to have a value for a state that is beyond it by its rounding.
 */
START_TEST(a_flow_turns_round)
{
    static const char *const law[] = {
        "if s >= 0 then s^p else -(-s)^p",
        "if s > 0 then s^p elseif s < 0 then -(-s)^p else 0",
        "if not s > 0 then -(-s)^p else s^p",
        "if s < 0 and p > 0 then -(-s)^p else s^p",
        "if 2*r >= 0 then (2*r)^p/2^p else -(-r)^p",
    };
    static const double power[] = {0.5, 1.5, 0.75, 0.625, 0.5};
    uint64_t state = 17;
    char model[500];
    for (int k = 0; k < 5; k++) {
        double a = scatter_between(&state, 0.3, 2), b = scatter_between(&state, 0.3, 2);
        double p = power[k], from = scatter_between(&state, 0.3, 2);
        double to = -scatter_between(&state, 0.2, 0.8) * fmin(1, pow(a / b, 1 / p));
        snprintf(model, sizeof model,
                 "model M parameter Real p = %.17g; Real s(start = %.17g, fixed = true);\n"
                 "  Real r(start = 0, fixed = false) = s;\n"
                 "equation der(s) = -%.17g - %.17g*(%s); end M;",
                 p, from, a, b, law[k]);
        meets(model, METHODS[_i], time_of_fall(from, to, a, b, p), "s", to);
    }
}
END_TEST

/* Where the condition does not end the root's domain, the solution ends there as before. */
START_TEST(an_end_stays_an_end)
{
    static const char MODEL[] = "model M Real h(start = 1, fixed = true);\n"
                                "equation der(h) = if h > -1 then -1 - sqrt(h) else 0; end M;";
    dae_options o = tolerance_of(1e-6);
    o.method = METHODS[_i];
    dae_solver *s = solver_of(MODEL, &o);
    ck_assert_int_ne(dae_solver_run(s, 3), DAE_OK);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "no finite value"));
    ck_assert_double_eq_tol(dae_solver_time(s), 2 - 2 * log(2), 1e-4);
    dae_solver_free(s);
}
END_TEST

/* Pumps that run down against one head, w = exp(-t/2), with check valves: a flow s where one is
 * open, by a square root, and a deficit of head where it is closed. All of them close at one
 * instant, where their slopes are infinite. */
START_TEST(valves_close_together)
{
    static const char *const WITH[] = {"auto", "radau", "bdf", "mebdf", "rodas5p", "esdirk4"};
    uint64_t state = (uint64_t)_i + 5;
    char model[1500], part[400];
    for (size_t k = 0; k < sizeof WITH / sizeof *WITH; k++) {
        int valves = 2 + (int)scatter_below(&state, 2);
        double head = scatter_between(&state, 5, 50),
               rest = head * scatter_between(&state, 0.1, 0.8);
        double t = 1.9 * log(head / rest), common = pow(10, scatter_between(&state, 2, 4));
        snprintf(model, sizeof model,
                 "model M Real w(start = 1, fixed = true), s[%d], q[%d]; equation 2*der(w) = -w;\n",
                 valves, valves);
        for (int i = 1; i <= valves; i++) {
            snprintf(part, sizeof part,
                     "q[%d] = if s[%d] > 0 then s[%d] else 0; %.17g*w^2 - %.17g - %.17g*sum(q)^2 - "
                     "%.17g*q[%d]^2 = if s[%d] > 0 then 0 else 100*s[%d];\n",
                     i, i, i, head, rest, common, pow(10, scatter_between(&state, 3, 5)), i, i, i);
            strcat(model, part);
        }
        strcat(model, "end M;");
        double s = (head * exp(-t) - rest) / 100;
        for (int i = 1; i <= valves; i++) {
            snprintf(part, sizeof part, "s[%d]", i);
            ends_near(model, WITH[k], k % 2 ? 1e-4 : 1e-6, t, part, s);
        }
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, a_tank_runs_empty, 0, METHODS_COUNT);
    tcase_add_test(tests, a_tank_runs_empty_in_fixed_steps);
    unit_loop(tests, tanks_are_filled_again, 0, METHODS_COUNT);
    unit_loop(tests, a_quotient_is_guarded, 0, METHODS_COUNT);
    unit_loop(tests, diodes_beside_limits, 0, METHODS_COUNT);
    unit_loop(tests, nothing_is_noted, 0, METHODS_COUNT);
    unit_loop(tests, a_flow_turns_round, 0, METHODS_COUNT);
    unit_loop(tests, an_end_stays_an_end, 0, METHODS_COUNT);
    unit_loop(tests, valves_close_together, 0, 4);
    return unit_run("solve/branch_ends", tests);
}
