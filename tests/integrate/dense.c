/* Values between steps: for every Runge-Kutta method of the catalogue their order, with constant
 * steps, on a nonlinear ODE and, where the method advances one, a nonlinear DAE of index 1, where
 * all variables count. */
#include "integrate/nonlinear.h"
#include "method/properties.h"

/* The first two equations of the DAE, z being known. */
static void known_z(double t, const double *y, double *f)
{
    const double all[3] = {y[0], y[1], sin(t)};
    double g[3];
    nonlinear(t, all, g);
    f[0] = g[0];
    f[1] = g[1];
}

static void known_z_slope(double t, const double *y, double *j)
{
    j[0] = 2 * y[0], j[1] = sin(t) * sin(t);
    j[2] = sin(t), j[3] = -2 * y[1] * exp(t);
}

/* The largest error within steps; -1 where the method cannot advance the equations. */
static double error_within(const char *name, bool algebraic, int steps)
{
    example e;
    message m = {0};
    engine *g = NULL;
    double y[3], yp[3], inner[3], worst = 0;
    begin(&e, algebraic ? 3 : 2, 2, algebraic ? nonlinear : known_z,
          algebraic ? nonlinear_slope : known_z_slope);
    e.problem.constant_mass = true;
    const engine_options options = {.fixed_step = 1.0 / steps, .direction = 1};
    ck_assert_int_eq(method_create(&e.which, name, &m), DAE_OK);
    if (engine_create(&g, &e.problem, e.which, &options, &m) != DAE_OK) worst = -1;
    exact(0.2, y, yp);
    if (worst == 0) engine_start(g, 0.2, y, yp);
    while (worst >= 0 && g->t < 1.2 - 1e-9) {
        if (engine_step(g, 1.2) != DAE_OK) { /* too long a step */
            worst = HUGE_VAL;
            break;
        }
        for (double x = 0.2; x < 0.9; x += 0.2) {
            double t = g->dense.t + x * g->dense.h;
            dense_output_evaluate(&g->dense, t, inner, NULL);
            exact(t, y, yp);
            for (size_t i = 0; i < e.problem.n; i++) worst = fmax(worst, fabs(inner[i] - y[i]));
        }
    }
    message_free(&m);
    dispose(&e, g);
    return worst;
}

enum { MANY = 6 };

/* Over errors that are neither round-off nor large, the first left out where there are many. */
static bool slope_of(const char *name, bool algebraic, double *slope)
{
    static const int steps[] = {1, 2, 3, 4, 6, 9, 14, 21, 32, 48, 72, 108, 162};
    double errors[sizeof steps / sizeof *steps], at[sizeof steps / sizeof *steps];
    size_t count = 0;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        double error = error_within(name, algebraic, steps[k]);
        if (error < 0) return false;
        if (error > 1e-2 || error < 2e-12) continue;
        errors[count] = error;
        at[count++] = steps[k];
    }
    ck_assert_msg(count > 1, "%s: no window", name);
    size_t first = count > MANY, last = count - 1;
    *slope = log(errors[first] / errors[last]) / log(at[last] / at[first]);
    return true;
}

/* An order short of the theory by no more than this, on windows that begin with coarse steps. */
static const double SLACK = 0.3;

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* y: the cubic through both ends is of order 4, the polynomial of the stages of order s + 1 where
 * their derivatives are of order q + 1; published ones are what their authors say. */
static int order_in_y(const method *m, const method_properties *p)
{
    bool coupled = m->family >= METHOD_GAUSS && m->family <= METHOD_COLLOCATION;
    if (strcmp(m->row->name, "dopri5") == 0) return 5;
    if (strcmp(m->row->name, "dop853") == 0) return 8;
    int within = coupled || strcmp(m->row->name, "sdirk-hw18") == 0
                     ? least(p->stage_order + 2, m->stages + 1)
                     : 4;
    return least(p->order, within);
}

static void check_row(const char *name)
{
    message reported = {0};
    method *m;
    method_properties p;
    double y, z;
    ck_assert_int_eq(method_create(&m, name, &reported), DAE_OK);
    ck_assert_int_eq(method_properties_find(m, &p), DAE_OK);
    /* z' that a first stage carries from step to step, R(infinity) = 1, adds up its errors */
    bool adds_up = m->family == METHOD_LOBATTO_IIIA && p.r_infinity > 0.5;
    int in_y = order_in_y(m, &p), in_z = least(p.index1[1], m->base ? 4 : p.stage_order + !adds_up);
    if (slope_of(name, false, &y))
        ck_assert_msg(y > in_y - SLACK, "%s: y %.2f, not %d", name, y, in_y);
    if (slope_of(name, true, &z))
        ck_assert_msg(z > in_z - SLACK, "%s: z %.2f, not %d", name, z, in_z);
    else
        ck_assert_msg(p.index1[1] == METHOD_NO_ORDER, "%s", name);
    message_free(&reported);
    method_free(m);
}

START_TEST(orders_within_steps)
{
    for (size_t i = 0; method_row_at(i); i++)
        if (method_row_at(i)->family != METHOD_ROSENBROCK && !method_row_at(i)->formula &&
            !method_row_at(i)->structural)
            check_row(method_row_at(i)->name);
}
END_TEST

/* y' = cos t - 1e8 (y - sin t) (A. Prothero & A. Robinson, Math. Comp. 28 (1974) 145). */
static void stiff(double t, const double *y, double *f)
{
    f[0] = cos(t) - 1e8 * (y[0] - sin(t));
}

