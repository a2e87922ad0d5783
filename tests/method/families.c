/* The families by their numbers of stages, beyond the rows of the catalogue too. */
#include "method/catalogue.h"

#include "method/assumptions.h"
#include "method/rows.h"

enum { MOST_STAGES = 9 };

/* The families with more stages than the catalogue has rows for. */
START_TEST(many_stages)
{
    for (int s = 2; s <= MOST_STAGES; s++) {
        method m = {.family = (method_family)_i};
        int b, c, d;
        method_fill_family(&m, s);
        assumptions(m.family, s, &b, &c, &d);
        ck_assert_int_eq(m.stages, s);
        for (int i = 1; i < s; i++) ck_assert(m.c[i - 1] < m.c[i]);
        double residual = 0;
        for (int k = 1; k <= b; k++) residual = fmax(residual, (double)of_b(&m, k));
        for (int k = 1; k <= c; k++) residual = fmax(residual, (double)of_c(&m, k));
        for (int k = 1; k <= d; k++) residual = fmax(residual, (double)of_d(&m, k));
        ck_assert_msg(residual < 1e-29, "%s with %d stages: %g", method_family_word(m.family), s,
                      residual);
    }
}
END_TEST

/* Heun's method is the member with two stages of Lobatto IIIC*. */
START_TEST(heun_is_lobatto)
{
    method *m = create("heun2"), lobatto = {.family = METHOD_LOBATTO_IIICS};
    method_fill_family(&lobatto, 2);
    ck_assert(same_numbers(m, &lobatto));
    method_free(m);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, many_stages, METHOD_GAUSS, METHOD_LOBATTO_IIICS + 1);
    tcase_add_test(tests, heun_is_lobatto);
    return unit_run("method/families", tests);
}
