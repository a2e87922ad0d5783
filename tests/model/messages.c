/* The form of messages: whole ones, several of them, long lines; and what is correct Modelica, but
 * not supported. */
#include "wrong.h"

START_TEST(whole_message)
{
    reading r;
    read_text(&r, "model Pendulum\n  Real speed(start = 1, fixed = true);\nequation\n"
                  "\tder(speed) = -sped; // \xC3\xA4\nend Pendulum;\n");
    ck_assert_str_eq(message_string(&r.m), "m.mo:4:16: error: sped is not declared\n"
                                           "    \tder(speed) = -sped; // \xC3\xA4\n"
                                           "    \t              ^~~~\n"
                                           "  nearest name: speed");
    close_reading(&r);
}
END_TEST

START_TEST(several_mistakes)
{
    reading r;
    read_text(&r,
              "model M\n  Real x\n  Real y;\nequation\n  x = 2*(y;\n  y = 3 4;\n  if x > 1 then\n"
              "    y = ;\n  else\n    y = 2\n  end if;\n  x == y;\nend M;\n");
    ck_assert_str_eq(message_string(&r.m),
                     "m.mo:2:9: error: expected ';' after the declaration of x, found Real\n"
                     "      Real x\n            ^\n"
                     "  each declaration and each equation ends with ';'\n"
                     "m.mo:5:11: error: expected ')', found ';'\n"
                     "      x = 2*(y;\n              ^\n"
                     "  close the parenthesis; operands are joined by operators, arguments by "
                     "commas\n"
                     "m.mo:6:8: error: expected ';' after the equation, found 4\n"
                     "      y = 3 4;\n           ^\n"
                     "  end it with ';', or write an operator such as * in between\n"
                     "m.mo:8:9: error: expected an expression, found ';'\n"
                     "        y = ;\n            ^\n"
                     "  an operand is missing before ';'\n"
                     "m.mo:10:10: error: expected ';' after the equation, found 'end'\n"
                     "        y = 2\n             ^\n"
                     "  each declaration and each equation ends with ';'\n"
                     "m.mo:12:5: error: expected '=', found '=='\n"
                     "      x == y;\n        ^~\n"
                     "  an equation is written with a single =");
    close_reading(&r);
}
END_TEST

/* At most 20 are shown, in order of lines, each place once. */
START_TEST(many_mistakes)
{
    char *string = calloc(1, 20000);
    strcat(string,
           "model M\nReal x[100];\nequation\nfor i in 1:100 loop x[i + 100] = i; end for;\n");
    for (int i = 0; i < 50; i++) sprintf(string + strlen(string), "x[%d] = y%d;\n", i + 1, i);
    strcat(string, "end M;\n");
    reading r;
    read_text(&r, string);
    const char *said = message_string(&r.m);
    size_t count = 0;
    unsigned line, last = 0;
    for (const char *at = strstr(said, "m.mo:"); at; at = strstr(at + 1, "m.mo:"), count++) {
        ck_assert_int_eq(sscanf(at, "m.mo:%u", &line), 1);
        ck_assert_uint_gt(line, last);
        last = line;
    }
    ck_assert_uint_eq(count, 20);
    ck_assert_ptr_nonnull(strstr(said, "and 31 more"));
    free(string);
    close_reading(&r);
}
END_TEST

/* A long line is shown in part, around the place. */
START_TEST(long_lines)
{
    char *string = calloc(1, 40000);
    strcat(string, "model M Real x; equation x = ");
    for (int i = 0; i < 3000; i++) strcat(string, "1.25 + ");
    strcat(string, "foo + ");
    for (int i = 0; i < 2000; i++) strcat(string, "2.25 + ");
    strcat(string, "1; end M;");
    reading r;
    read_text(&r, string);
    const char *said = message_string(&r.m);
    ck_assert_uint_lt(strlen(said), 450);
    const char *shown = strstr(said, "foo + 2.25"), *caret = strstr(said, "^~~");
    const char *line = strstr(said, "\n") + 1, *caret_line = strstr(line, "\n") + 1;
    ck_assert_ptr_nonnull(shown);
    ck_assert_int_eq(shown - line, caret - caret_line);
    free(string);
    close_reading(&r);
}
END_TEST

