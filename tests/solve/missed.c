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

/* u = 1 for 9 % of the run, behind jumps that no method may get through: then the run stops, and no
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

int main(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_pulse_after_rest_is_not_jumped, 0, METHODS_COUNT);
    tcase_add_loop_test(tests, a_pulse_behind_jumps_is_not_leapt_over, 0, 3);
    tcase_add_loop_test(tests, a_rectifier_comes_out_right, 0, METHODS_COUNT);
    tcase_add_test(tests, what_meets_no_equation_is_no_result);
    return unit_run("solve/missed", tests);
}
