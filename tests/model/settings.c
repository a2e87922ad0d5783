/* NAME=VALUE: what it does to parameters and start values, and what is said where it is wrong. */
#include "reading.h"

static const char model[] =
    "model M\n"
    "  constant Real c = 1; final parameter Real f = 2*p;\n"
    "  parameter Real p = 1/0.5, v[3] = {1, 2, 3}, A[2, 2] = [1, 2; 3, 4];\n"
    "  type Size = enumeration(small, large); parameter Size size1 = Size.small;\n"
    "  parameter Integer n = 2; parameter Boolean b = false; parameter String s = \"a\";\n"
    "  parameter Real 'motor.J[1]' = 4, k(fixed = false, start = 1), 'it\\'s' = 0, 'u'[2] = {0, "
    "0};\n"
    "  parameter Real e[0] = fill(0, 0), depending = 3*'it\\'s';\n"
    "  parameter Real q(start = 1), g[Size, Boolean] = {{0, 0}, {0, 0}};\n"
    "  Real x(start = 1, fixed = true), y[n], 'w.z', r;\n"
    "equation\n"
    "  r = p + 10*f + 100*v[2] + 1000*A[2, 1] + n + (if b then 0.5 else 0) + 'motor.J[1]' + q"
    "    + 1e4*Integer(size1) - 1e4 + 'it\\'s' + 'u'[2] + depending + "
    "g[Size.large, false];\n"
    "end M;\n";

static void read_set(reading *r, const char *name, const char *value)
{
    model_setting setting = {name, value};
    read_bytes(r, "m.mo", model, sizeof model - 1, 1, &setting);
}

static const struct {
    const char *name, *value;
    double r;
} given[] = {
    {"p", "2", 2 + 40 + 200 + 3000 + 2 + 4 + 1},
    {"p", "-1.5e0", -1.5 - 30 + 3207},
    {"p", " +3 ", 3 + 60 + 3207},
    {"v[2]", "7", 42 + 700 + 3007},
    {"A[2,1]", "5", 42 + 5207},
    {"A[ 2 , 1 ]", "5", 42 + 5207},
    {"n", "3", 42 + 3208},
    {"b", "true", 42 + 3207.5},
    {"b", "false", 42 + 3207},
    {"motor.J[1]", "1", 42 + 3204},
    {"q", "2", 42 + 3208},
    {"n", "3.0", 42 + 3208},
    {"'motor.J[1]'", "1", 42 + 3204},
    {"'it\\'s'", "1", 42 + 3207 + 4},
    {"it's", "1", 42 + 3207 + 4},
    {"'u'[2]", "7", 42 + 3207 + 7},
    {"u[2]", "7", 42 + 3207 + 7},
    {" n ", " 3 ", 42 + 3208},
    {"g[large,false]", "1", 42 + 3208},
    {"g[ Size.large, false ]", "1", 42 + 3208},
    {"g[2,1]", "1", 42 + 3208},
    {"b", " true", 42 + 3207.5},
    {"depending", "2", 42 + 3209},
    {"size1", "large", 10042 + 3207},
    {"size1", "Size.large", 10042 + 3207},
};

START_TEST(parameters)
{
    reading r;
    read_set(&r, given[_i].name, given[_i].value);
    ck_assert_msg(r.status == DAE_OK, "%s", message_string(&r.m));
    ck_assert_double_eq_tol(value_of(&r, right_side(&r, "r")), given[_i].r, 1e-9);
    close_reading(&r);
}
END_TEST

START_TEST(start_values)
{
    reading r;
    model_setting setting[] = {{"x", "5"}, {"y[2]", "-2"}, {"w.z", "3"}, {"k", "0.25"}, {"x", "6"}};
    read_bytes(&r, "m.mo", model, sizeof model - 1, 5, setting);
    ck_assert_msg(r.status == DAE_OK, "%s", message_string(&r.m));
    ck_assert(unknown_called(&r, "x")->start == 6 &&
              unknown_called(&r, "x")->fixed); /* the last one */
    ck_assert(unknown_called(&r, "y[2]")->start == -2 && unknown_called(&r, "y[2]")->start_given);
    ck_assert(!unknown_called(&r, "y[2]")->fixed && !unknown_called(&r, "y[1]")->start_given);
    ck_assert(unknown_called(&r, "w.z")->start == 3 && unknown_called(&r, "k")->start == 0.25);
    ck_assert(unknown_called(&r, "k")->parameter);
    close_reading(&r);
}
END_TEST

