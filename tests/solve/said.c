/* Messages of assert() and terminate() have the values of the time at which they are given. */
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
     ": u = 4 (m.mo:1)", ""},
    {"package P function f input Real u; output Real y; algorithm assert(u < 1.5, \"in the "
     "message\"); y := u; end f; model M " GROWS
     "assert(x < 3, \"f is \" + String(f(x))); end M; end "
     "P;",
     ": f is 3 (m.mo:1)", ""},
    {"model M " GROWS "assert(x < 2, \"x is \" + getInstanceName()); end M;",
     ": x is getInstanceName() (m.mo:1)", ""},
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

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, values, 0, sizeof CASES / sizeof *CASES);
    return unit_run("messages with values", tests);
}
