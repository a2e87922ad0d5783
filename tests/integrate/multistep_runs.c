/* Runs of multistep methods: polynomials are integrated exactly whatever the ends of runs, the
 * first points are as good as the others, and what cannot be done is refused. */
#include "integrate/linear.h"
#include "integrate/multistep_rows.h"

/* y' = q'(t), z = q(t) - 1, q = 1 + t + ... + t^DEGREE. */
enum { DEGREE = 3 };

static double power_sum(double t)
{
    return 1 + t * (1 + t * (1 + t));
}

static void power(double t, const double *y, double *f)
{
    f[0] = 1 + t * (2 + 3 * t);
    f[1] = power_sum(t) - 1 - y[1];
}

static void power_partial(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = j[1] = j[2] = 0;
    j[3] = -1;
}

static engine *power_engine(example *e, const char *name, double h, double from)
{
    const double y[] = {power_sum(from), power_sum(from) - 1};
    double yp[2];
    begin(e, highest_index(name) > 0 ? 2 : 1, 1, power, power_partial);
    e->problem.constant_mass = e->problem.constant = true;
    engine *g = engine_for(e, name, (engine_options){.fixed_step = h});
    power(from, y, yp);
    engine_start(g, from, y, yp);
    return g;
}

static void is_power(const char *name, const engine *g, double t, const double *y, const double *yp)
{
    for (size_t k = 0; k < g->problem->n; k++) {
        double off = fabs(y[k] - power_sum(t) + (k == 1));
        off = fmax(off, 0.01 * fabs(yp[k] - 1 - t * (2 + 3 * t)));
        ck_assert_msg(off < 1e-12, "%s, y%zu at %g of [%g, %g]: off by %g", name, k + 1, t,
                      g->dense.t, g->t, off);
    }
}

/* A run to its end, which no number of steps may reach, is exact at and within each step. */
static void run_exactly(const char *name, engine *g, double h, double end)
{
    g->options.direction = end > g->t ? 1 : -1;
    while (g->t != end) {
        double y[2], yp[2], begun = g->t, left = fabs(end - begun);
        ck_assert_int_eq(engine_step(g, end), DAE_OK);
        ck_assert_double_eq_tol(fabs(g->t - begun), fmin(h, left), 1e-14);
        ck_assert(g->dense.t == begun);
        is_power(name, g, g->t, g->y, g->yp);
        for (double x = 0; x <= 1; x += 0.25) {
            double t = begun + x * g->dense.h;
            dense_output_evaluate(&g->dense, t, y, yp);
            is_power(name, g, t, y, yp);
        }
    }
}

/* Methods of order 3 and more integrate a cubic exactly: with a last step that is shorter, from
 * there on, and back again. */
START_TEST(ends_of_runs)
{
    size_t i = 0;
    int rows = 0;
    const double h = 0.0625;
    for (const char *name = multistep_at(&i); name; name = multistep_at(&i)) {
        example e;
        int order;
        engine *g = power_engine(&e, name, h, -0.5);
        ck_assert_int_eq(method_order(e.which, &order), DAE_OK);
        if (order >= DEGREE) {
            run_exactly(name, g, h, 0.52);
            run_exactly(name, g, h, 1.6);
            run_exactly(name, g, h, 0.0);
            run_exactly(name, g, h, 0.01);
            ck_assert_uint_eq(g->counts.steps, 17 + 18 + 26 + 1);
            ck_assert_uint_eq(g->counts.attempts, g->counts.steps);
            ck_assert_uint_lt(g->counts.newton_iterations, 10 * g->counts.steps);
            rows++;
        }
        dispose(&e, g);
    }
    ck_assert_int_ge(rows, 20);
}
END_TEST

/* One factorisation of a constant matrix, besides those of the start, also where the time has no
 * digits left for equal steps; one a step of another. */
START_TEST(factorisations)
{
    example e;
    double y[3], yp[3];
    const double end = 1e6 + 2.3;
    engine *g = power_engine(&e, "bdf3", 0.1, 1e6);
    for (int k = 0; k < 3; k++) ck_assert_int_eq(engine_step(g, end), DAE_OK);
    size_t before = e.problem.counts.factorizations;
    while (g->t != end) ck_assert_int_eq(engine_step(g, end), DAE_OK);
    ck_assert_uint_eq(g->counts.steps, 23);
    ck_assert_uint_eq(e.problem.counts.factorizations, before);
    dispose(&e, g);

    begin(&e, 3, 2, nonlinear, nonlinear_slope);
    g = engine_for(&e, "bdf3", (engine_options){.fixed_step = 0.01});
    exact(0.2, y, yp);
    engine_start(g, 0.2, y, yp);
    for (int k = 0; k < 3; k++) ck_assert_int_eq(engine_step(g, 100), DAE_OK);
    before = e.problem.counts.factorizations;
    for (int k = 0; k < 20; k++) ck_assert_int_eq(engine_step(g, 100), DAE_OK);
    ck_assert_uint_eq(e.problem.counts.factorizations, before + 20);
    dispose(&e, g);
}
END_TEST

/* y_1' = y_2, 0 = y_1 - exp(t), of index 2. */
static void chain_of_2(double t, const double *y, double *f)
{
    f[0] = y[1], f[1] = y[0] - exp(t);
}

static void chain_of_2_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = 0, j[1] = 1, j[2] = 1, j[3] = 0;
}

