/* Multistep methods with constant steps: each step satisfies the formula of its row and the
 * equations, polynomials are integrated exactly whatever the ends of runs, and what cannot be done
 * is refused. */
#include "integrate/nonlinear.h"
#include "method/properties.h"

enum { MOST_POINTS = METHOD_MOST_STEPS + 1 };

/* Rows of constant steps; NULL beyond the last. */
static const char *multistep_at(size_t *i)
{
    for (const method_row *row = method_row_at(*i); row; row = method_row_at(++*i)) {
        method *found;
        message m = {0};
        ck_assert_int_eq(method_create(&found, row->name, &m), DAE_OK);
        bool wanted = found->multistep && !found->multistep->variable;
        method_free(found);
        if (wanted) return ++*i, row->name;
    }
    return NULL;
}

/* 0 = y_1^2 + y_2^2 - 1, of index 2; z enters along (y_1, y_2). */
static void circle(double t, const double *y, double *f)
{
    (void)t;
    f[0] = -y[1] + y[0] * y[2] + y[1] * y[1];
    f[1] = y[0] + y[1] * y[2];
    f[2] = y[0] * y[0] + y[1] * y[1] - 1;
}

static void circle_slope(double t, const double *y, double *j)
{
    (void)t;
    const double entries[9] = {y[2], 2 * y[1] - 1, y[0], 1, y[2], y[1], 2 * y[0], 2 * y[1], 0};
    memcpy(j, entries, sizeof entries);
}

static const double on_circle[] = {0.6, 0.8, -0.6 * 0.64};

static void begin_circle(example *e, engine_options options, const char *name, engine **g)
{
    double f[3];
    begin(e, 3, 2, circle, circle_slope);
    e->index[2] = 2;
    e->problem.constant_mass = true;
    e->mass[0] = 2, e->mass[1] = 0.5;
    *g = engine_for(e, name, options);
    circle(0, on_circle, f);
    f[0] /= 2, f[1] *= 2;
    engine_start(*g, 0, on_circle, f);
}

/* The last points, newest first. */
typedef struct points {
    double t[MOST_POINTS], y[MOST_POINTS][3], yp[MOST_POINTS][3];
} points;

static void remember(points *p, const engine *g)
{
    memmove(p->t + 1, p->t, sizeof p->t - sizeof *p->t);
    memmove(p->y + 1, p->y, sizeof p->y - sizeof *p->y);
    memmove(p->yp + 1, p->yp, sizeof p->yp - sizeof *p->yp);
    p->t[0] = g->t;
    memcpy(p->y[0], g->y, g->problem->n * sizeof(double));
    memcpy(p->yp[0], g->yp, g->problem->n * sizeof(double));
}

static double sum_of(const quad *factor, int steps, const points *p, bool slopes, size_t k)
{
    double sum = 0;
    for (int j = 0; j <= steps; j++)
        sum += (double)factor[j] * (slopes ? p->yp : p->y)[steps - j][k];
    return sum;
}

/* How far the newest step is from its formula and the equations, times h and over the largest
 * value.
 */
static double defect_of(const example *e, const points *p, double h)
{
    const method_multistep *f = e->which->multistep;
    const problem *q = &e->problem;
    double leg[3], slope[3], t = 0, r[3], worst = 0, largest = 1;
    double tau = f->blocked && q->index[2] == 2 ? sum_of(f->gamma, f->steps, p, false, 2) : 0;
    for (int j = 0; j <= f->steps; j++) t += (double)f->beta[j] * p->t[f->steps - j];
    for (size_t k = 0; k < q->n; k++) {
        for (int j = 0; j <= f->steps; j++) largest = fmax(largest, fabs(p->y[j][k]));
        leg[k] = f->one_leg ? sum_of(f->beta, f->steps, p, false, k) : p->y[0][k];
        double rise = sum_of(f->alpha, f->steps, p, false, k) / h;
        slope[k] = f->one_leg ? rise : p->yp[0][k];
        if (f->one_leg || !q->dynamic[k]) continue;
        double off = rise - sum_of(f->beta, f->steps, p, true, k);
        off += p->y[0][k] / e->mass[k] * tau; /* of the circle, whose y'_z that is */
        worst = fmax(worst, fabs(off * h));
    }
    ck_assert_int_eq(example_residual((void *)e, f->one_leg ? t : p->t[0], leg, slope, r), DAE_OK);
    for (size_t k = 0; k < q->n; k++) worst = fmax(worst, fabs(r[k] * h));
    return worst / largest;
}

