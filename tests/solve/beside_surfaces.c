/* Drawn models that stand at the surface of a relation, where their rates are small or their
 * branches agree: each end value is compared with the exact solution. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto",    "bdf",     "radau-iia3", "radau-iia5",
                                      "esdirk4", "rodas5p", "mebdf",      "state-space-dopri5"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, DRAWN = 4 };

static const double RTOL[] = {1e-5, 1e-7, 1e-9};

/* Runs with method m end at the exact value: each model at one tolerance, or at all of them. */
static void meets(const char *model, int m, double stop, const char *name, double wanted)
{
    enum { TOLERANCES = sizeof RTOL / sizeof *RTOL };
    static int runs;
    runs++;
    for (int k = 0; k < TOLERANCES; k++)
        if (grid_of_run() == GRID_FULL || (m + runs) % TOLERANCES == k)
            ends_near(model, METHODS[m], RTOL[k], stop, name, wanted);
}

/* A vessel with a weir runs down to it, rests, and is filled slowly from t = T on so that its level
 * is level + (b (t - T)^2)^2. Both branches agree at the weir. */
START_TEST(a_vessel_is_filled_slowly)
{
    uint64_t state = 12;
    char model[700];
    for (int k = 0; k < 2 * DRAWN; k++) {
        double b = scatter_between(&state, 0.2, 2), c = scatter_between(&state, 0.3, 2);
        double level = k % 2 ? scatter_between(&state, 0.1, 0.9) : 0;
        double above = k % 4 < 2 ? scatter_between(&state, 0.2, 0.8) : 0;
        double from = above > 0 ? 2 * above / c + scatter_between(&state, 0, 1) : (k == 3) * 0.4;
        snprintf(model, sizeof model,
                 "model M Real h(start = %.17g, fixed = true), tau = max(0, time - %.17g);\n"
                 "equation der(h) = %.17g*tau^3 + %.17g*tau^2\n"
                 "- (if h > %.17g then %.17g*sqrt(h - %.17g) else 0); end M;",
                 level + above * above, from, 4 * b * b, c * b, level, c, level);
        meets(model, _i, from + 0.9, "h", level + b * b * pow(0.9, 4));
    }
}
END_TEST

/* What turns against a load stays at rest while the driving torque grows from 0. */
START_TEST(a_torque_grows_from_0)
{
    uint64_t state = 13;
    char model[400];
    for (int k = 0; k < DRAWN; k++) {
        double pace = scatter_between(&state, 0.5, 2), load = scatter_between(&state, 0.3, 1.5);
        double from = scatter_between(&state, 0, 1), over = scatter_between(&state, 0.2, 1);
        snprintf(model, sizeof model,
                 "model M Real w(start = 0, fixed = true); equation\n"
                 "der(w) = %.17g*max(0, time - %.17g) - (if w > 0 then %.17g else 0); end M;",
                 pace, from, load);
        meets(model, _i, from + 0.5 * load / pace, "w", 0);
        meets(model, _i, from + load / pace + over, "w", 0.5 * pace * over * over);
    }
}
END_TEST

/* An ideal diode with a capacitor C beside it blocks where its current ends, with a voltage that is
 * 0 there as its first derivative: the second one decides. With x = w R C and t from there on,
 * u = A/(1 + x^2) (x cos(w t) - sin(w t) - x exp(-t/(R C))). */
START_TEST(a_diode_beside_a_capacitor)
{
    uint64_t state = 14;
    char model[600];
    for (int k = 0; k < DRAWN; k++) {
        double a = scatter_between(&state, 0.5, 3), w = scatter_between(&state, 2, 8);
        double r = scatter_between(&state, 0.5, 2), c = scatter_between(&state, 0.1, 1) / (r * w);
        double phase = scatter_between(&state, 0.3, 1.2), x = w * r * c, t = acos(-1) / (2 * w);
        double wanted = -a / (1 + x * x) * (1 + x * exp(-t / (r * c)));
        double first = (acos(-1) - phase) / w;
        snprintf(model, sizeof model,
                 "model M Real u, i, id, s; Boolean off(start = false); equation\n"
                 "%.17g*sin(%.17g*time + %.17g) - %.17g*i = u; i = %.17g*der(u) + id;\n"
                 "off = s < 0; u = if off then s else 0; id = if off then 0 else s; end M;",
                 a, w, phase, r, c);
        meets(model, _i, first + t, "u", wanted);
        meets(model, _i, first + 5 * t, "u", wanted);
        meets(model, _i, first - t * 0.1, "id", a / r * sin(w * t * 0.1));
    }
}
END_TEST

