/* Runs to points at which a solution ends, and past them: folds of algebraic equations and singular
 * masses are impasse points with a time that is known in closed form; poles, logarithms and
 * crossings of solutions are none. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 400, MOST_SIZE = 4, TEXT = 600 };

/* The rows of a run. */
typedef struct rows {
    size_t count, n;
    double t[MOST_ROWS], y[MOST_ROWS][MOST_SIZE];
} rows;

static int keep_row(double t, const double *y, const double *yp, void *self)
{
    rows *r = self;
    (void)yp;
    ck_assert_uint_lt(r->count, MOST_ROWS);
    r->t[r->count] = t;
    memcpy(r->y[r->count++], y, r->n * sizeof *y);
    return 0;
}

static dae_options pass_at(double rtol)
{
    dae_options options = tolerance_of(rtol);
    options.singular = "pass";
    return options;
}

/* A run with rows at equal times. */
static dae_solver *rows_from(dae_problem *problem, const dae_options *options, double start,
                             const double *values, double stop, size_t points, rows *r)
{
    const dae_times times = {.count = points, .first = start, .last = stop};
    dae_solver *solver = dae_solver_create(problem, options);
    r->n = dae_problem_size(problem);
    ck_assert_uint_le(r->n, MOST_SIZE);
    r->count = 0;
    is_ok(solver, dae_solver_start(solver, start, values));
    is_ok(solver, dae_solver_output(solver, &times, keep_row, r));
    dae_solver_run(solver, stop);
    dae_problem_free(problem);
    return solver;
}

static dae_solver *rows_of(const char *model, const dae_options *options, double start, double stop,
                           size_t points, rows *r)
{
    return rows_from(problem_of(model), options, start, NULL, stop, points, r);
}

/* --- x1^2 + x2 = 0, x2' = 1 from (1, -1), in four forms --- */

static int fold_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[1] - 1;
    r[1] = y[0] * y[0] + y[1];
    return 0;
}

static int fold_right(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = 1;
    f[1] = y[0] * y[0] + y[1];
    return 0;
}

static int fold_flow(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)x, (void)z, (void)user;
    f[0] = 1;
    return 0;
}

static int fold_constraint(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = z[0] * z[0] + x[0];
    return 0;
}

enum { AS_MODEL, AS_RESIDUAL, AS_MASS, AS_SEMI_EXPLICIT, FOLD_FORMS };

static dae_problem *fold_in(int form)
{
    static const double mass[] = {0, 0, 1, 0}; /* by columns: row 0 is x2' = 1 */
    static const char *const names[] = {"x1", "x2"}, *const swapped[] = {"x2", "x1"};
    dae_about about = {.variable = names};
    if (form == AS_MODEL)
        return problem_of("model M Real x1(start = 1), x2(start = -1, fixed = true);\n"
                          "equation der(x2) = 1; x1^2 + x2 = 0; end M;");
    if (form == AS_RESIDUAL) {
        dae_residual_form f = {.n = 2, .residual = fold_residual, .about = about};
        return dae_problem_residual(&f);
    }
    if (form == AS_MASS) {
        dae_mass_form f = {.n = 2, .f = fold_right, .constant_mass = mass, .about = about};
        return dae_problem_mass(&f);
    }
    about = (dae_about){.variable = swapped};
    dae_semi_explicit_form f = {
        .nx = 1, .nz = 1, .f = fold_flow, .g = fold_constraint, .about = about};
    return dae_problem_semi_explicit(&f);
}

START_TEST(a_fold_is_passed_to_the_other_branch)
{
    rows r;
    dae_options options = pass_at(1e-10);
    dae_problem *problem = fold_in(_i);
    size_t x1 = dae_problem_find(problem, "x1"), x2 = dae_problem_find(problem, "x2");
    static const double start[] = {1, -1}, swapped[] = {-1, 1};
    const double *values = x1 == 0 ? start : swapped;
    dae_solver *solver = rows_from(problem, &options, 0, _i == AS_MODEL ? NULL : values, 2, 21, &r);
    is_ok(solver, dae_solver_run(solver, dae_solver_time(solver)));
    ck_assert_uint_eq(r.count, 10 + 1 + 10); /* up to the fold, at it, and back */
    for (size_t k = 0; k < r.count; k++) {
        double side = k < 10 ? 1 : -1, t = k <= 10 ? 0.1 * (double)k : 2 - 0.1 * (double)k;
        ck_assert_double_eq_tol(r.t[k], t, 1e-12);
        ck_assert_double_eq_tol(r.y[k][x1], side * sqrt(fmax(1 - t, 0)), 1e-8);
        ck_assert_double_eq_tol(r.y[k][x2], t - 1, 1e-8);
    }
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(solver), "impasse at t = 1, accessible"));
    ck_assert_double_eq(dae_solver_time(solver), 0);
    dae_solver_free(solver);
}
END_TEST

