/* Tables: curves through points, whose bends and jumps are events; elements that change; inputs;
 * loops that are written out. */
#include "model/curve.h"
#include "solve/models.h"

static const char *const METHODS[] = {"auto", "dop853", "radau-iia5", "rodas5p", "bdf", "esdirk4"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

static double value_at(const curve *c, double x)
{
    size_t k = 0;
    while (k < c->points && x >= c->x[k]) k++;
    double d = x - c->from[k];
    return c->c[0][k] + d * (c->c[1][k] + d * (c->c[2][k] + d * c->c[3][k]));
}

/* Curves of each shape meet their points, from both sides, and straight lines are lines. */
START_TEST(curves_meet_their_points)
{
    arena a = {0};
    double x[9], y[9];
    for (int i = 0; i < 9; i++) x[i] = i + 0.4 * sin(7 * i + _i), y[i] = sin(3 * i * i + _i);
    for (int shape = CURVE_LINES; shape <= CURVE_MODIFIED_AKIMA; shape++) {
        curve c;
        curve_make(&c, &a, 9, x, y, (curve_shape)shape, CURVE_CONTINUED);
        ck_assert_uint_eq(c.points, 9);
        for (int i = 0; i < 9; i++) {
            double before = value_at(&c, x[i] - 1e-9),
                   wanted = y[shape == CURVE_STEPS && i ? i - 1 : i];
            ck_assert_double_eq_tol(value_at(&c, x[i]), y[i], 1e-14);
            ck_assert_double_eq_tol(before, wanted, 1e-7);
        }
        for (int i = 0; i < 9; i++) y[i] = 3 - 2 * x[i];
        curve_make(&c, &a, 9, x, y, (curve_shape)shape, CURVE_CONTINUED);
        for (double t = -3; t < 12 && shape != CURVE_STEPS; t += 0.37)
            ck_assert_double_eq_tol(value_at(&c, t), 3 - 2 * t, 1e-12);
        for (int i = 0; i < 9; i++) y[i] = sin(3 * i * i + _i);
    }
    arena_free(&a);
}
END_TEST

/* The rates of Akima, J. ACM 17 (1970) 589, eq. (1): at 3 by the slopes 0, 1, 0, 2 it is
 * (2*1 + 1*0)/3; at 2 by 0, 0, 1, 0 it is 0, and at 4 by 1, 0, 2, 0 (2*0 + 1*2)/3. */
/* The value of a surface, found as a run does. */
static double surface_value(const surface *s, const double *u)
{
    size_t k[2];
    double d[2], value = 0;
    for (int i = 0; i < 2; i++) {
        const curve *c = &s->c[i];
        for (k[i] = 0; k[i] < c->points && u[i] >= c->x[k[i]];) k[i]++;
        d[i] = u[i] - c->from[k[i]];
    }
    for (size_t p = CURVE_POWERS; p-- > 0;) {
        double sum = 0;
        for (size_t q = CURVE_POWERS; q-- > 0;)
            sum = sum * d[1] + s->factor[p][q][k[0] * s->intervals[1] + k[1]];
        value = value * d[0] + sum;
    }
    return value;
}

/* Points of two axes, and curves through them. */
typedef struct axes {
    arena a;
    size_t points[2];
    double *x[2], *y[2];
    curve c[2];
} axes;

static void draw_axes(axes *w, int seed, curve_outside outside)
{
    for (int k = 0; k < 2; k++) {
        w->points[k] = 2 + (size_t)(seed + k) % 5;
        w->x[k] = arena_array(&w->a, w->points[k], sizeof(double));
        w->y[k] = arena_array(&w->a, w->points[k], sizeof(double));
        for (size_t i = 0; i < w->points[k]; i++) {
            w->x[k][i] = (double)i + 0.3 * sin(3.0 * (double)i + seed + k);
            w->y[k][i] = 2 + sin(5.0 * (double)(i * i) + seed - k);
        }
        curve_make(&w->c[k], &w->a, w->points[k], w->x[k], w->y[k], CURVE_AKIMA, outside);
    }
}

/* Through values f(u) g(v) a smooth surface is the product of Akima's curves through f and g, with
 * unequal points, in each cell and beyond the ends, where it is held or goes on straight. */
START_TEST(smooth_surfaces_of_products)
{
    curve_outside outside = _i % 2 ? CURVE_HELD : CURVE_CONTINUED;
    axes w = {0};
    surface s;
    draw_axes(&w, _i, outside);
    double *z = arena_array(&w.a, w.points[0] * w.points[1], sizeof *z);
    for (size_t i = 0; i < w.points[0]; i++)
        for (size_t j = 0; j < w.points[1]; j++) z[i * w.points[1] + j] = w.y[0][i] * w.y[1][j];
    surface_make_smooth(&s, &w.a, w.points, w.x, z, outside == CURVE_HELD);
    for (double u = -1.5; u < (double)w.points[0] + 1; u += 0.13)
        for (double v = -1.5; v < (double)w.points[1] + 1; v += 0.17) {
            double wanted = value_at(&w.c[0], u) * value_at(&w.c[1], v);
            double is = surface_value(&s, (double[]){u, v});
            ck_assert_msg(fabs(is - wanted) < 1e-11 * (1 + fabs(wanted)), "%g, %g: %.15g, %.15g", u,
                          v, is, wanted);
        }
    arena_free(&w.a);
}
END_TEST

/* Polynomials of degree 2 in both arguments are met exactly by equal points, and so are their
 * derivatives: what mixes the weights of several lines is a mean of equal ones. The surface of any
 * values and its first derivatives are continuous, and points along the other argument change
 * places with it. */
START_TEST(smooth_surfaces_are_smooth)
{
    arena a = {0};
    enum { U = 5, V = 4 };
    const size_t points[2] = {U, V}, turned[2] = {V, U};
    double x0[U], x1[V], z[U * V], any[U * V], other[U * V];
    double *x[2] = {x0, x1}, *swapped[2] = {x1, x0};
    for (int i = 0; i < U; i++) x0[i] = 0.5 * i - 1;
    for (int j = 0; j < V; j++) x1[j] = 2 * j + 3;
    for (int i = 0; i < U; i++)
        for (int j = 0; j < V; j++) {
            z[i * V + j] = (1 + x0[i] * (2 - 3 * x0[i])) * (2 - x1[j] * (1 - 0.1 * x1[j]));
            any[i * V + j] = sin(3 * i * i + 7 * j * j * i + _i);
            other[j * U + i] = any[i * V + j];
        }
    surface exact, s, t;
    surface_make_smooth(&exact, &a, points, x, z, false);
    surface_make_smooth(&s, &a, points, x, any, false);
    surface_make_smooth(&t, &a, turned, swapped, other, false);
    for (double u = -1.9; u < 2; u += 0.1)
        for (double v = 1.05; v < 11; v += 0.3) {
            bool inside = u > -1 && u < 1 && v > 3 && v < 9;
            double is = surface_value(&exact, (double[]){u, v});
            double wanted = (1 + u * (2 - 3 * u)) * (2 - v * (1 - 0.1 * v));
            ck_assert(!inside || fabs(is - wanted) < 1e-12 * (1 + fabs(wanted)));
            ck_assert_double_eq_tol(surface_value(&s, (double[]){u, v}),
                                    surface_value(&t, (double[]){v, u}), 1e-12);
        }
    const double h = 1e-6;
    for (int i = 0; i < U; i++) /* across the lines of points along u */
        for (double v = 1.05; v < 11; v += 0.3) {
            double at[5];
            for (int k = 0; k < 5; k++)
                at[k] = surface_value(&s, (double[]){x0[i] + (k - 2) * h, v});
            ck_assert_double_eq_tol(at[1], at[3], 1e-3);
            ck_assert_double_eq_tol((at[1] - at[0]) / h, (at[4] - at[3]) / h, 1e-3);
            double d[2] = {surface_value(&s, (double[]){x0[i] - h, v + h}) - at[1],
                           surface_value(&s, (double[]){x0[i] + h, v + h}) - at[3]};
            ck_assert_double_eq_tol(d[0] / h, d[1] / h, 1e-3);
        }
    arena_free(&a);
}
END_TEST

START_TEST(akima_by_hand)
{
    arena a = {0};
    static const double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0, 0, 0, 1, 1, 3, 3};
    curve c;
    curve_make(&c, &a, 7, x, y, CURVE_AKIMA, CURVE_HELD);
    ck_assert_double_eq_tol(value_at(&c, 2.5), 0.5 - (2.0 / 3 - 0) / 8, 1e-15);
    ck_assert_double_eq_tol(value_at(&c, 3.5), 1 + (2.0 / 3 - 2.0 / 3) / 8, 1e-15);
    ck_assert_double_eq(value_at(&c, -1), 0);
    ck_assert_double_eq(value_at(&c, 9), 3);
    arena_free(&a);
}
END_TEST

