/* Equations of C programs in any units: absolute tolerances count in nominal sizes, and the
 * constraints of a mechanism are told apart whatever its coordinates are measured in. */
#include "solve/equations.h"

#include <math.h>

/* u' = -u, i' = -2 i + 1e-9 u: i = 1e-9 u. */
static int voltage_and_current(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = yp[1] + 2 * y[1] - 1e-9 * y[0];
    return 0;
}

static void run_current(const double *nominal, double atol, const double *atols, double *y)
{
    dae_residual_form form = {
        .n = 2, .residual = voltage_and_current, .about = {.nominal = nominal}};
    dae_options options = tolerance_of(1e-5);
    options.atol = atol;
    options.atols = atols;
    options.method = "kvaerno5";
    dae_problem *problem = dae_problem_residual(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    const double start[2] = {1, 1e-9};
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_run(solver, 2));
    is_ok(solver, dae_solver_at(solver, 2, y, NULL));
    dae_solver_free(solver);
    dae_problem_free(problem);
}

/* Bit for bit: the product is the tolerance, which `atols` gives as it is. */
START_TEST(atol_counts_in_nominal_sizes)
{
    const double nominal[2] = {1, 1e-9}, product[2] = {1e-5, 1e-5 * 1e-9}, ones[2] = {1, 1};
    double scaled[2], given[2], plain[2];
    run_current(nominal, 1e-5, NULL, scaled);
    run_current(nominal, 1, product, given);
    run_current(ones, 1e-5, NULL, plain);
    ck_assert(scaled[0] == given[0] && scaled[1] == given[1]);
    ck_assert(scaled[1] != plain[1]);
    ck_assert_double_eq_tol(scaled[1] / 1e-9, exp(-2), 1e-4);
}
END_TEST

/* M = diag(1/S^2, 1, 1), G = [1/S 1 0; 1/S 0 1], forces (-3/S, -1, -2): at rest with the
 * multipliers 1 and 2. `user` is S. */
static int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v;
    f[0] = -3 / *(const double *)user;
    f[1] = -1;
    f[2] = -2;
    return 0;
}

static int ties(double t, const double *q, double *phi, void *user)
{
    (void)t;
    for (int i = 0; i < 2; i++) phi[i] = q[0] / *(const double *)user + q[1 + i];
    return 0;
}

static int ties_q(double t, const double *q, double *g, void *user)
{
    (void)t, (void)q;
    g[0] = g[1] = 1 / *(const double *)user; /* 2 x 3, by columns */
    g[2] = g[5] = 1;
    return 0;
}

static void find_multipliers(double size, const char *formulation, double *lambda)
{
    const double mass[9] = {1 / (size * size), 0, 0, 0, 1, 0, 0, 0, 1};
    dae_mechanical_form form = {.nq = 3,
                                .holonomic = 2,
                                .constant_mass = mass,
                                .force = weight,
                                .constraint = ties,
                                .constraint_q = ties_q,
                                .about = {.user = &size}};
    dae_options options = dae_options_default();
    options.formulation = formulation;
    double y[8];
    const double start[8] = {0, 0, 0, 0, 0, 0, (double)NAN, (double)NAN};
    dae_problem *problem = dae_problem_mechanical(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_run(solver, 0.2));
    is_ok(solver, dae_solver_at(solver, 0.2, y, NULL));
    lambda[0] = y[6];
    lambda[1] = y[7];
    dae_solver_free(solver);
    dae_problem_free(problem);
}

START_TEST(multipliers_in_any_unit)
{
    static const char *const formulation[] = {"auto", "index2", "ggl", "nullspace-qr", "partition"};
    static const double size[] = {1e-12, 1e-8, 1, 1e8};
    for (size_t i = 0; i < sizeof formulation / sizeof *formulation; i++) {
        for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
            double lambda[2];
            find_multipliers(size[k], formulation[i], lambda);
            ck_assert_msg(fabs(lambda[0] - 1) < 1e-5 && fabs(lambda[1] - 2) < 1e-5,
                          "%s in units of %g: %g, %g", formulation[i], size[k], lambda[0],
                          lambda[1]);
        }
    }
}
END_TEST

/* A point on a circle of radius u, at an angle of a + b sin(w t), driven by the force that takes
 * it there with a multiplier of -u^2. Its constraint is written without units. */