/* From the end of the curve the run goes on in steps of time. */
START_TEST(a_run_goes_on_from_the_end_of_the_curve)
{
    double y[2];
    dae_options options = pass_at(1e-10);
    dae_problem *problem = fold_in(AS_MODEL);
    size_t x1 = dae_problem_find(problem, "x1");
    dae_solver *solver = dae_solver_create(problem, &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    is_ok(solver, dae_solver_run(solver, 2));
    is_ok(solver, dae_solver_run(solver, 0.75));
    is_ok(solver, dae_solver_at(solver, 0.75, y, NULL));
    ck_assert_double_eq_tol(y[x1], -0.5, 1e-8);
    dae_solver_free(solver);
    dae_problem_free(problem);
}
END_TEST

/* --- closed forms along the curve --- */

/* A relaxation oscillator without its inductance: y' = -z, y = z^3/3 - z. dt = (1/z - z) dz. */
static double relaxation_time(double from, double z)
{
    return (from * from - z * z) / 2 - log(from / z);
}

START_TEST(a_circuit_jumps_at_its_fold)
{
    static const char model[] = "model M Real y, z(start = 2, fixed = true);\n"
                                "equation der(y) = -z; y = z^3/3 - z; end M;";
    rows r;
    dae_options options = tolerance_of(1e-8);
    char said[60];
    snprintf(said, sizeof said, "impasse at t = %.7g", floor(relaxation_time(2, 1) * 1e6) / 1e6);
    dae_solver *solver = rows_of(model, &options, 0, 2, 11, &r);
    ck_assert_msg(strstr(dae_solver_message(solver), said), "%s", dae_solver_message(solver));
    ck_assert_ptr_nonnull(strstr(dae_solver_message(solver), "There z turns"));
    ck_assert_ptr_nonnull(strstr(dae_solver_message(solver), "|t - t*|^(-0.5)"));
    dae_solver_free(solver);

    options = pass_at(1e-10);
    solver = rows_of(model, &options, 0, 2, 101, &r);
    for (size_t k = 0; k < r.count; k++)
        ck_assert_double_eq_tol(relaxation_time(2, r.y[k][1]), r.t[k], 1e-8);
    ck_assert_double_lt(r.y[r.count - 1][1], 0.3); /* on the middle branch, back at the start */
    dae_solver_free(solver);
}
END_TEST

/* z^3 - 3 z = -2 t has two folds: time turns at t = 1 and at t = -1, and the curve comes to the
 * stop time. Beside it an integral: w' = z along it. */
START_TEST(a_curve_turns_twice)
{
    rows r;
    dae_options options = pass_at(1e-10);
    dae_solver *solver = rows_of("model M Real z(start = 2.2), w(start = 0, fixed = "
                                 "true); equation z^3 - 3*z = -2*time; der(w) = z; end M;",
                                 &options, -2.05, 2.95, 51, &r);
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(solver), "impasse at t = 1, accessible"));
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(solver), "impasse at t = -1, inaccessible"));
    ck_assert_double_eq(dae_solver_time(solver), 2.95);
    ck_assert_uint_eq(r.count, 31 + 1 + 20 + 1 + 40);
    double first = r.y[0][0];
    for (size_t k = 0; k < r.count; k++) {
        double z = r.y[k][0]; /* dw = z dt = z (3 - 3 z^2)/2 dz */
        double w = 0.75 * (z * z - first * first) - 0.375 * (pow(z, 4) - pow(first, 4));
        ck_assert_double_eq_tol((3 * z - z * z * z) / 2, r.t[k], 1e-8);
        ck_assert_double_eq_tol(r.y[k][1], w, 2e-8);
        ck_assert(k == 0 || z < r.y[k - 1][0]);
    }
    dae_solver_free(solver);
}
END_TEST