/* A monotone curve stays between its points, and where they turn it has its extrema at points. */
START_TEST(monotone_curves_do_not_swing)
{
    arena a = {0};
    double x[12], y[12];
    for (int i = 0; i < 12; i++) {
        x[i] = i + 0.45 * sin(5 * i + _i);
        y[i] = i < 4 ? sin(i * i + _i) : y[i - 1] + fabs(sin(i * i + _i)) * (i % 3);
    }
    static const curve_shape shapes[] = {CURVE_MONOTONE, CURVE_MONOTONE_CHORDS, CURVE_STEFFEN};
    curve c;
    curve_make(&c, &a, 12, x, y, shapes[_i % 3], CURVE_CONTINUED);
    for (int i = 0; i < 11; i++) {
        double low = fmin(y[i], y[i + 1]) - 1e-12, high = fmax(y[i], y[i + 1]) + 1e-12;
        for (double s = 0.05; s < 1; s += 0.05) {
            double v = value_at(&c, x[i] + s * (x[i + 1] - x[i]));
            ck_assert_msg(v >= low && v <= high, "%g outside %g ... %g", v, low, high);
        }
    }
    arena_free(&a);
}
END_TEST

/* Two equal points are a jump, and either side has a shape of its own. */
START_TEST(curves_jump)
{
    arena a = {0};
    static const double x[] = {0, 1, 2, 2, 2, 3, 4}, y[] = {0, 1, 2, 9, 7, 6, 5};
    for (int shape = CURVE_LINES; shape <= CURVE_MODIFIED_AKIMA; shape++) {
        curve c;
        if (shape == CURVE_STEPS) continue;
        curve_make(&c, &a, 7, x, y, (curve_shape)shape, CURVE_CONTINUED);
        ck_assert_uint_eq(c.points, 5);
        ck_assert_double_eq_tol(value_at(&c, 1.75), 1.75, 1e-15);
        ck_assert_double_eq(value_at(&c, 2), 7);
        ck_assert_double_eq_tol(value_at(&c, 2.25), 6.75, 1e-15);
        ck_assert_double_eq_tol(value_at(&c, 5), 4, 1e-14);
    }
    arena_free(&a);
}
END_TEST

