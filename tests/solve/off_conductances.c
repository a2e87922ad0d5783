/* Diodes that conduct a little where they block: as the current of an inductance comes to 0, the
 * voltage goes over to another value within the inductance times that conductance, some 1e-12 s.
 *
 * With the resistance R on and the conductance G off, L i' = -v - u: i reaches 0 at the time
 * L/R log(1 + R i0/v). From there on i = -G v (1 - exp(-(time - that)/(L G))), and u = i/G. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"radau", "radau-iia3", "radau-iia5", "esdirk4",
                                      "bdf",   "mebdf",      "rodas5p",    "auto"};
static const double RTOL[] = {1e-4, 1e-6, 1e-8};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, DRAWN = 2, TEXT = 1200 };

/* Runs to `stop`. Returns the values there (room for 8) and what the run has counted. */
static dae_stats run(const char *text, const char *method, double rtol, double stop, double *y)
{
    dae_options options = tolerance_of(rtol);
    options.method = method;
    dae_solver *s = solver_of(text, &options);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, stop));
    is_ok(s, dae_solver_at(s, stop, y, NULL));
    dae_stats stats = *dae_solver_stats(s);
    dae_solver_free(s);
    return stats;
}

/* A first step that fails becomes ten times shorter, from at most the length of the run to a part
 * of L G. */
static double most_failures(double end, double transient)
{
    return log10(end / transient) + 4;
}

static void comes_to_zero(uint64_t *state, const char *method, double rtol)
{
    double i0 = scatter_between(state, 1, 5), v = scatter_between(state, 5, 50), y[8];
    double r = pow(10, scatter_between(state, -3, -1)), g = pow(10, scatter_between(state, -7, -5));
    double l = pow(10, scatter_between(state, -5, -3)), end = l / r * log1p(r * i0 / v);
    char text[TEXT];
    snprintf(text, sizeof text,
             "model M Real i(start = %.17g, fixed = true), u, s; equation\n"
             "u = s*(if s > 0 then %.17g else 1); i = s*(if s > 0 then 1 else %.17g);\n"
             "%.17g*der(i) = -u - %.17g; end M;",
             i0, r, g, l, v);
    dae_stats stats = run(text, method, rtol, 2 * end, y);
    ck_assert_msg(fabs(y[1] + v) < 10 * rtol * v && fabs(y[0] + g * v) < 10 * rtol * (1 + g * v),
                  "%s, %g: u = %.17g, not %.17g\n%s", method, rtol, y[1], -v, text);
    ck_assert_msg(stats.steps < 2000, "%s, %g: %zu steps\n%s", method, rtol, stats.steps, text);
    ck_assert_msg((double)stats.rejected < most_failures(end, l * g),
                  "%s, %g: %zu attempts failed, %g\n%s", method, rtol, stats.rejected,
                  most_failures(end, l * g), text);
}

START_TEST(a_current_comes_to_zero)
{
    uint64_t state = 7;
    for (int k = 0; k < DRAWN; k++)
        for (size_t i = 0; i < sizeof RTOL / sizeof *RTOL; i++)
            comes_to_zero(&state, METHODS[_i], RTOL[i]);
}
END_TEST

/* In each period of 2e-5 s an inductance is at +48 V for 4e-6 s and gives the flux of that, 1.92e-4
 * Vs, to 24 V after the diode within 8e-6 s more. Then both of its sides block until the next
 * period. */
START_TEST(a_converter_runs_empty_in_each_period)
{
    static const char MODEL[] =
        "model M Real i(start = 0, fixed = true), w(start = 0, fixed = true, nominal = 1e-4), id, "
        "isw, x, s;\n"
        "Boolean on = sin(time*314159.26535897932 + 0.62831853071795865) > 0.80901699437494745;\n"
        "equation -24 - x = s*(if s > 0 then 1e-9 else 1); id = s*(if s > 0 then 1 else 1e-8);\n"
        "48 - x = isw*(if on then 1e-9 else 1e8); i = isw + id; 1e-5*der(i) = x;\n"
        "der(w) = id; end M;";
    for (size_t i = 0; i < sizeof RTOL / sizeof *RTOL; i++) {
        double y[8], charge = 5 * 0.5 * 19.2 * 8e-6;
        size_t steps = run(MODEL, METHODS[_i], RTOL[i], 9.5e-5, y).steps;
        ck_assert_msg(fabs(y[1] - charge) < 1e-3 * charge, "%s, %g: %.9g, not %.9g", METHODS[_i],
                      RTOL[i], y[1], charge);
        ck_assert_uint_lt(steps, 20000);
    }
}
END_TEST

/* A step of 1e-15 s at 0.77 s is a few roundings of the time. Once the diode blocks, v is the
 * voltage of the source, to 1e-8 of it. */
START_TEST(a_diode_blocks_where_the_time_is_coarse)
{
    static const char MODEL[] =
        "model M Real i(start = 0, fixed = true), v, s; Boolean off = s < 0; equation\n"
        "0.5*der(i) = sin(6*time) - i - v; v = if off then s else 0;\n"
        "i = if off then 1e-8*s else s; end M;";
    for (size_t i = 0; i < sizeof RTOL / sizeof *RTOL; i++) {
        double y[8];
        run(MODEL, METHODS[_i], RTOL[i], 0.9, y);
        ck_assert_msg(fabs(y[1] - sin(5.4)) < 10 * RTOL[i] + 1e-7, "%s, %g: %.9g, not %.9g",
                      METHODS[_i], RTOL[i], y[1], sin(5.4));
    }
}
END_TEST

/* The position of the valve is known from a difference of pressures of 2e7, whose round-off changes
 * it by 4e-6 where it passes 0 on its way from -1e6 to 3e6. */
START_TEST(a_variable_passes_zero_in_its_own_noise)
{
    static const char MODEL[] =
        "model M Real p(start = 1e5, fixed = true, nominal = 1e6), q(nominal = 1e-4), s(start = "
        "-1);\n"
        "equation 1e-12*der(p) = 3e-4*sin(time) - q; q = if s > 0 then s*1e-10 else 0;\n"
        "p - 2e7 = if s > 0 then s*1e-3 else s; end M;";
    for (size_t i = 0; i < sizeof RTOL / sizeof *RTOL; i++) {
        double y[8];
        size_t steps = run(MODEL, METHODS[_i], RTOL[i], 2, y).steps;
        double q = 3e-4 * (sin(2) - 1e-5 * cos(2));
        ck_assert_double_eq_tol(y[1], q, 10 * RTOL[i] * q);
        ck_assert_double_eq_tol(y[0], 2e7 + 3e3 * sin(2), 10 * RTOL[i] * 2e7);
        ck_assert_uint_lt(steps, 3000);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    unit_loop(tests, a_current_comes_to_zero, 0, METHODS_COUNT);
    unit_loop(tests, a_converter_runs_empty_in_each_period, 0, METHODS_COUNT);
    unit_loop(tests, a_diode_blocks_where_the_time_is_coarse, 0, METHODS_COUNT);
    unit_loop(tests, a_variable_passes_zero_in_its_own_noise, 0, METHODS_COUNT);
    return unit_run("solve/off_conductances", tests);
}
