/* Modes that have formulations of their own: visited again, given up and made again, together with
 * delays and invariants. */
#include "solve/model_simulation.h"
#include "solve/models.h"
#include "solve/solver.h"

#include <math.h>

enum { DISCS = 4, MODES = 1 << DISCS };

/* Discs that a shaft takes along in turn: at each second another set of them. */
static const char CLUTCHES[] =
    "model Clutches Integer n(start = 0, fixed = true);\n"
    "  Real w0(start = 0, fixed = true), w[4](each start = 0, each fixed = true), tau[4];\n"
    "  Boolean b[4];\n"
    "equation when sample(1, 1) then n = pre(n) + 1; end when;\n"
    "  for i in 1:4 loop\n"
    "    b[i] = mod(div(n, integer(2^(i-1))), 2) == 1; der(w[i]) = tau[i] - 0.1*i;\n"
    "    0 = if b[i] then w[i] - w0 else tau[i];\n"
    "  end for;\n"
    "  der(w0) = 1 - sum(tau); end Clutches;";

/* The velocities of the shaft and the discs at t: within a second their accelerations are constant;
 * those that are joined keep their momentum. */
static void velocities(double t, double *w)
{
    for (int i = 0; i <= DISCS; i++) w[i] = 0;
    for (int n = 0; n < t; n++) {
        double momentum = w[0], torque = 1, inertia = 1, h = fmin(1, t - n);
        for (int i = 1; i <= DISCS; i++)
            if (n >> (i - 1) & 1) momentum += w[i], torque -= 0.1 * i, inertia++;
        w[0] = momentum / inertia + h * torque / inertia;
        for (int i = 1; i <= DISCS; i++) w[i] = n >> (i - 1) & 1 ? w[0] : w[i] - 0.1 * i * h;
    }
}

static model_simulation *model_of(dae_solver *s)
{
    return model_simulation_of(s->simulation);
}

static void has_velocities(dae_solver *s, double t)
{
    double y[3 + 3 * DISCS], w[1 + DISCS];
    is_ok(s, dae_solver_at(s, t, y, NULL));
    velocities(t, w);
    for (int i = 0; i <= DISCS; i++)
        ck_assert_msg(fabs(y[1 + i] - w[i]) < 1e-9, "w%d at %g: %.17g, not %.17g", i, t, y[1 + i],
                      w[i]);
}

static dae_solver *run_of(bool bounded)
{
    dae_options o = tolerance_of(1e-10);
    o.keep_trajectory = true;
    dae_solver *s = solver_of(CLUTCHES, &o);
    if (bounded) model_of(s)->most_held = 0;
    is_ok(s, dae_solver_run(s, 2.5 * MODES));
    return s;
}

/* Each mode has its own states. Where nearly all formulations are given up, they are made again for
 * events, and for a trajectory that is looked at later. */
START_TEST(modes_are_given_up_and_made_again)
{
    dae_solver *all = run_of(false), *few = run_of(true);
    ck_assert_uint_eq(model_of(all)->newest, MODES - 1);
    ck_assert_uint_eq(model_of(few)->newest, MODES - 1);
    ck_assert_uint_lt(model_of(few)->held, model_of(all)->held / 2);
    for (double t = 0.25; t < 2.5 * MODES; t += 0.5) {
        has_velocities(all, t);
        has_velocities(few, t);
    }
    for (double t = 2.5 * MODES - 0.1; t > 0; t -= 3.75) has_velocities(few, t);
    ck_assert_uint_lt(model_of(few)->held, model_of(all)->held / 2);
    dae_solver_free(all);
    dae_solver_free(few);
}
END_TEST

/* What is said about a formulation is said once, however many modes have one. */
START_TEST(reasons_are_given_once)
{
    dae_options o = tolerance_of(1e-6);
    dae_solver *s = solver_of(CLUTCHES, &o);
    is_ok(s, dae_solver_run(s, MODES));
    const char *reasons = dae_solver_stats(s)->reasons, *met = "levels met after each step";
    const char *first = strstr(reasons, met);
    ck_assert_msg(first && !strstr(first + 1, met), "%s", reasons);
    dae_solver_free(s);
}
END_TEST

/* z is the integral of w of half a second before, which jumps from 2.5 to 1.25 where it is joined
 * to a disc at rest. */
static const char DELAYED[] =
    "model Delayed Real w(start = 0, fixed = true), v(start = 0, fixed = true), tau;\n"
    "  Real z(start = 0, fixed = true);\n"
    "equation der(w) = 1 - tau; der(v) = tau; der(z) = delay(w, 0.5);\n"
    "  0 = if time >= 2.5 and time < 4 then w - v else tau; end Delayed;";

/* The integral of w from 0 to t. */
static double way(double t)
{
    double first = fmin(t, 2.5), second = fmin(fmax(t - 2.5, 0), 1.5), third = fmax(t - 4, 0);
    return first * first / 2 + 1.25 * second + second * second / 4 + 2 * third + third * third / 2;
}

/* Delays along the surface of a sliding motion: u is 1 for two seconds, then what holds x at 0. */
static const char SLIDES[] =
    "model Slides Real x(start = 1, fixed = true), u, z(start = 0, fixed = true);\n"
    "equation u = if x > 0 then 1 else -1; der(x) = 0.5 - u; der(z) = delay(u, 1); end Slides;";

