/* The catalogue: names, aliases, what is nearest to a wrong name, what else can be wrong. */
#include "base/unit.h"
#include "method/method.h"

#include <string.h>

static method *create(const char *name)
{
    message m = {0};
    method *made;
    ck_assert_msg(method_create(&made, name, &m) == DAE_OK, "%s: %s", name, message_string(&m));
    message_free(&m);
    return made;
}

static void refuse(const char *name, const char *sentence)
{
    message m = {0};
    method *made;
    ck_assert_msg(method_create(&made, name, &m) == DAE_USAGE, "%s", name);
    ck_assert_ptr_null(made);
    ck_assert_msg(strcmp(message_string(&m), sentence) == 0, "%s: %s", name, message_string(&m));
    message_free(&m);
}

START_TEST(names_and_aliases)
{
    method *radau = create("radau-iia3"), *same = create("radau5");
    ck_assert_ptr_eq(radau->row, same->row);
    ck_assert_str_eq(same->name, "radau-iia3");
    ck_assert_int_eq(radau->family, METHOD_RADAU_IIA);
    ck_assert_int_eq(radau->stages, 3);
    method_free(radau);
    method_free(same);
    for (size_t i = 0; method_row_at(i); i++) {
        method *made = create(method_row_at(i)->name);
        ck_assert_ptr_eq(made->row, method_row_at(i));
        ck_assert_int_gt(strlen(made->row->source), 0);
        method_free(made);
    }
}
END_TEST

START_TEST(wrong_names)
{
    refuse("radua5", "method \"radua5\" is not in the catalogue; nearest: \"radau5\"");
    refuse("radau-iia4", "method \"radau-iia4\" is not in the catalogue; nearest: \"radau-iia1\"");
    refuse("Radau5", "method \"Radau5\" is not in the catalogue; nearest: \"radau5\"");
    refuse("something else", "method \"something else\" is not in the catalogue");
    refuse("", "method \"\" is not in the catalogue");
    refuse("radau5 gauss2", "method \"radau5 gauss2\" is not in the catalogue");
}
END_TEST

UNIT_MAIN("method/catalogue", 10, names_and_aliases, wrong_names)
