/* The engine of Rosenbrock methods: what one step does to linear equations is known exactly, its
 * orders on differential and algebraic variables and within a step too, and where it cannot go it
 * says so. */
#include "integrate/engines.h"

#include "integrate/linear.h"
#include "integrate/nonlinear.h"

/* Orders: p, and of a dense output with D_1, ..., D_(q-1): q in y, q - 1 or more in z. */
typedef struct tested {
    const char *name;
    int order, dense;
} tested;

static const tested TESTED[] = {{"rodas4", 4, 3}, {"rodasp", 4, 3}, {"rodas5p", 5, 4}};

enum { METHODS = sizeof TESTED / sizeof *TESTED };

typedef struct running {
    example e;
    method *which;
    engine *engine;
} running;

static void open_engine(running *r, const char *name, engine_options options)
{
    message m = {0};
    ck_assert_int_eq(method_create(&r->which, name, &m), DAE_OK);
    if (options.direction == 0) options.direction = 1;
    if (options.rtol == 0) options.rtol = options.atol = 1e-6;
    ck_assert_int_eq(engine_create(&r->engine, &r->e.problem, r->which, &options, &m), DAE_OK);
}

static void close_engine(running *r)
{
    engine_free(r->engine);
    problem_factors_free(&r->e.problem);
    method_free(r->which);
}

/* M y' = f with a constant M. */
static void begin_constant(running *r, size_t n, size_t dynamic,
                           void (*right)(double, const double *, double *),
                           void (*slope)(double, const double *, double *))
{
    begin(&r->e, n, dynamic, right, slope);
    r->e.problem.constant_mass = true;
}

/* R(z) = 1 + z b (I - z A)^-1 1 with A = alpha + gamma (Hairer & Wanner II, (IV.7.14)). */
static double stability(const method *m, quad z)
{
    quad a[METHOD_MOST_STAGES][METHOD_MOST_STAGES], x[METHOD_MOST_STAGES], sum = 1;
    for (int i = 0; i < m->stages; i++) {
        x[i] = 1;
        for (int j = 0; j < m->stages; j++) a[i][j] = (i == j) - z * m->a[i][j];
    }
    quad_solve(m->stages, METHOD_MOST_STAGES, a[0], x);
    for (int i = 0; i < m->stages; i++) sum += z * m->b[i] * x[i];
    return (double)sum;
}

START_TEST(one_step_is_the_stability_function)
{
    const double steps[] = {1e-3, 0.1, 1, 10, 1e6};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        running r;
        double y = 3, yp = -6, h = steps[k];
        begin_constant(&r, 1, 1, decay, decay_slope);
        open_engine(&r, TESTED[_i].name, (engine_options){.fixed_step = h});
        engine_start(r.engine, 0, &y, &yp);
        ck_assert_int_eq(engine_step(r.engine, h), DAE_OK);
        ck_assert(r.engine->t == h);
        ck_assert_double_eq_tol(r.engine->y[0], 3 * stability(r.which, (quad)(-2 * h)), 1e-13);
        close_engine(&r);
    }
}
END_TEST

/* The largest errors so far, of y and z at the ends of steps and within them. */
typedef struct errors {
    double end[2], within[2];
} errors;

static void add_error(double t, const double *found, double *error)
{
    double y[3], yp[3];
    exact(t, y, yp);
    error[0] = fmax(error[0], fmax(fabs(found[0] - y[0]), fabs(found[1] - y[1])));
    error[1] = fmax(error[1], fabs(found[2] - y[2]));
}

static void add_errors(const engine *g, errors *all)
{
    double inner[3];
    add_error(g->t, g->y, all->end);
    for (double x = 0.1; x < 1; x += 0.2) {
        double t = g->dense.t + x * g->dense.h;
        dense_output_evaluate(&g->dense, t, inner, NULL);
        add_error(t, inner, all->within);
    }
}

typedef enum kind { BY_DIFFERENCES, WITH_TIME, IMPLICIT, KINDS, WITHOUT_TIME } kind;