typedef struct ring {
    double u, a, b, w;
} ring;

static void ring_motion(const ring *r, double t, double *q, double *v, double *a)
{
    double angle = r->a + r->b * sin(r->w * t), rate = r->b * r->w * cos(r->w * t);
    double more = -r->w * r->w * r->b * sin(r->w * t), c = r->u * cos(angle), s = r->u * sin(angle);
    q[0] = c, q[1] = s;
    v[0] = -rate * s, v[1] = rate * c;
    a[0] = -more * s - rate * rate * c, a[1] = more * c - rate * rate * s;
}

static int ring_force(double t, const double *q, const double *v, double *f, void *user)
{
    const ring *r = user;
    double there[2], speed[2], a[2];
    ring_motion(r, t, there, speed, a);
    for (int j = 0; j < 2; j++) f[j] = a[j] + 2 * q[j] - (q[j] - there[j]) - (v[j] - speed[j]);
    return 0;
}

static int on_ring(double t, const double *q, double *phi, void *user)
{
    double u = ((const ring *)user)->u;
    (void)t;
    phi[0] = (q[0] * q[0] + q[1] * q[1]) / (u * u) - 1;
    return 0;
}

static int on_ring_q(double t, const double *q, double *g, void *user)
{
    double u = ((const ring *)user)->u;
    (void)t;
    for (int j = 0; j < 2; j++) g[j] = 2 * q[j] / (u * u);
    return 0;
}

