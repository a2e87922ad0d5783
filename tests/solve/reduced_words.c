/* What is told of equations of a C program that are reduced to index 1: the derivatives at their
 * start, and why a run ends. */
#include "base/unit.h"

#include <daedal/daedal.h>
#include <math.h>
#include <string.h>

/* e_1 - e_2' = 0, e_2 = 0, e = R(t) (y - exact), R a rotation by `turn` radians a second, with rows
 * that are multiplied and turned: index 2, every function smooth, all values finite. */
typedef struct turned {
    double turn;
    bool multiplied;
} turned;

static void exact(double t, double *y, double *yp)
{
    static const double a[] = {-0.57627353007068838, -0.99468141575042646},
                        b[] = {0.27133330725299998, 0.87408356861820669},
                        w[] = {2.6163085300814077, 2.9721211158736804},
                        p[] = {3.7011401621331181, 1.8757890716483796};
    for (int i = 0; i < 2; i++) {
        y[i] = a[i] + b[i] * sin(w[i] * t + p[i]);
        yp[i] = b[i] * w[i] * cos(w[i] * t + p[i]);
    }
}

static int equations(double t, const double *y, const double *yp, double *r, void *user)
{
    const turned *s = user;
    double known[2], slope[2], e[2], rate[2];
    double c = cos(s->turn * t), o = sin(s->turn * t), angle = 0.45050922911224328 * t + 3.2586149;
    exact(t, known, slope);
    double x = y[0] - known[0], z = y[1] - known[1];
    double xp = yp[0] - slope[0], zp = yp[1] - slope[1];
    e[0] = c * x + o * z, e[1] = c * z - o * x;
    rate[0] = c * xp + o * zp + s->turn * e[1], rate[1] = c * zp - o * xp - s->turn * e[0];
    double first = e[0] - rate[1], second = e[1];
    if (s->multiplied) second *= 1 + y[1] * y[1];
    ck_assert(isfinite(first + second));
    r[1] = cos(angle) * second + sin(angle) * first;
    if (s->multiplied) r[1] *= 1 + y[0] * y[0];
    r[0] = cos(angle) * first - sin(angle) * second;
    return 0;
}

static dae_solver *solver_of(turned *s, const char *method, double rtol)
{
    const dae_residual_form form = {.n = 2, .residual = equations, .about = {.user = s}};
    dae_options o = dae_options_default();
    o.method = method;
    o.rtol = o.atol = rtol;
    o.keep_trajectory = true;
    dae_problem *problem = dae_problem_residual(&form);
    dae_solver *solver = dae_solver_create(problem, &o);
    dae_problem_free(problem);
    return solver;
}

/* Whether differences that resolve too little, and no missing value, are said to end a run that
 * ends. */
START_TEST(finite_equations_are_not_said_to_have_no_value)
{
    static const char *const methods[] = {"rodas5p", "bdf", "radau-iia3"};
    turned still = {.multiplied = true};
    for (int k = 0; k < 3; k++) {
        double y[2], yp[2];
        dae_solver *solver = solver_of(&still, methods[k], 3.7e-8);
        exact(5, y, yp);
        dae_solver_start(solver, 5, y);
        dae_solver_run(solver, 6);
        const char *said = dae_solver_message(solver);
        ck_assert_msg(strstr(said, "no finite value") == NULL, "%s: %s", methods[k], said);
        dae_solver_free(solver);
    }
}
END_TEST

static int take_first(double t, const double *y, const double *yp, void *user)
{
    double *slope = user;
    (void)y;
    if (t == 0) memcpy(slope, yp, 2 * sizeof *slope);
    return 0;
}

START_TEST(derivatives_at_the_start)
{
    static const char *const methods[] = {"mebdf", "kvaerno4", "gauss2", "auto"};
    for (int k = 0; k < 8; k++) {
        turned s = {.turn = k < 4 ? 0.4 : 1.3};
        double y[2], yp[2], sent[2] = {(double)NAN, (double)NAN}, asked[2];
        dae_solver *solver = solver_of(&s, methods[k % 4], 1e-6);
        exact(0, y, yp);
        ck_assert_int_eq(dae_solver_start(solver, 0, y), DAE_OK);
        dae_solver_output(solver, &(dae_times){.count = 2, .first = 0, .last = 1}, take_first,
                          sent);
        ck_assert_msg(dae_solver_run(solver, 1) == DAE_OK, "%s", dae_solver_message(solver));
        ck_assert_ptr_nonnull(strstr(dae_solver_stats(solver)->reasons, "reduced to index 1"));
        ck_assert_int_eq(dae_solver_at(solver, 0, y, asked), DAE_OK);
        for (int i = 0; i < 2; i++) {
            ck_assert_msg(fabs(sent[i] - yp[i]) < 1e-3, "%s, turn %g: y%d' = %g for %g",
                          methods[k % 4], s.turn, i + 1, sent[i], yp[i]);
            ck_assert_msg(fabs(asked[i] - yp[i]) < 0.02, "%s, turn %g: y%d' = %g for %g, asked",
                          methods[k % 4], s.turn, i + 1, asked[i], yp[i]);
        }
        dae_solver_free(solver);
    }
}
END_TEST

UNIT_MAIN("solve/reduced_words", 60, finite_equations_are_not_said_to_have_no_value,
          derivatives_at_the_start)
