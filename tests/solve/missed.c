/* What steps do not see by themselves: pulses between stages, iterations that converge to nothing,
 * tolerances below the round-off of the equations, equations that the result does not meet. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const METHODS[] = {"auto",    "radau",   "radau-iia5", "bdf",    "mebdf",
                                      "esdirk4", "rodas5p", "gauss3",     "dopri5", "dop853"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

/* Rest, and after seven of ten seconds a tenth of a second of input: x(10) = 3 * 0.05 sqrt(pi). */
START_TEST(a_pulse_after_rest_is_not_jumped)
{
    static const char model[] = "model Pulse Real x(start = 0, fixed = true);\n"
                                "equation der(x) = 3*exp(-((time - 7)/0.05)^2); end Pulse;";
    const double exact = 3 * 0.05 * sqrt(acos(-1));
    for (double rtol = 1e-3; rtol > 1e-9; rtol /= 100) {
        dae_options options = tolerance_of(rtol);
        options.method = METHODS[_i];
        double off = fabs(end_of(model, &options, 10, "x") - exact) / (rtol * exact + rtol);
        ck_assert_msg(off < 100, "%s, %g: off by %g tolerances", METHODS[_i], rtol, off);
    }
}
END_TEST

/* The same in runs of any length, whose first step may be all of it. */
START_TEST(a_pulse_in_a_short_run_is_not_jumped)
{
    for (int k = 0; k < 12; k++) {
        char model[300];
        double whole = pow(1e-3, k % 4), at = 0.15 + 0.2 * (k / 3) + 0.01 * k;
        (void)snprintf(model, sizeof model,
                       "model Pulse Real x(start = 0, fixed = true), y(start = 0, fixed = true);\n"
                       "equation der(x) = %g*exp(-((time/%g - %g)/0.01)^2) - y;\n"
                       "der(y) = 0; end Pulse;",
                       30 / whole, whole, at);
        const double exact = 0.3 * sqrt(acos(-1));
        dae_options options = tolerance_of(1e-5);
        options.method = METHODS[_i];
        double off = fabs(end_of(model, &options, whole, "x") - exact) / (1e-5 * exact + 1e-5);
        ck_assert_msg(off < 100, "%s, %g: off by %g tolerances", METHODS[_i], whole, off);
    }
}
END_TEST

/* Where a step of an explicit method misses as little within as at its ends, a point costs one
 * evaluation. */
START_TEST(a_point_that_misses_little_is_not_compared)
{
    static const char model[] = "model Ramp Real x(start = 0, fixed = true);\n"
                                "equation der(x) = 2 - 1e-3*x; end Ramp;";
    dae_options options = tolerance_of(1e-6);
    options.method = "dop853";
    dae_solver *solver = solver_of(model, &options);
    is_ok(solver, dae_solver_run(solver, 1e-9));
    ck_assert_uint_gt(dae_solver_stats(solver)->residual_calls, 100);
    ck_assert_uint_lt(dae_solver_stats(solver)->residual_calls, 130);
    dae_solver_free(solver);
}
END_TEST

/* u = 1 for 9 % of the run, after jumps that no method may get through: then the run stops, and no
 * long step goes over what it was to see. */
START_TEST(a_pulse_behind_jumps_is_not_leapt_over)
{
    static const double UNIT[] = {1, 1e-6, 1e-9};
    for (int k = 0; k < 9; k++) {
        char model[400];
        double unit = UNIT[_i], from = 0.03 + 0.1 * k;
        (void)snprintf(model, sizeof model,
                       "model Pulse Real x(start = 0, fixed = true, nominal = %g), u;\n"
                       "equation u + u^3 = noEvent(if time > %g and time < %g then 2 else 0);\n"
                       "der(x) = u; end Pulse;",
                       unit, from * unit, (from + 0.09) * unit);
        dae_options options = tolerance_of(1e-6);
        dae_problem *problem = dae_problem_parse("Pulse.mo", model, strlen(model));
        dae_solver *solver = dae_solver_create(problem, &options);
        double y[2];
        if (dae_solver_run(solver, unit) == DAE_OK) {
            ck_assert_int_eq(dae_solver_at(solver, unit, y, NULL), DAE_OK);
            ck_assert_double_le(fabs(y[0] / unit - 0.09), 1e-4);
        }
        dae_solver_free(solver);
        dae_problem_free(problem);
    }
}
END_TEST

/* An iteration of two corrections has seen what the first one leaves of each row, and a matrix that
 * serves does so nearby too: few ends are evaluated beside what the iteration evaluates. */
