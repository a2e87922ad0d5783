/* What declarations become, and all that a system has besides its equations: attributes, parameters
 * that are found at the start, places, names, the experiment, asserts, switches and notes. */
#include "reading.h"

#include <math.h>

START_TEST(attributes)
{
    reading r;
    read_right(
        &r,
        "model M \"doc\"\n"
        "  type V = Real(unit = \"V\", nominal = 100, start = 7);\n"
        "  parameter Real p = 2;\n"
        "  V a, b(start = p + 1, fixed = true, nominal = -5, stateSelect = StateSelect.prefer);\n"
        "  Real x[2](start = {1, 2}, fixed = {true, false}, each unit = \"m\");\n"
        "  Real y[2, 2](start = fill(3, 2, 2), each fixed = true, stateSelect = "
        "fill(StateSelect.avoid, 2, 2));\n"
        "protected\n"
        "  input Real u \"in\"; output Real o annotation(Dialog(group = \"x\"));\n"
        "equation\n"
        "end M;\n");
    const sym_unknown *a = unknown_called(&r, "a"), *b = unknown_called(&r, "b");
    ck_assert_str_eq(a->unit, "V");
    ck_assert(a->start == 7 && a->start_given && !a->fixed && a->nominal == 100);
    ck_assert(b->start == 3 && b->fixed && b->nominal == 5 && b->select == SYM_SELECT_PREFER);
    ck_assert_uint_eq(b->at.line, 4);
    ck_assert_uint_eq(b->at.column, 8);
    ck_assert(unknown_called(&r, "x[1]")->fixed && !unknown_called(&r, "x[2]")->fixed);
    ck_assert(unknown_called(&r, "x[2]")->start == 2 && unknown_called(&r, "x[2]")->unit[0] == 'm');
    ck_assert(unknown_called(&r, "y[2,1]")->start == 3 && unknown_called(&r, "y[2,1]")->fixed);
    ck_assert(unknown_called(&r, "y[1,2]")->select == SYM_SELECT_AVOID);
    ck_assert(!unknown_called(&r, "u")->start_given && unknown_called(&r, "o")->nominal == 1);
    const char *const order[] = {"a",      "b",      "x[1]",   "x[2]", "y[1,1]",
                                 "y[1,2]", "y[2,1]", "y[2,2]", "u",    "o"};
    for (size_t i = 0; i < 10; i++) ck_assert_str_eq(r.system->unknown.item[i].name, order[i]);
    ck_assert_str_eq(r.system->name, "M");
    ck_assert_str_eq(r.system->file, "m.mo");
    close_reading(&r);
}
END_TEST

/* Types and constants of the standard library are known, and those of the text come first. */
START_TEST(library_names)
{
    reading r;
    read_right(&r,
               "model M type 'Modelica.Units.SI.Power' = Real(unit = \"kW\");\n"
               "Modelica.Units.SI.Voltage v = Modelica.Math.sin(Modelica.Constants.pi/6);\n"
               "Modelica.Units.SI.AbsolutePressure p = 2; Modelica.Units.SI.Temperature T = 3;\n"
               "Modelica.SIunits.Mass m[2] = {1, 2}; 'Modelica.Units.SI.Power' P = v;\n"
               "Modelica.Units.NonSI.Angle_deg a = Modelica.Constants.R2D*v;\n"
               "Real F = Modelica.Constants.F, e = 'Modelica.Constants.e'; end M;");
    ck_assert_str_eq(unknown_called(&r, "v")->unit, "V");
    ck_assert_str_eq(unknown_called(&r, "m[2]")->unit, "kg");
    ck_assert_str_eq(unknown_called(&r, "P")->unit, "kW");
    ck_assert_str_eq(unknown_called(&r, "a")->unit, "deg");
    ck_assert(unknown_called(&r, "p")->nominal == 1e5 && unknown_called(&r, "T")->start == 288.15);
    ck_assert_double_eq_tol(value_of(&r, right_side(&r, "v")), 0.5, 1e-15);
    ck_assert_double_eq_tol(value_of(&r, right_side(&r, "e")), exp(1), 1e-15);
    ck_assert_double_eq_tol(value_of(&r, right_side(&r, "F")), 96485.33212, 1e-5);
    close_reading(&r);
}
END_TEST