/* A mass that becomes singular, y y' = -1, and one whose zero is of third order; both also as
 * quotients. */
START_TEST(a_singular_mass_is_an_impasse)
{
    static const char *const equation[] = {"y*der(y) = -1", "der(y) = -1/y", "y^3*der(y) = -1",
                                           "der(y) = -1/y^3"};
    double power = _i < 2 ? 2 : 4;
    rows r;
    char text[TEXT];
    snprintf(text, TEXT, "model M Real y(start = 1, fixed = true); equation %s; end M;",
             equation[_i]);
    dae_options options = pass_at(1e-10);
    dae_solver *solver = rows_of(text, &options, 0, 1, 41, &r);
    ck_assert_msg(strstr(dae_solver_notes(solver), "impasse at t = "), "%s: %s", equation[_i],
                  dae_solver_message(solver));
    for (size_t k = 0; k < r.count; k++)
        ck_assert_double_eq_tol((1 - pow(r.y[k][0], power)) / power, r.t[k], 1e-8);
    ck_assert_double_eq_tol(r.y[r.count - 1][0], -1, 1e-8);
    dae_solver_free(solver);
    options = tolerance_of(1e-8);
    solver = rows_of(text, &options, 0, 1, 41, &r);
    ck_assert_msg(strstr(dae_solver_message(solver), _i < 2 ? "^(-0.5)" : "^(-0.75)"), "%s",
                  dae_solver_message(solver));
    dae_solver_free(solver);
}
END_TEST

/* y^2 y' = -1: y = (1 - 3 t)^(1/3) goes on after the instant at which y' is infinite. */
START_TEST(an_infinite_derivative_for_an_instant_is_passed_in_time)
{
    static const char model[] = "model M Real y(start = 1, fixed = true);\n"
                                "equation y^2*der(y) = -1; end M;";
    rows r;
    dae_options options = pass_at(1e-10);
    dae_solver *solver = rows_of(model, &options, 0, 1, 11, &r);
    ck_assert_uint_eq(r.count, 11);
    for (size_t k = 0; k < r.count; k++)
        ck_assert_double_eq_tol(r.y[k][0], cbrt(1 - 3 * r.t[k]), 1e-8);
    dae_solver_free(solver);
}
END_TEST

/* y'^2 = 2 (1 - t): y' has a fold, and y goes on along the curve as y = ... +- (2 (1 - t))^(3/2)/3.
 */
START_TEST(a_derivative_turns)
{
    rows r;
    dae_options options = pass_at(1e-10);
    dae_solver *solver = rows_of("model M Real y(start = 0, fixed = true); equation\n"
                                 "der(y)^2 = 2*(1 - time); end M;",
                                 &options, 0, 3, 31, &r);
    ck_assert_uint_eq(r.count, 10 + 1 + 10);
    for (size_t k = 0; k < r.count; k++) {
        double side = k < 10 ? 1 : -1, way = pow(2 * fmax(1 - r.t[k], 0), 1.5) / 3;
        ck_assert_double_eq_tol(fabs(r.y[k][0]), fabs(pow(2, 1.5) / 3 - side * way), 1e-7);
    }
    dae_solver_free(solver);
}
END_TEST

/* --- what no solution leads to, and what is no impasse --- */

START_TEST(an_inaccessible_point_is_told_at_the_start)
{
    dae_options options = pass_at(1e-8); /* two solutions leave it: none is chosen */
    dae_solver *solver = solver_of("model M Real x1(start = 0), x2(start = 0, fixed = true);\n"
                                   "equation x1^2 - x2 = 0; der(x2) = 1; end M;",
                                   &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    ck_assert_int_ne(dae_solver_run(solver, 1), DAE_OK);
    ck_assert_msg(strstr(dae_solver_message(solver), "impasse at t = 0, inaccessible"), "%s",
                  dae_solver_message(solver));
    dae_solver_free(solver);
}
END_TEST

/* The same equations back in time come to the point from where two solutions begin. */
START_TEST(a_run_back_in_time_reaches_it)
{
    rows r;
    dae_options options = pass_at(1e-10);
    dae_solver *solver = rows_of("model M Real x1(start = 1), x2(start = 1, fixed = true);\n"
                                 "equation x1^2 - x2 = 0; der(x2) = 1; end M;",
                                 &options, 1, -1, 21, &r);
    ck_assert_msg(strstr(dae_solver_notes(solver), "impasse at t = "), "%s",
                  dae_solver_message(solver));
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(solver), "inaccessible"));
    ck_assert_double_eq_tol(r.y[r.count - 1][0], -1, 1e-8);
    ck_assert_double_eq(r.t[r.count - 1], 1);
    dae_solver_free(solver);
}
END_TEST