START_TEST(an_end_that_was_seen_is_not_evaluated_again)
{
    static const char model[] =
        "model VanDerPol Real x(start = 2, fixed = true), y(start = 0, fixed = true);\n"
        "equation der(x) = y; der(y) = 10*((1 - x^2)*y - x); end VanDerPol;";
    for (double rtol = 1e-3; rtol > 1e-8; rtol /= 10) {
        dae_options options = tolerance_of(rtol);
        options.method = "bdf";
        dae_solver *solver = solver_of(model, &options);
        is_ok(solver, dae_solver_run(solver, 20));
        const dae_stats *s = dae_solver_stats(solver);
        ck_assert_uint_gt(s->steps, 200);
        ck_assert_uint_lt(s->residual_calls, s->newton_iterations + s->steps / 2);
        dae_solver_free(solver);
    }
}
END_TEST

/* Implicit methods, whose steps are long where a stiff pair or a steep law is at rest. */
static const char *const IMPLICIT[] = {"auto", "radau", "radau-iia5", "bdf", "mebdf", "rodas5p"};
enum { IMPLICIT_COUNT = sizeof IMPLICIT / sizeof *IMPLICIT };

static void check_end(const char *method, const char *model, double end, const char *name,
                      double exact, double most)
{
    dae_options options = tolerance_of(1e-6);
    options.method = method;
    double found = end_of(model, &options, end, name);
    ck_assert_msg(fabs(found - exact) < most, "%s: %s = %.9g for %.9g by\n%s", method, name, found,
                  exact, model);
}

/* Two masses with a strong damper between them, pushed once: each row is large by their exchange,
 * and the push is on their sum. */
START_TEST(a_push_on_a_stiff_pair_is_felt)
{
    static const double WIDTH[] = {0.02, 0.05, 0.1}, AT[] = {0.2, 0.25, 0.4, 0.45, 0.5, 0.55};
    for (double stiffness = 1e4; stiffness < 1e9; stiffness *= 100) {
        for (int k = 0; k < 18; k++) {
            char model[400];
            double w = WIDTH[k % 3], c = AT[k / 3];
            (void)snprintf(
                model, sizeof model,
                "model Pair Real v(start = 1, fixed = true), u(start = 1, fixed = true);\n"
                "equation der(v) = 2*exp(-((time - %g)/%g)^2) - %g*(v - u);\n"
                "der(u) = %g*(v - u); end Pair;",
                c, w, stiffness, stiffness);
            double push = sqrt(acos(-1)) * w / 2 * (erf((1 - c) / w) + erf(c / w));
            check_end(IMPLICIT[_i], model, 1, "u", 1 + push, 1e-4);
        }
    }
}
END_TEST

/* The same where both are pushed alike, so that nothing is exchanged: explicit methods take steps
 * in which they would be unstable if it were, and a tolerance of one of the pair would explain any
 * push. */
START_TEST(a_push_on_a_pair_that_rests_is_felt)
{
    static const char *const EXPLICIT[] = {"dopri5", "dop853", "hedop5", "state-space-dopri5"};
    uint64_t state = 4;
    for (double stiffness = 10; stiffness < 1e9; stiffness *= 10) {
        for (int k = 0; k < 12; k++) {
            char model[400];
            double c = scatter_between(&state, 3, 7), w = scatter_between(&state, 0.1, 0.6);
            double rtol = k % 2 ? 1e-3 : 1e-6, push = w * sqrt(acos(-1));
            (void)snprintf(
                model, sizeof model,
                "model Pair Real a(start = 0, fixed = true), b(start = 0, fixed = true);\n"
                "Real p = exp(-((time - %.17g)/%.17g)^2);\n"
                "equation der(a) = p - %g*(a - b); der(b) = p + %g*(a - b); end Pair;",
                c, w, stiffness, stiffness);
            dae_options options = tolerance_of(rtol);
            options.method = EXPLICIT[k % 4];
            double found = end_of(model, &options, 10, "a");
            ck_assert_msg(fabs(found - push) < 100 * rtol, "%s, %g: a = %.9g for %.9g by\n%s",
                          options.method, rtol, found, push, model);
        }
    }
}
END_TEST

/* Two strong dampers beside friction that is steep and saturates: the change that removes what the
 * pushed mass misses leaves it in the row of the one that rubs. The momentum by a balance of v at
 * t = 0.75, from a run at 1e-9. */