/* A relation along which the solution slides has no events: a counter of them says so. */
START_TEST(a_counter_waits)
{
    dae_options o = tolerance_of(1e-6);
    for (int counts = 0; counts < 2; counts++) {
        char model[400];
        snprintf(model, sizeof model,
                 "model M Real y(start = 0, fixed = true); Boolean top = y > 1;\n"
                 "Integer n(start = 0, fixed = true); equation der(y) = if top then -1 else 1;\n"
                 "when %s then n = pre(n) + 1; end when; end M;",
                 counts ? "top" : "time > 0.5");
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_run(s, 3));
        const char *told = strstr(dae_solver_notes(s), "slides along the surface");
        ck_assert_int_eq(told != NULL, counts);
        if (counts) ck_assert_ptr_nonnull(strstr(told, "n (line 2)"));
        dae_solver_free(s);
    }
}
END_TEST

/* A thermostat switches off where the temperature reaches its upper bound: it stands there for no
 * time, and the integral of what holds at or above the bound is 0. */
START_TEST(a_thermostat_turns_at_its_bound)
{
    uint64_t state = 15;
    char model[600];
    for (int k = 0; k < DRAWN; k++) {
        double low = scatter_between(&state, 17, 19), high = low + scatter_between(&state, 0.3, 2);
        double loss = scatter_between(&state, 0.05, 0.3), heat = loss * (high - 10) + 1;
        snprintf(model, sizeof model,
                 "model M Real T(start = %.17g, fixed = true), c(start = 0, fixed = true);\n"
                 "Boolean heat(start = false, fixed = true); equation\n"
                 "der(T) = (if heat then %.17g else 0) - %.17g*(T - 10);\n"
                 "heat = T < %.17g or (pre(heat) and T < %.17g);\n"
                 "der(c) = if T < %.17g then 0 else 1; end M;",
                 low - 1, heat, loss, low, high, high);
        meets(model, _i, 60, "c", 0);
    }
}
END_TEST

/* A block that is pulled back and forth sticks and slips alike in any unit of time: with a unit of
 * T seconds its velocity is 1/T, and its nominal size says so. */
START_TEST(a_slow_body_sticks)
{
    double first = 0;
    for (int k = 0; k < 3; k++) {
        double unit = pow(10, 4 * k), y[4];
        char model[500];
        snprintf(model, sizeof model,
                 "model M Real x(start = 0, fixed = true), v(start = 0, fixed = true, nominal = "
                 "%.17g), f(nominal = %.17g); equation der(x) = v; f = -%.17g*sign(v);\n"
                 "der(v) = 3*%.17g*sin(3*time/%.17g) + f; end M;",
                 1 / unit, 1 / (unit * unit), 1 / (unit * unit), 1 / (unit * unit), unit);
        dae_options o = tolerance_of(1e-7);
        o.method = METHODS[_i];
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_run(s, 2 * unit));
        is_ok(s, dae_solver_at(s, 2 * unit, y, NULL));
        if (k == 0) first = y[0];
        ck_assert_msg(fabs(y[0] - first) < 1e-4, "%s: %.9g, not %.9g\n%s", o.method, y[0], first,
                      model);
        dae_solver_free(s);
    }
    ck_assert_double_eq_tol(first, 0.517259, 2e-5);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_counter_waits);
    unit_loop(tests, a_vessel_is_filled_slowly, 0, METHODS_COUNT);
    unit_loop(tests, a_torque_grows_from_0, 0, METHODS_COUNT);
    unit_loop(tests, a_diode_beside_a_capacitor, 0, METHODS_COUNT);
    unit_loop(tests, a_thermostat_turns_at_its_bound, 0, METHODS_COUNT);
    unit_loop(tests, a_slow_body_sticks, 0, METHODS_COUNT);
    return unit_run("solve/beside_surfaces", tests);
}