/* The DAE y1' = y3, 0 = y2 (1 - y2), 0 = y1 y2 + y3 (1 - y2) - t has two solutions: the start
 * chooses. */
START_TEST(the_start_chooses_among_two_branches)
{
    double y[3];
    dae_options options = tolerance_of(1e-8);
    char text[TEXT];
    snprintf(text, TEXT,
             "model M Real y1(start = 1), y2(start = %d), y3;\n"
             "equation der(y1) = y3; 0 = y2*(1 - y2); 0 = y1*y2 + y3*(1 - y2) - time; end M;",
             _i);
    dae_solver *solver = solver_of(text, &options);
    is_ok(solver, dae_solver_start(solver, 1, NULL));
    is_ok(solver, dae_solver_run(solver, 2));
    is_ok(solver, dae_solver_at(solver, 2, y, NULL));
    ck_assert_double_eq_tol(y[0], _i == 0 ? 2.5 : 2, 1e-7); /* 1 + (t^2 - 1)/2, or t */
    ck_assert_double_eq_tol(y[1], _i, 1e-7);
    ck_assert_double_eq_tol(y[2], _i == 0 ? 2 : 1, 1e-7);
    dae_solver_free(solver);
}
END_TEST

static const char *const NO_IMPASSE[] = {
    "model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;",
    "model M Real x(start = 1, fixed = true); equation der(x) = 1/(1 - time); end M;",
    "model M Real x(start = 0, fixed = true), z; equation der(x) = 1; exp(z) = 1 - x; end M;",
    "model M Real x(start = 0, fixed = true), z(start = 1), w(start = 0, fixed = true);\n"
    "equation der(x) = 1; z*(1 - x) = 1; der(w) = z - w; end M;",
    "model M Real x(start = -1, fixed = true), z(start = 1);\n"
    "equation der(x) = 1; z^2 = x^2; end M;",
    "model M Real x(start = 0, fixed = true), z(start = 0);\n"
    "equation der(x) = 1; z^2 = x^2; end M;",
    "model M Real x(start = -1, fixed = true), z(start = 0);\n"
    "equation der(x) = 1; z^3 = x*z; end M;",
    /* a rhombus of two links, which can fold onto itself */
    "model M Real a(start = 1.2, fixed = true), b(start = -1.2), u(start = 1, fixed = true), v, "
    "f,\n"
    "  g; equation der(a) = u; der(b) = v; der(u) = f*sin(a) - g*cos(a);\n"
    "  der(v) = f*sin(b) - g*cos(b); cos(a) - cos(b) = 0; end M;",
};
enum { NO_IMPASSE_COUNT = sizeof NO_IMPASSE / sizeof *NO_IMPASSE };

START_TEST(poles_and_crossings_are_no_impasse)
{
    static const double rtols[] = {1e-4, 1e-6, 1e-8};
    for (int k = 0; k < 3; k++) {
        dae_options options = pass_at(rtols[k]);
        dae_solver *solver = solver_of(NO_IMPASSE[_i], &options);
        if (dae_solver_start(solver, 0, NULL) == DAE_OK) dae_solver_run(solver, 2);
        ck_assert_msg(!strstr(dae_solver_message(solver), "impasse") &&
                          !strstr(dae_solver_notes(solver), "impasse"),
                      "%s%s\n%s", dae_solver_message(solver), dae_solver_notes(solver),
                      NO_IMPASSE[_i]);
        dae_solver_free(solver);
    }
}
END_TEST