/* The largest error of coordinates and velocities at the end, in tolerances. */
static double go_round(ring *r, const char *formulation, double rtol)
{
    const double u = r->u, nominal[5] = {u, u, u, u, u * u}, stop = 3;
    dae_mechanical_form form = {.nq = 2,
                                .holonomic = 1,
                                .force = ring_force,
                                .constraint = on_ring,
                                .constraint_q = on_ring_q,
                                .about = {.nominal = nominal, .user = r}};
    dae_options options = tolerance_of(rtol);
    double y[5], known[4], ignored[2], worst = 0;
    options.formulation = formulation;
    dae_problem *problem = dae_problem_mechanical(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    ring_motion(r, 0, y, y + 2, ignored);
    y[4] = (double)NAN;
    is_ok(solver, dae_solver_start(solver, 0, y));
    is_ok(solver, dae_solver_run(solver, stop));
    is_ok(solver, dae_solver_at(solver, stop, y, NULL));
    ring_motion(r, stop, known, known + 2, ignored);
    for (int j = 0; j < 4; j++)
        worst = fmax(worst, fabs(y[j] - known[j]) / (rtol * (u + fabs(known[j]))));
    dae_solver_free(solver);
    dae_problem_free(problem);
    return worst;
}

/* Unknowns of a formulation have units of their own, in which its tolerances count. */
START_TEST(formulations_in_any_unit)
{
    static const char *const formulation[] = {"elimination", "partition", "nullspace-qr",
                                              "nullspace-svd", "zero-eigenvalue"};
    uint64_t state = 7;
    for (size_t k = 0; k < 12; k++) {
        ring r = {.u = pow(10, scatter_between(&state, -7, 7)),
                  .a = scatter_between(&state, -3, 3),
                  .b = scatter_between(&state, 0.3, 2),
                  .w = scatter_between(&state, 0.5, 3)};
        double rtol = pow(10, scatter_between(&state, -8, -4));
        for (size_t i = 0; i < sizeof formulation / sizeof *formulation; i++) {
            double error = go_round(&r, formulation[i], rtol);
            ck_assert_msg(error < 100, "%s, %g, in units of %g: %g tolerances", formulation[i],
                          rtol, r.u, error);
        }
    }
}
END_TEST

/* A penalty is in units of the mass: what it misses does not depend on the unit of length. */
START_TEST(penalties_in_any_unit)
{
    ring r = {.u = 1, .a = 0.3, .b = 1.2, .w = 1.7};
    double of_one = go_round(&r, "penalty:alpha=1e4", 1e-7);
    ck_assert_double_gt(of_one, 1);
    for (r.u = 0x1p-20; r.u < 0x1p21; r.u *= 0x1p20) {
        double missed = go_round(&r, "penalty:alpha=1e4", 1e-7);
        ck_assert_msg(fabs(missed / of_one - 1) < 1e-2, "in units of %g: %g and %g tolerances", r.u,
                      missed, of_one);
    }
}
END_TEST

/* A decay y' = -y/T of values of size u, in three ways. */
typedef struct decay {
    double T, u;
    int way;
} decay;

static int decays(double t, const double *y, const double *yp, double *r, void *user)
{
    const decay *d = user;
    double x = y[0] / d->u, rate = d->T * yp[0] / d->u;
    (void)t;
    r[0] = d->way == 0   ? d->T * yp[0] + y[0]
           : d->way == 1 ? exp(rate) - exp(-x)
                         : sinh(rate) + sinh(x);
    return 0;
}

/* The error at t = T, in tolerances. */
static double run_decay(decay *d, bool named, const char *method, double rtol)
{
    dae_residual_form form = {
        .n = 1, .residual = decays, .about = {.user = d, .nominal = named ? &d->u : NULL}};
    dae_options options = tolerance_of(rtol);
    options.atol = named ? rtol : rtol * d->u;
    options.method = method;
    dae_problem *problem = dae_problem_residual(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    double y = d->u;
    is_ok(solver, dae_solver_start(solver, 0, &y));
    is_ok(solver, dae_solver_run(solver, d->T));
    is_ok(solver, dae_solver_at(solver, d->T, &y, NULL));
    dae_solver_free(solver);
    dae_problem_free(problem);
    return fabs(y / d->u - exp(-1)) / rtol;
}

/* No Jacobian is given: by which increments y' is moved is found from the equations. */
START_TEST(differences_in_any_unit)
{
    static const char *const method[] = {"auto", "bdf", "radau"};
    uint64_t state = 8;
    for (int k = 0; k < 90; k++) {
        decay d = {.T = pow(10, scatter_between(&state, -15, 9)),
                   .u = pow(10, scatter_between(&state, -6, 6)),
                   .way = k % 3};
        bool named = k % 2 == 0;
        double rtol = pow(10, scatter_between(&state, -8, -4));
        double error = run_decay(&d, named, method[k / 3 % 3], rtol);
        ck_assert_msg(error < 100, "way %d, T = %g, u = %g, nominal %s, %s, %g: %g tolerances",
                      d.way, d.T, d.u, named ? "given" : "not given", method[k / 3 % 3], rtol,
                      error);
    }
}
END_TEST

/* A pendulum of length a, let go: x and y in its unit after t = 3, by a run for a = 1 at 1e-12 of
 * the model in text. Nothing is said of nominal sizes, and the velocities are 0 at the start. */
static int swings(double t, const double *y, const double *yp, double *r, void *user)
{
    double a = *(const double *)user;
    (void)t;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81 * a + 0.1 * y[3];
    r[4] = y[0] * y[0] + y[1] * y[1] - a * a;
    return 0;
}

START_TEST(what_rests_may_move_fast)
{
    for (double a = 1e-3; a < 1e10; a *= 10) {
        const dae_residual_form form = {.n = 5, .residual = swings, .about.user = &a};
        dae_options options = tolerance_of(1e-6);
        double y[5] = {0.6 * a, -0.8 * a, 0, 0, (double)NAN};
        dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
        is_ok(solver, dae_solver_start(solver, 0, y));
        is_ok(solver, dae_solver_at(solver, 0, y, NULL));
        ck_assert_double_eq_tol(y[0] / a, 0.6, 1e-12);
        ck_assert_double_eq_tol(y[4], 7.848, 1e-5);
        is_ok(solver, dae_solver_run(solver, 3));
        is_ok(solver, dae_solver_at(solver, 3, y, NULL));
        double most = 1e-4 * fmax(1, 1e-2 / a); /* a hundred tolerances, of which one is 1e-6 */
        ck_assert_msg(fabs(y[0] / a + 0.57424764) < most && fabs(y[1] / a + 0.81868165) < most,
                      "in units of %g: %.9g, %.9g", a, y[0] / a, y[1] / a);
        dae_solver_free(solver);
    }
}
END_TEST

UNIT_MAIN("solve/units", 60, what_rests_may_move_fast, atol_counts_in_nominal_sizes,
          multipliers_in_any_unit, formulations_in_any_unit, penalties_in_any_unit,
          differences_in_any_unit)