static const struct {
    const char *name, *value, *said;
} refused[] = {
    {"mottor.J[1]", "1", "no parameter or variable is called mottor.J[1]; nearest: motor.J[1]"},
    {"motor.j[1]", "1", "nearest: motor.J[1]"},
    {"xyzzy", "1", "no parameter or variable is called xyzzy"},
    {"", "1", "no parameter or variable is called "},
    {"c", "2", "c is a constant and cannot be set"},
    {"f", "2", "f is a final parameter and cannot be set"},
    {"v", "2", "v is an array [3]: set its elements one by one, as in v[1]=2"},
    {"v[4]", "2", "there is no element v[4]: v is [3]"},
    {"v[0]", "2", "there is no element v[0]"},
    {"v[x]", "2", "there is no element v[x]"},
    {"A[1]", "2", "there is no element A[1]: A is [2, 2]"},
    {"p[1]", "2", "there is no element p[1]: p is a scalar"},
    {"'p'", "2", "no parameter or variable is called 'p'; nearest: p"},
    {"'it\\'z'", "2", "nearest: it's"},
    {"V[2]", "2", "no parameter or variable is called V[2]; nearest: v[2]"},
    {"AA[2,1]", "2", "nearest: A[2,1]"},
    {"e", "2", "e is an array [0] and has no elements"},
    {"e[1]", "2", "there is no element e[1]: e is [0]"},
    {"p", "two", "p=two: expected a number, because p is Real"},
    {"p", "", "p=: expected a number, because p is Real"},
    {"p", "1e", "expected a number"},
    {"p", "1 2", "expected a number"},
    {"p", "true", "expected a number"},
    {"p", "nan", "expected a number"},
    {"p", "1e999", "expected a number"},
    {"p", "--1", "expected a number"},
    {"x", "one", "x=one: expected a number, because x is Real"},
    {"n", "2.5", "n=2.5: expected a whole number, because n is Integer"},
    {"n", "two", "n=two: expected a whole number, because n is Integer"},
    {"b", "1", "b=1: expected true or false, because b is Boolean"},
    {"size1", "huge", "size1=huge: expected one of small, large, because size1 is Size"},
};

START_TEST(what_does_not_fit)
{
    reading r;
    read_set(&r, refused[_i].name, refused[_i].value);
    ck_assert_int_eq(r.status, DAE_USAGE);
    ck_assert_ptr_null(r.system);
    ck_assert_msg(strstr(message_string(&r.m), refused[_i].said), "%s\nnot \"%s\"",
                  message_string(&r.m), refused[_i].said);
    close_reading(&r);
}
END_TEST

/* A value that is replaced need not be right; one that makes the model wrong is an error of it. */
START_TEST(consequences)
{
    reading r;
    static const char text_of_model[] =
        "model M parameter Real a = 1/b, b = 0; Real x[n]; "
        "parameter Integer n = 1; equation x = fill(1/n, n); end M;";
    model_setting setting[] = {{"a", "3"}, {"n", "-1"}};
    read_bytes(&r, "m.mo", text_of_model, sizeof text_of_model - 1, 1, setting);
    ck_assert_msg(r.status == DAE_OK, "%s", message_string(&r.m));
    close_reading(&r);
    read_bytes(&r, "m.mo", text_of_model, sizeof text_of_model - 1, 2, setting);
    ck_assert_int_eq(r.status, DAE_MODEL_ERROR);
    ck_assert_ptr_nonnull(strstr(message_string(&r.m), "must not be negative, n is -1"));
    close_reading(&r);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, parameters, 0, sizeof given / sizeof *given);
    tcase_add_test(tests, start_values);
    tcase_add_loop_test(tests, what_does_not_fit, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tests, consequences);
    return unit_run("model/settings", tests);
}
