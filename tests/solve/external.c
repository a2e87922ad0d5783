/* External functions: shapes of arguments and results by their values; runs against the same
 * equations with formulas; derivatives; what is refused. */
#include "solve/models.h"

static size_t calls;

static double rate(double x, int n)
{
    calls++;
    return -n * x;
}

static double weighted(const double *a, size_t rows, size_t columns, const double *w, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < rows && count == columns; i++)
        for (size_t j = 0; j < columns; j++) sum += (double)(i + 1) * a[i * columns + j] * w[j];
    return sum;
}

static void polar(double x, double y, double *r, double *phi)
{
    *r = hypot(x, y);
    *phi = atan2(y, x);
}

static void scaled(const double *x, size_t n, int k, double *y, size_t m, int *halves, double *work)
{
    for (size_t i = 0; i < n && n == m; i++) {
        work[i] = x[i] / 2;
        y[i] = k * x[i];
        halves[i] = k > 2;
    }
}

static int letters(const char *text, int letter_is_a)
{
    int count = 0;
    for (; *text; text++) count += *text == (letter_is_a ? 'a' : 'b');
    return count;
}

static const char *size_word(int n)
{
    return n > 2 ? "many" : "few";
}

static double radius2(double x, double y)
{
    return x * x + y * y;
}

static double radius2_rate(double x, double y, double vx, double vy)
{
    return 2 * (x * vx + y * vy);
}

static double radius2_rate2(double x, double y, double vx, double vy, double ax, double ay)
{
    return 2 * (x * ax + y * ay + vx * vx + vy * vy);
}

static double root(double x, double y)
{
    return sqrt(x) + y;
}

static const struct {
    const char *name;
    dae_external function;
} FUNCTIONS[] = {{"rate", (dae_external)rate},
                 {"weighted", (dae_external)weighted},
                 {"polar", (dae_external)polar},
                 {"scaled", (dae_external)scaled},
                 {"letters", (dae_external)letters},
                 {"size_word", (dae_external)size_word},
                 {"radius2", (dae_external)radius2},
                 {"radius2_rate", (dae_external)radius2_rate},
                 {"radius2_rate2", (dae_external)radius2_rate2},
                 {"root", (dae_external)root}};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS };

static dae_problem *with_functions(const char *model)
{
    dae_problem *p = problem_of(model);
    for (size_t k = 0; k < FUNCTION_COUNT; k++)
        ck_assert_int_eq(dae_problem_function(p, FUNCTIONS[k].name, FUNCTIONS[k].function), DAE_OK);
    return p;
}

/* A run to `stop`, of which `name` has a value there. */
static dae_solver *run_to(const char *model, double tolerance, double stop)
{
    dae_problem *p = with_functions(model);
    ck_assert_msg(dae_problem_status(p) == DAE_OK, "%s", dae_problem_message(p));
    dae_options o = tolerance_of(tolerance);
    o.keep_trajectory = true;
    dae_solver *s = dae_solver_create(p, &o);
    dae_problem_free(p); /* which need not outlive it */
    dae_solver_start(s, 0, NULL);
    ck_assert_msg(dae_solver_run(s, stop) >= DAE_OK, "%s", dae_solver_message(s));
    return s;
}

/* The values of the first `count` variables at t. */
static void values_at(dae_solver *s, double t, size_t count, double *y)
{
    double all[64];
    ck_assert_int_eq(dae_solver_at(s, t, all, NULL), DAE_OK);
    memcpy(y, all, count * sizeof *y);
}

#define RATE                                                                          \
    "function rate input Real x; input Integer n; output Real y; external; end rate;" \
    "function letters input String s; input Boolean a = true; output Integer n;"      \
    " external \"C\" n = letters(s, a); end letters;"                                 \
    "function word input Integer n; output String s; external \"C\" s = size_word(n); end word;"

#define SHAPES                                                                       \
    "function weighted input Real a[:, :]; input Real w[size(a, 2)]; output Real y;" \
    " external \"C\" annotation(Library = \"none\"); end weighted;"                  \
    "function polar input Real x, y; output Real r, phi;"                            \
    " external \"C\" polar(x, y, r, phi); end polar;"                                \
    "function scaled input Real x[:]; input Integer k; output Real y[size(x, 1)];"   \
    " output Boolean h[size(x, 1)]; protected Real work[size(x, 1)];"                \
    " external \"C\" scaled(x, size(x, 1), k, y, size(y, 1), h, work); end scaled;"

