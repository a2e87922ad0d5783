/* How far constraints are missed after projections of each kind, over the length of constant steps,
 * and that a projection keeps the order of the method.
 *
 * Predicted (Ascher, Chin & Reich, Numer. Math. 67 (1994) 131; Ascher & Petzold (1998), Sec.
 * 10.2.1): a method of order p misses a constraint by h^(p+1) a step. One correction with H F = I
 * leaves h^(2(p+1)); the block F of mechanics, for which I - H F = -L beside a velocity constraint
 * and (I - H F)^2 = 0, leaves h^(p+1) there, and applied twice h^(2(p+1)). Positions then have been
 * through two steps of a simplified Newton: h^(3(p+1)). */
#include "base/unit.h"
#include "zoo/zoo.h"

#include <daedal/daedal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Steps are refined by the root of 2; what lies above round-off and below the largest makes the
 * slope. */
enum { REFINEMENTS = 9, FEWEST = 4, LEVELS = 3 };
static const double LARGEST = 1e-3, MISSED = 2e-14, WRONG = 1e-13, SLACK = 0.3;

typedef struct sample {
    int count;
    double h[REFINEMENTS], size[REFINEMENTS];
} sample;

static void add(sample *s, double h, double size, double smallest)
{
    if (!(size > smallest && size < LARGEST)) return;
    s->h[s->count] = log(h);
    s->size[s->count++] = log(size);
}

/* Of the straight line through the logarithms, of the finest ones where they are many. */
static double slope_of(const sample *s)
{
    int first = s->count > FEWEST ? s->count - FEWEST : 0, count = s->count - first;
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int k = first; k < s->count; k++) {
        x += s->h[k], y += s->size[k], xx += s->h[k] * s->h[k], xy += s->h[k] * s->size[k];
    }
    return count > 2 ? (count * xy - x * y) / (count * xx - x * x) : (double)NAN;
}

static void is_slope(const char *what, const char *projection, const sample *s, double expected)
{
    double slope = slope_of(s);
    printf("%-28s %-14s expected %4.1f, measured %5.2f of %d\n", what, projection, expected, slope,
           s->count);
    fflush(stdout);
    ck_assert_msg(fabs(slope - expected) < SLACK, "%s, %s: slope %g, not %g", what, projection,
                  slope, expected);
}

static dae_solver *solver_of(dae_problem *problem, const char *method, const char *projection,
                             double step)
{
    dae_options options = dae_options_default();
    options.method = method;
    options.projection = projection;
    options.step = step;
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    ck_assert_msg(dae_solver_status(solver) == DAE_OK, "%s", dae_solver_message(solver));
    return solver;
}

