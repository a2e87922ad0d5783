/* The catalogue: names, aliases, what is nearest to a wrong name. */
#include "method/catalogue.h"

#include "base/unit.h"

START_TEST(names_and_aliases)
{
    const method_row *radau = method_find("radau-iia3");
    ck_assert_ptr_nonnull(radau);
    ck_assert_ptr_eq(method_find("radau5"), radau);
    ck_assert_ptr_eq(method_find("auto"), radau);
    ck_assert_int_eq(radau->family, METHOD_RADAU_IIA);
    ck_assert_int_eq(radau->stages, 3);
    ck_assert_ptr_null(method_find("radau"));
    ck_assert_ptr_null(method_find(""));
    ck_assert_ptr_null(method_find("Radau5"));
}
END_TEST

START_TEST(nearest)
{
    ck_assert_str_eq(method_nearest("radua5"), "radau5");
    ck_assert_str_eq(method_nearest("radau-iia4"), "radau-iia3");
    ck_assert_ptr_null(method_nearest("something else"));
}
END_TEST

UNIT_MAIN("method/catalogue", 10, names_and_aliases, nearest)
