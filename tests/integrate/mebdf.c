/* Modified extended BDF: each formula has its order on equations of index 0 to 2, the newest point
 * is replaced without a restart, nothing is evaluated beyond the end, and the problems of the Test
 * Set are solved to their tolerances. */
#include "integrate/linear.h"
#include "integrate/mebdf_sides.h"
#include "integrate/nonlinear.h"
#include "zoo/run.h"

static void nothing(double t, const double *y, double *f)
{
    (void)t, (void)y;
    f[0] = 0;
}

/* Of index 2, nonlinear in y and in time, with the solution of nonlinear.h. */
static void constrained(double t, const double *y, double *f)
{
    double c = cos(t), d = exp(-t), z = y[2] - sin(t);
    f[0] = -sin(t) + (y[1] - d) * y[0] + z * (1 + y[1] * y[1]);
    f[1] = -d + y[0] * y[0] - c * c + z * y[0];
    f[2] = y[0] - c + 0.3 * (y[1] * y[1] - d * d) + 0.2 * (y[0] * y[1] - c * d);
}

static void constrained_slope(double t, const double *y, double *j)
{
    double d = exp(-t), z = y[2] - sin(t);
    const double entries[9] = {y[1] - d,
                               y[0] + 2 * z * y[1],
                               1 + y[1] * y[1],
                               2 * y[0] + z,
                               0,
                               y[0],
                               1 + 0.2 * y[1],
                               0.6 * y[1] + 0.2 * y[0],
                               0};
    memcpy(j, entries, sizeof entries);
}

static void only_differential(double t, const double *y, double *f)
{
    double all[3] = {y[0], y[1], sin(t)}, right[3];
    nonlinear(t, all, right);
    f[0] = right[0], f[1] = right[1];
}

static void only_differential_slope(double t, const double *y, double *j)
{
    double all[3] = {y[0], y[1], sin(t)}, entries[9];
    nonlinear_slope(t, all, entries);
    j[0] = entries[0], j[1] = entries[1], j[2] = entries[3], j[3] = entries[4];
}

static engine *begin_index(example *e, int index, engine_options options)
{
    double y[3], yp[3];
    if (index == 0) begin(e, 2, 2, only_differential, only_differential_slope);
    if (index == 1) begin(e, 3, 2, nonlinear, nonlinear_slope);
    if (index == 2) begin(e, 3, 2, constrained, constrained_slope);
    if (index == 2) e->index[2] = 2;
    engine *g = engine_for(e, "mebdf", options);
    exact(0, y, yp);
    engine_start(g, 0, y, yp);
    return g;
}

static double error_within(engine *g)
{
    double y[3], yp[3], inner[3], t = g->t - 0.4 * g->dense.h;
    dense_output_evaluate(engine_polynomial(g), t, inner, NULL);
    exact(t, y, yp);
    return fmax(fabs(inner[0] - y[0]), fabs(inner[1] - y[1]));
}

/* The largest errors of y at t = 2, with z of index 1; of y within steps; of z of index 2. */
static void measure(int index, int steps, int count, double *error)
{
    example e;
    double y[3], yp[3];
    const engine_options options = {.fixed_step = 2.0 / count, .max_order = steps + 1};
    engine *g = begin_index(&e, index, options);
    error[1] = 0;
    for (int n = 1; n <= count; n++) {
        ck_assert_int_eq(engine_step(g, 100), DAE_OK);
        if (n >= steps) error[1] = fmax(error[1], error_within(g));
    }
    ck_assert_uint_eq(g->counts.steps, (size_t)count);
    exact(2, y, yp);
    error[0] = fmax(fabs(g->y[0] - y[0]), fabs(g->y[1] - y[1]));
    if (index == 1) error[0] = fmax(error[0], fabs(g->y[2] - y[2]));
    error[2] = index == 2 ? fabs(g->y[2] - y[2]) : 0;
    dispose(&e, g);
}

static void check_jacobian(const char *what, int index, int order, double coarse, double fine)
{
    double slope = log(coarse / fine) / log(1.5);
    ck_assert_msg(slope > order - 0.45 && slope < order + 0.45, "%s, index %d, order %d: %.2f",
                  what, index, order, slope);
}

/* k steps: k + 1 in y and within a step; k in z of index 2, whose errors in stages 1 and 2 go into
 * stage 3 with the weights now - 1/H_k and next, which for k = 1 cancel. */
START_TEST(each_formula_has_its_order)
{
    const int steps[] = {0, 80, 80, 80, 120, 60, 60, 36};
    for (int index = 0; index <= 2; index++) {
        for (int k = 1; k <= MEBDF_MOST_STEPS; k++) {
            double coarse[3], fine[3];
            measure(index, k, steps[k], coarse);
            measure(index, k, 3 * steps[k] / 2, fine);
            check_jacobian("y", index, k + 1, coarse[0], fine[0]);
            check_jacobian("within", index, k + 1, coarse[1], fine[1]);
            if (index == 2) check_jacobian("z", index, k > 1 ? k : 2, coarse[2], fine[2]);
        }
    }
}
END_TEST