static int ignore(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

static void finish(dae_solver *solver, double t_end)
{
    const dae_times end = {.count = 1, .first = t_end, .last = t_end};
    dae_solver_output(solver, &end, ignore, NULL);
    ck_assert_msg(dae_solver_run(solver, t_end) == DAE_OK, "%s", dae_solver_message(solver));
}

static const char double_pendulum[] = "model DoublePendulum\n"
                                      "  parameter Real m = 2, g = 9.81;\n"
                                      "  Real x1(start = 1), y1(start = 0, fixed = true), x2(start "
                                      "= 2), y2(start = 0, fixed = true);\n"
                                      "  Real u1(start = 0), v1(start = 0, fixed = true), u2(start "
                                      "= 0), v2(start = 0, fixed = true);\n"
                                      "  Real F1, F2;\n"
                                      "equation\n"
                                      "  der(x1) = u1; der(y1) = v1; der(x2) = u2; der(y2) = v2;\n"
                                      "  der(u1) = -F1*x1 + F2*(x2 - x1);\n"
                                      "  der(v1) = -F1*y1 + F2*(y2 - y1) - g;\n"
                                      "  m*der(u2) = -F2*(x2 - x1);\n"
                                      "  m*der(v2) = -F2*(y2 - y1) - m*g;\n"
                                      "  x1^2 + y1^2 = 1;\n"
                                      "  (x2 - x1)^2 + (y2 - y1)^2 = 1;\n"
                                      "end DoublePendulum;\n";

/* A knife edge on an inclined plane (Bloch, Nonholonomic Mechanics and Control, Sec. 1.6). */
static const char knife_edge[] =
    "model KnifeEdge\n"
    "  Real x(start = 0, fixed = true), y(start = 0, fixed = true), a(start = 0.3, fixed = true);\n"
    "  Real u(start = 1), v(start = 0.3, fixed = true), w(start = 2, fixed = true), F;\n"
    "equation\n"
    "  der(x) = u; der(y) = v; der(a) = w;\n"
    "  der(u) = 5 + F*sin(a); der(v) = -F*cos(a); der(w) = 0;\n"
    "  u*sin(a) - v*cos(a) = 0;\n"
    "end KnifeEdge;\n";

/* What is missed of each level at the end of a run of so many steps. */
static void misses(const char *model, const char *method, const char *projection, double step,
                   double *missed)
{
    dae_solver *solver = solver_of(dae_problem_parse("it.mo", model, strlen(model)), method,
                                   projection, step);
    finish(solver, 1);
    const dae_stats *stats = dae_solver_stats(solver);
    for (size_t k = 0; k < LEVELS; k++)
        missed[k] = k < stats->constraint_levels ? stats->max_constraint[k] : 0;
    dae_solver_free(solver);
}

/* After one correction and after two, of positions and of velocities, in units of p + 1. */
static void check_mechanism(const char *method, int order)
{
    static const struct {
        const char *projection;
        double factor[2];
    } rows[] = {{"post", {2, 1}}, {"post2", {3, 2}}};
    for (int r = 0; r < 2; r++) {
        sample found[2] = {{0}, {0}};
        for (int k = 0; k < REFINEMENTS; k++) {
            double step = 1 / rint(20 * pow(2, 0.5 * k)), missed[LEVELS];
            misses(double_pendulum, method, rows[r].projection, step, missed);
            for (int level = 0; level < 2; level++) add(&found[level], step, missed[level], MISSED);
            ck_assert_double_lt(missed[2], 1e-14); /* which gives the accelerations */
        }
        for (int level = 0; level < 2; level++) {
            char what[80];
            snprintf(what, sizeof what, "%s, %s", method, level ? "velocities" : "positions");
            if (found[level].count >= FEWEST)
                is_slope(what, rows[r].projection, &found[level],
                         rows[r].factor[level] * (order + 1));
            else
                ck_assert_int_eq(level, 0); /* below round-off at once */
        }
    }
}

START_TEST(block_corrections_of_a_mechanism)
{
    check_mechanism("esdirk3", 3);
    check_mechanism("radau-ia2", 3);
}
END_TEST

/* A constraint on velocities alone is linear in them: H F = I, and nothing is left to a second. */
START_TEST(one_correction_of_a_nonholonomic_constraint)
{
    double free[LEVELS], once[LEVELS], twice[LEVELS];
    misses(knife_edge, "esdirk3", "none", 0.05, free);
    misses(knife_edge, "esdirk3", "post", 0.05, once);
    misses(knife_edge, "esdirk3", "post2", 0.05, twice);
    printf("knife edge: missed by %.1e, after one correction %.1e, after two %.1e\n", free[0],
           once[0], twice[0]);
    ck_assert_double_gt(free[0], 1e-7);
    ck_assert_double_lt(once[0], 4 * DBL_EPSILON);
    ck_assert_double_lt(twice[0], 4 * DBL_EPSILON);
}
END_TEST

/* A pendulum of length 1 without its rod force: y = (x, y, u, v). */
static int pendulum_f(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    double pull = y[2] * y[2] + y[3] * y[3] - 9.81 * y[1];
    dy[0] = y[2], dy[1] = y[3], dy[2] = -pull * y[0], dy[3] = -pull * y[1] - 9.81;
    return 0;
}

static int pendulum_c(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    value[0] = y[0] * y[0] + y[1] * y[1];
    value[1] = y[0] * y[2] + y[1] * y[3];
    return 0;
}

static int pendulum_c_y(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    const double by_columns[8] = {2 * y[0], y[2], 2 * y[1], y[3], 0, y[0], 0, y[1]};
    memcpy(dy, by_columns, sizeof by_columns);
    return 0;
}

static double pendulum_missed(const char *method, const char *projection, double step)
{
    const dae_invariant_form form = {
        .n = 4, .f = pendulum_f, .invariants = 2, .c = pendulum_c, .c_y = pendulum_c_y};
    const double start[4] = {-1, 0, 0, 0};
    double y[4], c[2];
    dae_solver *solver = solver_of(dae_problem_invariant(&form), method, projection, step);
    ck_assert_int_eq(dae_solver_start(solver, 0, start), DAE_OK);
    double worst = 0;
    while (dae_solver_time(solver) < 1 && dae_solver_step(solver, 1) == DAE_OK) {
        ck_assert_int_eq(dae_solver_at(solver, dae_solver_time(solver), y, NULL), DAE_OK);
        pendulum_c(1, y, c, NULL);
        worst = fmax(worst, fmax(fabs(c[0] - 1), fabs(c[1])));
    }
    ck_assert_int_eq(dae_solver_status(solver), DAE_OK);
    dae_solver_free(solver);
    return worst;
}

START_TEST(one_correction_of_invariants)
{
    static const struct {
        const char *method;
        int order;
    } rows[] = {{"ralston2", 2}, {"kutta3", 3}, {"rk4", 4}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        sample found = {0};
        for (int k = 0; k < REFINEMENTS; k++) {
            double step = 1 / rint(14 * pow(2, 0.5 * k));
            add(&found, step, pendulum_missed(rows[r].method, "post", step), MISSED);
        }
        is_slope(rows[r].method, "post", &found, 2 * (rows[r].order + 1));
        ck_assert_double_lt(pendulum_missed(rows[r].method, "coordinate", 0.02), 4 * DBL_EPSILON);
    }
}
END_TEST

/* The errors of y and z at the end of the curve of index 2, whose g has no slope in z. */
static void errors_of(const zoo_order *problem, const char *method, const char *projection,
                      double step, double *error)
{
    double start[ZOO_MOST], slope[ZOO_MOST], y[ZOO_MOST], exact[ZOO_MOST];
    dae_solver *solver = solver_of(zoo_problem(problem->form), method, projection, step);
    zoo_exact(problem, 0, start, slope);
    ck_assert_int_eq(dae_solver_start_with(solver, 0, start, slope), DAE_OK);
    finish(solver, problem->t_end);
    ck_assert_int_eq(dae_solver_at(solver, problem->t_end, y, NULL), DAE_OK);
    zoo_exact(problem, problem->t_end, exact, slope);
    error[0] = error[1] = 0;
    for (size_t j = 0; problem->classes[j]; j++) {
        double *worst = &error[problem->classes[j] == 'z'];
        *worst = fmax(*worst, fabs(y[j] - exact[j]));
    }
    dae_solver_free(solver);
}

static const zoo_order *zoo_named(const char *name)
{
    for (size_t k = 0; k < zoo_order_count; k++)
        if (strcmp(zoo_orders[k]->name, name) == 0 && zoo_orders[k]->index == 2)
            return zoo_orders[k];
    ck_abort_msg("no problem %s", name);
    return NULL;
}

/* A promise of 0: it does not fall, or there is none. */
typedef struct row {
    const char *method, *projection;
    int order[2];
} row;

static void check_orders(const row *r, const sample *found, const char *const names[2])
{
    for (int k = 0; k < 2; k++) {
        char what[80];
        snprintf(what, sizeof what, "%s, %s", r->method, names[k]);
        if (r->order[k] > 0) is_slope(what, r->projection, &found[k], r->order[k]);
    }
}

/* Where the end point is no stage, y of index 2 loses order that is regained by a projection along
 * f_z, and along no other direction; z follows from the hidden constraint with the order of y
 * (Ascher & Petzold, SIAM J. Numer. Anal. 28 (1991) 1097; Hairer & Wanner II, VI.7, VII.4): Gauss
 * 2 s instead of s or s + 1, Radau IA 2 s - 2. A stiffly accurate method has all of it in y. */
START_TEST(orders_of_index_2)
{
    static const row rows[] = {
        {"gauss2", "none", {2, 0}},
        {"gauss2", "coordinate", {2, 2}},
        {"gauss2", "derivative", {2, 2}},
        {"gauss2", "fz", {4, 4}},
        {"gauss2", "post", {4, 4}},
        {"gauss2", "post2", {4, 4}},
        {"gauss3", "fz", {6, 6}},
        {"radau-ia2", "fz", {2, 2}},
        {"radau-ia3", "fz", {4, 4}},
        {"radau-iia2", "none", {3, 2}},
        {"radau-iia2", "coordinate", {3, 3}},
        {"radau-iia2", "derivative", {3, 3}},
        {"radau-iia2", "fz", {3, 3}},
        {"radau-iia2", "least-squares", {3, 3}},
        {"radau-iia2", "post", {3, 3}},
    };
    static const char *const names[] = {"y of index 2", "z of index 2"};
    const zoo_order *problem = zoo_named("curve");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        sample found[2] = {{0}, {0}};
        for (int k = 0; k < REFINEMENTS; k++) {
            double coarsest = rows[r].order[0] > 4 ? 4 : 12;
            double step = problem->t_end / rint(coarsest * pow(2, 0.5 * k)), error[2];
            errors_of(problem, rows[r].method, rows[r].projection, step, error);
            for (int z = 0; z < 2; z++) add(&found[z], step, error[z], WRONG);
        }
        check_orders(&rows[r], found, names);
    }
}
END_TEST