static void begin_nonlinear(running *r, kind which)
{
    static problem_form form;
    form = example_form;
    begin(&r->e, 3, 2, nonlinear, nonlinear_slope);
    r->e.problem.form = &form;
    r->e.problem.constant_mass = which != IMPLICIT;
    if (which == WITH_TIME) form.time_derivative = nonlinear_time;
    if (which == WITHOUT_TIME) form.time_derivative = no_time;
    if (which != IMPLICIT) return;
    form.residual = implicit_residual;
    form.linearize = implicit_linearize;
}

static errors fixed_steps(const char *name, kind which, int steps, double from, double to)
{
    running r;
    errors all = {0};
    double y[3], yp[3];
    begin_nonlinear(&r, which);
    engine_options options = {.fixed_step = fabs(to - from) / steps,
                              .direction = to > from ? 1 : -1};
    open_engine(&r, name, options);
    exact(from, y, yp);
    engine_start(r.engine, from, y, yp);
    while (r.engine->t != to) {
        ck_assert_int_eq(engine_step(r.engine, to), DAE_OK);
        add_errors(r.engine, &all);
    }
    ck_assert_uint_eq(r.engine->counts.steps, (size_t)steps);
    close_engine(&r);
    return all;
}

/* The slope of log error over log h by least squares. */
static double slope_of(size_t count, const double *h, const double *error)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (size_t k = 0; k < count; k++) mean_x += log(h[k]), mean_y += log(error[k]);
    mean_x /= (double)count;
    mean_y /= (double)count;
    for (size_t k = 0; k < count; k++) {
        xx += (log(h[k]) - mean_x) * (log(h[k]) - mean_x);
        xy += (log(h[k]) - mean_x) * (log(error[k]) - mean_y);
    }
    return xy / xx;
}

/* Errors at the ends of steps have order p in y and z. Within them the error of one step comes on
 * top, of order q + 1 in y and q in z. Backwards in time and forwards, with dF/dt exact and by
 * differences, and where F is nonlinear in y'; 0.3 below theory allows for what the next power adds
 * over this window of steps. */
START_TEST(orders)
{
    enum { RUNS = 5 };
    double end = HUGE_VAL, within = HUGE_VAL;
    const int steps[RUNS] = {16, 24, 36, 54, 81}, p = TESTED[_i].order, q = TESTED[_i].dense;
    for (int way = 0; way < 2 * KINDS; way++) {
        double h[RUNS], error[4][RUNS], from = way % 2 ? 2.2 : 0.2, to = way % 2 ? 0.2 : 2.2;
        const double least[4] = {p - 0.3, p - 0.3, fmin(p, q + 1) - 0.3, q - 0.3};
        for (int k = 0; k < RUNS; k++) {
            errors all = fixed_steps(TESTED[_i].name, (kind)(way / 2), steps[k], from, to);
            h[k] = 1. / steps[k];
            error[0][k] = all.end[0], error[1][k] = all.end[1];
            error[2][k] = all.within[0], error[3][k] = all.within[1];
        }
        for (int part = 0; part < 4; part++) {
            double slope = slope_of(RUNS, h, error[part]);
            ck_assert_msg(slope > least[part], "%s, %d, %d: %g", TESTED[_i].name, way, part, slope);
        }
        end = fmin(end, slope_of(RUNS, h, error[0]));
        within = fmin(within, slope_of(RUNS, h, error[3]));
    }
    errors own = fixed_steps(TESTED[_i].name, BY_DIFFERENCES, 9, 0.2, 2.2);
    errors same = fixed_steps(TESTED[_i].name, WITHOUT_TIME, 9, 0.2, 2.2);
    ck_assert(own.end[0] == same.end[0] && own.within[1] == same.within[1]);
    ck_assert_double_lt(end, p + 0.3); /* and no more than theory says */
    ck_assert_double_lt(within, q + 0.3);
}
END_TEST

/* Over a decade of tolerances each: the error stays below 10 rtol, within steps as
 * well, and falls with it. */