START_TEST(a_push_on_stiff_pairs_that_rub_is_felt)
{
    static const char model[] =
        "model Chain Real p[4](each start = 0, each fixed = true),\n"
        "v[4](each start = 0, each fixed = true), f1, f2, f3;\n"
        "equation der(p) = v; f1 = 599*(p[2] - p[1]) + 96.9*(v[2] - v[1]);\n"
        "f2 = 693*(p[3] - p[2]) + 4.62e6*(v[3] - v[2]);\n"
        "f3 = 41000*(p[4] - p[1]) + 2.75e6*(v[4] - v[1]);\n"
        "4.94*der(v[1]) = f1 + f3 - 1.4112*tanh(v[1]/1.05e-5); 1.35*der(v[2]) = -f1 + f2;\n"
        "0.478*der(v[3]) = -f2; 4.35*der(v[4]) = -f3 + 2.5665*0.5*(tanh((time - 0.6115)/0.00835)\n"
        "- tanh((time - 0.7117)/0.00835)); end Chain;";
    for (double end = 0.75; end < 1.1; end += 0.25)
        check_end(IMPLICIT[_i], model, end, "p[3]", end < 1 ? 6.745051e-4 : 8.447752e-4, 1e-5);
}
END_TEST

/* A push that grows overcomes dry friction which is steeper than the tolerance: x'' = a (t - t_0)
 * from t_0 on. The run may stop for it; it does not go on where it rests. */
START_TEST(what_rests_breaks_away)
{
    static const double WIDTH[] = {1e-9, 1e-8, 1e-7}, UNIT[] = {1, 60, 1e-3};
    static const double AT[] = {0.25, 0.4, 0.55, 0.7, 0.85};
    for (int k = 0; k < 45; k++) {
        char model[400];
        double unit = UNIT[k / 15], at = AT[k % 5], push = 1 + 0.5 * (k % 4);
        (void)snprintf(model, sizeof model,
                       "model Block Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                       "equation %g*der(x) = v; %g*der(v) = %g*(time/%g - %g*tanh(v/%g));\n"
                       "end Block;",
                       unit, unit, push, unit, at, WIDTH[k / 5 % 3]);
        dae_options options = tolerance_of(1e-6);
        options.method = IMPLICIT[_i];
        options.max_steps = 20000;
        dae_solver *solver = solver_of(model, &options);
        double y[2], exact = push * (1 - at) * (1 - at) / 2;
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        if (dae_solver_run(solver, unit) == DAE_OK) {
            ck_assert_int_eq(dae_solver_at(solver, unit, y, NULL), DAE_OK);
            ck_assert_msg(fabs(y[1] - exact) < 1e-4, "%s: %.9g for %.9g by\n%s", IMPLICIT[_i], y[1],
                          exact, model);
        } else
            ck_assert_int_eq(strncmp(IMPLICIT[_i], "radau", 5),
                             0); /* they creep at rest, at times */
        dae_solver_free(solver);
    }
}
END_TEST

/* The same of a gear, of index 3, where the push exceeds friction by a few hundredths for a while:
 * all but these of what a step at rest misses is removed by the least velocity. */
START_TEST(what_is_pushed_little_more_than_it_is_held_moves)
{
    static const double EXCESS[] = {0.01, 0.03, 0.06, 0.1}, BASE[] = {0.2, 0.54, 0.8};
    static const double WIDTH[] = {1e-9, 1e-8, 1e-7};
    int arrived = 0;
    for (int k = 0; k < 36; k++) {
        char model[500];
        double hold = 1.632, top = 1 + EXCESS[k % 4] - BASE[k / 4 % 3], need = 1 - BASE[k / 4 % 3];
        double way = 0.172 * sqrt(log(top / need)), half = 0.172 * sqrt(acos(-1)) / 2;
        (void)snprintf(
            model, sizeof model,
            "model Gear Real a(start = 0, fixed = true), b, u(start = 0, fixed = true),\n"
            "v, N; equation der(a) = u; der(b) = v; b = 2*a; der(v) = N; der(u) = -N +\n"
            "%g*(%g + %g*exp(-((time - 0.625)/0.172)^2)) - %g*tanh(u/%g); end Gear;",
            hold, 1 - need, top, hold, WIDTH[k / 12]);
        dae_options options = tolerance_of(1e-6);
        options.method = IMPLICIT[_i];
        options.max_steps = 20000;
        dae_solver *solver = solver_of(model, &options);
        double y[5], exact = hold / 3 * 2 * (top * half * erf(way / 0.172) - need * way);
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        if (dae_solver_run(solver, 0.625 + way) == DAE_OK) {
            arrived++;
            ck_assert_int_eq(dae_solver_at(solver, 0.625 + way, y, NULL), DAE_OK);
            ck_assert_msg(fabs(y[2] - exact) < 1e-4, "%s: %.9g for %.9g by\n%s", IMPLICIT[_i], y[2],
                          exact, model);
        }
        dae_solver_free(solver);
    }
    /* others than this one, which creeps at rest, arrive */
    ck_assert_int_ge(arrived, strcmp(IMPLICIT[_i], "radau-iia5") == 0 ? 1 : 18);
}
END_TEST