START_TEST(a_start_where_solutions_cross_is_told)
{
    dae_options options = tolerance_of(1e-8);
    dae_solver *solver = solver_of("model M Real x(start = 0, fixed = true), z(start = 0);\n"
                                   "equation der(x) = 1; z^2 = x^2; end M;",
                                   &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    ck_assert_int_ne(dae_solver_run(solver, 1), DAE_OK);
    ck_assert_msg(strstr(dae_solver_message(solver), "at t = 0 equations become dependent"), "%s",
                  dae_solver_message(solver));
    dae_solver_free(solver);
}
END_TEST

/* --- models drawn at random --- */

/* x = x* - a u^2 (1 + b u) with u = c (z - z*), which folds at u = 0 only where |b u| < 2/3; x
 * comes to x* at a time that is known. A second algebraic variable may stand beside z. */
static double draw_fold(char *text, uint64_t *state)
{
    static const char *const flows[] = {"%.17g", "%.17g*(1 + x^2)", "%.17g*exp(-x)"};
    int flow = (int)scatter_below(state, 3);
    bool pair = scatter(state) < 0;
    double a = scatter_between(state, 0.2, 4), b = scatter_between(state, -0.3, 0.3);
    double c = scatter_between(state, 0.3, 3), z = scatter_between(state, -2, 2);
    double u = scatter_between(state, 0.4, 1.2) * (scatter(state) < 0 ? 1 : -1);
    double k = scatter_between(state, 0.3, 3), start = scatter_between(state, -1, 1);
    double fold = start + a * u * u * (1 + b * u), time = 0;
    char slope[60];
    snprintf(slope, sizeof slope, flows[flow], k);
    if (flow == 0) time = (fold - start) / k;
    if (flow == 1) time = (atan(fold) - atan(start)) / k;
    if (flow == 2) time = (exp(fold) - exp(start)) / k;
    snprintf(text, TEXT,
             "model M Real x(start = %.17g, fixed = true), u, z(start = %.17g)%s;\n"
             "  Real w(start = 0, fixed = true);\n"
             "equation der(x) = %s; u = %.17g*(z%s - (%.17g)); der(w) = z;\n"
             "  x = %.17g - %.17g*u^2*(1 + (%.17g)*u); %s end M;",
             start, pair ? z / 2 + u / c / 2 : z + u / c, pair ? ", q" : "", slope, c,
             pair ? " + q" : "", z, fold, a, b, pair ? "q = z - 0.1*sin(w);" : "");
    return time;
}

enum { FOLDS_DRAWN = 200, POLES_DRAWN = 100, PARTS = 10 };

static double time_said(const char *message)
{
    const char *said = strstr(message, "impasse at t = ");
    return said ? strtod(said + strlen("impasse at t = "), NULL) : (double)NAN;
}

START_TEST(drawn_folds_are_named_with_their_time)
{
    uint64_t state = 100 + (uint64_t)_i;
    for (int k = 0; k < FOLDS_DRAWN / PARTS; k++) {
        char text[TEXT];
        double t = draw_fold(text, &state);
        dae_options options = tolerance_of(1e-8);
        dae_solver *solver = solver_of(text, &options);
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        ck_assert_int_ne(dae_solver_run(solver, 2 * t), DAE_OK);
        const char *message = dae_solver_message(solver);
        ck_assert_msg(fabs(time_said(message) - t) <= 1e-6 * t, "%s, not %.9g\n%s", message, t,
                      text);
        ck_assert_msg(!strstr(message, "without bound"), "%s\n%s", message, text);
        dae_solver_free(solver);
    }
}
END_TEST

/* The same are passed to the other branch, back to the start time: there x is what it was, and u on
 * the other side. */
START_TEST(drawn_folds_are_passed)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "gauss3", "mebdf", "esdirk4"};
    uint64_t state = 300 + (uint64_t)_i;
    for (int k = 0; k < FOLDS_DRAWN / PARTS; k++) {
        char text[TEXT];
        double t = draw_fold(text, &state), y[8], first[8];
        double rtol = pow(10, -4 - k % 5);
        dae_options options = pass_at(rtol);
        options.method = methods[(_i + k / 5) % 6];
        dae_problem *problem = problem_of(text);
        size_t x = dae_problem_find(problem, "x"), u = dae_problem_find(problem, "u");
        dae_solver *solver = dae_solver_create(problem, &options);
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        is_ok(solver, dae_solver_at(solver, 0, first, NULL));
        dae_status status = dae_solver_run(solver, 2 * t);
        ck_assert_msg(status == DAE_OK, "%s\n%s", dae_solver_message(solver), text);
        is_ok(solver, dae_solver_at(solver, dae_solver_time(solver), y, NULL));
        ck_assert_double_eq(dae_solver_time(solver), 0);
        ck_assert_msg(fabs(y[x] - first[x]) < 1000 * rtol, "x = %g\n%s", y[x], text);
        ck_assert_msg(y[u] * first[u] < 0, "u = %g\n%s", y[u], text);
        dae_solver_free(solver);
        dae_problem_free(problem);
    }
}
END_TEST

