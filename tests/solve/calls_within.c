/* The solver called from within its own callbacks: what only asks is answered between steps, all
 * else is refused, and what called the callback goes on as if nothing had been. */
#include "solve/models.h"

typedef struct caller {
    dae_solver *solver;
    double *of; /* values of a run in which nothing is called, or NULL: they are kept */
    size_t count, called;
    bool from_receiver, from_watch, from_equations;
} caller;

enum { ROWS = 11 };

static void is_refused(caller *c, dae_status status)
{
    ck_assert_int_eq(status, DAE_USAGE);
    ck_assert_int_eq(dae_solver_status(c->solver), DAE_OK);
    ck_assert_str_eq(dae_solver_message(c->solver), "");
    c->called++;
}

static void call_all(caller *c, bool between)
{
    const double y[] = {1, 1}, yp[] = {-1, -1};
    double values[2] = {0}, t = dae_solver_time(c->solver);
    is_refused(c, dae_solver_run(c->solver, 7));
    is_refused(c, dae_solver_step(c->solver, 7));
    is_refused(c, dae_solver_start(c->solver, 0, NULL));
    is_refused(c, dae_solver_start_with(c->solver, 0, y, yp));
    if (between) {
        ck_assert_int_eq(dae_solver_at(c->solver, t, values, NULL), DAE_OK);
        ck_assert_double_eq_tol(values[0], exp(-t), 1e-4);
    } else {
        is_refused(c, dae_solver_at(c->solver, t, values, NULL));
        is_refused(c, dae_solver_output(c->solver, NULL, NULL, NULL));
    }
    ck_assert(isfinite(dae_solver_time(c->solver)));
    ck_assert_ptr_nonnull(dae_solver_stats(c->solver));
}

/* y' = -y, 0 = z - y. */
static int equations(double t, const double *y, const double *yp, double *r, void *user)
{
    caller *c = user;
    (void)t;
    r[0] = yp[0] + y[0];
    r[1] = y[1] - y[0];
    if (c->from_equations && c->solver) call_all(c, false);
    return 0;
}

static int receive(double t, const double *y, const double *yp, void *user)
{
    caller *c = user;
    double before = y[0];
    (void)yp;
    ck_assert_double_eq_tol(before, exp(-t), 1e-4);
    if (c->from_receiver) call_all(c, true);
    c->of[c->count++] = before;
    return 0;
}

static int watch(double t, void *user)
{
    caller *c = user;
    (void)t;
    if (c->from_watch) call_all(c, true);
    return 0;
}

static void run_with(caller *c, double *rows)
{
    const dae_residual_form form = {.n = 2, .about = {.user = c}, .residual = equations};
    const dae_times times = {.count = ROWS, .first = 0, .last = 3};
    c->of = rows;
    const double start[] = {1, (double)NAN};
    dae_problem *problem = dae_problem_residual(&form);
    dae_solver *solver = dae_solver_create(problem, NULL);
    c->solver = solver;
    dae_solver_watch(solver, watch, c);
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_output(solver, &times, receive, c));
    is_ok(solver, dae_solver_run(solver, 3));
    ck_assert_uint_eq(c->count, ROWS);
    bool calls = c->from_receiver || c->from_watch || c->from_equations;
    ck_assert_uint_eq(c->called > 0, calls);
    const char *said = strstr(dae_solver_notes(solver), "from within a callback of dae_solver_");
    ck_assert_int_eq(said != NULL, calls);
    dae_solver_free(solver);
    dae_problem_free(problem);
}

START_TEST(calls_from_callbacks_are_refused_and_change_nothing)
{
    double rows[ROWS], same[ROWS];
    caller plain = {0};
    run_with(&plain, rows);
    for (int k = 0; k < 3; k++) {
        caller c = {.from_receiver = k == 0, .from_watch = k == 1, .from_equations = k == 2};
        run_with(&c, same);
        if (k == 2) ck_assert_mem_eq(rows, same, sizeof rows); /* no other calls of the equations */
        for (size_t i = 0; i < ROWS; i++) ck_assert_double_eq_tol(same[i], rows[i], 1e-12);
    }
}
END_TEST

typedef struct changing {
    dae_solver *solver;
    double t[8];
    size_t count;
} changing;

static int ask_for_others(double t, const double *y, const double *yp, void *user)
{
    changing *c = user;
    (void)yp;
    ck_assert_double_eq_tol(y[0], exp(-t), 1e-4);
    ck_assert_uint_lt(c->count, 8);
    c->t[c->count++] = t;
    if (c->count == 2) {
        const double at[] = {2, 2.5};
        const dae_times others = {.count = 2, .at = at};
        ck_assert_int_eq(dae_solver_output(c->solver, &others, ask_for_others, c), DAE_OK);
    }
    if (c->count == 3) ck_assert_int_eq(dae_solver_output(c->solver, NULL, NULL, NULL), DAE_OK);
    return 0;
}

/* Of those asked for anew none is left out, and none of the others sent. */
START_TEST(a_receiver_may_ask_for_other_times)
{
    changing c = {.solver = solver_of(DECAY, NULL)};
    const dae_times times = {.count = 101, .first = 0, .last = 1};
    is_ok(c.solver, dae_solver_output(c.solver, &times, ask_for_others, &c));
    is_ok(c.solver, dae_solver_run(c.solver, 3));
    ck_assert_uint_eq(c.count, 3);
    ck_assert(c.t[0] == 0 && c.t[1] == 0.01 && c.t[2] == 2);
    dae_solver_free(c.solver);
}
END_TEST

UNIT_MAIN("solve/calls_within", 30, calls_from_callbacks_are_refused_and_change_nothing,
          a_receiver_may_ask_for_other_times)
