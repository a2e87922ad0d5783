/* Events of mechanical systems that change how many constraints are independent, with formulations
 * whose unknowns are as many as the freedoms: a pendulum whose rod is cut and tied again. */
#include "solve/equations.h"

#include <math.h>
#include <string.h>

static const double GRAVITY = 9.81, CUT = 0.3, TIED = 0.5, END = 1;

typedef struct world {
    bool tied, fixed; /* whether the rod holds, and whether the height is fixed */
    double length, height;
} world;

static int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = 0;
    f[1] = -GRAVITY;
    return 0;
}

static int rod(double t, const double *q, double *phi, void *user)
{
    const world *w = user;
    (void)t;
    phi[0] = w->tied ? 0.5 * (q[0] * q[0] + q[1] * q[1] - w->length * w->length) : 0;
    phi[1] = w->fixed ? q[1] - w->height : 0;
    return 0;
}

static int rod_q(double t, const double *q, double *dq, void *user)
{
    const world *w = user;
    (void)t;
    dq[0] = w->tied ? q[0] : 0;
    dq[2] = w->tied ? q[1] : 0;
    dq[3] = w->fixed;
    return 0;
}

static double next(double t, void *user)
{
    (void)user;
    return t < CUT ? CUT : t < TIED ? TIED : HUGE_VAL;
}

static int cut_or_tie(dae_event *e, void *user)
{
    world *w = user;
    w->tied = !w->tied;
    w->length = hypot(e->y[0], e->y[1]);
    e->changed = true;
    return 0;
}

static double energy_of(const double *y)
{
    return 0.5 * (y[2] * y[2] + y[3] * y[3]) + GRAVITY * y[1];
}

static const char *const FORMULATION[] = {"partition", "nullspace-qr", "nullspace-svd",
                                          "zero-eigenvalue"};
enum { FORMULATIONS = sizeof FORMULATION / sizeof *FORMULATION };
static const char *const METHOD[] = {"auto", "dopri5", "radau-iia5", "bdf", "rk4"};
enum { METHODS = sizeof METHOD / sizeof *METHOD };

static dae_solver *begin(world *w, const char *method, const char *formulation)
{
    static const double start[] = {1, 0, 0, 0, 0, 0};
    const dae_mechanical_form form = {
        .nq = 2,
        .holonomic = 2,
        .force = weight,
        .constraint = rod,
        .constraint_q = rod_q,
        .about = {.next_event = next, .event = cut_or_tie, .user = w}};
    dae_options options = tolerance_of(1e-9);
    options.method = method;
    options.formulation = formulation;
    options.keep_trajectory = true;
    options.step = strcmp(method, "rk4") == 0 ? 1e-3 : 0;
    dae_solver *s = solver_for(dae_problem_mechanical(&form), &options);
    is_ok(s, dae_solver_start(s, 0, start));
    return s;
}

/* The pendulum keeps its energy; where it is cut nothing jumps, and it flies along a parabola;
 * where it is tied it loses the velocity along the rod, and keeps the other one. */
static void swings_flies_and_swings(const char *method, const char *formulation)
{
    world w = {.tied = true, .length = 1};
    double cut[6], tied[6], before[6], y[6], time = TIED - CUT;
    dae_solver *s = begin(&w, method, formulation);
    is_ok(s, dae_solver_run(s, CUT));
    is_ok(s, dae_solver_at_left(s, CUT, before, NULL));
    is_ok(s, dae_solver_at(s, CUT, cut, NULL));
    ck_assert_double_eq_tol(energy_of(cut), 0, 1e-6);
    for (int j = 0; j < 4; j++) ck_assert_double_eq_tol(cut[j], before[j], 1e-9);
    ck_assert(before[4] < -1 && cut[4] == 0); /* the rod pulls, and then does not */
    is_ok(s, dae_solver_run(s, TIED));
    is_ok(s, dae_solver_at_left(s, TIED, before, NULL));
    is_ok(s, dae_solver_at(s, TIED, tied, NULL));
    ck_assert_double_eq_tol(before[0], cut[0] + cut[2] * time, 1e-8);
    ck_assert_double_eq_tol(before[1], cut[1] + (cut[3] - 0.5 * GRAVITY * time) * time, 1e-8);
    ck_assert_double_eq_tol(before[3], cut[3] - GRAVITY * time, 1e-8);
    ck_assert_double_eq_tol(tied[0] * tied[2] + tied[1] * tied[3], 0, 1e-9);
    ck_assert_double_eq_tol(tied[0] * tied[3] - tied[1] * tied[2],
                            before[0] * before[3] - before[1] * before[2], 1e-8);
    is_ok(s, dae_solver_run(s, END));
    is_ok(s, dae_solver_at(s, END, y, NULL));
    ck_assert_double_eq_tol(hypot(y[0], y[1]), hypot(tied[0], tied[1]), 1e-9);
    ck_assert_double_eq_tol(energy_of(y), energy_of(tied), 1e-5);
    is_ok(s, dae_solver_at(s, 0.5 * CUT, y, NULL)); /* of the first equations */
    ck_assert_double_eq_tol(hypot(y[0], y[1]), 1, 1e-7);
    ck_assert_double_eq_tol(energy_of(y), 0, 1e-6);
    dae_solver_free(s);
}

START_TEST(a_rod_is_cut_and_tied)
{
    for (size_t m = 0; m < METHODS; m++) swings_flies_and_swings(METHOD[m], FORMULATION[_i]);
}
END_TEST

/* It ends with the reason, and keeps what was found before. */
static int fix(dae_event *e, void *user)
{
    world *w = user;
    w->fixed = true;
    w->height = e->y[1];
    e->y[2] = e->y[3] = 0;
    e->changed = true;
    return 0;
}

START_TEST(no_freedom_is_left)
{
    world w = {.tied = true, .length = 1};
    const double start[] = {1, 0, 0, 0, 0, 0};
    const dae_mechanical_form form = {.nq = 2,
                                      .holonomic = 2,
                                      .force = weight,
                                      .constraint = rod,
                                      .constraint_q = rod_q,
                                      .about = {.next_event = next, .event = fix, .user = &w}};
    dae_options options = tolerance_of(1e-9);
    options.formulation = FORMULATION[_i];
    options.keep_trajectory = true;
    dae_solver *s = solver_for(dae_problem_mechanical(&form), &options);
    is_ok(s, dae_solver_start(s, 0, start));
    ck_assert_int_eq(dae_solver_run(s, END), DAE_EVENT);
    is_said(s, "after the event at t = 0.3: formulation");
    is_said(s, FORMULATION[_i]);
    is_said(s, "takes as many unknowns as there are freedoms, and there is none: take ggl");
    double y[6];
    ck_assert_int_eq(dae_solver_at(s, 0.5 * CUT, y, NULL), DAE_OK);
    ck_assert_double_eq_tol(energy_of(y), 0, 1e-6);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, a_rod_is_cut_and_tied, 0, FORMULATIONS);
    unit_loop(tests, no_freedom_is_left, 0, FORMULATIONS);
    return unit_run("solve/changing_freedoms", tests);
}
