/* Equations that turn into each other in time: what stands in for them, or what is found of their
 * index at the start, must not depend on how they stand there. */
#include "solve/models.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BOUND = 10;

/* --- a C program of index 2: w1 and its derivative are known, w being bent coordinates of y --- */

static void exact(double t, double *y, double *yp)
{
    y[0] = 0.7 * sin(2.4 * t + 3.2);
    y[1] = 1.2 + 0.6 * sin(2.7 * t + 0.7);
    yp[0] = 0.7 * 2.4 * cos(2.4 * t + 3.2);
    yp[1] = 0.6 * 2.7 * cos(2.7 * t + 0.7);
}

/* w0 = y0 (2 + sin y1), w1 = y1 (2 + sin w0)^2, and w1' */
static void bend(const double *y, const double *yp, double *w)
{
    w[0] = y[0] * (2 + sin(y[1]));
    double slope = yp[0] * (2 + sin(y[1])) + y[0] * cos(y[1]) * yp[1], s = 2 + sin(w[0]);
    w[1] = y[1] * s * s;
    w[2] = yp[1] * s * s + 2 * y[1] * s * cos(w[0]) * slope;
}

static int bent(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double z[2], zp[2], w[3], known[3], angle = 1.9 * t + 3.4;
    exact(t, z, zp);
    bend(y, yp, w);
    bend(z, zp, known);
    double e = w[0] - known[0] + w[2] - known[2] + 2 * (w[1] - known[1]), f = w[1] - known[1];
    r[0] = cos(angle) * e - sin(angle) * f;
    r[1] = sin(angle) * e + cos(angle) * f;
    return 0;
}

START_TEST(an_index_is_the_same_at_all_starts)
{
    static const char *const methods[] = {"auto", "bdf", "radau"};
    const dae_residual_form form = {.n = 2, .residual = bent};
    dae_problem *problem = dae_problem_residual(&form);
    dae_options options = dae_options_default();
    options.method = methods[_i];
    options.rtol = options.atol = 1e-4;
    dae_solver *solver = dae_solver_create(problem, &options);
    for (size_t k = 0; k < 40 / unit_one_in(4); k++) {
        double t = 0.3 * (double)k, y[2], z[2], zp[2];
        exact(t, y, zp);
        ck_assert_msg(dae_solver_start(solver, t, y) == DAE_OK, "%s", dae_solver_message(solver));
        ck_assert_msg(dae_solver_run(solver, t + 3) == DAE_OK, "%s", dae_solver_message(solver));
        ck_assert_int_eq(dae_solver_at(solver, t + 3, y, NULL), DAE_OK);
        exact(t + 3, z, zp);
        for (int j = 0; j < 2; j++)
            ck_assert_double_le(fabs(y[j] - z[j]), BOUND * options.rtol * (1 + fabs(z[j])));
    }
    dae_solver_free(solver);
    dae_problem_free(problem);
}
END_TEST

/* --- a model of index 3 --- */

enum { ROWS = 81 };

static int keep(double t, const double *y, const double *yp, void *user)
{
    (void)yp;
    double **next = user;
    (*next)[0] = t;
    memcpy(*next + 1, y, 3 * sizeof *y);
    *next += 4;
    return 0;
}

/* `method` bdf: each step asks for the equations at least once, before they were formed anew as
 * after. */
static size_t run(bool kept, const char *method, double *rows)
{
    const dae_times times = {.count = ROWS, .first = 0, .last = 8};
    double *next = rows;
    dae_problem *problem = dae_problem_parse("turns.mo", TURNS, strlen(TURNS));
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-6;
    options.keep_trajectory = kept;
    options.method = method;
    dae_solver *solver = dae_solver_create(problem, &options);
    ck_assert_int_eq(dae_solver_output(solver, &times, keep, &next), DAE_OK);
    ck_assert_int_eq(dae_solver_start(solver, 0, NULL), DAE_OK);
    ck_assert_msg(dae_solver_run(solver, 8) == DAE_OK, "%s", dae_solver_message(solver));
    ck_assert_uint_eq((size_t)(next - rows), 4 * ROWS);
    for (size_t k = 0; k < ROWS && kept; k++) {
        double y[3], *row = rows + 4 * k;
        ck_assert_int_eq(dae_solver_at(solver, row[0], y, NULL), DAE_OK);
        for (int j = 0; j < 3; j++) ck_assert_double_eq_tol(y[j], row[1 + j], 1e-9);
    }
    const dae_stats *stats = dae_solver_stats(solver);
    size_t changes = stats->chart_changes;
    ck_assert_uint_gt(stats->residual_calls, stats->steps);
    dae_solver_free(solver);
    dae_problem_free(problem);
    return changes;
}

/* What was formed before is kept: values of the past are what they were when they were sent. */
START_TEST(values_of_the_past_are_those_of_their_equations)
{
    double rows[4 * ROWS], others[4 * ROWS];
    ck_assert_uint_ge(run(true, "auto", rows), 3);
    run(false, "bdf", others);
    run(false, "auto", others);
    ck_assert_mem_eq(rows, others, sizeof rows);
    for (size_t k = 0; k < ROWS; k++) {
        double t = rows[4 * k], size = BOUND * 1e-6;
        ck_assert_double_le(fabs(rows[4 * k + 1] + sin(t)), size);
        ck_assert_double_le(fabs(rows[4 * k + 2] - cos(t)), size);
        ck_assert_double_le(fabs(rows[4 * k + 3] - sin(t)), size);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, an_index_is_the_same_at_all_starts, 0, 3);
    tcase_add_test(tests, values_of_the_past_are_those_of_their_equations);
    return unit_run("solve/turned", tests);
}
