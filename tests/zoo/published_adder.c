/* The two bit adder as published has no solution beyond t = 5.10004: a pair of eigenvalues crosses
 * the imaginary axis at 5.012, and the oscillation that a corner at 5 leaves grows until a
 * transistor has no current. What comes to the end at 320 damps it in steps too long to see it. */
#include "base/unit.h"
#include "linalg/lapack.h"
#include "zoo/run.h"

enum { SQUARE = ZOO_MOST * ZOO_MOST };

static const double CORNER = 5;

static dae_solver *solver_for(const zoo_ivp *ivp, const char *name, double rtol, double max_step)
{
    double atol[ZOO_MOST];
    dae_options options = dae_options_default();
    zoo_tolerances(ivp, rtol, atol);
    options.method = name;
    options.rtol = rtol;
    options.atols = atol;
    options.max_step = max_step;
    dae_problem *problem = zoo_problem(ivp->form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    return solver;
}

/* To the corner, and on after it by another solver, of steps that resolve the oscillation. */
static dae_solver *solver_behind_corner(const zoo_ivp *ivp, const char *name, double rtol)
{
    double y[ZOO_MOST], yp[ZOO_MOST], behind = nextafter(CORNER, HUGE_VAL);
    dae_solver *before = solver_for(ivp, "radau-iia5", 1e-5, 0);
    dae_solver *solver = solver_for(ivp, name, rtol, 4e-5);
    zoo_start(ivp, y, yp);
    ck_assert_int_eq(dae_solver_start_with(before, 0, y, yp), DAE_OK);
    ck_assert_int_eq(dae_solver_run(before, CORNER), DAE_OK);
    ck_assert_int_eq(dae_solver_at(before, CORNER, y, NULL), DAE_OK);
    ck_assert_int_eq(zoo_slopes(ivp->form, behind, y, yp), 0);
    ck_assert_int_eq(dae_solver_start_with(solver, behind, y, yp), DAE_OK);
    dae_solver_free(before);
    return solver;
}

/* Charges that do not change have eigenvalues that are 0 up to round-off. */
static const double NONE = 1;

/* The largest real part of an eigenvalue below 1e6 in size: s - 1 / mu, with those mu of
 * (s F_y' + F_y)^-1 F_y' that are not round-off. */
static double growth(const zoo_ivp *ivp, double t, const double *y)
{
    static double shifted[SQUARE], by_yp[SQUARE], work[8 * ZOO_MOST];
    const double yp[ZOO_MOST] = {0}, s = 1e5;
    double re[ZOO_MOST], im[ZOO_MOST], most = -HUGE_VAL, unused;
    int n = (int)zoo_size(ivp->form), pivots[ZOO_MOST], info, one = 1, room = 8 * ZOO_MOST;
    ck_assert_int_eq(zoo_matrix(ivp->form, t, y, yp, s, 1, shifted), 0);
    ck_assert_int_eq(zoo_matrix(ivp->form, t, y, yp, 1, 0, by_yp), 0);
    dgetrf_(&n, &n, shifted, &n, pivots, &info);
    ck_assert_int_eq(info, 0);
    dgetrs_("N", &n, &n, shifted, &n, pivots, by_yp, &n, &info, 1);
    dgeev_("N", "N", &n, by_yp, &n, re, im, &unused, &one, &unused, &one, work, &room, &info, 1, 1);
    ck_assert_int_eq(info, 0);
    for (int k = 0; k < n; k++) {
        double square = re[k] * re[k] + im[k] * im[k];
        if (square > 1e-12) most = fmax(most, s - re[k] / square);
    }
    return most;
}

START_TEST(an_oscillation_grows_behind_the_corner)
{
    const double t[2] = {5.010, 5.014};
    const zoo_ivp *ivp = zoo_ivp_named(_i ? "two bit adder, mended" : "two bit adder");
    for (int k = 0; k < 2; k++) {
        double y[ZOO_MOST];
        dae_solver *solver = solver_behind_corner(ivp, "radau-iia5", 1e-5);
        ck_assert_int_eq(dae_solver_run(solver, t[k]), DAE_OK);
        ck_assert_int_eq(dae_solver_at(solver, t[k], y, NULL), DAE_OK);
        ck_assert_int_eq(growth(ivp, t[k], y) > NONE, !_i && k > 0);
        dae_solver_free(solver);
    }
}
END_TEST

/* Two methods and two tolerances have the same end, to less than the 2.3e-4 of an oscillation. */
START_TEST(what_resolves_it_ends_with_it)
{
    static const struct {
        const char *name;
        double rtol;
    } runs[] = {{"radau-iia5", 1e-5}, {"radau-iia5", 1e-6}, {"radau-iia7", 1e-5}};
    const zoo_ivp *published = zoo_ivp_named("two bit adder");
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        dae_solver *solver = solver_behind_corner(published, runs[k].name, runs[k].rtol);
        ck_assert_int_eq(dae_solver_run(solver, 5.2), DAE_STEP_TOO_SMALL);
        ck_assert_double_eq_tol(dae_solver_time(solver), 5.1000392, 1e-6);
        dae_solver_free(solver);
    }
}
END_TEST

START_TEST(without_the_slip_there_is_none)
{
    dae_solver *solver = solver_behind_corner(zoo_ivp_named("two bit adder, mended"), "radau-iia5",
                                              1e-5);
    ck_assert_int_eq(dae_solver_run(solver, 5.2), DAE_OK);
    dae_solver_free(solver);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, an_oscillation_grows_behind_the_corner, 0, 2);
    tcase_add_test(tests, what_resolves_it_ends_with_it);
    tcase_add_test(tests, without_the_slip_there_is_none);
    return unit_run("zoo/published_adder", tests);
}
