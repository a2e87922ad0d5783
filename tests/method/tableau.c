/* Expressions and tableaus: values, decimals, what is told of wrong ones. */
#include "method/tableau.h"

#include "method/rows.h"

#include <ctype.h>
#include <stdlib.h>

static quad value(const char *text_)
{
    definitions names = {0};
    ck_assert(definitions_add(&names, "two", 3, 2));
    expression e = {.at = text_, .names = &names};
    quad found = expression_value(&e);
    ck_assert_msg(!e.error && *e.at == '\0', "%s: %s, at \"%s\"", text_, e.error, e.at);
    return found;
}

static void same(const char *text_, quad expected)
{
    ck_assert_msg(quad_abs(value(text_) - expected) <= 2 * QUAD_EPSILON * quad_abs(expected), "%s",
                  text_);
}

START_TEST(expressions)
{
    same("1/3", (quad)1 / 3);
    same("-1/2", (quad)-0.5);
    same("2-3-4", -5);
    same("2*3/4*two", 3);
    same("1+2*3^2", 19);
    same("-two^2", -4);
    same("2*-3", -6);
    same("(1 + 2)*( two )", 6);
    same("1.25e-1", (quad)0.125);
    same(".5E+2", 50);
    same("two^-2", (quad)0.25);
    same("sqrt(2)*sqrt( 2 )", 2);
    /* the roots of 6 x^3 - 18 x^2 + 9 x - 1 are 1 / the roots of the Laguerre polynomial */
    quad g = value("root(2/5, 1/2, -1/6, 3/2, -3, 1)");
    ck_assert(quad_abs(((6 * g - 18) * g + 9) * g - 1) < 16 * QUAD_EPSILON);
    same("root(1, two, -2, 0, 1)", quad_sqrt(2));
    /* Simpson's rule, and a rule of one node */
    same("weight(1/2, 1, 1/2, 1/3)", (quad)2 / 3);
    same("weight(1, 1/2, 1/2, 1/3)", (quad)1 / 6);
    same("weight(1/2, 1/2)", 1);
}
END_TEST

static void wrong(const char *text_, const char *phrase)
{
    expression e = {.at = text_};
    expression_value(&e);
    ck_assert_msg(e.error && strcmp(e.error, phrase) == 0, "%s: %s", text_, e.error);
}

START_TEST(wrong_expressions)
{
    wrong("", "a number is missing");
    wrong("1+", "a number is missing");
    wrong("*2", "a number is missing");
    wrong("1/0", "a number that is not finite, as after division by zero");
    wrong("1e5000*1e5000", "a number that is not finite, as after division by zero");
    wrong("1e", "an exponent without digits");
    wrong("2^x", "an exponent without digits");
    wrong("x", "an unknown name");
    wrong("(1", "a parenthesis is not closed");
    wrong("(1,2)", "a comma outside a list");
    wrong("sin(1)", "an unknown function; there are sqrt, root and weight");
    wrong("sqrt(1,2)", "sqrt() needs one number");
    wrong("sqrt(-1)", "the square root of a negative number");
    wrong("root(0,1,1)", "root() needs an interval and a polynomial");
    wrong("root(2,3,-2,0,1)", "root() finds no change of sign in its interval");
    wrong("root(2,1,-2,0,1)", "root() finds no change of sign in its interval");
    wrong("weight(1,2,3)", "weight() needs as many moments as nodes");
    wrong("weight(1,1,1/2,1/3)", "a number that is not finite, as after division by zero");
    wrong("root(0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)", "too many numbers in parentheses");
}
END_TEST

/* Every decimal of the one long row of decimals is the double that C reads, and decimals with more
 * digits than a quad holds are. */
