/* The tables of the Modelica Standard Library as compilers print them: external objects, functions
 * in C, a when that asks for the next event. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define S                 "'Modelica.Blocks.Types.Smoothness'"
#define X                 "'Modelica.Blocks.Types.Extrapolation'"
#define TIME              "'Modelica.Blocks.Types.ExternalCombiTimeTable'"
#define ONE               "'Modelica.Blocks.Types.ExternalCombiTable1D'"
#define TWO               "'Modelica.Blocks.Types.ExternalCombiTable2D'"
#define C(kind, function) "external \"C\" y = ModelicaStandardTables_Combi" kind "_" function

#define END "end 'P';\nend 'P';\n"

/* Before the model. Functions of derivatives, which annotations name, may be left out. */
static const char printed[] =
    "package 'P'\n"
    "type " S " = enumeration('LinearSegments', 'ContinuousDerivative', 'ConstantSegments', "
    "'MonotoneContinuousDerivative1', 'MonotoneContinuousDerivative2', "
    "'ModifiedContinuousDerivative');\n"
    "type " X " = enumeration('HoldLastPoint', 'LastTwoPoints', 'Periodic', "
    "'NoExtrapolation');\n"
    "class " TIME "\n  extends ExternalObject;\n"
    "function constructor input String name; input String file; input Real[:, :] t; input Real "
    "start; input Integer[:] c; input " S " s; input " X " x; input Real shift = 0.0; input "
    "Boolean verbose = true; output " TIME " y;\n" C(
        "TimeTable",
        "init2") "(file, name, t, size(t, 1), size(t, 2), start, c, size(c, 1), s, x, shift, 1, "
                 "verbose);\n"
                 "end constructor;\n"
                 "function destructor input " TIME " o; external \"C\" "
                 "ModelicaStandardTables_CombiTimeTable_close(o); end destructor;\nend " TIME ";\n"
                 "class " ONE "\n  extends ExternalObject;\n"
                 "function constructor input String name; input String file; input Real[:, :] t; "
                 "input "
                 "Integer[:] c; input " S " s; input " X " x; output " ONE " y;\n" C(
                     "Table1D",
                     "init2") "(file, name, t, size(t, 1), size(t, 2), c, size(c, 1), s, x, "
                              "true); end constructor;\n"
                              "end " ONE ";\nclass " TWO "\n  extends ExternalObject;\n"
                              "function constructor input String name; input String file; input "
                              "Real[:, :] t; "
                              "input " S " s; input " X " x; output " TWO " y;\n" C(
                                  "Table2D",
                                  "init2") "(file, name, t, size(t, 1), size(t, 2), s, x, true); "
                                           "end constructor;\nend " TWO ";\n"
                                           "function 'time' input " TIME
                                           " o; input Integer i; input Real u; input Real next; "
                                           "input "
                                           "Real pre_next; output Real y;\n" C(
                                               "TimeTable",
                                               "getValue") "(o, i, u, next, pre_next);\n"
                                                           "annotation(derivative(noDerivative = "
                                                           "next, noDerivative = pre_next) = "
                                                           "'der_time'); end "
                                                           "'time';\n"
                                                           "function next input " TIME
                                                           " o; input Real u; output Real y;\n" C(
                                                               "TimeTable",
                                                               "nextTimeEvent") "(o, u); end "
                                                                                "next;\n"
                                                                                "function one "
                                                                                "input " ONE
                                                                                " o; input "
                                                                                "Integer i; "
                                                                                "input Real u; "
                                                                                "output Real "
                                                                                "y;\n" C(
                                                                                    "Table1"
                                                                                    "D",
                                                                                    "getValu"
                                                                                    "e") "(o"
                                                                                         ", "
                                                                                         "i,"
                                                                                         " u"
                                                                                         ");"
                                                                                         " a"
                                                                                         "nn"
                                                                                         "ot"
                                                                                         "at"
                                                                                         "io"
                                                                                         "n("
                                                                                         "de"
                                                                                         "ri"
                                                                                         "va"
                                                                                         "ti"
                                                                                         "ve"
                                                                                         " ="
                                                                                         " '"
                                                                                         "de"
                                                                                         "r_"
                                                                                         "on"
                                                                                         "e'"
                                                                                         ");"
                                                                                         " e"
                                                                                         "nd"
                                                                                         " o"
                                                                                         "ne"
                                                                                         ";"
                                                                                         "\n"
                                                                                         "fu"
                                                                                         "nc"
                                                                                         "ti"
                                                                                         "on"
                                                                                         " d"
                                                                                         "er"
                                                                                         "_o"
                                                                                         "f "
                                                                                         "in"
                                                                                         "pu"
                                                                                         "t"
                                                                                         " " ONE
                                                                                         " o"
                                                                                         "; "
                                                                                         "in"
                                                                                         "pu"
                                                                                         "t "
                                                                                         "Re"
                                                                                         "al"
                                                                                         " u"
                                                                                         "; "
                                                                                         "ou"
                                                                                         "tp"
                                                                                         "ut"
                                                                                         " R"
                                                                                         "ea"
                                                                                         "l "
                                                                                         "y;"
                                                                                         "\n" C(
                                                                                             "Table"
                                                                                             "1D",
                                                                                             "getDe"
                                                                                             "rValu"
                                                                                             "e") "(o, 1, u, 1); end der_of;\n"
                                                                                                  "function last input " ONE
                                                                                                  " o; output Real y;\n" C(
                                                                                                      "Table1D",
                                                                                                      "maximumAbscissa") "(o); end last;\n"
                                                                                                                         "function two input " TWO
                                                                                                                         " o; input Real u; input Real v; output Real y;\n" C(
                                                                                                                             "Table2D",
                                                                                                                             "getValue") "(o, u, v); end two;\n"
                                                                                                                                         "function first input " TWO
                                                                                                                                         " o; output Real y[2]; external \"C\" "
                                                                                                                                         "ModelicaStandardTables_CombiTable2D_minimumAbscissa(o, y); end first;\nmodel 'P'\n";