/* x' = u(t) - x with lines between points drawn at random, one of them a jump, against the exact
 * solution; each point is one event. */
START_TEST(a_time_series_is_exact)
{
    enum { POINTS = 12 };
    double t[POINTS], u[POINTS], exact = 1;
    char model[1500], times[400] = "", values[400] = "";
    for (int i = 0; i < POINTS; i++) {
        t[i] = i == 6 ? t[5] : i + 0.3 * sin(9 * i);
        u[i] = 2 * sin(4 * i * i);
        sprintf(times + strlen(times), "%s%.17g", i ? ", " : "", t[i]);
        sprintf(values + strlen(values), "%s%.17g", i ? ", " : "", u[i]);
    }
    for (int i = 0; i + 1 < POINTS; i++) {
        double h = t[i + 1] - t[i], slope = h > 0 ? (u[i + 1] - u[i]) / h : 0;
        exact = u[i] + slope * (h - 1) + (exact - u[i] + slope) * exp(-h);
    }
    snprintf(model, sizeof model,
             "model M parameter Real t[:] = {%s}, u[:] = {%s}; Real x(start = 1, fixed = true);\n"
             "equation der(x) = Modelica.Math.Vectors.interpolate(t, u, time) - x; end M;",
             times, values);
    dae_options o = tolerance_of(1e-8);
    o.method = METHODS[_i];
    dae_solver *s = solver_of(model, &o);
    double x;
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, t[POINTS - 1]));
    is_ok(s, dae_solver_at(s, t[POINTS - 1], &x, NULL));
    ck_assert_msg(fabs(x - exact) < 1e-7, "%s: %g", METHODS[_i], x - exact);
    ck_assert_uint_eq(dae_solver_stats(s)->events,
                      POINTS - 2); /* two are one, and the start is none */
    dae_solver_free(s);
}
END_TEST

/* A table with a jump of a function of time, whose course between the points is bounded: the
 * integral of the sign of that function. Two tables with one list of points have one event at each.
 */