START_TEST(decimals)
{
    method *m = create("dop853");
    const char *const texts[] = {m->row->tableau, m->row->dense,
                                 "0.1000000000000000055511151231257827021181583404541015625 "
                                 "123456789012345678901234567890123456789012345e-30 1e300 5e-300"};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        for (const char *at = texts[i]; *at;) {
            if (!isdigit((unsigned char)*at) || isalpha((unsigned char)at[-(at > texts[i])])) {
                at += isalpha((unsigned char)*at) ? expression_name(at) : 1;
                continue;
            }
            char *end;
            double expected = strtod(at, &end);
            expression e = {.at = at};
            ck_assert_msg((double)expression_value(&e) == expected, "%.40s", at);
            ck_assert_ptr_eq(e.at, end);
            at = end;
            count++;
        }
    }
    ck_assert_int_gt(count, 150);
    method_free(m);
}
END_TEST

static const char *read(method *m, const char *lines)
{
    definitions names = {0};
    *m = (method){0};
    return tableau_read(m, lines, &names);
}

START_TEST(a_tableau)
{
    method m;
    ck_assert_ptr_null(read(&m, "a = 1/2; half = a;"
                                "0 |;"
                                "half | half;"
                                "1 | -1 (1 + 1) ;"
                                "  | 1/6 2/3 1/6;"
                                "^ | 0 1;"
                                "e | 1/6 -1/3 1/6;"));
    ck_assert_int_eq(m.stages, 3);
    ck_assert_int_eq(m.extra, 0);
    ck_assert(!m.decimals && m.dense_degree == 0);
    ck_assert((double)m.c[1] == 0.5 && (double)m.a[1][0] == 0.5 && (double)m.a[1][1] == 0);
    ck_assert((double)m.a[2][0] == -1 && (double)m.a[2][1] == 2);
    ck_assert((double)m.b[1] == 2.0 / 3);
    ck_assert_int_eq(m.estimators, 2);
    ck_assert((double)m.b_hat[0][1] == 1 && (double)m.b_hat[0][2] == 0);
    ck_assert((double)m.b_hat[1][0] == 0 && (double)m.b_hat[1][1] == 1);
    /* without weights the last stage ends the step */
    ck_assert_ptr_null(read(&m, "decimals; 0 |; 1 | .5 .5;"));
    ck_assert(m.decimals && m.stages == 2);
    ck_assert((double)m.b[0] == 0.5 && (double)m.b[1] == 0.5);
    ck_assert(method_is_stiffly_accurate(&m));
    ck_assert_ptr_null(read(&m, "# | 0 1;"));
    ck_assert((double)m.b[0] == 0.5 && (double)m.a[1][1] == 0.5);
}
END_TEST

START_TEST(wrong_tableaus)
{
    static const char *const each[][2] = {
        {"", "a tableau without stages"},
        {"a = 1;", "a tableau without stages"},
        {"0 | 1", "a line is not closed, or not understood"},
        {"0 | 1)", "a line is not closed, or not understood"},
        {"0 | 1 2,3;", "a line is not closed, or not understood"},
        {"0 1;", "a line without \"|\""},
        {"x | 1;", "an unknown name"},
        {"1/0 | 1;", "a number that is not finite, as after division by zero"},
        {"0 |; | 1; ^ | 1; ^ | 1; ^ | 1;", "more than two embedded formulas"},
        {"0 |; | 1; ~ | 1;", "dense output without a stage at the end of the step"},
        {"0|;1|1;~|1;~|1;~|1;~|1;~|1;", "more of dense output than is understood"},
        {"0 | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17;", "more columns than a method has stages"},
        {"0|;0|;0|;0|;0|;0|;0|;0|;0|;0|;0|;0|;0|;0|;0|;0|;0|;",
         "more stages than a method can have"},
        {"a_name_that_is_too_long = 1;", "too many names, or one that is too long"}};
    method m;
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        const char *found = read(&m, each[i][0]);
        ck_assert_msg(found && strcmp(found, each[i][1]) == 0, "%s: %s", each[i][0], found);
    }
}
END_TEST

UNIT_MAIN("method/tableau", 10, expressions, wrong_expressions, decimals, a_tableau, wrong_tableaus)
