/* Orders of half-explicit methods on index 2 by their trees, and what methods can be derived of
 * others. */
#include "method/half_explicit.h"
#include "method/catalogue.h"
#include "method/rows.h"

static const struct {
    const char *name;
    int y, z;
} known[] = {{"half-explicit-euler", 1, 1}, {"hem3", 3, 3}, {"hem4", 4, 4}, {"hedop5", 5, 4}};

enum { KNOWN = sizeof known / sizeof *known };

/* Asked for one order more, but of the largest, they have no more. */
START_TEST(published_orders)
{
    int order[2], most = known[_i].y < 5 ? known[_i].y + 1 : 5;
    method *m = create(known[_i].name);
    ck_assert_int_eq(half_explicit_orders(m, most, order), DAE_OK);
    ck_assert_msg(order[0] == known[_i].y && order[1] == known[_i].z, "%s: %d, %d", m->name,
                  order[0], order[1]);
    method_free(m);
}
END_TEST

/* Every number that constraints are met with matters, but of hem4 where the first one is. */
START_TEST(a_wrong_digit_costs_an_order)
{
    int order[2];
    method *m = create(known[_i].name);
    for (int i = 0; i < m->stages; i++) {
        for (int j = 0; j <= i && known[_i].y > 1; j++) {
            quad *element = &m->constraint[i][j];
            if (*element == 0 || (i == 0 && strcmp(m->name, "hem4") == 0)) continue;
            *element += (quad)1e-6;
            ck_assert_int_eq(half_explicit_orders(m, known[_i].y, order), DAE_OK);
            ck_assert_msg(order[0] < known[_i].y || order[1] < known[_i].z, "%s: row %d, column %d",
                          m->name, i + 1, j + 1);
            *element -= (quad)1e-6;
        }
    }
    method_free(m);
}
END_TEST

/* The classical method of order 4, taken for a half-explicit one (Hairer & Wanner II, Sec. VII.6).
 */
START_TEST(explicit_methods_lose_orders)
{
    int order[2];
    method *m = create("rk4");
    half_explicit_fill(m);
    ck_assert_int_eq(half_explicit_orders(m, 4, order), DAE_OK);
    ck_assert_int_eq(order[0], 2);
    method_free(m);
}
END_TEST

START_TEST(what_is_derived_has_the_numbers_of_its_base)
{
    static const char *const pair[][2] = {
        {"projected-gauss2", "gauss2"},
        {"projected-implicit-midpoint", "gauss1"},
        {"state-space-dormand-prince", "dopri5"},
        {"state-space-dop853", "dop853"},
        {"projected-collocation(0.1, 0.6)", "collocation(0.1,0.6)"}};
    static const char *const name[] = {"projected-gauss2", "projected-gauss1", "state-space-dopri5",
                                       "state-space-dop853", "projected-collocation(0.1,0.6)"};
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        method *made = create(pair[k][0]), *base = create(pair[k][1]);
        ck_assert_str_eq(made->name, name[k]);
        ck_assert(!same_numbers(made, base)); /* another family */
        ck_assert(same_numbers(made->base, base));
        made->family = base->family;
        ck_assert(same_numbers(made, base));
        ck_assert(method_is_adaptive(made) == method_is_adaptive(base));
        method_free(made);
        method_free(base);
    }
}
END_TEST

START_TEST(what_gains_nothing_is_refused)
{
    static const char *const wrong[][2] = {
        {"projected-radau5", "projection gains nothing"},
        {"projected-lobatto-iiia3", "projection gains nothing"},
        {"projected-rk4", "its stages are explicit"},
        {"projected-lobatto-iiib3", "its matrix is singular"},
        {"projected-rodas4", "Runge-Kutta methods of one order"},
        {"projected-radau", "Runge-Kutta methods of one order"},
        {"projected-projected-gauss2", "Runge-Kutta methods of one order"},
        {"state-space-hem4", "Runge-Kutta methods of one order"},
        {"state-space-trapezoidal", "the state-space form gains nothing"},
        {"state-space-", "\"\" is not in the catalogue"},
        {"projected-gaus2", "nearest: \"gauss2\""}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        message m = {0};
        method *made;
        ck_assert_msg(method_create(&made, wrong[k][0], &m) == DAE_USAGE, "%s", wrong[k][0]);
        ck_assert_ptr_null(made);
        ck_assert_msg(strstr(message_string(&m), wrong[k][1]), "%s", message_string(&m));
        message_free(&m);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, published_orders, 0, KNOWN);
    tcase_add_loop_test(tests, a_wrong_digit_costs_an_order, 0, KNOWN);
    tcase_add_test(tests, explicit_methods_lose_orders);
    tcase_add_test(tests, what_is_derived_has_the_numbers_of_its_base);
    tcase_add_test(tests, what_gains_nothing_is_refused);
    return unit_run("method/half_explicit", tests);
}