/* What is correct Modelica, but not supported; each says so with a word of its own. */
static const wrong refused[] = {
    {"model M discrete Real d; equation\nif time > 1 then when time > 2 then d = 1; end when; end "
     "if; "
     "end M;",
     2, 18, "a when under a condition that changes with time", "join the conditions"},
    {"model M Boolean b = sample(1); end M;", 1, 21, "sample() of a clock",
     "sample(start, interval)"},
    {"model M parameter Real p(fixed = false); Boolean b = sample(0, p); initial equation p = 2; "
     "end "
     "M;",
     1, 64, "a sample() whose interval is found at the start", "number"},
    {"model M record P extends Q; Real x; end P; P p; equation p.x = 1; end M;", 1, 18, "extends",
     "flatten"},
    {"model M record P Real x; Real y; end P; record Q = P(y = 2); P p = Q(1); end M;", 1, 68,
     "the constructor of Q, a record with other defaults", "call that of the record"},
    {"model M Real x = time; String s = \"a\" + String(x); end M;", 1, 41,
     "a String that is made of what changes", "choose between constant Strings"},
    {"model M Boolean b = time > 1; String s = if b then \"a\" else \"b\"; Boolean c = s < \"b\"; "
     "end "
     "M;",
     1, 78, "the order of Strings that change", "=="},
    {"model M Real x; equation connect(a.p, b.n); x = 1; end M;", 1, 26, "connect", "flatten"},
    {"model M extends N; Real x; equation x = inherited; end M;", 1, 9, "extends", "flatten"},
    {"model M import Modelica.Constants.pi; Real x = pi; end M;", 1, 9, "import", "flatten"},
    {"model M model N Real x; end N; N n; end M;", 1, 15, "models within a model", "flatten"},
    {"model N Real x; end N; model M Real y; end M;", 1, 30, "several models", "flatten"},
    {"model M inner Real x; end M;", 1, 9, "inner", "flatten"},
    {"model M replaceable Real x; end M;", 1, 9, "replaceable", "flatten"},
    {"model M Real x if true; end M;", 1, 16, "conditional declarations", NULL},
    {"model M function f input Real x; output Real y; algorithm y := x; if x > 1 then return; end "
     "if; "
     "y := 2; end f; Real x = f(time); end M;",
     1, 81, "return under a condition", NULL},
    {"model M Integer k = integer(time); Real v[3]; algorithm v[k] := 1; end M;", 1, 57,
     "subscripts that change", "x = a[k]"},
    {"model M parameter Real p; parameter equation p = 3; end M;", 1, 27, "parameter equations",
     "initial equation"},
    {"model M Real x; partition p1 equation x = 1; end M;", 1, 17, "partitions", NULL},
    {"model M Real x = guess(time); end M;", 1, 18, "guess()", "start value"},
    {"model M Real x; initial equation prioritize(x, 1); equation der(x) = 1; end M;", 1, 34,
     "prioritize()", "StateSelect"},
    {"model M Real x = prioritize(time, 1); end M;", 1, 18, "prioritize()", "StateSelect"},
    {"model M Clock c = Clock(0.1); end M;", 1, 9, "the type Clock", NULL},
    {"model M Real x = hold(time); end M;", 1, 18, "hold()", "keeps its value"},
    {"model M Real x = inStream(time); end M;", 1, 18, "inStream()", "flatten"},
    {"model M function f = g(a = 1); Real x = f(2); end M;", 1, 18, "short definitions", NULL},
};

START_TEST(one_refusal)
{
    reading r;
    read_wrong(&r, &refused[_i]);
    ck_assert_msg(strstr(message_string(&r.m), "not supported"), "%s", message_string(&r.m));
    close_reading(&r);
}
END_TEST

/* Who has made a mistake is not told to wait for a feature. */
START_TEST(mistakes_before_refusals)
{
    reading r;
    read_text(
        &r,
        "model M Boolean b; Real x; equation when x > 1 then x = foo; end when; b = x > 1; end M;");
    ck_assert_ptr_nonnull(strstr(message_string(&r.m), "foo is not declared"));
    ck_assert_ptr_null(strstr(message_string(&r.m), "supported"));
    close_reading(&r);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, whole_message);
    tcase_add_test(tests, several_mistakes);
    tcase_add_test(tests, many_mistakes);
    tcase_add_test(tests, long_lines);
    tcase_add_loop_test(tests, one_refusal, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tests, mistakes_before_refusals);
    return unit_run("model/messages", tests);
}