/* With a jump at 1: 2t, and after it 5 in the first column; 1 + 2t, and 4t - 1 in the second. */
#define SERIES "{{0, 0, 1}, {1, 2, 3}, {1, 5, 3}, {2, 5, 7}}"
#define POINTS "{{0, 0, 5}, {1, 2, 4}, {1.5, 2, 1}, {3, -1, 1.5}, {3.5, 4, 8}, {5, 4, 2}}"
#define GRID   "{{0, 1, 2, 4}, {0, 1, 3, -1}, {1, 2, 5, 0}, {3, 4, 4, 4}}"

/* The integral of a table of time, as the block CombiTimeTable has it. */
static const struct {
    const char *smoothness, *extrapolation, *start, *shift;
    int column;
    double stop, integral;
} series[] = {
    {"LinearSegments", "LastTwoPoints", "0", "0", 1, 3, 1 + 10},
    {"LinearSegments", "LastTwoPoints", "0", "0", 2, 3, 2 + 5 + 9},
    {"LinearSegments", "HoldLastPoint", "0", "0", 2, 3, 2 + 5 + 7},
    {"LinearSegments", "HoldLastPoint", "0.5", "0", 1, 2, 0.75 + 5},
    {"LinearSegments", "HoldLastPoint", "0", "0.5", 2, 2, 0.5 + 2 + 2},
    {"LinearSegments", "Periodic", "0", "0", 1, 5, 2 * 6 + 1},
    {"ConstantSegments", "HoldLastPoint", "0", "0", 1, 3, 0 + 5 + 5},
    {"ConstantSegments", "LastTwoPoints", "0", "0", 2, 3, 1 + 3 + 9},
};

START_TEST(series_are_integrated)
{
    char model[9000];
    int k = _i;
    snprintf(model, sizeof model,
             "%sparameter Real scale = 4;\n"
             "parameter " TIME " o = " TIME "(\"NoName\", \"NoName\", " SERIES ", %s, {2, 3}, " S
             ".'%s', " X ".'%s', %s);\n"
             "discrete Real n(start = 0, fixed = true); Real u, x(start = 0, fixed = true);"
             "\nequation u = 4*time/scale;\n"
             "when {time >= pre(n), initial()} then n = next(o, u); end when;\n"
             "der(x) = 'time'(o, %d, u, n, pre(n));\n" END,
             printed, series[k].start, series[k].smoothness, series[k].extrapolation,
             series[k].shift, series[k].column);
    dae_options o = tolerance_of(1e-9);
    ck_assert_double_eq_tol(end_of(model, &o, series[k].stop, "x"), series[k].integral, 1e-8);
}
END_TEST

/* The second column of POINTS by each smoothness with LastTwoPoints. The numbers are those of
 * ModelicaStandardTables.c of the Modelica Standard Library 4.1. */
