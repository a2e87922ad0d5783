/* Equations of C programs of index 1 beside steep laws and stiff springs: what differences lose of
 * ranks there does not make their index higher. */
#include "solve/equations.h"

#include <math.h>
#include <string.h>

enum { HOUR = 3600 };

static double push(double t)
{
    return 1.3 * exp(-pow((t / HOUR - 0.4) / 0.1, 2));
}

/* y follows from x by a law that is a thousand times as steep at the start as away from it. */
static int relax(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = 40 * (z[0] - x[0]) / HOUR;
    return 0;
}

static int follow(double t, const double *x, const double *z, double *g, void *user)
{
    (void)user;
    g[0] = 0.5338 * (z[0] + tanh(1000 * z[0])) - push(t) + x[0];
    return 0;
}

/* Two masses: y = (v0, v1, f), f the force of the damper between them, one rubs. */
static int masses(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = y[2] - 3000 * (y[0] - y[1]);
    r[1] = HOUR * yp[0] - push(t) + y[2];
    r[2] = HOUR * yp[1] - y[2] + 0.2 * tanh(y[1] / 0.01);
    return 0;
}

static void run(dae_problem *problem, const char *method, const char *formulation, size_t n,
                double *y)
{
    dae_options options = dae_options_default();
    options.method = method;
    options.formulation = formulation;
    dae_solver *solver = solver_for(problem, &options);
    const double start[3] = {0};
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_run(solver, 0.42 * HOUR));
    is_ok(solver, dae_solver_at(solver, 0.42 * HOUR, y, NULL));
    ck_assert_str_eq(dae_solver_stats(solver)->formulation, "direct");
    ck_assert_double_gt(fabs(y[n - 1]), 1e-3);
    dae_solver_free(solver);
}

static dae_problem *given(int which)
{
    const dae_semi_explicit_form law = {.nx = 1, .nz = 1, .f = relax, .g = follow};
    const dae_residual_form pair = {.n = 3, .residual = masses};
    return which ? dae_problem_residual(&pair) : dae_problem_semi_explicit(&law);
}

START_TEST(steep_laws_and_stiff_dampers_raise_no_index)
{
    static const char *const methods[] = {"auto", "bdf", "mebdf", "radau", "radau-iia5"};
    for (int which = 0; which < 2; which++) {
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            double found[3] = {0}, direct[3] = {0};
            size_t n = which ? 3 : 2;
            run(given(which), methods[m], "auto", n, found);
            run(given(which), "radau-iia5", "direct", n, direct);
            for (size_t j = 0; j < n; j++)
                ck_assert_msg(fabs(found[j] - direct[j]) < 1e-4, "%s, %d: %g for %g", methods[m],
                              which, found[j], direct[j]);
        }
    }
}
END_TEST

UNIT_MAIN("solve/index_1", 60, steep_laws_and_stiff_dampers_raise_no_index)
