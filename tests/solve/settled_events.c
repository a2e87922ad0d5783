/* After an event at which the equations of a C program keep their structure, y' and the algebraic
 * variables are solved for at once, and the run goes on with its method and order. Where the
 * structure changes, the equations are formed anew. */
#include "solve/equations.h"

#include <math.h>

typedef struct world {
    int mode;
    size_t seen;
} world;

static double each_second(double t, void *user)
{
    (void)user;
    return floor(t) + 1;
}

static dae_solver *begin(dae_problem *problem, const char *method, double rtol, const double *start)
{
    dae_options options = tolerance_of(rtol);
    options.method = method;
    dae_solver *s = solver_for(problem, &options);
    is_ok(s, dae_solver_start(s, 0, start));
    return s;
}

/* --- x' = z - x, 0 = z + z^3 - u: z is 1 where u is 2, and 2 where u is 10 --- */

static int charge(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = z[0] - x[0];
    return 0;
}

static int bend(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)x;
    g[0] = z[0] + z[0] * z[0] * z[0] - (((const world *)user)->mode ? 10 : 2);
    return 0;
}

static int toggle(dae_event *e, void *user)
{
    world *w = user;
    ck_assert_double_eq_tol(e->y_before[1], w->mode ? 2 : 1, 1e-6);
    ck_assert_double_eq_tol(e->yp_before[0], e->y_before[1] - e->y_before[0], 1e-6);
    w->mode = !w->mode;
    w->seen++;
    e->changed = true;
    return 0;
}

static int has_jumped(const dae_event *e, void *user)
{
    double y[2], yp[2];
    dae_solver *s = *(dae_solver *const *)user;
    is_ok(s, dae_solver_at(s, e->t, y, yp));
    ck_assert(y[0] == e->y_before[0]);
    ck_assert_double_eq_tol(y[1], e->y_before[1] > 1.5 ? 1 : 2, 1e-12);
    ck_assert_double_eq_tol(yp[0], y[1] - y[0], 1e-12);
    return 0;
}

enum { SECONDS = 200, MOST_FOR_ONE = 12 };

static const char *const METHODS[] = {"auto", "radau-iia3", "bdf", "rodas5p"};

START_TEST(algebraic_variables_are_solved_for)
{
    const double start[] = {1, 1};
    world w = {0};
    const dae_semi_explicit_form form = {
        .nx = 1,
        .nz = 1,
        .f = charge,
        .g = bend,
        .about = {.next_event = each_second, .event = toggle, .user = &w}};
    dae_solver *s = begin(dae_problem_semi_explicit(&form), METHODS[_i], 1e-6, start);
    dae_solver_watch_events(s, has_jumped, &s);
    is_ok(s, dae_solver_run(s, SECONDS + 0.5));
    double y[2], x = 1;
    for (int k = 1; k < SECONDS; k++) x = k % 2 ? 2 + (x - 2) * exp(-1) : 1 + (x - 1) * exp(-1);
    is_ok(s, dae_solver_at(s, SECONDS + 0.5, y, NULL));
    ck_assert_double_eq_tol(y[0], 1 + (x - 1) * exp(-0.5), 1e-5);
    const dae_stats *stats = dae_solver_stats(s);
    ck_assert_uint_eq(w.seen, SECONDS);
    ck_assert_uint_eq(stats->time_events, SECONDS);
    ck_assert_msg(stats->jacobian_calls <= MOST_FOR_ONE * w.seen, "%zu Jacobians",
                  stats->jacobian_calls);
    dae_solver_free(s);
}
END_TEST

/* --- x' = z with 0 = z + x, and from 1 on 0 = x - 1/2: of index 2 --- */

static int pull(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)x, (void)user;
    f[0] = z[0];
    return 0;
}

static int grip(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t;
    g[0] = ((const world *)user)->mode ? x[0] - 0.5 : z[0] + x[0];
    return 0;
}

static int take_hold(dae_event *e, void *user)
{
    world *w = user;
    w->seen++;
    w->mode = 1;
    e->y[0] = 0.5;
    e->changed = true;
    return 0;
}

START_TEST(an_index_that_rises_is_seen)
{
    const double start[] = {1, -1};
    world w = {0};
    const dae_semi_explicit_form form = {
        .nx = 1,
        .nz = 1,
        .f = pull,
        .g = grip,
        .about = {.next_event = each_second, .event = take_hold, .user = &w}};
    dae_solver *s = begin(dae_problem_semi_explicit(&form), METHODS[_i], 1e-6, start);
    double y[2];
    is_ok(s, dae_solver_run(s, 1));
    is_ok(s, dae_solver_at_left(s, 1, y, NULL));
    ck_assert_double_eq_tol(y[0], exp(-1), 1e-5);
    is_ok(s, dae_solver_run(s, 2.5));
    is_ok(s, dae_solver_at(s, 2.5, y, NULL));
    ck_assert_double_eq_tol(y[0], 0.5, 1e-9);
    ck_assert_double_eq_tol(y[1], 0, 1e-9);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    unit_loop(tests, algebraic_variables_are_solved_for, 0, 4);
    unit_loop(tests, an_index_that_rises_is_seen, 0, 4);
    return unit_run("solve/settled_events", tests);
}