/* The largest relative error at so many points. */
static double error_at_the_start(const char *name, size_t n, double h, int count)
{
    example e;
    const double ones[] = {1, 1, 1};
    double worst = 0;
    begin(&e, n, n - 1, n == 2 ? chain_of_2 : chain, n == 2 ? chain_of_2_slope : chain_slope);
    for (size_t k = 0; k < n; k++) e.index[k] = (unsigned char)(k + 1);
    e.problem.constant_mass = e.problem.constant = true;
    engine *g = engine_for(&e, name, (engine_options){.fixed_step = h});
    engine_start(g, 0, ones, ones);
    for (int k = 0; k < count; k++) {
        ck_assert_int_eq(engine_step(g, 1), DAE_OK);
        for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs(g->y[i] / exp(g->t) - 1));
    }
    dispose(&e, g);
    return worst;
}

/* Multipliers have the order of the method from the first point on. */
START_TEST(starts)
{
    const double h = 0.1;
    size_t i = 0;
    int rows = 0;
    for (const char *name = multistep_at(&i); name; name = multistep_at(&i)) {
        method_properties known = properties_of(name);
        const int order[] = {known.index2[1], known.index3[2]};
        for (size_t n = 2; n <= 3; n++) {
            if (order[n - 2] == METHOD_NO_ORDER) continue;
            double error = error_at_the_start(name, n, h, known.order - 1);
            ck_assert_msg(error < 0.5 * pow(h, order[n - 2]), "%s, %zu unknowns: %g", name, n,
                          error);
            rows++;
        }
    }
    ck_assert_int_ge(rows, 15);
}
END_TEST

/* y' = y^2 from 1 on, with steps over the pole. */
START_TEST(where_the_solution_ends)
{
    example e;
    double y = 1, yp = 1;
    begin(&e, 1, 1, square, square_slope);
    engine *g = engine_for(&e, "bdf2", (engine_options){.fixed_step = 0.21});
    engine_start(g, 0, &y, &yp);
    dae_status status = DAE_OK;
    while (status == DAE_OK && g->t < 2) status = engine_step(g, 2);
    ck_assert_int_eq(status, DAE_NEWTON);
    ck_assert_int_eq(g->failure.cause, DAE_NEWTON);
    ck_assert_double_lt(g->t, 1.3);
    dispose(&e, g);
}
END_TEST

/* The sentence with which a method refuses the problem, at its creation or after the start. */
static void refuses(example *e, const char *name, const double *y, dae_status expected,
                    const char *sentence)
{
    message m = {0};
    engine *g = NULL;
    double yp[3] = {0};
    const engine_options options = {
        .fixed_step = expected == DAE_USAGE ? 0 : 0.1, .direction = 1, .rtol = 1e-6, .atol = 1e-6};
    ck_assert_int_eq(method_create(&e->which, name, &m), DAE_OK);
    dae_status status = engine_create(&g, &e->problem, e->which, &options, &m);
    if (status == DAE_OK) {
        engine_start(g, 0, y, yp);
        status = engine_examine(g, &m);
    }
    ck_assert_int_eq(status, expected);
    ck_assert_msg(strstr(message_string(&m), sentence) != NULL, "%s", message_string(&m));
    message_free(&m);
    dispose(e, g);
}

/* (y_1' + y_2', y_2', 0) and (y_1' + y_2', 0, 0) */
static const double masses[2][9] = {{1, 0, 0, 1, 1, 0, 0, 0, 0}, {1, 0, 0, 1, 0, 0, 0, 0, 0}};

START_TEST(refusals)
{
    example e;
    begin(&e, 3, 2, nonlinear, nonlinear_slope);
    refuses(&e, "adams-bashforth3", NULL, DAE_UNSUPPORTED,
            "adams-bashforth3 cannot advance the algebraic variable y3: explicit multistep");
    begin(&e, 3, 2, nonlinear, nonlinear_slope);
    refuses(&e, "one-leg-adams-moulton2", NULL, DAE_UNSUPPORTED,
            "cannot advance the algebraic variable y3: one-leg methods with a root of sigma");
    begin(&e, 3, 2, nonlinear, nonlinear_slope);
    refuses(&e, "bdf3", NULL, DAE_USAGE, "bdf3 has no error estimate");

    begin(&e, 3, 2, circle, circle_slope);
    e.index[2] = 2;
    refuses(&e, "dcbdf2", on_circle, DAE_UNSUPPORTED, "their factors are not constant");
    begin(&e, 3, 2, circle, circle_slope);
    e.index[2] = 2;
    e.problem.constant_mass = true;
    e.problem.hidden_directions = 1;
    refuses(&e, "dcbdf2", on_circle, DAE_UNSUPPORTED, "no variable by itself");
    for (int k = 0; k < 2; k++) {
        begin(&e, 3, 2, circle, circle_slope);
        e.index[2] = 2;
        e.problem.constant_mass = true;
        e.problem.by_yp = (problem_matrix){&e.full.pattern, masses[k], NULL};
        refuses(&e, "blocked-adams-moulton2", on_circle, DAE_UNSUPPORTED, "has several of them");
    }
}
END_TEST

UNIT_MAIN("integrate/multistep_runs", 30, ends_of_runs, factorisations, starts,
          where_the_solution_ends, refusals)