/* Invariants stand in an annotation that other tools skip. */
START_TEST(invariants)
{
    reading r;
    read_right(&r, "model M parameter Real g = 10; Real h(start = 1), v[2]; equation\n"
                   "der(h) = v[1]; der(v[1]) = -g; der(v[2]) = 0;\n"
                   "annotation(Icon(a = 1), __daedal(invariant = {v[1]^2/2 + g*h, v[2]}),\n"
                   "experiment(StopTime = 2)); end M;");
    ck_assert_uint_eq(r.system->invariant.count, 2);
    const sym_invariant *one = &r.system->invariant.item[0], *other = one + 1;
    ck_assert(value_of(&r, one->value) == 2 + 10 && value_of(&r, other->value) == 3);
    ck_assert_str_eq(one->text, "{v[1]^2/2 + g*h, v[2]}");
    ck_assert(one->element == 1 && other->element == 2 && one->at.line == 3);
    ck_assert(r.system->experiment.has_stop && r.system->experiment.stop == 2);
    close_reading(&r);
}
END_TEST

/* A parameter with fixed = false is an unknown; what depends on it are expressions of it. */
START_TEST(parameters_to_be_found)
{
    reading r;
    read_right(&r, "model M\n"
                   "  parameter Real a = 2*k;\n"
                   "  parameter Real p[3](fixed = {true, false, true}) = {1, 4, 3};\n"
                   "  Real x(start = a, fixed = true), y[integer(p[3])];\n"
                   "  parameter Real k(start = 0.1, fixed = false);\n"
                   "initial equation\n"
                   "  der(x) = 0; p[2] = 5;\n"
                   "equation\n"
                   "  der(a*x) = 1;\n"
                   "  y = p;\n"
                   "end M;\n");
    const sym_unknown *k = unknown_called(&r, "k"), *p = unknown_called(&r, "p[2]");
    ck_assert(k->parameter && k->start == 0.1 && !k->fixed);
    ck_assert(p->parameter && p->start == 4);
    ck_assert_uint_eq(r.system->unknown.count, 6); /* p[2], x, y, k */
    ck_assert(!unknown_called(&r, "x")->fixed);
    ck_assert_uint_eq(r.system->initial.count, 3);
    text t = {0};
    for (size_t i = 0; i < 3; i++)
        print_equation(&r, &r.system->initial.item[i], &t), text_add(&t, "\n");
    for (size_t i = 0; i < 3; i++)
        print_equation(&r, &r.system->equation.item[i], &t), text_add(&t, "\n");
    ck_assert_str_eq(text_string(&t), "x = 2*k\nder(x) = 0\np[2] = 5\n"
                                      "2*k*der(x) = 1\ny[1] = 1\ny[2] = p[2]\n");
    text_free(&t);
    close_reading(&r);
}
END_TEST

START_TEST(texts_of_equations)
{
    reading r;
    read_right(&r,
               "\xEF\xBB\xBFmodel M \"\xC3\xA4\xC3\xB6\xC3\xBC\"\r\n"
               "  Real x, y[2], z = 3;\r\n"
               "equation\r\n"
               "\t/* \xC3\xA4 */ der(x)   =  // comment\r\n"
               "     2*\r\n\r\n x \"why\";\r\n"
               "  for i in 1:2 loop\r\n"
               "    y[i] = 1.000000001 + 1.000000002 + 1.000000003 + 1.000000004 + 1.000000005 + "
               "1.000000006 + 1.000000007 + 1.000000008;\r\n"
               "  end for;\r\n"
               "end M;");
    const sym_equation *e = r.system->equation.item;
    ck_assert_uint_eq(r.system->equation.count, 4);
    ck_assert_str_eq(e[0].text, ""); /* a declaration */
    ck_assert_uint_eq(e[0].at.line, 2);
    ck_assert_str_eq(e[1].text, "der(x) = 2* x");
    ck_assert_uint_eq(e[1].at.line, 4);
    ck_assert_uint_eq(e[1].at.column, 10); /* in characters */
    ck_assert_uint_eq(e[1].element, 0);
    ck_assert_uint_eq(e[3].element, 2);
    ck_assert_uint_le(strlen(e[2].text), 104);
    ck_assert_str_eq(e[2].text + strlen(e[2].text) - 3, "...");
    ck_assert_ptr_eq(e[2].text, e[3].text);
    close_reading(&r);
}
END_TEST