static double draw_pole(char *text, uint64_t *state)
{
    double k = scatter_between(state, 0.3, 3), start = scatter_between(state, 0.3, 2);
    double power = scatter_between(state, 1.3, 3.5);
    switch (scatter_below(state, 4)) {
    case 0:
        snprintf(text, TEXT,
                 "model M Real x(start = %.17g, fixed = true); equation der(x) = %.17g*x^%.17g;\n"
                 "end M;",
                 start, k, power);
        return pow(start, 1 - power) / (k * (power - 1));
    case 1:
        snprintf(text, TEXT,
                 "model M Real x(start = %.17g, fixed = true), z; equation der(x) = z;\n"
                 "z = %.17g*(1 + x^2); end M;",
                 start, k);
        return (acos(-1) / 2 - atan(start)) / k;
    case 2:
        snprintf(text, TEXT,
                 "model M Real x(start = 0, fixed = true), z(start = %.17g);\n"
                 "  Real w(start = 0, fixed = true);\n"
                 "equation der(x) = %.17g; z*(%.17g - x) = 1; der(w) = z - w; end M;",
                 1 / start, k, start);
        return start / k;
    default:
        snprintf(text, TEXT,
                 "model M Real x(start = %.17g, fixed = true), z(start = %.17g);\n"
                 "equation der(x) = z; log(z) = %.17g*log(x) + (%.17g); end M;",
                 start, k * pow(start, power), power, log(k));
        return pow(start, 1 - power) / (k * (power - 1));
    }
}

START_TEST(drawn_poles_are_no_impasse)
{
    uint64_t state = 500 + (uint64_t)_i;
    for (int k = 0; k < POLES_DRAWN / PARTS; k++) {
        char text[TEXT];
        double t = draw_pole(text, &state);
        dae_options options = pass_at(1e-6);
        dae_solver *solver = solver_of(text, &options);
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        dae_status status = dae_solver_run(solver, 2 * t);
        const char *message = dae_solver_message(solver);
        ck_assert_msg(status != DAE_OK && !strstr(message, "impasse"), "%s\n%s", message, text);
        ck_assert_msg(fabs(dae_solver_time(solver) - t) < 1e-3 * t, "%s, not %g\n%s", message, t,
                      text);
        dae_solver_free(solver);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 120);
    unit_loop(t, a_fold_is_passed_to_the_other_branch, 0, FOLD_FORMS);
    tcase_add_test(t, a_run_goes_on_from_the_end_of_the_curve);
    tcase_add_test(t, a_circuit_jumps_at_its_fold);
    tcase_add_test(t, a_curve_turns_twice);
    unit_loop(t, a_singular_mass_is_an_impasse, 0, 4);
    tcase_add_test(t, an_infinite_derivative_for_an_instant_is_passed_in_time);
    tcase_add_test(t, a_derivative_turns);
    tcase_add_test(t, an_inaccessible_point_is_told_at_the_start);
    tcase_add_test(t, a_run_back_in_time_reaches_it);
    unit_loop(t, the_start_chooses_among_two_branches, 0, 2);
    unit_loop(t, poles_and_crossings_are_no_impasse, 0, NO_IMPASSE_COUNT);
    tcase_add_test(t, a_start_where_solutions_cross_is_told);
    unit_loop(t, drawn_folds_are_named_with_their_time, 0, PARTS);
    unit_loop(t, drawn_folds_are_passed, 0, PARTS);
    unit_loop(t, drawn_poles_are_no_impasse, 0, PARTS);
    return unit_run("solve/impasse", t);
}