/* After the points with which it starts; one of them, and later the newest one, is replaced. */
static void check_formula(example *e, engine *g, double h)
{
    points p = {0};
    int steps = e->which->multistep->steps;
    remember(&p, g);
    for (int n = 1; n < 24; n++) {
        double y[3] = {0}, yp[3] = {0};
        size_t size = g->problem->n * sizeof *y, last = g->problem->n > 1;
        dae_status status = engine_step(g, 100);
        ck_assert_msg(status == DAE_OK, "%s, step %d: %s", e->which->name, n,
                      dae_status_word(status));
        remember(&p, g);
        if (n > 5 && n >= steps) {
            double off = defect_of(e, &p, h);
            ck_assert_msg(off < 1e-13, "%s, step %d: off by %g", e->which->name, n, off);
        }
        if (n != 4 && n != 12) continue;
        memcpy(y, g->y, size);
        memcpy(yp, g->yp, size);
        y[0] += 1e-7, yp[last] -= 1e-5;
        engine_replace(g, y, yp);
        ck_assert(g->y[0] == y[0] && g->yp[last] == yp[last]);
        memcpy(p.y[0], y, size);
        memcpy(p.yp[0], yp, size);
    }
}

/* On equations of this index; whether a blocked method had something to block. */
static bool check_row(const char *name, int index)
{
    const double h = 0.01;
    const engine_options options = {.fixed_step = h};
    example e;
    engine *g;
    message m = {0};
    double y[3], yp[3];
    if (index == 2) {
        begin_circle(&e, options, name, &g);
    } else if (index == 1) {
        begin(&e, 3, 2, nonlinear, nonlinear_slope);
        g = engine_for(&e, name, options);
        exact(0.2, y, yp);
        engine_start(g, 0.2, y, yp);
    } else {
        begin(&e, 1, 1, square, square_slope);
        g = engine_for(&e, name, options);
        engine_start(g, 0.2, (const double[]){-1}, (const double[]){1});
    }
    ck_assert_int_eq(engine_examine(g, &m), DAE_OK);
    check_formula(&e, g, h);
    bool blocks = index == 2 && e.which->multistep->blocked;
    dispose(&e, g);
    return blocks;
}

/* The highest index up to 2 on which algebraic variables converge; 0 for none. */
static int highest_index(const char *name)
{
    method *which;
    message m = {0};
    method_properties known;
    ck_assert_int_eq(method_create(&which, name, &m), DAE_OK);
    ck_assert_int_eq(method_properties_find(which, &known), DAE_OK);
    method_free(which);
    return known.index2[1] != METHOD_NO_ORDER ? 2 : known.index1[1] != METHOD_NO_ORDER;
}

START_TEST(steps_satisfy_their_formulas)
{
    size_t i = 0;
    int rows = 0, blocked = 0;
    for (const char *name = multistep_at(&i); name; name = multistep_at(&i), rows++) {
        int highest = highest_index(name);
        for (int index = 0; index <= highest; index++) blocked += check_row(name, index);
    }
    ck_assert_int_ge(rows, 30);
    ck_assert_int_ge(blocked, 7);
}
END_TEST

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

static void power_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = j[1] = j[2] = 0;
    j[3] = -1;
}

static engine *power_engine(example *e, const char *name, double h, double from)
{
    const double y[] = {power_sum(from), power_sum(from) - 1};
    double yp[2];
    begin(e, highest_index(name) > 0 ? 2 : 1, 1, power, power_slope);
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
    engine *g = power_engine(&e, "bdf3", 0.1, 1e6);
    for (int k = 0; k < 3; k++) ck_assert_int_eq(engine_step(g, 100), DAE_OK);
    size_t before = e.problem.counts.factorizations;
    for (int k = 0; k < 20; k++) ck_assert_int_eq(engine_step(g, 100), DAE_OK);
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
    ck_assert_int_eq(g->trouble.cause, DAE_NEWTON);
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
static void sum_multiply(void *self, const double *v, double *r)
{
    (void)self;
    r[0] = v[0] + v[1];
    r[1] = v[1];
    r[2] = 0;
}

static void same_multiply(void *self, const double *v, double *r)
{
    (void)self;
    r[0] = v[0] + v[1];
    r[1] = r[2] = 0;
}

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
    e.problem.softs = 1;
    refuses(&e, "dcbdf2", on_circle, DAE_UNSUPPORTED, "no variable by itself");
    for (int k = 0; k < 2; k++) {
        problem_form form = example_form;
        begin(&e, 3, 2, circle, circle_slope);
        e.index[2] = 2;
        e.problem.constant_mass = true;
        form.multiply = k == 0 ? sum_multiply : same_multiply;
        e.problem.form = &form;
        refuses(&e, "blocked-adams-moulton2", on_circle, DAE_UNSUPPORTED, "has several of them");
    }
}
END_TEST

UNIT_MAIN("integrate/multistep", 30, steps_satisfy_their_formulas, ends_of_runs, factorisations,
          where_the_solution_ends, refusals)
