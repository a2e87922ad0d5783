/* Corners of inputs as announced events: the run comes to the published end, and each corner is an
 * event at its time. */
#include "base/unit.h"
#include "zoo/corners.h"

enum { CORNERS = 15 };

typedef struct seen {
    size_t count;
    double every;
} seen;

static int look(const dae_event *e, void *user)
{
    seen *s = user;
    s->count++;
    ck_assert(e->due);
    ck_assert(e->t == (double)s->count * s->every);
    return 0;
}

static dae_solver *run(const zoo_ivp *ivp, const char *method, double rtol, seen *s, double *y)
{
    double atol[ZOO_MOST], yp[ZOO_MOST];
    dae_options options = dae_options_default();
    zoo_tolerances(ivp, rtol, atol);
    options.method = method, options.rtol = rtol, options.atols = atol;
    dae_problem *problem = zoo_problem(ivp->form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    dae_solver_watch_events(solver, look, s);
    zoo_start(ivp, y, yp);
    ck_assert_int_eq(dae_solver_start_with(solver, 0, y, yp), DAE_OK);
    ck_assert_int_eq(dae_solver_run(solver, ivp->t_end), DAE_OK);
    ck_assert_int_eq(dae_solver_at(solver, ivp->t_end, y, NULL), DAE_OK);
    return solver;
}

static const char *const methods[] = {"auto", "radau-iia3", "bdf", "rodas5p"};

START_TEST(the_gate_comes_to_the_published_end)
{
    const zoo_ivp *ivp = zoo_ivp_named("NAND gate");
    double y[ZOO_MOST];
    zoo_cornered c;
    ck_assert(zoo_cornered_make(&c, ivp));
    seen s = {.every = ivp->restart_every};
    dae_solver *solver = run(&c.ivp, methods[_i], 1e-6, &s, y);
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_uint_eq(s.count, CORNERS);
    ck_assert_uint_eq(stats->time_events, CORNERS);
    ck_assert_uint_eq(stats->state_events, 0);
    ck_assert_double_ge(zoo_digits(ivp, y), 5);
    dae_solver_free(solver);
    zoo_cornered_free(&c);
}
END_TEST

/* Rises from 5 on, up to 10, where it begins to fall. */
static double tent(double t, int which, double *slope)
{
    (void)which;
    *slope = t <= 5 ? 0 : t <= 10 ? 1 : -1;
    return t <= 5 ? 0 : t <= 10 ? t - 5 : 15 - t;
}

/* Each piece goes on in its line beyond its end, and has the slope after its corner. */
START_TEST(pieces_are_lines)
{
    const zoo_piece of_each_time = {.every = 5}, second = {.every = 5, .middle = 7.5};
    double slope;
    ck_assert(zoo_on_piece(&of_each_time, tent, 5, 0, &slope) == 0 && slope == 0);
    ck_assert(zoo_on_piece(&second, tent, 5, 0, &slope) == 0 && slope == 1);
    ck_assert(zoo_on_piece(&of_each_time, tent, 12, 0, &slope) == 3 && slope == -1);
    ck_assert(zoo_on_piece(&second, tent, 12, 0, &slope) == 7 && slope == 1);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, the_gate_comes_to_the_published_end, 0, 4);
    tcase_add_test(tests, pieces_are_lines);
    return unit_run("zoo/announced_corners", tests);
}