/* With y' = 0 the next point is a combination of the last ones, of those that were put in place of
 * what had been found; as long as steps are started it is the newest one. */
START_TEST(the_newest_point_is_replaced)
{
    for (int k = 1; k <= MEBDF_MOST_STEPS; k++) {
        example e;
        mebdf_formula f = mebdf_formula_make(k);
        double plain[MEBDF_MOST_STEPS + 1], extended[MEBDF_MOST_STEPS + 1], point[31] = {1}, yp = 0;
        left_sides(&f, plain, extended);
        begin(&e, 1, 1, nothing, no_slope);
        engine *g = engine_for(&e, "mebdf",
                               (engine_options){.fixed_step = 0.1, .max_order = k + 1});
        engine_start(g, 0, point, &yp);
        for (int n = 1; n <= 30; n++) {
            double wanted = n < k ? point[n - 1] : 0;
            for (int i = 1; i <= k && n >= k; i++) wanted -= extended[i] * point[n - i];
            ck_assert_int_eq(engine_step(g, 100), DAE_OK);
            ck_assert_double_eq_tol(g->y[0], wanted, 1e-13);
            point[n] = g->y[0] + 0.1 * sin(n);
            engine_replace(g, point + n, NULL);
        }
        dispose(&e, g);
    }
}
END_TEST

/* A change below the tolerance is no reason for shorter steps. */
START_TEST(small_changes_are_no_restart)
{
    example e;
    double y[3];
    engine *g = begin_index(&e, 1, (engine_options){.rtol = 1e-6, .atol = 1e-6});
    for (int n = 0; n < 60; n++) {
        double h = g->dense.h;
        ck_assert_int_eq(engine_step(g, 100), DAE_OK);
        if (n > 40) ck_assert_double_gt(g->dense.h, 0.7 * h);
        memcpy(y, g->y, sizeof y);
        y[0] += 1e-9;
        engine_replace(g, y, g->yp);
        ck_assert(g->y[0] == y[0]);
    }
    ck_assert_uint_lt(g->counts.rejected, 5);
    dispose(&e, g);
}
END_TEST

static void run_to(engine *g, double t)
{
    while (g->t != t) ck_assert_int_eq(engine_step(g, t), DAE_OK);
}

/* A function without values beyond the end makes no difference, whatever the ends of runs. */
START_TEST(nothing_beyond_the_end_is_looked_at)
{
    static const engine_options options[] = {{.rtol = 1e-7, .atol = 1e-7},
                                             {.fixed_step = 0.05, .max_order = 5},
                                             {.rtol = 1e-7, .atol = 1e-7, .max_step = 0.3}};
    static const double ends[] = {0.7, 0.7 + 1e-8, 1.9, 2};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        example e;
        double y[3], yp[3];
        engine *g = begin_index(&e, 1, options[o]);
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            e.until = ends[k];
            run_to(g, ends[k]);
            exact(g->t, y, yp);
            for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(g->y[i], y[i], 2e-6);
        }
        ck_assert_uint_lt(g->counts.rejected, 4);
        dispose(&e, g);
    }
}
END_TEST

/* Values within steps are as good as those at their ends, also where steps and orders change. */
START_TEST(steps_are_known_within)
{
    for (int index = 0; index <= 2; index++) {
        example e;
        double y[3], yp[3], inner[3], worst = 0;
        const engine_options options = {.rtol = 1e-7, .atol = 1e-7};
        engine *g = begin_index(&e, index, options);
        while (g->t < 4) {
            ck_assert_int_eq(engine_step(g, 4), DAE_OK);
            for (double x = 0; x <= 1; x += 0.125) {
                double t = g->dense.t + x * g->dense.h;
                dense_output_evaluate(engine_polynomial(g), t, inner, NULL);
                exact(t, y, yp);
                for (int i = 0; i < 2; i++) worst = fmax(worst, fabs(inner[i] - y[i]));
            }
        }
        ck_assert_double_lt(worst, 2 * options.rtol);
        ck_assert_uint_lt(g->counts.steps, 150);
        dispose(&e, g);
    }
}
END_TEST

/* y' = z, and z jumps from 1 to 2 at t = 1/2: steps do not become too short there. */
static void jumping(double t, const double *y, double *f)
{
    f[0] = y[1];
    f[1] = y[1] - (t < 0.5 ? 1 : 2);
}

static void jumping_slope(double t, const double *y, double *j)
{
    const double entries[4] = {0, 1, 0, 1};
    (void)t, (void)y;
    memcpy(j, entries, sizeof entries);
}