START_TEST(functions_of_time)
{
    static const struct {
        const char *of;
        double integral; /* of the sign, up to 3 */
        size_t events;
    } COURSE[] = {{"sin(5*time)", 3 - 4 * 3.14159265358979323846 / 5, 4},
                  {"sin(time - 1)", 1, 1},
                  {"time^2 - 4", -1, 1},
                  {"sin(time) + 0.1", 3, 0},
                  {"time*(time - 1)*(time - 2)", 1, 2}};
    char model[500];
    for (size_t k = 0; k < sizeof COURSE / sizeof *COURSE; k++) {
        snprintf(model, sizeof model,
                 "model M Real x(start = 0, fixed = true), y(start = 0, fixed = true); equation\n"
                 "der(x) = Modelica.Math.Vectors.interpolate({-9, 0, 0, 9}, {-1, -1, 1, 1}, %s);\n"
                 "der(y) = Modelica.Math.Vectors.interpolate({-9, 0, 0, 9}, {-2, -2, 2, 2}, %s);\n"
                 "end M;",
                 COURSE[k].of, COURSE[k].of);
        dae_options o = tolerance_of(1e-8);
        o.method = METHODS[_i];
        dae_solver *s = solver_of(model, &o);
        double y[2];
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_run(s, 3));
        is_ok(s, dae_solver_at(s, 3, y, NULL));
        ck_assert_msg(fabs(y[0] - COURSE[k].integral) < 1e-7, "%s: %.9g", COURSE[k].of, y[0]);
        ck_assert_double_eq_tol(y[1], 2 * y[0], 1e-9);
        ck_assert_uint_eq(dae_solver_stats(s)->events, COURSE[k].events);
        dae_solver_free(s);
    }
}
END_TEST

/* A characteristic with a bend, passed in both directions: q' = -f(q) with f of slopes 1 and 3. */
START_TEST(bends_of_the_state)
{
    static const char MODEL[] =
        "model M Real q(start = 2, fixed = true), p(start = 0.5, fixed = true);\n"
        "equation der(q) = -Modelica.Math.Vectors.interpolate({0, 1, 2}, {0, 1, 4}, q);\n"
        "  der(p) = Modelica.Math.Vectors.interpolate({0, 1, 2}, {0, 1, 4}, p); end M;";
    double to = log(4) / 3; /* until q = 1: q - 2/3 = 4/3 exp(-3 t) */
    ends_near(MODEL, METHODS[_i], 1e-8, 1, "q", exp(to - 1));
    ends_near(MODEL, METHODS[_i], 1e-8, 1, "p", 2.0 / 3 + exp(3 * (1 - log(2))) / 3);
}
END_TEST

/* Dry friction as a table: the solution comes to rest at the jump, and stays. A prescribed way: its
 * rate jumps, and the momentum of the force is exact. */
START_TEST(jumps_and_constraints)
{
    static const char MODEL[] =
        "model M Real x, v, F, w(start = 0, fixed = true), p(start = 1, fixed = true);\n"
        "equation x = Modelica.Math.Vectors.interpolate({0, 1, 2, 4}, {0, 1, 0, 3}, time);\n"
        "  v = der(x); 2*der(v) = F; der(w) = F;\n"
        "  der(p) = -Modelica.Math.Vectors.interpolate({-1, 0, 0, 1}, {-1, -1, 1, 1}, p);\n"
        "end M;";
    ends_near(MODEL, METHODS[_i], 1e-8, 3, "w", 2 * 1.5 - 2);
    ends_near(MODEL, METHODS[_i], 1e-8, 3, "p", 0);
    ends_near(MODEL, METHODS[_i], 1e-8, 3, "x", 1.5);
}
END_TEST

/* Elements that a discrete variable chooses, of numbers and of unknowns. */
START_TEST(elements_change)
{
    static const char MODEL[] =
        "model M parameter Real a[3] = {1, 5, 2}, B[2, 3] = [1, 2, 3; 4, 5, 6];\n"
        "  Integer k(start = 1, fixed = true), m; Real x(start = 0, fixed = true), y, z[3], w;\n"
        "equation when sample(0.5, 0.5) then k = if pre(k) < 3 then pre(k) + 1 else 1; end when;\n"
        "  m = if time > 1.2 then 2 else 1; der(x) = a[k]; z = {x, 2*x, 3*x}; y = z[k];\n"
        "  w = B[m, k] + sum(B[m, 2:3]); end M;";
    ends_near(MODEL, METHODS[_i], 1e-8, 2.75, "x", 0.5 * (1 + 5 + 2 + 1 + 5) + 0.25 * 2);
    ends_near(MODEL, METHODS[_i], 1e-8, 2.75, "y", 3 * 7.5);
    ends_near(MODEL, METHODS[_i], 1e-8, 2.75, "w", 6 + 11);
}
END_TEST

/* Beyond the last element the run ends, and names the equation. */
START_TEST(there_is_no_such_element)
{
    dae_options o = tolerance_of(1e-6);
    dae_solver *s = solver_of("model M parameter Real a[2] = {1, 5}; Integer k;\n"
                              "  Real x(start = 0, fixed = true);\n"
                              "equation k = if time > 1 then 3 else 2; der(x) = a[k]; end M;",
                              &o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    ck_assert_int_eq(dae_solver_run(s, 2), DAE_EVENT);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "der(x) = a[k]"));
    ck_assert_double_eq_tol(dae_solver_time(s), 1, 1e-12);
    dae_solver_free(s);
}
END_TEST

