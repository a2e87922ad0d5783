/* Gauss's methods with error control on algebraic equations: |R(infinity)| is 1, so that nothing
 * damps what a step misses of them, and with gauss2 it adds up. And those that solve for the ends
 * of their steps. */
#include "base/unit.h"
#include "zoo/run.h"

#include <string.h>

static const char *const problems[] = {"transistor amplifier", "Robertson", "chemical Akzo Nobel"};

START_TEST(what_steps_miss_is_not_carried_on)
{
    static const char *const names[] = {"gauss2", "gauss3"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++)
        for (double digits = 2; digits < 6; digits += 0.5) {
            zoo_outcome o;
            zoo_solve(zoo_ivp_named(problems[_i]), names[m], pow(10, -digits), 100000, &o);
            ck_assert_msg(o.status == DAE_OK, "%s, %g digits: %s", names[m], digits, o.message);
            ck_assert_msg(o.units < 1, "%s, %g digits: %g", names[m], digits, o.units);
        }
}
END_TEST

/* y' and what is algebraic do not follow from y where each y' stands in a singular matrix: told at
 * the start, by each method that needs them. */
START_TEST(what_does_not_follow_is_reported)
{
    static const char *const names[] = {"projected-gauss2", "projected-gauss3",
                                        "state-space-gauss3", "state-space-dopri5"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        zoo_outcome o;
        zoo_solve(zoo_ivp_named("transistor amplifier"), names[m], 1e-4, 100000, &o);
        ck_assert_msg(o.status == DAE_UNSUPPORTED && o.steps == 0, "%s: %s", names[m], o.message);
        ck_assert_ptr_nonnull(strstr(o.message, "do not follow"));
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, what_steps_miss_is_not_carried_on, 0, 3);
    tcase_add_test(tests, what_does_not_follow_is_reported);
    return unit_run("accuracy/gauss", tests);
}
