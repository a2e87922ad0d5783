/* Starts in single modes of a model whose structure misleads. */
#include "solve/models.h"

/* Three phases behind inductors, whose currents sum to 0, because nothing but diodes with
 * resistances links the bridge to the ground. So the structure misleads in each of its 64 modes. */
static const char RECTIFIER[] =
    "model Rectifier import Daedal.Electrical.*; Ground g; Resistor R(R = 10); "
    "Inductor L(L = 0.05);\n"
    "  SineVoltage s[3](each V = 325, each f = 50, phase = {0, -2.0943951023931953, "
    "2.0943951023931953});\n"
    "  Inductor Ls[3](each L = 1e-3); IdealDiode up[3](each Ron = 1e-3, each Goff = 1e-6), "
    "lo[3](each Ron = 1e-3, each Goff = 1e-6);\n"
    "equation for k in 1:3 loop connect(s[k].n, g.p); connect(s[k].p, Ls[k].p); "
    "connect(Ls[k].n, up[k].p); connect(Ls[k].n, lo[k].n); connect(up[k].n, R.p); "
    "connect(lo[k].p, L.n); end for; connect(R.n, L.p); end Rectifier;";

static int count(double t, void *user)
{
    (void)t;
    ++*(size_t *)user;
    return 0;
}

static double sum_of(const char *const *name, dae_problem *p, const double *y)
{
    double sum = 0;
    for (size_t k = 0; k < 3; k++) sum += y[dae_problem_find(p, name[k])];
    return sum;
}

/* A mode whose Jacobian is of numbers and singular has no regular start: none is sought there. The
 * equations of all modes then start together, with what they hide. The watch is asked at each
 * evaluation: a search in each mode would take some 500 of them besides, and turns of discrete
 * variables that go round in a circle 7000. */
START_TEST(no_start_is_sought_in_singular_modes)
{
    static const char *const current[] = {"Ls[1].i", "Ls[2].i", "Ls[3].i"};
    enum { MOST = 200, MODES = 64 };
    size_t asked = 0;
    double y[MOST], yp[MOST];
    dae_options options = tolerance_of(1e-6);
    dae_problem *p = problem_of(RECTIFIER);
    ck_assert_uint_le(dae_problem_size(p), MOST);
    dae_solver *solver = dae_solver_create(p, &options);
    dae_solver_watch_start(solver, count, &asked);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    is_ok(solver, dae_solver_at(solver, 0, y, yp));
    ck_assert_double_eq_tol(sum_of(current, p, y), 0, 1e-12);
    ck_assert_double_eq_tol(sum_of(current, p, yp), 0, 1e-6);
    printf("%zu evaluations at the start\n", asked);
    ck_assert_uint_le(asked, 250 * MODES);
    dae_solver_free(solver);
    dae_problem_free(p);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, no_start_is_sought_in_singular_modes);
    return unit_run("solve/start_modes", tests);
}