/* Inputs of a model by the C interface; a second course replaces the first. */
START_TEST(inputs_are_fed)
{
    static const char MODEL[] = "model M input Real u, w[2]; Boolean b(start = true) = x > 9;\n"
                                "  Real x(start = 0, fixed = true);\n"
                                "equation der(x) = u + w[2]; end M;";
    static const double t[] = {0, 1, 1, 3}, u[] = {0, 2, 5, 1}, first[] = {9, 9, 9, 9};
    dae_problem *p = problem_of(MODEL);
    double y[5];
    ck_assert(dae_problem_is_input(p, "u") && dae_problem_is_input(p, "w[2]"));
    ck_assert(!dae_problem_is_input(p, "x") && !dae_problem_is_input(p, "nobody"));
    ck_assert_int_eq(dae_problem_feed(p, "u", 4, t, first), DAE_OK);
    ck_assert_int_eq(dae_problem_feed(p, "u", 4, t, u), DAE_OK);
    ck_assert_int_eq(dae_problem_set(p, "w[2]", "0.5"), DAE_OK);
    dae_solver *s = dae_solver_create(p, NULL);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, 4));
    is_ok(s, dae_solver_at(s, 4, y, NULL));
    ck_assert_double_eq_tol(y[dae_problem_find(p, "x")], 1 + 6 + 1 + 2, 1e-9);
    dae_solver_free(s);
    dae_problem_free(p);
    for (int wrong = 0; wrong < 6; wrong++) {
        const double back[] = {1, 0}, none[] = {0, (double)NAN};
        p = problem_of(MODEL);
        const char *name = wrong == 0 ? "x" : wrong == 1 ? "w" : wrong == 2 ? "w[3]" : "u";
        size_t count = wrong == 3 ? 0 : 2;
        ck_assert_int_eq(
            dae_problem_feed(p, name, count, wrong == 4 ? back : t, wrong == 5 ? none : u),
            DAE_USAGE);
        ck_assert(*dae_problem_message(p));
        dae_problem_free(p);
    }
}
END_TEST

/* A loop that is written out in rounds, in a relation: sqrt(2 + t) by Newton's iteration is 1.5 at
 * 1/4, and its derivative is exact. After 50 rounds the run ends. */
START_TEST(loops_go_on)
{
    static const char MODEL[] =
        "model M function root input Real a; output Real x = 1; protected Real old = 0;\n"
        "  algorithm while abs(x - old) > %s*x loop old := x; x := 0.5*(x + a/x); end while;\n"
        "  end root;\n"
        "  Real y = root(2 + time), z = der(y), s(start = 0, fixed = true);\n"
        "equation der(s) = if y > 1.5 then 1 else 0; end M;";
    char model[500];
    dae_options o = tolerance_of(1e-8);
    snprintf(model, sizeof model, MODEL, "1e-13");
    ck_assert_double_eq_tol(end_of(model, &o, 1, "s"), 0.75, 1e-9);
    ck_assert_double_eq_tol(end_of(model, &o, 1, "z"), 0.5 / sqrt(3), 1e-12);
    snprintf(model, sizeof model, MODEL, "(-1)");
    dae_solver *s = solver_of(model, &o);
    dae_status status = dae_solver_start(s, 0, NULL);
    if (status == DAE_OK) status = dae_solver_run(s, 1);
    ck_assert_int_eq(status, DAE_ASSERTION);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "a loop has ended after 50 rounds"));
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, curves_meet_their_points, 0, 5);
    tcase_add_test(tests, akima_by_hand);
    unit_loop(tests, smooth_surfaces_of_products, 0, 24);
    unit_loop(tests, smooth_surfaces_are_smooth, 0, 8);
    unit_loop(tests, monotone_curves_do_not_swing, 0, 9);
    tcase_add_test(tests, curves_jump);
    unit_loop(tests, a_time_series_is_exact, 0, METHODS_COUNT);
    unit_loop(tests, functions_of_time, 0, METHODS_COUNT);
    unit_loop(tests, bends_of_the_state, 0, METHODS_COUNT);
    unit_loop(tests, jumps_and_constraints, 0, METHODS_COUNT);
    unit_loop(tests, elements_change, 0, METHODS_COUNT);
    tcase_add_test(tests, there_is_no_such_element);
    tcase_add_test(tests, inputs_are_fed);
    tcase_add_test(tests, loops_go_on);
    return unit_run("solve/tables", tests);
}