/* Scalars, arrays in order of rows with their sizes, Integers, Booleans, Strings, several outputs,
 * arguments that are constants and ones that change. */
START_TEST(shapes)
{
    double y[16];
    dae_solver *s = run_to(
        "package P " RATE SHAPES "model M parameter String s = \"banana\"; parameter Integer n = "
        "letters(s); Real x(start = 1, fixed = true), r, phi, w, z[2], f, b;"
        "parameter Real c[2] = scaled({1, 2}, n);"
        "equation der(x) = rate(x, n); (r, phi) = polar(-x, x); w = weighted([x, 1; 2, time], {1, "
        "10}); z = scaled({x, 2*x}, 5) + c; f = if word(n) == \"many\" then 1 else 0; "
        "b = letters(\"bb\", false); end M; end P;",
        1e-9, 1);
    values_at(s, 1, 8, y);
    const double x = exp(-3.0);
    const double wanted[8] = {
        x, sqrt(2.0) * x, 0.75 * 3.141592653589793, x + 10 + 2 * (2 + 10), 5 * x + 3, 10 * x + 6, 1,
        2};
    for (size_t i = 0; i < 8; i++) ck_assert_double_eq_tol(y[i], wanted[i], 1e-8);
    dae_solver_free(s);
}
END_TEST

#define CIRCLE(annotation, circle_rate)                                                          \
    "package P function g input Real x, y; output Real z; external \"C\" z = radius2(x, "        \
    "y); " annotation " end g; function dg input Real x, y, vx, vy; output Real z; " circle_rate \
    " end dg; function ddg input Real x, y, vx, vy, ax, ay; output Real z; external \"C\" z = "  \
    "radius2_rate2(x, y, vx, vy, ax, ay); end ddg;"
#define SWINGS(constraint)                                                                \
    "model M Real x(start = 1, fixed = true), y(start = 0, fixed = true), u(start = 0), " \
    "v(start = 0), F; equation der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - "   \
    "9.81; " constraint "; end M;"
#define BY_DG       "annotation(derivative = dg);"
#define EXTERNAL_DG "external \"C\" z = radius2_rate(x, y, vx, vy);"

/* A pendulum, whose constraint is differentiated twice: as with a formula, whether its derivatives
 * are functions of the text or external ones. */
START_TEST(pendulum)
{
    static const struct {
        const char *model;
        double near;
    } CASES[] = {
        {CIRCLE(BY_DG, "algorithm z := 2*x*vx + 2*y*vy;") SWINGS("g(x, y) = 1") " end P;", 1e-9},
        {CIRCLE(BY_DG, EXTERNAL_DG "annotation(derivative(order = 2) = ddg);")
             SWINGS("g(x, y) = 1") " end P;",
         1e-9},
        {CIRCLE(BY_DG, EXTERNAL_DG) SWINGS("g(x, y) = 1") " end P;", 1e-7}};
    double y[5], wanted[5];
    dae_solver *s = run_to(SWINGS("x^2 + y^2 = 1"), 1e-8, 2);
    values_at(s, 2, 5, wanted);
    dae_solver_free(s);
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        s = run_to(CASES[k].model, 1e-8, 2);
        values_at(s, 2, 5, y);
        for (size_t i = 0; i < 5; i++)
            ck_assert_msg(fabs(y[i] - wanted[i]) < CASES[k].near, "%zu, %zu: %g", k, i,
                          y[i] - wanted[i]);
        dae_solver_free(s);
    }
}
END_TEST

/* der(f(x)) by differences, f(x) = x^2 by x = e^-t: -2 e^-2t. Implicit methods take the same for
 * their matrices: x' = -f(x)/x. */