START_TEST(algebraic_variables_may_jump)
{
    example e;
    double y[2] = {0, 1}, yp[2] = {1, 0};
    begin(&e, 2, 1, jumping, jumping_slope);
    engine *g = engine_for(&e, "mebdf", (engine_options){.rtol = 1e-6, .atol = 1e-6});
    engine_start(g, 0, y, yp);
    run_to(g, 1);
    ck_assert_double_eq_tol(g->y[0], 1.5, 1e-6);
    ck_assert_double_eq_tol(g->y[1], 2, 1e-12);
    ck_assert_uint_lt(g->counts.attempts, 200);
    dispose(&e, g);
}
END_TEST

/* y' = y^2 has a pole at t = 1; the step becomes too short, and by which variable is told. */
START_TEST(a_pole_stops_it)
{
    example e;
    double y = 1, yp = 1;
    dae_status status = DAE_OK;
    begin(&e, 1, 1, square, square_slope);
    engine *g = engine_for(&e, "mebdf", (engine_options){.rtol = 1e-6, .atol = 1e-6});
    engine_start(g, 0, &y, &yp);
    while (status == DAE_OK && g->counts.attempts < 20000) status = engine_step(g, 2);
    ck_assert_int_ne(status, DAE_OK);
    ck_assert_int_ne(g->failure.cause, DAE_OK);
    ck_assert_double_eq_tol(g->t, 1, 1e-3);
    ck_assert_uint_eq(g->failure.worst, 0);
    dispose(&e, g);
}
END_TEST

/* The two bit adder takes long at tight tolerances. */
enum { LARGE = 300 };

/* What is differentiated is within 100 tolerances, or the digits of the reference, and smaller
 * tolerances give smaller errors; those below a tolerance are luck, and count as one. */
START_TEST(the_test_set_is_solved_to_tolerances)
{
    for (size_t p = 0; p < zoo_ivp_count; p++) {
        if (strcmp(zoo_ivps[p]->name, "ring modulator") == 0) continue; /* takes too many steps */
        double least = HUGE_VAL;
        for (int k = 4; k <= 10; k += 2) {
            zoo_outcome o;
            double rtol = pow(10, -k);
            if (rtol < zoo_ivps[p]->tightest || (k > 4 && zoo_size(zoo_ivps[p]->form) > LARGE))
                break;
            zoo_solve(zoo_ivps[p], "mebdf", rtol, 100000, &o);
            ck_assert_msg(o.status == DAE_OK, "%s, 1e-%d: %s", zoo_ivps[p]->name, k, o.message);
            ck_assert_msg(o.units < 100, "%s, 1e-%d: %g", zoo_ivps[p]->name, k, o.units);
            ck_assert_msg(o.units * rtol < least, "%s, 1e-%d: grows", zoo_ivps[p]->name, k);
            least = fmax(fmax(o.units, 1) * rtol, 10 * pow(10, -zoo_ivps[p]->digits));
        }
    }
}
END_TEST

static zoo_outcome solved(const char *name, double rtol)
{
    zoo_outcome o;
    zoo_solve(zoo_ivp_named(name), "mebdf", rtol, 100000, &o);
    ck_assert_msg(o.status == DAE_OK && o.units < 100, "%s: %s", name, o.message);
    return o;
}

/* Very loose and very tight tolerances, and a step that only the stability of high orders bounds.
 */
START_TEST(hard_places_are_passed)
{
    for (double digits = 1.2; digits < 5; digits += 0.05)
        solved("transistor amplifier", pow(10, -digits));
    solved("Robertson", 1e-12);
    ck_assert_uint_lt(solved("Fekete", 1e-6).steps, 800);
}
END_TEST

static int sum_up(double t, const double *y, double *f, void *user)
{
    (void)y, (void)user;
    f[0] = cos(t);
    return 0;
}

/* A whole fixed step, behind which less than another one is left, has its order as well. */
START_TEST(ends_beside_whole_steps)
{
    const double start[] = {0};
    for (double over = 0.05; over < 1; over += 0.1) {
        dae_options options = dae_options_default();
        options.method = "mebdf";
        options.step = 1.0 / 32;
        double stop = (40 + over) * options.step, y;
        dae_problem *p = dae_problem_mass(&(dae_mass_form){.n = 1, .f = sum_up});
        dae_solver *s = dae_solver_create(p, &options);
        dae_problem_free(p);
        ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_OK);
        ck_assert_int_eq(dae_solver_run(s, stop), DAE_OK);
        ck_assert_int_eq(dae_solver_at(s, stop, &y, NULL), DAE_OK);
        ck_assert_double_eq_tol(y, sin(stop), 1e-11);
        dae_solver_free(s);
    }
}
END_TEST

UNIT_MAIN("integrate/mebdf", 300, each_formula_has_its_order, the_newest_point_is_replaced,
          small_changes_are_no_restart, nothing_beyond_the_end_is_looked_at, steps_are_known_within,
          a_pole_stops_it, algebraic_variables_may_jump, the_test_set_is_solved_to_tolerances,
          hard_places_are_passed, ends_beside_whole_steps)