/* Marks of comments in quotes are no comments, and quotes in comments quote nothing. */
START_TEST(texts_with_quotes)
{
    reading r;
    read_right(&r, "model M Real 'a  // b', x; equation\n"
                   "'a  // b' /* ' \" * / ' */ = x/time// '\n  + 1;\n"
                   "x//*\n= 2 /**/ /***/;\n"
                   "end M;");
    const sym_equation *e = r.system->equation.item;
    ck_assert_uint_eq(r.system->equation.count, 2);
    ck_assert_str_eq(e[0].text, "'a  // b' = x/time + 1");
    ck_assert_str_eq(e[1].text, "x = 2");
    close_reading(&r);
}
END_TEST

/* A text that is cut holds as many characters as fit, and each of them is whole. */
START_TEST(texts_are_cut)
{
    for (int before = 0; before < 4; before++) {
        reading r;
        text t = {0}, expected = {0};
        text_format(&expected, "'%.*s", before, "abc");
        for (int i = 0; i < (99 - before) / 2; i++) text_add(&expected, "\xC3\xA4");
        text_add(&expected, "...");
        text_format(&t, "model M Real '%.*s", before, "abc");
        for (int i = 0; i < 60; i++) text_add(&t, "\xC3\xA4");
        text_format(&t, "'; equation '%.*s", before, "abc");
        for (int i = 0; i < 60; i++) text_add(&t, "\xC3\xA4");
        text_add(&t, "' = 1; end M;");
        read_right(&r, text_string(&t));
        ck_assert_str_eq(r.system->equation.item[0].text, text_string(&expected));
        text_free(&t);
        text_free(&expected);
        close_reading(&r);
    }
}
END_TEST

START_TEST(initial_sections)
{
    reading r;
    read_right(
        &r, "model M parameter Real k(fixed = false); Real x, y; initial equation\n"
            "if time < 1 then x = 1; else x = 2; end if;\ninitial algorithm y := 1; y := y + x;\n"
            "equation der(x) = k; der(y) = abs(x); end M;");
    ck_assert_uint_eq(r.system->initial.count, 2);
    ck_assert_uint_eq(r.system->switches.count, 1); /* that of abs: the start happens once */
    text t = {0};
    print_equation(&r, &r.system->initial.item[1], &t);
    ck_assert_str_eq(text_string(&t), "y = x + 1");
    ck_assert_str_eq(r.system->initial.item[1].text, "y := y + x");
    text_free(&t);
    close_reading(&r);
}
END_TEST

START_TEST(quoted_names)
{
    reading r;
    read_right(
        &r, "model M Real x, 'x', 'a b', 'it\\'s', y[2], 'y[1]', 'z[1]', 'time', 'end'; equation "
            "x = 'x'; 'x' = 1; end M;");
    const char *const name[] = {"x",    "'x'",    "a b",  "it's",   "y[1]",
                                "y[2]", "'y[1]'", "z[1]", "'time'", "end"};
    for (size_t i = 0; i < 10; i++) ck_assert_str_eq(r.system->unknown.item[i].name, name[i]);
    close_reading(&r);
}
END_TEST

START_TEST(experiment_is_read)
{
    reading r;
    read_right(&r, "model M parameter Real T = 3; Real x; equation x = 1; annotation(Icon(a = {1, "
                   "f(\"x)\")}), experiment(StartTime = -1, StopTime = 2*T, __Tool(x = 3), "
                   "Tolerance = 1e-7), uses(M)); end M;");
    const dae_experiment *e = &r.system->experiment;
    ck_assert(e->has_start && e->start == -1 && e->has_stop && e->stop == 6);
    ck_assert(e->has_tolerance && e->tolerance == 1e-7 && !e->has_interval);
    close_reading(&r);
}
END_TEST