/* An empty tank is filled for a while: what its outlet would take of one tolerance is far more than
 * a hundredth of what it would take of a hundred. */
START_TEST(an_inflow_into_an_empty_tank_is_not_leapt_over)
{
    static const char model[] =
        "model Tank Real h(start = 0.1263, fixed = true), q, y(start = 0, fixed = true);\n"
        "equation der(h) = -q + (if time > 0.36 and time < 0.64 then 1.7 else 0);\n"
        "q = 19*sqrt(max(h, 0)); der(y) = q; end Tank;";
    for (double end = 0.7; end < 5; end += 1)
        check_end(IMPLICIT[_i], model, end, "y", 0.1263 + 1.7 * 0.28, 1e-4);
}
END_TEST

/* The same where the root has no values below 0, where half of what is beside an empty tank lies.
 * The run may stop for that; it does not go over what flows in. */
START_TEST(an_inflow_beside_a_missing_value_is_not_leapt_over)
{
    static const char model[] =
        "model Tank Real h(start = 0.05, fixed = true), q, y(start = 0, fixed = true);\n"
        "equation der(h) = 1e-4 + 1.7*exp(-((time - 1)/0.08)^2) - q; q = 9*sqrt(h);\n"
        "der(y) = q; end Tank;";
    const double exact = 0.05 + 4e-4 + 1.7 * 0.08 * sqrt(acos(-1));
    for (double rtol = 1e-3; rtol > 1e-8; rtol /= 10) {
        dae_options options = tolerance_of(rtol);
        options.max_steps = 20000; /* it may stop for that as well */
        options.method = IMPLICIT[_i];
        dae_solver *solver = solver_of(model, &options);
        double y[3];
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        if (dae_solver_run(solver, 4) == DAE_OK) {
            ck_assert_int_eq(dae_solver_at(solver, 4, y, NULL), DAE_OK);
            ck_assert_double_le(fabs(y[2] - exact), 100 * rtol);
        }
        dae_solver_free(solver);
    }
}
END_TEST

/* A force that grows steadily breaks a body away from dry friction, which saturates within the
 * tolerance: v(1) = integral of 4 t - 2 from where that is 0. */
static const char *const SLIDING[] = {"auto", "radau", "bdf", "mebdf", "rodas5p"};
enum { SLIDING_COUNT = sizeof SLIDING / sizeof *SLIDING };

START_TEST(a_force_breaks_away_from_friction)
{
    for (double width = 1e-6; width > 5e-9; width /= 10) {
        char model[300];
        (void)snprintf(model, sizeof model,
                       "model Slider Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                       "equation der(x) = v; der(v) = 4*time - 2*tanh(v/%g); end Slider;",
                       width);
        check_end(SLIDING[_i], model, 1, "v", 0.5, 3e-4);
    }
}
END_TEST

/* One diode, one resistor, one capacitor with its load: the end by a separate integration of the
 * reduced ODE at 1e-13. */
START_TEST(a_rectifier_comes_out_right)
{
    static const char model[] =
        "model Rectifier Real vs, vd, i, v(start = 0, fixed = true);\n"
        "equation vs = 325*sin(100*3.141592653589793*time); vs = 10*i + vd + v;\n"
        "  i = 1e-9*(exp(vd/0.05) - 1); 470e-6*der(v) = i - v/500; end Rectifier;";
    static const double END = 269.306794, RTOL[] = {1e-3, 1e-5, 1e-7, 1e-9},
                        ATOL[] = {1e-6, 1e-9, 1e-12};
    if (strncmp(METHODS[_i], "dop", 3) == 0) return; /* which refuse algebraic variables */
    for (size_t k = 0; k < sizeof RTOL / sizeof *RTOL; k++) {
        for (size_t j = 0; j < sizeof ATOL / sizeof *ATOL; j++) {
            dae_options options = tolerance_of(RTOL[k]);
            options.atol = ATOL[j];
            options.method = METHODS[_i];
            double bound = RTOL[k] * END + ATOL[j], digits = 1e-6; /* of the reference */
            double off = fabs(end_of(model, &options, 0.2, "v") - END);
            ck_assert_msg(off < 100 * bound + digits, "%s, rtol %g, atol %g: off by %g tolerances",
                          METHODS[_i], RTOL[k], ATOL[j], off / bound);
        }
    }
}
END_TEST