static double held(double t)
{
    return t < 3 ? t : 3 + 0.5 * (t - 3);
}

static double off_at(dae_solver *s, double t, size_t variable, double right)
{
    double y[8];
    is_ok(s, dae_solver_at(s, t, y, NULL));
    return fabs(y[variable] - right);
}

static const char *const METHODS[] = {"auto", "radau-iia3", "bdf", "mebdf", "rodas5p"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

START_TEST(delays_go_on_in_other_formulations)
{
    dae_options o = tolerance_of(1e-8);
    o.method = METHODS[_i];
    o.keep_trajectory = true;
    dae_solver *s = solver_of(DELAYED, &o);
    is_ok(s, dae_solver_run(s, 6));
    for (double t = 0.5; t <= 6; t += 0.25) {
        double off = off_at(s, t, 3, way(t - 0.5));
        ck_assert_msg(off < 1e-6, "%s: %g at %g", METHODS[_i], off, t);
    }
    dae_solver_free(s);
    s = solver_of(SLIDES, &o);
    is_ok(s, dae_solver_run(s, 6));
    for (double t = 0.5; t <= 6; t += 0.5) {
        double off = off_at(s, t, 2, held(t));
        ck_assert_msg(off < 1e-6, "%s: %g at %g", METHODS[_i], off, t);
    }
    dae_solver_free(s);
}
END_TEST

/* A pendulum that breaks at its lowest point keeps its energy, and flies on. */
static const char BREAKS[] =
    "model Breaks Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v, "
    "T;\n"
    "  discrete Boolean broken(start = false, fixed = true);\n"
    "equation der(x) = u; der(y) = v; der(u) = -T*x; der(v) = -T*y - 9.81;\n"
    "  when x < 0 then broken = true; end when;\n"
    "  0 = if broken then T else x^2 + y^2 - 1;\n"
    "annotation(__daedal(invariant = (u^2 + v^2)/2 + 9.81*y)); end Breaks;";

/* Loose tolerances, so that nothing but the projection keeps the energy. */
START_TEST(invariants_go_on_in_other_formulations)
{
    dae_options o = tolerance_of(1e-3);
    o.method = METHODS[_i];
    o.projection = "coordinate";
    o.keep_trajectory = true;
    dae_solver *s = solver_of(BREAKS, &o);
    is_ok(s, dae_solver_run(s, 2));
    double y[6];
    for (double t = 0; t <= 2; t += 0.125) {
        is_ok(s, dae_solver_at(s, t, y, NULL));
        double energy = (y[2] * y[2] + y[3] * y[3]) / 2 + 9.81 * y[1];
        ck_assert_msg(fabs(energy) < 1e-10, "%s: %g at %g", METHODS[_i], energy, t);
    }
    is_ok(s, dae_solver_at(s, 2, y, NULL));
    ck_assert_double_lt(y[1], -3);
    ck_assert_double_eq_tol(y[2], -sqrt(2 * 9.81), 0.05);
    dae_solver_free(s);
}
END_TEST

/* The equations of a mode are combined at the event, and formed anew later in the same mode. The
 * second formulation lies in the memory of the first, and must be freed before it: sanitizers see
 * whether it is. */
static const char BORROWS[] =
    "model Borrows Real u(start = 0.35, fixed = true), x(start = 0), y, z(start = 0.5);\n"
    "  Real w(start = -0.7, fixed = true); Boolean b = w > -0.3625; equation\n"
    "  der(u) = -0.37*sin(u);\n"
    "  der(x) = y - 0.37*cos(x - u);\n"
    "  sin(der(y) + 0.47*sin(x) - z) + 0.94*(x + 0.47*sin(u) - sin(time)) = 0;\n"
    "  tan(0.5*(der(y) + 0.47*sin(x) - z))\n"
    "    + 0.53*(x + 0.47*sin(u) - sin(time))*(1 + 0.3*u) = 0;\n"
    "  der(w) = (if b then 1.06 + 0.24*cos(1.7*time) else 1.05 + 0.11*cos(1.4*time)) - 0.05*w;\n"
    "  end Borrows;";

START_TEST(formulations_in_the_memory_of_others_go_first)
{
    const double t = 3;
    dae_options o = tolerance_of(1e-4);
    o.method = "rodas5p";
    dae_solver *s = solver_of(BORROWS, &o);
    is_ok(s, dae_solver_run(s, t));
    ck_assert_uint_gt(model_of(s)->newest, 1);
    double y[6], u = 2 * atan(tan(0.175) * exp(-0.37 * t));
    is_ok(s, dae_solver_at(s, t, y, NULL));
    ck_assert_double_eq_tol(y[0], u, 1e-3);
    ck_assert_double_eq_tol(y[1] + 0.47 * sin(y[0]), sin(t), 1e-10);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, modes_are_given_up_and_made_again);
    tcase_add_test(tests, reasons_are_given_once);
    tcase_add_test(tests, formulations_in_the_memory_of_others_go_first);
    unit_loop(tests, delays_go_on_in_other_formulations, 0, METHOD_COUNT);
    unit_loop(tests, invariants_go_on_in_other_formulations, 0, METHOD_COUNT);
    return unit_run("solve/visited_modes", tests);
}
