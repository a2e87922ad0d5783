/* Strings of a run: messages of assert() and terminate() have the values of the time at which they
 * are given, and variables keep what was assigned to them at events. */
#include "solve/models.h"

/* x = e^t. */
#define GROWS                                                                               \
    "Real x(start = 1, fixed = true); Boolean big = x > 3; String s = if big then \"big\" " \
    "else \"small\"; equation der(x) = x; "

typedef struct told {
    const char *model, *said, *note;
} told;

static const told CASES[] = {
    {"model M " GROWS "assert(x < 2, \"x is \" + String(2*x, significantDigits = 3) + \", \" + s + "
     "\" \" + String(big) + \" \" + String(der(x), format = \".2f\")); end M;",
     ": x is 4, small false 2.00 (m.mo:1)", ""},
    {"model M " GROWS
     "when x > 4 then terminate(\"at \" + String(x) + \", \" + s); end when; end M;",
     ": at 4, big", ""},
    {"model M " GROWS "when x > 2 then assert(x < 1, \"now \" + String(x) + \" \" + s, "
     "AssertionLevel.warning); end when; when x > 4 then assert(false, s + String(x/2)); end when; "
     "end M;",
     ": big2 (m.mo:1)", ": now 2 small (m.mo:1)"},
    {"package P function f input Real u; output Real y; algorithm assert(u < 4, \"u = \" + "
     "String(u)); y := u; end f; model M Real y = f(2*x); " GROWS "end M; end P;",
     ": u = 4, in f(2*x) (m.mo:1)", ""},
    /* an assert of a function names the call that the equation has, and its line */
    {"package P function f input Real u; output Real y; algorithm\nassert(u < 2, \"too much\"); y "
     ":= "
     "u; end f; function g input Real u; output Real y = f(u/2); algorithm end g; model M\n"
     "Real z; " GROWS "\nz = 3 + g(time + x); end M; end P;",
     ": too much, in g(time + x) (m.mo:4)", ""},
    {"package P function f input Real u; output Real y; algorithm assert(u < 1.5, \"in the "
     "message\"); y := u; end f; model M " GROWS
     "assert(x < 3, \"f is \" + String(f(x))); end M; end "
     "P;",
     ": f is 3 (m.mo:1)", ""},
    {"model M Real x(start = 1, fixed = true); String s(start = \"calm\", fixed = true); equation "
     "der(x) = x; when x > 2 then s = \"wild\"; end when; assert(x < 3, \"it is \" + s); end M;",
     ": it is wild (m.mo:1)", ""},
    {"model M " GROWS "assert(x < 2, \"x is \" + getInstanceName()); end M;", ": x is M (m.mo:1)",
     ""},
};

START_TEST(values)
{
    const told *c = &CASES[_i];
    dae_options o = tolerance_of(1e-8);
    dae_solver *s = solver_of(c->model, &o);
    dae_solver_start(s, 0, NULL);
    dae_solver_run(s, 5);
    const char *said = dae_solver_message(s);
    ck_assert_msg(strstr(said, c->said) && strstr(dae_solver_notes(s), c->note), "%s\n%s", said,
                  dae_solver_notes(s));
    dae_solver_free(s);
}
END_TEST

/* An integrand with the values 1, 2 or 4 by a String that a when or an algorithm assigns, and its
 * integral up to 4. */
static const struct {
    const char *text;
    double integral;
} MEMORY[] = {
    /* until 1 as it begins, then what the last when-clause said */
    {"String s(start = \"two\", fixed = true); equation when time > 1 then s = \"one\"; elsewhen "
     "time > 3 then s = if x > 0 then \"four\" else \"one\"; end when;",
     2 + 2 + 4},
    {"String s; initial equation s = \"four\"; equation when time > 1 then s = \"one\"; end when;",
     4 + 3},
    {"parameter String p = \"four\"; String s(start = p, fixed = true); equation when time > 3 "
     "then "
     "s = \"two\"; end when;",
     12 + 2},
    /* one follows the other, half a second later; all see the same values at one instant */
    {"String t(start = \"two\", fixed = true), s(start = \"one\", fixed = true); equation when "
     "sample(0.5, 1) then t = pre(s); end when; when sample(1, 1) then s = pre(t); end when;",
     4},
    {"String t(start = \"two\", fixed = true), s(start = \"one\", fixed = true); equation when "
     "time > 2 then t = pre(s); s = pre(t); end when;",
     2 + 4},
    {"String s; algorithm when time > 2 then s := \"two\"; end when;", 2 * 1 + 2 * 2},
    {"String s; algorithm s := if time > 3 then \"four\" else \"two\"; if s == \"four\" then s := "
     "\"one\"; end if;",
     6 + 1},
    {"String u[2](start = {\"one\", \"two\"}, each fixed = true), s = u[2]; equation when time > 1 "
     "then u = {\"two\", \"four\"}; end when;",
     2 + 12},
    {"function f input Integer k; output String w; algorithm w := if k > 1 then \"four\" else "
     "\"two\"; end f; Integer n(start = 0, fixed = true); String s; equation when sample(1, 1) "
     "then "
     "n = pre(n) + 1; s = f(n); end when;",
     1 + 2 + 8},
    {"String t(start = \"a\", fixed = true), s = if change(t) or t == \"b\" then \"two\" else "
     "\"one\"; equation when time > 3 then t = \"b\"; end when;",
     3 + 2},
};

START_TEST(memory)
{
    char model[900];
    snprintf(model, sizeof model,
             "model M Real x(start = 0, fixed = true), v = if s == \"two\" then 2 elseif s == "
             "\"four\" then 4 else 1; %s %s der(x) = v; end M;",
             MEMORY[_i].text,
             strstr(MEMORY[_i].text, "algorithm s") || strstr(MEMORY[_i].text, "algorithm when")
                 ? "equation"
                 : "");
    dae_options o = tolerance_of(1e-8);
    double x = end_of(model, &o, 4, "x");
    ck_assert_msg(fabs(x - MEMORY[_i].integral) < 1e-9, "%s\n%.12g", model, x);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, values, 0, sizeof CASES / sizeof *CASES);
    tcase_add_loop_test(tests, memory, 0, sizeof MEMORY / sizeof *MEMORY);
    return unit_run("messages with values", tests);
}