/* What the experiment says and cannot mean: told where it stands, by its name. */
static const struct {
    const char *experiment;
    unsigned column;
    const char *what;
} impossible_experiments[] = {
    {"Tolerance = 0", 13, "Tolerance of the experiment is 0, too small"},
    {"Tolerance = -1e-6", 13, "Tolerance of the experiment is -1e-06, too small"},
    {"Tolerance = 1e-20", 13, "Tolerance of the experiment is 1e-20, too small"},
    {"Tolerance = 1.5", 13, "Tolerance of the experiment is 1.5, too large"},
    {"StopTime = -1", 12, "StopTime of the experiment is -1, before its StartTime of 0"},
    {"StartTime = 3, StopTime = 2", 27, "StopTime of the experiment is 2, before its StartTime"},
    {"StopTime = 1e300*1e300", 12, "StopTime of the experiment is not finite"},
    {"StartTime = -1e300*1e300", 13, "StartTime of the experiment is not finite"},
    {"Interval = -0.1", 12, "Interval of the experiment is -0.1, below 0"},
    {"StopTime = \"a\"", 12, "StopTime of the experiment must be a number"},
    {"StopTime = {1, 2}", 12, "StopTime of the experiment must be a number"},
    {"StopTime = x", 12, "StopTime of the experiment must be a number"},
    {"StopTime", 1, "expected a value for StopTime of the experiment"},
    {"StopTime = 1, StopTime = 2", 15, "StopTime of the experiment is given twice"},
};

START_TEST(experiment_is_checked)
{
    char text_of_model[256], where[64];
    reading r;
    snprintf(text_of_model, sizeof text_of_model,
             "model M Real x; equation x = 1; annotation(experiment(\n%s)); end M;",
             impossible_experiments[_i].experiment);
    read_text(&r, text_of_model);
    snprintf(where, sizeof where, "m.mo:2:%u: error: ", impossible_experiments[_i].column);
    const char *said = message_string(&r.m);
    ck_assert_int_eq(r.status, DAE_MODEL_ERROR);
    ck_assert_msg(strncmp(said, where, strlen(where)) == 0 &&
                      strstr(said, impossible_experiments[_i].what),
                  "%s", said);
    close_reading(&r);
}
END_TEST

START_TEST(experiment_is_misspelt)
{
    reading r;
    read_right(&r,
               "model M Real x; equation x = 1;\n annotation(experiment(StopTim = 3, Algorithm = "
               "\"Dassl\", Interval = 0)); end M;");
    ck_assert(!r.system->experiment.has_stop && !r.system->experiment.has_interval);
    ck_assert_str_eq(text_string(&r.m.notes),
                     "m.mo:2: the experiment annotation has StopTim, which "
                     "is ignored; nearest name: StopTime\n");
    close_reading(&r);
}
END_TEST

START_TEST(assertions)
{
    reading r;
    read_right(&r, "model M Real x; parameter Integer n = 2; equation x = time;\n"
                   "assert(n > 1, \"always true\");\n"
                   "assert(x > 0, \"x is \" + String(x), level = AssertionLevel.warning);\n"
                   "if x > 1 then assert(x < 2, \"in the branch\"); end if;\n"
                   "end M;");
    ck_assert_uint_eq(r.system->assertion.count, 2);
    const sym_assertion *a = r.system->assertion.item;
    ck_assert_str_eq(a[0].message, "x is x");
    ck_assert(a[0].warning && !a[1].warning);
    ck_assert_uint_eq(a[1].at.line, 4);
    ck_assert_double_eq(value_of(&r, a[1].condition), 1); /* x = 1: the branch is not taken */
    close_reading(&r);
}
END_TEST

/* An assert in a function holds only where the function's value is needed. */
START_TEST(guarded_assertions)
{
    reading r;
    read_right(&r,
               "model M function f input Real x; output Real y; algorithm assert(x > 5, \"f\"); "
               "y := x; end f; Real x, y, z; equation x = time;\n"
               "y = if x > 10 then f(x) elseif x > 8 then 1 else 2*f(x + 7);\n"
               "if x > 9 then z = f(x); else z = 1; end if;\nend M;");
    ck_assert_uint_eq(r.system->assertion.count, 3);
    for (size_t i = 0; i < 3; i++) /* x = 1 */
        ck_assert_double_eq(value_of(&r, r.system->assertion.item[i].condition), 1);
    close_reading(&r);
}
END_TEST

