/* Discrete Real variables whose definitions at an event contain what the equations give by them:
 * definitions and equations are met together, also where no iteration of both in turn would end. */
#include "solve/models.h"

#define BEGIN \
    "model M Real x(start = 0, fixed = true), a, b; discrete Real d(start = 1, fixed = true);\n"

static const struct {
    const char *what, *model;
    double stop, wanted; /* d at the end, which is b's and that of no event */
} rows[] = {
    /* d = 2 (d + b) + pre(d) = -2 b - pre(d) */
    {"a sample",
     BEGIN "equation der(x) = 1; b = x; a = d + b;\n"
           "  when sample(0.5, 0.5) then d = 2*a + pre(d); end when; end M;",
     0.75, -2},
    {"another sample",
     BEGIN "equation der(x) = 1; b = x; a = d + b;\n"
           "  when sample(0.5, 0.5) then d = 2*a + pre(d); end when; end M;",
     1.25, 0},
    {"a crossing",
     BEGIN "equation der(x) = 1; b = x; d = a - b;\n"
           "  when {x > 0.5, x > 0.75} then d = 2*a + pre(d); end when; end M;",
     1, 0.5},
    {"an algorithm",
     BEGIN "equation der(x) = 1; b = x; a = d + b;\n"
           "algorithm when x > 0.5 then d := 2*a + pre(d); end when; end M;",
     1, -2},
    {"a state that d moves", /* x = e^t - 1 before it */
     BEGIN "equation der(x) = a; b = x; a = d + b;\n"
           "  when time > 0.5 then d = 2*a + pre(d); end when; end M;",
     0.75, 1 - 2 * 1.6487212707001281468},
    {"an implicit equation of b", /* b^3 + b = 5/8 */
     BEGIN "equation der(x) = 1; b^3 + b = x; a = d + b;\n"
           "  when x > 0.625 then d = 2*a + pre(d); end when; end M;",
     1, -2},
    {"a nonlinear circle", /* a = 3/2 */
     BEGIN "equation der(x) = 1; b = x - 1; a + a^3 = d + b;\n"
           "  when x > 0.875 then d = 20*a - 26 + pre(d); end when; end M;",
     1, 5},
    {"a relation that turns with it", /* b = 2 x as a is -2 */
     BEGIN "equation der(x) = 1; b = if a > 0 then x else 2*x; a = d + b;\n"
           "  when x > 0.5 then d = 2*a + pre(d); end when; end M;",
     1, -3},
    {"nothing left of it",
     BEGIN "equation der(x) = 1; b = x - 0.5; a = d + b;\n"
           "  when x > 0.5 then d = 2*a; end when; end M;",
     1, 0},
    {"the start", /* b = 1 */
     "model M Real x(start = 1, fixed = true), a, b; discrete Real d;\n"
     "equation der(x) = 1; b = x; a = d + b; when initial() then d = 2*a + 1; end when; end M;",
     1, -3},
    {"an initial equation",
     "model M Real x(start = 1, fixed = true), a, b; discrete Real d; initial equation\n"
     "  d = 2*a + 1; equation der(x) = 1; b = x; a = d + b;\n"
     "  when x > 5 then d = 0; end when; end M;",
     1, -3},
};

START_TEST(definitions_and_equations_are_met_together)
{
    static const char *const FORMULATIONS[] = {"auto", "direct"};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (size_t f = 0; f < 2; f++) {
            dae_options o = tolerance_of(1e-9);
            o.formulation = FORMULATIONS[f];
            double d = end_of(rows[k].model, &o, rows[k].stop, "d");
            ck_assert_msg(fabs(d - rows[k].wanted) <= 1e-7, "%s, %s: %.15g, not %.15g",
                          rows[k].what, o.formulation, d, rows[k].wanted);
        }
    }
}
END_TEST

/* a = 3 a + 1 + x, so that a = -3/4, d = -1/2, c = -3/4; what counts events counts this one once.
 */
static const char SEVERAL[] =
    "model M Real x(start = 0, fixed = true), a; discrete Real d(start = 1, fixed = true);\n"
    "  discrete Real c(start = 0, fixed = true), f(start = 0, fixed = true);\n"
    "  discrete Integer n(start = 0, fixed = true);\n"
    "equation der(x) = 1; a = d + c + x;\n"
    "  when x > 0.5 then d = 2*a + pre(d); c = a - pre(c); f = 3*d - a; n = pre(n) + 1; end when;\n"
    "end M;";

START_TEST(several_variables_are_found_at_once)
{
    static const struct {
        const char *name;
        double wanted;
    } of[] = {{"d", -0.5}, {"c", -0.75}, {"f", -0.75}, {"n", 1}};
    dae_options o = tolerance_of(1e-9);
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        ck_assert_double_eq_tol(end_of(SEVERAL, &o, 1, of[k].name), of[k].wanted, 1e-7);
}
END_TEST

/* d = d + b + pre(d) */
START_TEST(what_has_no_value_is_named)
{
    dae_solver *solver = solver_of(BEGIN "equation der(x) = 1; b = x; a = d + b;\n"
                                         "  when time > 0.5 then d = a + pre(d); end when; end M;",
                                   NULL);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_EVENT);
    const char *words = dae_solver_message(solver);
    ck_assert_msg(strstr(words, "at t = 0.5 d (m.mo:1) has no value, or several"), "%s", words);
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/together", 60, definitions_and_equations_are_met_together,
          several_variables_are_found_at_once, what_has_no_value_is_named)