static void stiff_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = -1e8;
}

/* What is stiff is exact at the ends of steps of Radau IIA, to the last digit and however long they
 * are. Within them the polynomial is what it is, and its error alone makes them short. */
START_TEST(stiff_components_are_within_steps_what_the_tolerance_says)
{
    for (double tolerance = 1e-4; tolerance > 5e-10; tolerance /= 10) {
        example e;
        double y = 0, yp = 1, inner, within = 0, end = 0;
        begin(&e, 1, 1, stiff, stiff_slope);
        engine *g = engine_for(&e, "radau-iia3",
                               (engine_options){.rtol = tolerance, .atol = tolerance});
        engine_start(g, 0, &y, &yp);
        while (g->t < 6) {
            ck_assert_int_eq(engine_step(g, 6), DAE_OK);
            for (double x = 0.05; x < 1; x += 0.05) {
                double t = g->dense.t + x * g->dense.h;
                dense_output_evaluate(&g->dense, t, &inner, NULL);
                within = fmax(within, fabs(inner - sin(t)));
            }
            end = fmax(end, fabs(g->y[0] - sin(g->t)));
        }
        ck_assert_double_lt(within, 2 * tolerance); /* rtol |y| + atol, |y| = 1 */
        ck_assert_double_lt(end, 1e-4 * tolerance);
        dispose(&e, g);
    }
}
END_TEST

/* To this end, in steps that are asked for their polynomials all, or one in `every`. */
static void run_to(engine *g, double end, int every, int *count)
{
    while (g->t < end) {
        ck_assert_int_eq(engine_step(g, end), DAE_OK);
        if (++*count % every == 0) engine_polynomial(g);
    }
}

static void check_alike(engine *one, engine *other)
{
    const dense_output *a = engine_polynomial(one), *b = engine_polynomial(other);
    double y[2][MOST], yp[2][MOST];
    ck_assert(a->t == b->t && a->h == b->h);
    for (double x = 0; x <= 1; x += 0.25) {
        dense_output_evaluate(a, a->t + x * a->h, y[0], yp[0]);
        dense_output_evaluate(b, b->t + x * b->h, y[1], yp[1]);
        ck_assert_mem_eq(y[0], y[1], a->n * sizeof **y);
        ck_assert_mem_eq(yp[0], yp[1], a->n * sizeof **yp);
    }
}

/* A multistep method makes the polynomial of a step where somebody asks for it, and late it is the
 * same, also after a shorter step to an end, which a method of one step takes. */
START_TEST(polynomials_are_made_when_asked)
{
    static const char *const names[] = {"bdf", "mebdf"};
    for (size_t k = 0; k < 2 * sizeof names / sizeof *names; k++) {
        engine_options options = {.rtol = 1e-7, .atol = 1e-7};
        if (k % 2) options.fixed_step = 0.03;
        example e[2];
        engine *g[2];
        double y[3], yp[3];
        int count[2] = {0};
        exact(0.2, y, yp);
        for (int i = 0; i < 2; i++) {
            begin(&e[i], 3, 2, nonlinear, nonlinear_slope);
            e[i].problem.constant_mass = true;
            g[i] = engine_for(&e[i], names[k / 2], options);
            engine_start(g[i], 0.2, y, yp);
        }
        for (double end = 0.43; end < 1.2; end += 0.26) {
            run_to(g[0], end, 1, &count[0]);
            run_to(g[1], end, 1000, &count[1]);
            check_alike(g[0], g[1]);
        }
        ck_assert_int_eq(count[0], count[1]);
        for (int i = 0; i < 2; i++) dispose(&e[i], g[i]);
    }
}
END_TEST

/* Components are evaluated a few hundred at a time: each as if it were alone, bit for bit. */
START_TEST(many_components_are_what_each_is_alone)
{
    enum { N = 700, DEGREE = 5 };
    double c[(DEGREE + 1) * N], alone[DEGREE + 1], y[N], yp[N], only[N], one, one_p;
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) c[i] = scatter(&state);
    const dense_output all = {.t = 0.3, .h = -0.7, .n = N, .degree = DEGREE, .coefficient = c};
    dense_output_evaluate(&all, -0.1, y, yp);
    dense_output_evaluate(&all, -0.1, only, NULL);
    ck_assert_mem_eq(only, y, sizeof y);
    dense_output_evaluate(&all, -0.1, NULL, only);
    ck_assert_mem_eq(only, yp, sizeof yp);
    for (size_t k = 0; k < N; k++) {
        for (size_t i = 0; i <= DEGREE; i++) alone[i] = c[i * N + k];
        dense_output d = {.t = 0.3, .h = -0.7, .n = 1, .degree = DEGREE, .coefficient = alone};
        dense_output_evaluate(&d, -0.1, &one, &one_p);
        ck_assert(one == y[k] && one_p == yp[k]);
        double value = 0, rate = 0, x = (-0.1 - 0.3) / -0.7;
        for (int i = DEGREE; i >= 0; i--) value = value * x + alone[i];
        for (int i = DEGREE; i > 0; i--) rate = rate * x + i * alone[i] / -0.7;
        ck_assert_double_eq_tol(y[k], value, 1e-14);
        ck_assert_double_eq_tol(yp[k], rate, 1e-13);
    }
}
END_TEST

UNIT_MAIN("integrate/dense", 60, orders_within_steps,
          stiff_components_are_within_steps_what_the_tolerance_says,
          polynomials_are_made_when_asked, many_components_are_what_each_is_alone)