static const double ARGUMENT[] = {-1.05, 0.45, 1.20, 2.20, 3.20, 4.45, 6.20};
enum { ARGUMENTS = sizeof ARGUMENT / sizeof *ARGUMENT };
static const struct {
    const char *smoothness;
    double value[ARGUMENTS];
} shapes[] = {
    {"LinearSegments", {6.05, 4.55, 2.8, 1.23333333333333, 4.1, 4.2, -2.8}},
    {"ContinuousDerivative",
     {3.425, 5.13599264705882, 2.91513873473918, -0.269799021663173, 3.78394735152488,
      7.31940980024969, -13}},
    {"ConstantSegments", {6.05, 5, 4, 1, 1.5, 8, -2.8}},
    {"MonotoneContinuousDerivative1",
     {6.05, 4.64601293103448, 2.80993103448276, 1.09048918225156, 3.84360396039604,
      4.71088888888889, -2.8}},
    {"MonotoneContinuousDerivative2",
     {6.05, 4.661375, 2.8, 1.10888888888889, 3.836, 4.71088888888889, -2.8}},
    {"ModifiedContinuousDerivative",
     {3.81875, 5.07030950797872, 2.91779997451905, -0.302242317297772, 3.78366671612999,
      6.69744399412211, -9.25}},
};

START_TEST(shapes_are_those_of_the_library)
{
    char model[9000];
    double y[ARGUMENTS + 1];
    snprintf(model, sizeof model,
             "%sparameter " ONE " o = " ONE ".constructor(\"NoName\", \"\", " POINTS ", {2, 3}, " S
             ".'%s', " X ".'LastTwoPoints');\n"
             "Real y[7] = {one(o, 2, u) for u in {-1.05, 0.45, 1.2, 2.2, 3.2, 4.45, 6.2}};"
             "Real last_point = last(o);\n" END,
             printed, shapes[_i].smoothness);
    dae_options o = tolerance_of(1e-6);
    dae_solver *s = solver_of(model, &o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_at(s, 0, y, NULL));
    for (int k = 0; k < ARGUMENTS; k++)
        ck_assert_msg(fabs(y[k] - shapes[_i].value[k]) < 1e-12 * (1 + fabs(y[k])),
                      "%s at %g: %.15g", shapes[_i].smoothness, ARGUMENT[k], y[k]);
    ck_assert_double_eq(y[ARGUMENTS], 5);
    dae_solver_free(s);
}
END_TEST

/* Of the state: x' = f(x) where f has the slope -1 up to 1, and -2 from there on; each point that x
 * passes is an event, also in a function, but not within noEvent. */
START_TEST(points_of_the_state_are_events)
{
    static const char *const call[] = {"one(o, 1, x)", "noEvent(one(o, 1, x))", "through(o, x)"};
    char model[9000];
    double x[3];
    snprintf(model, sizeof model,
             "%sparameter " ONE " o = " ONE "(\"NoName\", \"NoName\", {{0, 0}, {1, -1}, {2, "
             "-3}}, {2}, " S ".'LinearSegments', " X ".'LastTwoPoints');\n"
             "function through input " ONE " o; input Real u; output Real y; algorithm "
             "y := one(o, 1, u); end through;\n"
             "Real x(start = 1.9, fixed = true); equation der(x) = %s;\n" END,
             printed, call[_i]);
    dae_options o = tolerance_of(1e-9);
    dae_solver *s = solver_of(model, &o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, 2));
    is_ok(s, dae_solver_at(s, 2, x, NULL));
    double passes = log(2.8) / 2; /* x = 0.5 + 1.4 exp(-2t) is 1 */
    ck_assert_double_eq_tol(x[0], exp(passes - 2), 1e-7);
    ck_assert_uint_eq(dae_solver_stats(s)->events, _i != 1);
    dae_solver_free(s);
}
END_TEST

/* A periodic table can be read from exactly the end of a period on, forward and backward. */
START_TEST(periods_go_on_from_their_ends)
{
    char model[9000];
    snprintf(model, sizeof model,
             "%sparameter " ONE " o = " ONE
             "(\"NoName\", \"NoName\", {{0, 0}, {1, 1}, {2, 0}}, {2}, " S ".'%s', " X
             ".'Periodic'); Real x(start = 200, fixed = true), y(start = 0, fixed = "
             "true); equation der(x) = %d; der(y) = one(o, 1, x);\n" END,
             printed, _i < 2 ? "LinearSegments" : "ContinuousDerivative", _i % 2 ? 1 : -1);
    dae_options o = tolerance_of(1e-9);
    /* Akima's curve through these three points is the parabola x(2 - x) */
    ck_assert_double_eq_tol(end_of(model, &o, 3, "y"), _i < 2 ? 1.5 : 2, 1e-8);
}
END_TEST