START_TEST(error_control)
{
    double before = HUGE_VAL;
    for (double tolerance = 1e-3; tolerance > 1e-10; tolerance /= 10) {
        running r;
        errors all = {0};
        double y[3], yp[3];
        begin_nonlinear(&r, BY_DIFFERENCES);
        open_engine(&r, TESTED[_i].name, (engine_options){.rtol = tolerance, .atol = tolerance});
        exact(0.2, y, yp);
        engine_start(r.engine, 0.2, y, yp);
        while (r.engine->t != 3) {
            ck_assert_int_eq(engine_step(r.engine, 3), DAE_OK);
            add_errors(r.engine, &all);
        }
        double worst = fmax(all.end[0], all.end[1]), within = fmax(all.within[0], all.within[1]);
        ck_assert_msg(worst < 10 * tolerance, "%g: %g", tolerance, worst);
        ck_assert_msg(within < 10 * tolerance, "%g: %g within steps", tolerance, within);
        ck_assert_double_lt(worst, before);
        before = worst;
        close_engine(&r);
    }
}
END_TEST

static void robertson(double t, const double *y, double *f)
{
    (void)t;
    f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    f[1] = 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] * y[1];
    f[2] = y[0] + y[1] + y[2] - 1;
}

static void robertson_slope(double t, const double *y, double *j)
{
    (void)t;
    const double entries[9] = {-0.04,       1e4 * y[2], 1e4 * y[1], 0.04, -1e4 * y[2] - 6e7 * y[1],
                               -1e4 * y[1], 1,          1,          1};
    memcpy(j, entries, sizeof entries);
}

/* Test Set for IVP Solvers, release 2.4 (Mazzia & Magherini 2008), with 13 digits from an
 * integration in quadruple precision. */
START_TEST(robertson_to_1e11)
{
    const double wanted[3] = {2.083340149701248e-08, 8.333360770334600e-14, 9.999999791665151e-01};
    for (double rtol = 1e-4; rtol > 1e-10; rtol /= 100) {
        running r;
        double y[3] = {1, 0, 0}, yp[3] = {-0.04, 0.04, 0}, worst = 0;
        begin_constant(&r, 3, 2, robertson, robertson_slope);
        open_engine(&r, TESTED[_i].name, (engine_options){.rtol = rtol, .atol = 1e-4 * rtol});
        engine_start(r.engine, 0, y, yp);
        while (r.engine->t != 1e11) ck_assert_int_eq(engine_step(r.engine, 1e11), DAE_OK);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(r.engine->y[k] - wanted[k]) / wanted[k]);
        ck_assert_msg(worst < 200 * rtol, "%s, %g: %g", TESTED[_i].name, rtol, worst);
        close_engine(&r);
    }
}
END_TEST

/* The polynomial begins where the last one ended, and ends in the new state with its slope. */
START_TEST(dense_output_is_continuous)
{
    running r;
    double y[3], yp[3], last[3], at[3], slope[3];
    begin_nonlinear(&r, WITH_TIME);
    open_engine(&r, TESTED[_i].name, (engine_options){0});
    exact(0.2, y, yp);
    engine_start(r.engine, 0.2, y, yp);
    while (r.engine->t != 3) {
        memcpy(last, r.engine->y, sizeof last);
        double begun = r.engine->t;
        ck_assert_int_eq(engine_step(r.engine, 3), DAE_OK);
        ck_assert(r.engine->dense.t == begun);
        dense_output_evaluate(&r.engine->dense, begun, at, NULL);
        for (int i = 0; i < 3; i++) ck_assert(at[i] == last[i]);
        dense_output_evaluate(&r.engine->dense, r.engine->t, at, slope);
        for (int i = 0; i < 3; i++) {
            ck_assert_double_eq_tol(at[i], r.engine->y[i], 64 * DBL_EPSILON);
            ck_assert_double_eq_tol(slope[i], r.engine->yp[i], 1e-12 / r.engine->dense.h);
        }
    }
    close_engine(&r);
}
END_TEST

/* Of a linear problem the Jacobian is evaluated once, and factored once for each length of steps;
 * else both are at each step. */