/* Of positions and velocities, and of the multiplier, after a reduction to index 1. */
static void model_errors(const row *r, double step, double *error)
{
    static const char *const name[] = {"q1", "q2", "v1", "v2", "lambda"};
    const double s = sin(1), rate = cos(1), q1 = exp(s / 2), q2 = exp(-s);
    const double exact[] = {q1, q2, rate / 2 * q1, -rate * q2, 1 + cos(2) / 2};
    double y[16];
    dae_problem *problem = dae_problem_read("accuracy/models/ManufacturedIndex3.mo");
    size_t at[5];
    for (int k = 0; k < 5; k++) at[k] = dae_problem_find(problem, name[k]);
    dae_solver *solver = solver_of(problem, r->method, r->projection, step);
    finish(solver, 1);
    ck_assert_int_eq(dae_solver_at(solver, 1, y, NULL), DAE_OK);
    error[0] = error[1] = 0;
    for (int k = 0; k < 5; k++) error[k == 4] = fmax(error[k == 4], fabs(y[at[k]] - exact[k]));
    dae_solver_free(solver);
}

/* Reduced equations of index 1 leave a method its order, and so does each projection. */
START_TEST(orders_of_a_reduced_model)
{
    static const char *const projections[] = {"coordinate", "fz",    "derivative",
                                              "post",       "post2", "least-squares"};
    static const char *const names[] = {"positions, velocities", "multiplier"};
    for (size_t p = 0; p < sizeof projections / sizeof *projections; p++) {
        const row rows[] = {{"esdirk3", projections[p], {3, 3}},
                            {"gauss2", projections[p], {4, 4}}};
        for (int r = 0; r < 2; r++) {
            sample found[2] = {{0}, {0}};
            for (int k = 0; k < REFINEMENTS; k++) {
                double step = 1 / rint(16 * pow(2, 0.5 * k)), error[2];
                model_errors(&rows[r], step, error);
                for (int z = 0; z < 2; z++) add(&found[z], step, error[z], WRONG);
            }
            check_orders(&rows[r], found, names);
        }
    }
}
END_TEST