/* Definitions that multiply round-off by 2000! make of x_1 what meets no equation. */
START_TEST(what_meets_no_equation_is_no_result)
{
    static const char model[] =
        "model Chain parameter Integer n = 2000; Real x[n], s(start = 1, fixed = true);\n"
        "equation for i in 1:n-1 loop x[i] = i*x[i+1] + sin(time); end for;\n"
        "  x[n] = cos(x[1])/2 + s; der(s) = -s; end Chain;";
    dae_options options = tolerance_of(1e-6);
    dae_solver *solver = solver_of(model, &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    ck_assert_int_ne(dae_solver_run(solver, 1), DAE_OK);
    ck_assert_str_ne(dae_solver_message(solver), "");
    dae_solver_free(solver);
}
END_TEST

/* A transient that has died out long ago makes no relation blind: x - a exp(-k x) + b der(x) > c.
 */
START_TEST(a_transient_hides_no_event)
{
    char model[400];
    double y[4];
    uint64_t state = 5 + (uint64_t)_i;
    for (int trial = 0; trial < 12; trial++) {
        double k = scatter_between(&state, 1, 60), a = scatter_between(&state, 0.1, 5);
        double c = scatter_between(&state, 0.3, 2), at = c;
        for (int i = 0; i < 50;
             i++) /* Newton's iteration, from beyond the root of a concave function */
            at -= (at - a * exp(-k * at) - c) / (1 + a * k * exp(-k * at));
        dae_options o = tolerance_of(1e-6);
        o.method = METHODS[_i];
        snprintf(
            model, sizeof model,
            "model M Real x(start = 0, fixed = true), v = x - %.17g*exp(-%.17g*x) + 0.1*der(x);\n"
            "  Boolean on = v > %.17g; Real since(start = 0, fixed = true);\n"
            "equation der(x) = 1; der(since) = if on then 1 else 0; end M;",
            a, k, c + 0.1);
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_run(s, 4));
        is_ok(s, dae_solver_at(s, 4, y, NULL));
        ck_assert_msg(fabs(y[3] - (4 - at)) < 1e-4, "%s, %s: on for %.9g, not %.9g", model,
                      METHODS[_i], y[3], 4 - at);
        dae_solver_free(s);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, a_pulse_in_a_short_run_is_not_jumped, 0, METHODS_COUNT);
    tcase_add_test(tests, a_point_that_misses_little_is_not_compared);
    tcase_add_test(tests, an_end_that_was_seen_is_not_evaluated_again);
    unit_loop(tests, a_pulse_after_rest_is_not_jumped, 0, METHODS_COUNT);
    unit_loop(tests, a_pulse_behind_jumps_is_not_leapt_over, 0, 3);
    unit_loop(tests, a_rectifier_comes_out_right, 0, METHODS_COUNT);
    unit_loop(tests, a_push_on_a_stiff_pair_is_felt, 0, IMPLICIT_COUNT);
    unit_loop(tests, a_push_on_stiff_pairs_that_rub_is_felt, 0, IMPLICIT_COUNT);
    tcase_add_test(tests, a_push_on_a_pair_that_rests_is_felt);
    unit_loop(tests, what_rests_breaks_away, 0, IMPLICIT_COUNT);
    unit_loop(tests, what_is_pushed_little_more_than_it_is_held_moves, 0, IMPLICIT_COUNT);
    unit_loop(tests, an_inflow_into_an_empty_tank_is_not_leapt_over, 0, IMPLICIT_COUNT);
    unit_loop(tests, an_inflow_beside_a_missing_value_is_not_leapt_over, 0, IMPLICIT_COUNT);
    unit_loop(tests, a_force_breaks_away_from_friction, 0, SLIDING_COUNT);
    tcase_add_test(tests, what_meets_no_equation_is_no_result);
    unit_loop(tests, a_transient_hides_no_event, 0, METHODS_COUNT);
    return unit_run("solve/missed", tests);
}