/* f(u, v) = 1 + ... of GRID, by hand: between its points, beyond them, and in the next period. */
static const struct {
    const char *smoothness, *extrapolation, *u, *v;
    double value;
} surfaces[] = {
    {"LinearSegments", "HoldLastPoint", "0.5", "1.5", (1 + 3 + 2 + 5) / 4.0},
    {"LinearSegments", "HoldLastPoint", "-3", "7", -1},
    {"LinearSegments", "LastTwoPoints", "-1", "1", 0},
    {"LinearSegments", "LastTwoPoints", "2", "6", 2 - 2 * 1.25},
    {"LinearSegments", "Periodic", "0.5 + 2*3", "1.5 - 4*3", (1 + 3 + 2 + 5) / 4.0},
    {"ConstantSegments", "HoldLastPoint", "2.9", "3.9", 5},
    {"ConstantSegments", "HoldLastPoint", "3", "4", 4},
    /* steps within, with the ends; straight lines where one argument is outside */
    {"ConstantSegments", "LastTwoPoints", "2.9", "3.9", 5},
    {"ConstantSegments", "LastTwoPoints", "3", "1.5", 4},
    {"ConstantSegments", "LastTwoPoints", "1.5", "4", 0},
    {"ConstantSegments", "LastTwoPoints", "3", "4", 4},
    {"ConstantSegments", "LastTwoPoints", "0", "1", 1},
    {"ConstantSegments", "LastTwoPoints", "-1", "1", 0},
    {"ConstantSegments", "LastTwoPoints", "2", "6", 2 - 2 * 1.25},
    {"ConstantSegments", "LastTwoPoints", "0.5", "0", 1.5 - 2.5},
    {"ContinuousDerivative", "HoldLastPoint", "1", "2", 5},
    {"ContinuousDerivative", "HoldLastPoint", "-3", "7", -1},
    {"ContinuousDerivative", "HoldLastPoint", "9", "1.7", 4},
    {"ContinuousDerivative", "Periodic", "1 + 2*3", "2 - 4*3", 5},
    {"ContinuousDerivative", "LastTwoPoints", "3", "1.2", 4},
};

START_TEST(surfaces_are_tables_of_two_arguments)
{
    char model[9000];
    snprintf(model, sizeof model,
             "%sparameter " TWO " o = " TWO "(\"NoName\", \"NoName\", " GRID ", " S ".'%s', " X
             ".'%s'); parameter Real a[2] = first(o);\n"
             "Real y = two(o, %s, %s) + 100*a[1] + 10*a[2];\n" END,
             printed, surfaces[_i].smoothness, surfaces[_i].extrapolation, surfaces[_i].u,
             surfaces[_i].v);
    dae_options o = tolerance_of(1e-6);
    ck_assert_double_eq_tol(end_of(model, &o, 1, "y"), surfaces[_i].value + 10, 1e-13);
}
END_TEST