/* Steps of a run with error control; 0: there is no such method. */
static size_t steps_of(const char *method, const char *projection)
{
    dae_options options = dae_options_default();
    options.method = method;
    options.projection = projection;
    dae_problem *problem = dae_problem_parse("it.mo", double_pendulum, strlen(double_pendulum));
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    if (dae_solver_status(solver) == DAE_OK) dae_solver_start(solver, 0, NULL);
    bool known = dae_solver_status(solver) != DAE_USAGE &&
                 dae_solver_status(solver) != DAE_UNSUPPORTED;
    ck_assert(known || strcmp(projection, "none") == 0);
    if (known) finish(solver, 5);
    size_t steps = dae_solver_stats(solver)->steps;
    dae_solver_free(solver);
    return known ? steps : 0;
}

/* The state that goes on is replaced without a restart, which would cost several times the steps. A
 * variable order may become another one, and its steps others: it is not asked. */
START_TEST(no_step_is_lost)
{
    static const char *const methods[] = {"radau-iia3", "radau-iia5", "esdirk4", "kvaerno5",
                                          "sdirk-hw16", "rodas5p",    "bdf",     "mebdf"};
    static const char *const projections[] = {"coordinate", "fz",         "post",
                                              "post2",      "derivative", "least-squares"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        size_t free = steps_of(methods[m], "none");
        for (size_t p = 0; free > 0 && p < sizeof projections / sizeof *projections; p++) {
            size_t steps = steps_of(methods[m], projections[p]);
            printf("%-12s %-14s %zu steps, %zu without projection\n", methods[m], projections[p],
                   steps, free);
            ck_assert_double_le((double)steps, 1.1 * (double)free);
        }
    }
}
END_TEST

UNIT_MAIN("accuracy/post_stabilisation", 120, block_corrections_of_a_mechanism,
          one_correction_of_a_nonholonomic_constraint, one_correction_of_invariants,
          orders_of_index_2, orders_of_a_reduced_model, no_step_is_lost)
