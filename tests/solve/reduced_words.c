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

/* x' = v, v' = g - (i/x)^2, i' = u - 4 i, 0 = x - 1 - sin(5 t)/5: a magnet, u of index 4. */
static int magnet(double t, const double *x, const double *z, double *f, void *user)
{
    double pull = x[2] / x[0];
    (void)t, (void)user;
    f[0] = x[1], f[1] = 9.81 - pull * pull, f[2] = z[0] - 4 * x[2];
    return 0;
}

static int path(double t, const double *x, const double *z, double *g, void *user)
{
    (void)z, (void)user;
    g[0] = x[0] - 1 - 0.2 * sin(5 * t);
    return 0;
}

/* It is the index that ends a run, not the iteration. */
START_TEST(an_index_above_3_is_said)
{
    static const char *const methods[] = {"auto", "bdf", "radau-iia5"};
    static const char *const names[] = {"x", "v", "i", "u"};
    const double starts[][4] = {{1, 1, (double)NAN, (double)NAN}, {1, 1, 3.836, 19.65}};
    for (int k = 0; k < 6; k++) {
        const dae_semi_explicit_form form = {
            .nx = 3, .nz = 1, .f = magnet, .g = path, .about = {.variable = names}};
        dae_options o = dae_options_default();
        o.method = methods[k % 3];
        dae_problem *problem = dae_problem_semi_explicit(&form);
        dae_solver *solver = dae_solver_create(problem, &o);
        dae_problem_free(problem);
        dae_solver_start(solver, 0, starts[k / 3]);
        ck_assert_int_ne(dae_solver_run(solver, 1), DAE_OK);
        const char *said = dae_solver_message(solver);
        ck_assert_msg(strstr(said, "the index of u is 4") && strstr(said, "model in text"),
                      "%s: %s", o.method, said);
        ck_assert_ptr_nonnull(strstr(dae_solver_notes(solver), "i of 3, u of 4"));
        dae_solver_free(solver);
    }
}
END_TEST

/* x' = z, 0 = F(t, x, z) in microseconds: e_1' + 2.8 e_1 + 0.3 e_5 = 0, e_2 + e_3' = 0, e_3 = 0,
 * e_4 + e_5'/2 = 0, e_5 = 0. */
enum { KNOWN = 5 };

static const double UNIT = 1e-6;

static void known(double t, double *x, double *z)
{
    static const double a[] = {1.1112955985852144, 0.15454464657843392, -0.71613962721033286,
                               0.23977074543649057, 1.3492729821746474},
                        b[] = {0.93566642475550466, 0.49382131739317547, 0.76570254300542206,
                               0.98490499999036496, 0.32200950587353161},
                        w[] = {1.4066306732454761, 0.45550871435842799, 0.9265155272096981,
                               2.325347725096842, 2.0978230306853787},
                        p[] = {5.6372948167958681, 5.9047521002862569, 2.6377113554373857,
                               5.8548672544028779, 0.10694548548493743};
    for (int i = 0; i < KNOWN; i++) {
        x[i] = a[i] + b[i] * sin(w[i] * t / UNIT + p[i]);
        z[i] = b[i] * w[i] / UNIT * cos(w[i] * t / UNIT + p[i]);
    }
}

static int rates(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)x, (void)user;
    memcpy(f, z, KNOWN * sizeof *f);
    return 0;
}

static int implicit(double t, const double *x, const double *z, double *g, void *user)
{
    double y[KNOWN], yp[KNOWN];
    (void)user;
    known(t, y, yp);
    g[0] = (z[0] - yp[0]) * UNIT + 2.8447003378064153 * (x[0] - y[0]) +
           0.32831993471321264 * (x[4] - y[4]);
    g[1] = x[1] - y[1] + (z[2] - yp[2]) * UNIT;
    g[2] = x[2] - y[2];
    g[3] = x[3] - y[3] + 0.5 * (z[4] - yp[4]) * UNIT;
    g[4] = x[4] - y[4];
    return 0;
}

static int take_values(double t, const double *y, const double *yp, void *user)
{
    (void)yp;
    if (t == 0) memcpy(user, y, 2 * KNOWN * sizeof *y);
    return 0;
}

/* A note of values that are changed tells of those that a run begins with. */
START_TEST(changes_that_are_not_kept_are_not_reported)
{
    const dae_semi_explicit_form form = {.nx = KNOWN, .nz = KNOWN, .f = rates, .g = implicit};
    double start[2 * KNOWN], first[2 * KNOWN];
    dae_options o = dae_options_default();
    o.rtol = o.atol = 1e-5;
    dae_problem *problem = dae_problem_semi_explicit(&form);
    dae_solver *solver = dae_solver_create(problem, &o);
    dae_problem_free(problem);
    known(0, start, start + KNOWN);
    dae_solver_output(solver, &(dae_times){.count = 2, .first = 0, .last = 3 * UNIT}, take_values,
                      first);
    ck_assert_int_eq(dae_solver_start(solver, 0, start), DAE_OK);
    ck_assert_msg(dae_solver_run(solver, 3 * UNIT) == DAE_OK, "%s", dae_solver_message(solver));
    bool changed = false;
    for (int i = 0; i < KNOWN; i++) changed = changed || fabs(first[i] - start[i]) > 1e-9;
    const char *notes = dae_solver_notes(solver);
    ck_assert_msg(changed == (strstr(notes, "start values changed") != NULL), "changed %d: %s",
                  changed, notes);
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/reduced_words", 60, finite_equations_are_not_said_to_have_no_value,
          derivatives_at_the_start, an_index_above_3_is_said,
          changes_that_are_not_kept_are_not_reported)