START_TEST(constant_problems)
{
    for (int constant = 0; constant < 2; constant++) {
        running r;
        double y = 1, yp = -2;
        begin_constant(&r, 1, 1, decay, decay_slope);
        r.e.problem.constant = constant;
        open_engine(&r, TESTED[_i].name, (engine_options){.fixed_step = 0x1p-4});
        engine_start(r.engine, 0, &y, &yp);
        while (r.engine->t != 1) ck_assert_int_eq(engine_step(r.engine, 1), DAE_OK);
        ck_assert_uint_eq(r.e.problem.counts.jacobians, constant ? 1 : 16);
        ck_assert_uint_eq(r.e.problem.counts.factorizations, constant ? 1 : 16);
        close_engine(&r);
    }
}
END_TEST

/* y = 1/(1-t) ends at 1, and values at 0.5 where `until` says so: not beyond the step that is tried
 * are they asked for. */
START_TEST(where_the_solution_ends)
{
    const double until[] = {HUGE_VAL, 0.5}, last[] = {1, 0.5};
    for (int k = 0; k < 2; k++) {
        running r;
        double y = 1, yp = 1;
        begin_constant(&r, 1, 1, square, square_slope);
        r.e.until = until[k];
        open_engine(&r, TESTED[_i].name, (engine_options){0});
        engine_start(r.engine, 0, &y, &yp);
        dae_status status = DAE_OK;
        while (status == DAE_OK && r.engine->t != 2) status = engine_step(r.engine, 2);
        ck_assert_int_ne(status, DAE_OK);
        ck_assert_double_eq_tol(r.engine->t, last[k], k == 0 ? 1e-5 : 1e-9);
        if (k == 1) ck_assert_int_eq(r.engine->failure.cause, DAE_NOT_EVALUABLE);
        ck_assert(isfinite(r.engine->y[0]));
        close_engine(&r);
    }
}
END_TEST

START_TEST(goes_on_from_what_replaces_the_end)
{
    running r;
    double y = 1, yp = -2;
    begin_constant(&r, 1, 1, decay, decay_slope);
    open_engine(&r, TESTED[_i].name, (engine_options){.rtol = 1e-9, .atol = 1e-9});
    engine_start(r.engine, 0, &y, &yp);
    while (r.engine->t != 1) ck_assert_int_eq(engine_step(r.engine, 1), DAE_OK);
    y = 5, yp = -10;
    engine_replace(r.engine, &y, &yp);
    while (r.engine->t != 2) ck_assert_int_eq(engine_step(r.engine, 2), DAE_OK);
    ck_assert_double_eq_tol(r.engine->y[0], 5 * exp(-2), 1e-7);
    close_engine(&r);
}
END_TEST

static void refuses(running *r, dae_status wanted, const char *words)
{
    message m = {0};
    engine *created = NULL;
    const engine_options options = {.rtol = 1e-6, .atol = 1e-6, .direction = 1};
    method *which;
    ck_assert_int_eq(method_create(&which, "rodas4", &m), DAE_OK);
    ck_assert_int_eq(engine_create(&created, &r->e.problem, which, &options, &m), wanted);
    ck_assert_msg(strstr(message_string(&m), words) != NULL, "%s", message_string(&m));
    ck_assert(strstr(message_string(&m), "rodas4") && strstr(message_string(&m), "radau-iia3"));
    message_free(&m);
    method_free(which);
}

START_TEST(refusals)
{
    running r;
    double direction[3] = {0, 0, 1};
    begin_nonlinear(&r, WITH_TIME);
    r.e.index[2] = 2;
    refuses(&r, DAE_INDEX, "y3 has index 2");
    r.e.index[2] = 1;
    r.e.problem.hidden_directions = 1;
    r.e.problem.hidden_direction = direction;
    refuses(&r, DAE_INDEX, "have index 2");
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, one_step_is_the_stability_function, 0, METHODS);
    unit_loop(tests, orders, 0, METHODS);
    unit_loop(tests, error_control, 0, METHODS);
    unit_loop(tests, robertson_to_1e11, 0, METHODS);
    unit_loop(tests, dense_output_is_continuous, 0, METHODS);
    unit_loop(tests, constant_problems, 0, METHODS);
    unit_loop(tests, where_the_solution_ends, 0, METHODS);
    unit_loop(tests, goes_on_from_what_replaces_the_end, 0, METHODS);
    tcase_add_test(tests, refusals);
    return unit_run("integrate/rosenbrock", tests);
}