START_TEST(differences)
{
    double y[3];
    dae_solver *s = run_to(
        CIRCLE("", EXTERNAL_DG) "model M Real x(start = 1, fixed = true), z, w(start = 1, fixed = "
                                "true); equation der(x) = -g(x, 0)/x; z = der(g(x, 3)); der(w) + "
                                "g(w, w)/w = 0; end M; end P;",
        1e-9, 1);
    values_at(s, 1, 3, y);
    ck_assert_double_eq_tol(y[0], exp(-1.0), 1e-8);
    ck_assert_double_eq_tol(y[1], -2 * exp(-2.0), 1e-8);
    ck_assert_double_eq_tol(y[2], exp(-2.0), 1e-8);
    dae_solver_free(s);
}
END_TEST

/* A relation of an external function: located where x^2 = 1/4, at ln 2. */
START_TEST(events)
{
    double y[2];
    dae_solver *s = run_to(
        CIRCLE("",
               EXTERNAL_DG) "model M Real x(start = 1, fixed = true); discrete Real t(start = 0, "
                            "fixed = true); equation der(x) = -x; when g(x, 0) < 0.25 then t = "
                            "time; end when; end M; end P;",
        1e-9, 1);
    values_at(s, 1, 2, y);
    ck_assert_double_eq_tol(y[1], log(2.0), 1e-8);
    dae_solver_free(s);
}
END_TEST

/* A parameter that is an argument is set without reading the text again, and two solvers of one
 * problem keep to their values. */
START_TEST(tunable)
{
    dae_problem *p = with_functions("package P " SHAPES
                                    "model M parameter Real k = 3; Real x(start = 1, fixed = "
                                    "true), r, phi; equation der(x) = -k*x; (r, phi) = polar(k, "
                                    "4 + 0*x); end M; end P;");
    dae_options o = tolerance_of(1e-8);
    dae_solver *first = dae_solver_create(p, &o);
    ck_assert_int_eq(dae_problem_set(p, "k", "0.5"), DAE_OK);
    dae_solver *second = dae_solver_create(p, &o);
    double y[2][3];
    dae_solver_start(first, 0, NULL);
    dae_solver_start(second, 0, NULL);
    ck_assert_int_ge(dae_solver_run(first, 1), DAE_OK);
    ck_assert_int_ge(dae_solver_run(second, 1), DAE_OK);
    values_at(first, 1, 3, y[0]);
    values_at(second, 1, 3, y[1]);
    ck_assert_double_eq(y[0][1], 5);
    ck_assert_double_eq_tol(y[1][1], hypot(0.5, 4), 1e-14);
    dae_solver_free(first);
    dae_solver_free(second);
    dae_problem_free(p);
}
END_TEST

/* All outputs of a call take one call of the function; arguments that are numbers one at all. */
START_TEST(few_calls)
{
    double y[1];
    calls = 0;
    dae_solver *s = run_to("package P " RATE "model M parameter Real a = rate(2, 3); Real x(start "
                           "= 0, fixed = true); equation der(x) = a; end M; end P;",
                           1e-6, 1);
    values_at(s, 1, 1, y);
    ck_assert_double_eq_tol(y[0], -6, 1e-12);
    ck_assert_uint_eq(calls, 1);
    dae_solver_free(s);
}
END_TEST

/* With components: a function that extends another one, with a derivative that is written with its
 * path. */
START_TEST(hierarchical)
{
    double y[8];
    dae_solver *s = run_to(
        "package L partial function Base input Real x; output Real z; end Base;"
        "function g extends Base; input Real y; external \"C\" z = radius2(x, y); "
        "annotation(derivative = L.dg); end g;"
        "function dg input Real x, y, vx, vy; output Real z; algorithm z := 2*(x*vx + y*vy); end "
        "dg; model C parameter Real k; Real x(start = 1, fixed = true); equation der(x) = -k*x; "
        "end "
        "C; model M C a(k = 1), b(k = 2); Real z = der(g(a.x, b.x)); end M; end L;",
        1e-9, 1);
    values_at(s, 1, 3, y);
    ck_assert_double_eq_tol(y[2], -2 * exp(-2.0) - 4 * exp(-4.0), 1e-8);
    dae_solver_free(s);
}
END_TEST

