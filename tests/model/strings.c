/* Strings: their values, by comparison with what they must be; and what is wrong with them. */
#include "model/reading.h"

/* An expression that must be the String `text`. */
typedef struct spelled {
    const char *expression, *text;
} spelled;

static const spelled EXPRESSIONS[] = {
    {"\"a\" + \"b\" + s", "abx\\\"y"},
    {"String(3)", "3"},
    {"String(-3)", "-3"},
    {"String(2.5)", "2.5"},
    {"String(0.1 + 0.2)", "0.3"},
    {"String(1e10/3)", "3.33333e+09"},
    {"String(1/3, significantDigits = 3)", "0.333"},
    {"String(1/3, 2)", "0.33"},
    {"String(2.5, minimumLength = 6)", "2.5   "},
    {"String(2.5, minimumLength = 6, leftJustified = false)", "   2.5"},
    {"String(1.5, 4, 6, false)", "   1.5"},
    {"String(7, 4, false)", "   7"},
    {"String(7, leftJustified = false, minimumLength = n)", "   7"},
    {"String(3.14159265, format = \"8.3f\")", "   3.142"},
    {"String(3.14159265, format = \"-9.2e\") + \"|\"", "3.14e+00 |"},
    {"String(42, format = \"5d\")", "   42"},
    {"String(255, format = \"x\")", "ff"},
    {"String(true)", "true"},
    {"String(n > 5)", "false"},
    {"String(K.high)", "high"},
    {"String(K.low, minimumLength = 5) + \"|\"", "low  |"},
    {"if n > 3 then \"many\" else \"few\"", "many"},
    {"word(2)", "two"},
    {"{\"p\", \"q\"}[2]", "q"},
};

START_TEST(values)
{
    const spelled *c = &EXPRESSIONS[_i];
    char model[2000];
    reading r;
    snprintf(
        model, sizeof model,
        "package P type K = enumeration(low, high);\n"
        "function word input Integer k; output String s; algorithm s := if k == 2 then \"two\" "
        "else \"other\"; end word;\n"
        "model M parameter String s = \"x\\\"y\"; parameter Integer n = 4;\n"
        "  parameter String e = %s; Real x = if e == \"%s\" then 1 else 0; end M; end P;",
        c->expression, c->text);
    read_right(&r, model);
    double one;
    ck_assert_msg(sym_is_number(r.system->graph, r.system->equation.item[0].rhs, &one) && one == 1,
                  "%s is not \"%s\"", c->expression, c->text);
    close_reading(&r);
}
END_TEST

/* Relations of known Strings are numbers, by the order of their bytes. */
START_TEST(relations)
{
    static const char *const TRUE[] = {"\"a\" < \"b\"", "\"a\" <= \"a\"",     "\"B\" < \"a\"",
                                       "\"b\" > \"a\"", "\"a\" >= \"a\"",     "\"a\" <> \"A\"",
                                       "\"\" < \"a\"",  "not \"a\" == \"b\"", "\"ab\" > \"a\""};
    for (size_t k = 0; k < sizeof TRUE / sizeof *TRUE; k++) {
        char model[200];
        double one;
        reading r;
        snprintf(model, sizeof model, "model M Real x = if %s then 1 else 0; end M;", TRUE[k]);
        read_right(&r, model);
        ck_assert_msg(sym_is_number(r.system->graph, r.system->equation.item[0].rhs, &one) &&
                          one == 1,
                      "%s", TRUE[k]);
        close_reading(&r);
    }
}
END_TEST

/* A String parameter is set to any text. */
START_TEST(set)
{
    static const char MODEL[] =
        "model M parameter String s = \"a\"; parameter String t = s + \"!\";"
        " Real x = if t == \"b c=d!\" then 1 else 0; end M;";
    const model_setting setting = {"s", "b c=d"};
    double one;
    reading r;
    read_bytes(&r, "m.mo", MODEL, strlen(MODEL), 1, &setting);
    ck_assert_int_eq(r.status, DAE_OK);
    ck_assert(sym_is_number(r.system->graph, r.system->equation.item[0].rhs, &one) && one == 1);
    close_reading(&r);
}
END_TEST

/* A variable is what its equation says, and no unknown. */
START_TEST(variables)
{
    reading r;
    read_right(&r,
               "model M Boolean b = time > 1; String s = if b then \"on\" else \"off\"; String t; "
               "String u[2] = {s, t}; Real x; equation t = s; x = if u[2] == \"on\" then 2 else "
               "1; end M;");
    ck_assert_uint_eq(r.system->unknown.count, 2); /* b, x */
    close_reading(&r);
}
END_TEST

START_TEST(wrong)
{
    static const char *const CASES[][3] = {
        {"parameter String s = \"a\" + 1;", "a number is joined to a String", "1:"},
        {"parameter String s = \"a\" - \"b\";", "cannot be subtracted", "joined by +"},
        {"parameter String s = String(1.5, format = \"d\");", "no format of this value", "8.3f"},
        {"parameter String s = String(1, format = \"n\");", "no format of this value", "5d"},
        {"parameter String s = String(1, format = \"d%s\");", "no format of this value", "5d"},
        {"parameter String s = String(1, significantDigits = 3);", "does not know",
         "minimumLength"},
        {"parameter String s = String(1.5, minimumLength = -1);", "between 0 and 99", "1:"},
        {"parameter String s = String({1, 2});", "is needed here", "{1, 2}"},
        {"parameter String s = String();", "String", "1:"},
        {"String s;", "has no equation", "s = ..."},
        {"String s; equation when x > 1 then s = pre(s) + \"b\"; end when;", "made of what changes",
         "choose between"},
        {"String s; equation when x > 1 then s = String(x); end when;", "made of what changes",
         "choose between"},
        {"String s; equation s = \"a\"; when x > 1 then s = \"b\"; end when;", "over-determined",
         "leave out"},
        {"String s = \"a\"; equation when x > 1 then s = \"b\"; end when;", "over-determined",
         "leave out"},
        {"String s; Boolean b = s < \"a\"; equation when x > 1 then s = \"b\"; end when;",
         "the order of Strings", "=="},
        {"String s; equation when x > 1 then s = 3; end when;", "String = Integer", "1:"},
        {"String s(start = 3); equation when x > 1 then s = \"b\"; end when;",
         "start is String, but", "double quotes"},
        {"String s = t; String t = s;", "depends on itself", "1:"},
        {"String s = noEvent(if x > 1 then \"a\" else \"b\");", "between them", "noEvent"},
        {"String s = 2;", "s is String, but its value is Integer", "1:"}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        char model[300];
        reading r;
        snprintf(model, sizeof model, "model M Real x = time; %s end M;", CASES[k][0]);
        read_text(&r, model);
        const char *said = message_string(&r.m);
        ck_assert_msg(r.status == DAE_MODEL_ERROR && strstr(said, CASES[k][1]) &&
                          strstr(said, CASES[k][2]),
                      "%s\n%s", model, said);
        close_reading(&r);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, values, 0, sizeof EXPRESSIONS / sizeof *EXPRESSIONS);
    tcase_add_test(tests, relations);
    tcase_add_test(tests, set);
    tcase_add_test(tests, variables);
    tcase_add_test(tests, wrong);
    return unit_run("model/strings", tests);
}