/* A run that leaves a table without extrapolation ends there. */
START_TEST(no_extrapolation_ends_the_run)
{
    dae_options o = tolerance_of(1e-6);
    char model[9000];
    snprintf(model, sizeof model,
             "%sparameter " ONE " o = " ONE "(\"NoName\", \"NoName\", " POINTS ", {2}, " S
             ".'LinearSegments', " X ".'NoExtrapolation');\nReal y = one(o, 1, 3*time);\n" END,
             printed);
    dae_solver *s = solver_of(model, &o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    ck_assert_int_eq(dae_solver_run(s, 2), DAE_ASSERTION);
    ck_assert_double_eq_tol(dae_solver_time(s), 5.0 / 3, 1e-9);
    ck_assert_msg(strstr(dae_solver_message(s), "outside of its table, 0 ... 5"), "%s",
                  dae_solver_message(s));
    dae_solver_free(s);
}
END_TEST

#define TABLE(points, columns, smoothness, extrapolation)                               \
    "parameter " ONE " o = " ONE "(\"NoName\", \"NoName\", " points ", " columns ", " S \
    ".'" smoothness "', " X ".'" extrapolation "');\n"
#define GOOD TABLE(POINTS, "{2}", "LinearSegments", "HoldLastPoint")

#define FROM(name, file)                                                              \
    "parameter " ONE " o = " ONE "(\"" name "\", \"" file "\", {{0.0, 0.0}}, {2}, " S \
    ".'LinearSegments', " X ".'HoldLastPoint'); Real y = one(o, 1, time);\n"

static const struct {
    const char *model, *what, *remedy;
} refused[] = {
    {"parameter " ONE " o = " ONE "(\"tab\", \"NoName\", " POINTS ", {2}, " S
     ".'LinearSegments', " X ".'HoldLastPoint'); Real y = one(o, 1, time);\n",
     "the table tab of a C function usertab", "name the file"},
    {FROM("t", "there/is/none.txt"), "there/is/none.txt cannot be read", "directory of the model"},
    {FROM("t", "modelica://Modelica/t.txt"), "a file of a library", "its path"},
    {TABLE("{{0, 0}, {0, 1}}", "{2}", "LinearSegments", "Periodic") "Real y = one(o, 1, time);\n",
     "do not ascend: 0 is before 0", "without equal ones"},
    {TABLE(POINTS, "{4}", "LinearSegments", "Periodic") "Real y = one(o, 1, time);\n",
     "has no column 4", NULL},
    {GOOD "Real y = one(o, 2, time);\n", "has no output 2", NULL},
    {GOOD "Real y = der_of(o, time);\n", "getDerValue of tables is not supported", "der(y)"},
    {GOOD "Real y = o;\n", "its value is 'Modelica.Blocks.Types.ExternalCombiTable1D'", NULL},
    {GOOD "Real y = one(if time > 1 then o else o, 1, time);\n", "no such table", "constructor"},
    {"parameter " ONE " o; Real y = one(o, 1, time);\n", "the object o has no value",
     "constructor"},
    {"parameter " ONE " o[2]; Real y = 1;\n", "arrays of external objects", "one by one"},
    {"Real u = time; parameter " ONE " o = " ONE
     "(\"NoName\", \"NoName\", {{0, u}, {1, 1}}, {2}, " S ".'LinearSegments', " X
     ".'HoldLastPoint'); Real y = one(o, 1, time);\n",
     "must be known before the start", "parameters"},
    {"parameter " TWO " o = " TWO "(\"NoName\", \"NoName\", " GRID ", " S
     ".'MonotoneContinuousDerivative1', " X ".'HoldLastPoint'); Real y = two(o, time, 1);\n",
     "two arguments with smoothness MonotoneContinuousDerivative1", "LinearSegments"},
    {"class Q extends ExternalObject; function constructor input Real a; output Q q; external "
     "\"C\" q = make(a); end constructor; end Q; parameter Q o = Q(2); Real y = 1;\n",
     "has an external object", "tables of the Modelica Standard Library"},
};

START_TEST(refusals_name_table_and_remedy)
{
    char model[9000];
    snprintf(model, sizeof model, "%s%s" END, printed, refused[_i].model);
    dae_problem *p = problem_of(model);
    ck_assert_int_eq(dae_problem_status(p), DAE_MODEL_ERROR);
    const char *said = dae_problem_message(p);
    ck_assert_msg(strstr(said, refused[_i].what), "%s\n%s", refused[_i].what, said);
    ck_assert_msg(!refused[_i].remedy || strstr(said, refused[_i].remedy), "%s", said);
    dae_problem_free(p);
}
END_TEST

/* Calls with a file that has this text; its path stands for FILE in the model. Returns what is said
 * of the model, or where it is right the value of its first variable at 0.7. */
static const char *with_file(const char *text, const char *model, double *value)
{
    static char path[] = "/tmp/daedal_tables_XXXXXX", said[600];
    char whole[9000], *at;
    double y[3];
    strcpy(path + strlen(path) - 6, "XXXXXX");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    snprintf(whole, sizeof whole, "%s%s" END, printed, model);
    while ((at = strstr(whole, "FILE"))) {
        memmove(at + strlen(path), at + 4, strlen(at + 4) + 1);
        memcpy(at, path, strlen(path));
    }
    dae_problem *p = problem_of(whole);
    snprintf(said, sizeof said, "%s", dae_problem_message(p));
    if (dae_problem_status(p) == DAE_OK) {
        dae_options o = tolerance_of(1e-9);
        dae_solver *s = dae_solver_create(p, &o);
        is_ok(s, dae_solver_run(s, 0.7));
        is_ok(s, dae_solver_at(s, 0.7, y, NULL));
        *value = y[0];
        dae_solver_free(s);
    }
    dae_problem_free(p);
    unlink(path);
    return said;
}

#define TABLES                                                                                     \
    "#1\n# a comment\ndouble other(1, 2)   # one\n0 1\n\ndouble tab(3,3) # by columns\n0\t0 , 5\n" \
    "1.0e0; 2 4 # a point\r\n1.5 2 +1\nfloat grid ( 3 , 3 )\n0 1 2\n1 3 4\n2 5 -6.5\n"

/* A table from a file has the values of the same table in the text. */
START_TEST(tables_from_files)
{
    static const char *const MODELS[][2] = {
        {"parameter " ONE " o = " ONE "(\"tab\", \"FILE\", {{0.0, 0.0}}, {3}, " S
         ".'ContinuousDerivative', " X ".'LastTwoPoints'); Real y = one(o, 1, time);\n",
         "parameter " ONE " o = " ONE "(\"NoName\", \"NoName\", {{0, 0, 5}, {1, 2, 4}, {1.5, 2, "
         "1}}, {3}, " S ".'ContinuousDerivative', " X
         ".'LastTwoPoints'); Real y = one(o, 1, time);\n"},
        {"parameter " TWO " o = " TWO "(\"grid\", \"FILE\", {{0.0, 0.0}}, " S
         ".'LinearSegments', " X ".'HoldLastPoint'); Real y = two(o, 1 + time, 1.2);\n",
         "parameter " TWO " o = " TWO "(\"NoName\", \"NoName\", {{0, 1, 2}, {1, 3, 4}, {2, 5, "
         "-6.5}}, " S ".'LinearSegments', " X
         ".'HoldLastPoint'); Real y = two(o, 1 + time, 1.2);\n"}};
    for (size_t k = 0; k < 2; k++) {
        double from_file = (double)NAN, in_text = (double)NAN;
        const char *said = with_file(TABLES, MODELS[k][0], &from_file);
        ck_assert_msg(isfinite(from_file), "%s", said);
        with_file(TABLES, MODELS[k][1], &in_text);
        ck_assert_double_eq(from_file, in_text);
    }
}
END_TEST

static const struct {
    const char *text, *said;
} damaged[] = {
    {TABLES, "has no table t"},
    {TABLES, "its tables: other, tab, grid"},
    {"# 1\ndouble t(1, 2)\n1 2\n", "first line is #1"},
    {"#1\ndouble t(2, 2)\n1 2\n3\n", ":5: the file ends within a table"},
    {"#1\ndouble t(2, 2)\n1 2\n3 x\n", ":4: no number: x"},
    {"#1\ndouble t[2, 2]\n1 2\n3 4\n", ":2: no sizes in parentheses after t[2,"},
    {"#1\ndouble t(2; 2)\n1 2\n3 4\n", ":2: a table begins with double NAME(ROWS, COLUMNS)"},
    {"#1\ndouble t(0, 2)\n", ":2: a table begins with double NAME(ROWS, COLUMNS), found 0"},
    {"#1\ncomplex t(1, 2)\n1 2\n", ":2: a table begins with double NAME(ROWS, COLUMNS), found "
                                   "complex"},
};

START_TEST(damaged_files_are_refused)
{
    double value = (double)NAN;
    const char *said = with_file(damaged[_i].text, FROM("t", "FILE"), &value);
    ck_assert(isnan(value));
    ck_assert_msg(strstr(said, damaged[_i].said), "%s\n%s", damaged[_i].said, said);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, series_are_integrated, 0, sizeof series / sizeof *series);
    unit_loop(tests, shapes_are_those_of_the_library, 0, sizeof shapes / sizeof *shapes);
    unit_loop(tests, points_of_the_state_are_events, 0, 3);
    unit_loop(tests, surfaces_are_tables_of_two_arguments, 0, sizeof surfaces / sizeof *surfaces);
    unit_loop(tests, periods_go_on_from_their_ends, 0, 4);
    tcase_add_test(tests, no_extrapolation_ends_the_run);
    tcase_add_test(tests, tables_from_files);
    unit_loop(tests, damaged_files_are_refused, 0, sizeof damaged / sizeof *damaged);
    unit_loop(tests, refusals_name_table_and_remedy, 0, sizeof refused / sizeof *refused);
    return unit_run("solve/standard_tables", tests);
}