/* What is refused, and words of the message. */
START_TEST(refused)
{
    static const char *const CASES[][4] = {
        {CIRCLE("", EXTERNAL_DG) SWINGS("g(x, y) = 1") " end P;", "g(x, y) = 1", "2 times",
         "annotation(derivative"},
        {"model M function f input Real x; output Real y; external \"C\" y = radus2(x); end f;"
         " Real x = f(time); end M;",
         "radus2 needs a library", "nearest: radius2", "1:"},
        {"model M function f input Real x; output Real y; external \"FORTRAN 77\" y = g(x); end f;"
         " Real x = f(time); end M;",
         "\"FORTRAN 77\"", "only \"C\"", "f"},
        {"model M impure function f input Real x; output Real y; external; end f;"
         " Real x = f(time); end M;",
         "impure function f", "same arguments", "1:"},
        {"model M function f input Real x; external \"C\" f(x); end f; Real x; algorithm x := "
         "time; f(x); end M;",
         "f has no output", "1:", "f"},
        {"package P record R Real a; end R; function f input R r; output Real y; external \"C\" y "
         "= root(r.a, r.a); end f; model M Real x = f(R(1)); end M; end P;",
         "has a record", "one by one", "f"},
        {"model M function root input Real x, y; output Real z; external; end root;"
         " parameter Real p = root(-1, 2); Real x = p; end M;",
         "root returned", "for -1, 2", "nan"},
        {"model M function f input Real x[2]; output Real y; external; end f; Real x = f({1, 2, "
         "3}); end M;",
         "[3]", "[2]", "x"},
        {"model M function f input Real x; output Real y[2]; external \"C\" y = rate(x); end f;"
         " Real x[2] = f(time); end M;",
         "no scalar output", "f(x, y)", "f"},
        {"model M function f input Real x; output Real y; external \"C\" y = root(x, x); "
         "annotation(derivative = df); end f; Real x = f(time); end M;",
         "df is not declared", "annotation", "1:"},
        {"model M function f input Real x; output Boolean y; external \"C\" y = letters(x); end f; "
         "Boolean b = f(time); end M;",
         "between them", "compare that", "b"}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        dae_problem *p = with_functions(CASES[k][0]);
        dae_options o = dae_options_default();
        dae_solver *s = dae_solver_create(p, &o);
        const char *said = dae_solver_message(s);
        dae_solver_start(s, 0, NULL);
        for (size_t i = 1; i < 4; i++)
            ck_assert_msg(strstr(said, CASES[k][i]) != NULL, "%s\nlacks %s", said, CASES[k][i]);
        dae_solver_free(s);
        dae_problem_free(p);
    }
}
END_TEST

/* A value that is not finite: the function, what it was called with, and the time. */
START_TEST(not_finite)
{
    dae_problem *p = with_functions(
        "model M function root input Real x, y; output Real z; external; end root;"
        " Real x(start = 1, fixed = true), w(start = 0, fixed = true); equation der(x) = -1; "
        "der(w) = root(x, 2); end M;");
    dae_solver *s = dae_solver_create(p, NULL);
    dae_solver_start(s, 0, NULL);
    ck_assert_int_lt(dae_solver_run(s, 2), DAE_OK);
    const char *said = dae_solver_message(s);
    ck_assert_msg(strstr(said, "t = 1 ") && strstr(said, "root(x") &&
                      strstr(said, "which returned") && strstr(said, "m.mo:1"),
                  "%s", said);
    dae_solver_free(s);
    dae_problem_free(p);
}
END_TEST

/* What the calls of the interface refuse. */
START_TEST(wrong_use)
{
    dae_problem *p = problem_of(DECAY);
    ck_assert_int_eq(dae_problem_function(p, NULL, (dae_external)rate), DAE_USAGE);
    ck_assert_int_eq(dae_problem_function(p, "f", NULL), DAE_USAGE);
    ck_assert_int_eq(dae_problem_function(NULL, "f", (dae_external)rate), DAE_USAGE);
    ck_assert_int_eq(dae_problem_library(p, NULL), DAE_USAGE);
    ck_assert_int_eq(dae_problem_library(NULL, "x.so"), DAE_USAGE);
    ck_assert_int_eq(dae_problem_library(p, "./no/such.so"), DAE_FILE_ERROR);
    ck_assert_ptr_nonnull(strstr(dae_problem_message(p), "./no/such.so"));
    dae_problem_free(p);
}
END_TEST

UNIT_MAIN("external functions", 60, shapes, pendulum, differences, events, tunable, few_calls,
          hierarchical, refused, not_finite, wrong_use)