/* What switches in time is counted once where it stands, except under noEvent() and smooth(). */
START_TEST(switches)
{
    static const struct {
        const char *equations;
        size_t count;
    } row[] = {
        {"y = abs(x) + sign(x) + max(x, 2) + min({x, y});", 4},
        {"y = abs(-2) + max(p, 2) + (if p > 1 then x else 2);", 0},
        {"y = if x > 1 and y > 2 or abs(x) > 3 then 1 else 2;", 1},
        {"y = if x > 1 then 1 elseif x > 0 then 2 else 3;", 2},
        {"y = noEvent(if x > 1 then abs(x) else max(x, 1)) + smooth(1, abs(x));", 0},
        {"for i in 1:5 loop z[i] = abs(x); end for; y = 1;", 1},
        {"if x > 1 then y = 1; else y = 2; end if;", 1},
        {"y = k; assert(x > 3, \"m\");", 0},
        {"y = abs(k);", 0},
        {"y = semiLinear(x, 1, 2);", 1},
    };
    char text_of_model[512];
    snprintf(text_of_model, sizeof text_of_model,
             "model M Real x, y, z[5]; parameter Real p = 3, k(fixed = false); initial equation "
             "k = abs(x); equation %s end M;",
             row[_i].equations);
    reading r;
    read_right(&r, text_of_model);
    ck_assert_msg(r.system->switches.count == row[_i].count, "%s: %zu", row[_i].equations,
                  r.system->switches.count);
    close_reading(&r);
}
END_TEST

START_TEST(notes)
{
    reading r;
    read_right(&r, "model M\n parameter Real p(start = 2);\n parameter Real q(max = 1) = 3;\n Real "
                   "x = p; end M;");
    ck_assert_str_eq(text_string(&r.m.notes),
                     "m.mo:2: the parameter p has no value; it takes its start value, 2\n"
                     "m.mo:3: the parameter q is 3, above its max of 1\n");
    close_reading(&r);
}
END_TEST

/* Numbers do not depend on the locale, and are the nearest doubles. */
START_TEST(numbers_are_exact)
{
    static const char *const number[] = {"0.1",
                                         "1e-7",
                                         "123456789.123456789",
                                         "1.7976931348623157e308",
                                         "4.9406564584124654e-324",
                                         "8.5e-22",
                                         "9007199254740993",
                                         "0.000000000000000000000000000000123",
                                         "100000000000000000000000.5"};
    char text_of_model[128];
    snprintf(text_of_model, sizeof text_of_model, "model M Real x(start = %s); equation end M;",
             number[_i]);
    reading r;
    read_right(&r, text_of_model);
    ck_assert_double_eq(unknown_called(&r, "x")->start, strtod(number[_i], NULL));
    close_reading(&r);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, attributes);
    tcase_add_test(tests, library_names);
    tcase_add_test(tests, invariants);
    tcase_add_test(tests, parameters_to_be_found);
    tcase_add_test(tests, texts_of_equations);
    tcase_add_test(tests, texts_with_quotes);
    tcase_add_test(tests, texts_are_cut);
    tcase_add_test(tests, initial_sections);
    tcase_add_test(tests, quoted_names);
    tcase_add_test(tests, experiment_is_read);
    tcase_add_loop_test(tests, experiment_is_checked, 0,
                        sizeof impossible_experiments / sizeof *impossible_experiments);
    tcase_add_test(tests, experiment_is_misspelt);
    tcase_add_test(tests, assertions);
    tcase_add_test(tests, guarded_assertions);
    tcase_add_loop_test(tests, switches, 0, 10);
    tcase_add_test(tests, notes);
    tcase_add_loop_test(tests, numbers_are_exact, 0, 9);
    return unit_run("model/declarations", tests);
}
