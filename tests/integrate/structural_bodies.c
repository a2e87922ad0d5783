/* Structural methods where coordinates are no integrals of velocities: quaternions, q' = S v, and
 * constraints on velocities that are none on positions. */
#include "integrate/motion.h"

enum { CLASSES = 3 };

/* How far q, v and lambda are from the exact solution in the last tenth of n steps to t = 1. */
static void run(const zoo_mechanical *row, const char *name, int level, int n, double *error)
{
    motion s;
    engine *e = motion_begin(&s, row, name, level, (engine_options){.fixed_step = 1.0 / n});
    error[0] = error[1] = error[2] = 0;
    for (int k = 0; k < n; k++) {
        ck_assert_msg(engine_step(e, 1) == DAE_OK, "%s, level %d, step %d", name, level, k);
        if (k < n - n / 10) continue;
        zoo_motion exact;
        const double *v = e->y + s.nq, *lambda = v + s.nv;
        row->exact(e->t, &exact);
        for (size_t i = 0; i < s.nq; i++) error[0] = fmax(error[0], fabs(e->y[i] - exact.q[i]));
        for (size_t i = 0; i < s.nv; i++) error[1] = fmax(error[1], fabs(v[i] - exact.v[i]));
        for (size_t i = 0; i < s.constraints && !row->dependent; i++)
            error[2] = fmax(error[2], fabs(lambda[i] - exact.lambda[i]));
    }
    motion_end(&s);
}

/* Slopes of q, v and lambda; those of the rolling disc, whose rates are constant, are higher. */
static void check_orders(const zoo_mechanical *row, const char *name, int level, int order, int n)
{
    if (!is_sampled(name, (size_t)(level + n / 100 + 1) + strlen(name), 4)) return;
    double coarse[CLASSES], fine[CLASSES];
    run(row, name, level, n, coarse);
    run(row, name, level, 2 * n, fine);
    for (int c = 0; c < CLASSES; c++) {
        double slope = log2(coarse[c] / fine[c]), above = row == &zoo_rolling_disc ? 1.1 : 0.3;
        if (fine[c] < 1e-12) continue; /* round-off */
        ck_assert_msg(slope > order - 0.2 && slope < order + above, "%s, %s, level %d: %c %.3f",
                      row->form.about.name, name, level, "qvl"[c], slope);
    }
}

static const char *const second[] = {"generalized-alpha:rho_inf=0.5",
                                     "hht",
                                     "newmark",
                                     "fox-goodwin",
                                     "linear-acceleration",
                                     "central-difference"};

enum { SECOND = sizeof second / sizeof *second };

/* --- quaternions --- */

START_TEST(orders_with_quaternions)
{
    for (size_t k = 0; k < SECOND; k++) check_orders(&zoo_top, second[k], 0, 2, 600);
    for (int level = 1; level <= 3; level++)
        for (size_t k = 0; k < (level == 3 ? 2 : 3); k++)
            check_orders(&zoo_top, second[k], level, 2, 600);
    check_orders(&zoo_top, "newmark:alpha=0.75,beta=0.390625", 0, 1, 3200);
}
END_TEST

static const zoo_mechanical *top_of(void)
{
    return &zoo_top;
}

/* The norm as a constraint of its own, which never acts: its row of G is 0. */
static int tip_and_norm(double t, const double *q, double *phi, void *user)
{
    top_of()->form.constraint(t, q, phi, user);
    phi[3] = q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6] - 1;
    return 0;
}

static int tip_and_norm_q(double t, const double *q, double *dq, void *user)
{
    double tip[3 * 7] = {0};
    top_of()->form.constraint_q(t, q, tip, user);
    for (int j = 0; j < 7; j++) {
        for (int i = 0; i < 3; i++) dq[4 * j + i] = tip[3 * j + i];
        dq[4 * j + 3] = j < 3 ? 0 : 2 * q[j];
    }
    return 0;
}

static double norm_of(const double *q)
{
    return sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
}

/* Nothing but S keeps it. */
START_TEST(the_norm_of_quaternions_is_kept)
{
    zoo_mechanical reported = zoo_top;
    reported.form.holonomic = 4;
    reported.form.constraint = tip_and_norm;
    reported.form.constraint_q = tip_and_norm_q;
    reported.dependent = 1;
    for (int level = 0; level <= 3; level++)
        for (int i = 0; i < 2; i++) {
            motion s;
            double phi[4];
            engine_options options = {.fixed_step = 0.002};
            engine *e = motion_begin(&s, i ? &reported : &zoo_top, second[0], level, options);
            while (e->t < 5 / (grid_of_run() == GRID_SANITIZED ? 10.0 : 1)) {
                ck_assert_int_eq(engine_step(e, 5), DAE_OK);
                ck_assert_double_eq_tol(norm_of(e->y), 1, 1e-13);
                mechanical_position(s.system, e->t, e->y, phi);
                for (int k = 0; k < 3 && (level == 0 || level == 3); k++)
                    ck_assert_msg(fabs(phi[k]) <= 1e-14, "level %d, told %d, t = %g: %g", level, i,
                                  e->t, phi[k]);
            }
            motion_end(&s);
        }
}
END_TEST

/* Coordinates between the ends of steps, and their derivatives S v there. */
START_TEST(within_steps)
{
    double error[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        motion s;
        double y[20], yp[20], rate[7];
        engine_options options = {.fixed_step = i ? 0.00125 : 0.0025};
        engine *e = motion_begin(&s, &zoo_top, second[0], 3, options);
        while (e->t < 0.5) ck_assert_int_eq(engine_step(e, 0.5), DAE_OK);
        double middle = e->t - options.fixed_step / 2;
        zoo_motion exact;
        zoo_top.exact(middle, &exact);
        dense_output_evaluate(&e->dense, middle, y, yp);
        for (size_t k = 0; k < s.nq; k++) error[i] = fmax(error[i], fabs(y[k] - exact.q[k]));
        dense_output_evaluate(&e->dense, e->t, y, yp);
        mechanical_kinematics(s.system, e->t, e->y, e->y + s.nq, rate);
        for (size_t k = 0; k < s.nq; k++) ck_assert_double_eq_tol(yp[k], rate[k], 1e-9);
        motion_end(&s);
    }
    ck_assert_double_gt(log2(error[0] / error[1]), 1.8);
}
END_TEST

START_TEST(errors_follow_the_tolerance)
{
    for (int level = 0; level <= 3; level++) {
        double error[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            motion s;
            double rtol = i ? 1e-5 : 1e-3;
            engine_options options = {.rtol = rtol, .atol = rtol};
            engine *e = motion_begin(&s, &zoo_top, second[0], level, options);
            while (e->t < 0.25) ck_assert_int_eq(engine_step(e, 0.25), DAE_OK);
            zoo_motion exact;
            zoo_top.exact(0.25, &exact);
            for (size_t k = 0; k < s.nq; k++) error[i] = fmax(error[i], fabs(e->y[k] - exact.q[k]));
            ck_assert_double_le(error[i], 100 * rtol);
            motion_end(&s);
        }
        ck_assert_double_lt(error[1], error[0] / 10);
    }
}
END_TEST

/* The top hangs below its tip: both ways to swing have omega^2 = m g l / (J + m l^2), and the null
 * space of the constraints in coordinates has other vectors than that in velocities. */
START_TEST(frequencies_with_quaternions)
{
    static const double q[] = {0, 0, -0.4, 0, 1, 0, 0}, v[] = {0, 0, 0, 0, 0, 0};
    motion s;
    engine *e = motion_engine(&s, &zoo_top.form, "fox-goodwin", 0,
                              (engine_options){.fixed_step = 0.01});
    motion_start(&s, 0, q, v);
    ck_assert_int_eq(engine_step(e, 1), DAE_OK);
    double frequency = sqrt(2 * 9.81 * 0.4 / (0.1 + 2 * 0.4 * 0.4));
    ck_assert_double_eq_tol(e->frequency, frequency, 1e-6);
    ck_assert_double_eq_tol(e->stable_step, sqrt(6) / frequency, 1e-6);
    motion_end(&s);
}
END_TEST

/* --- constraints on velocities, in the tangent --- */

/* The skate with a third place u = x^2 that has no mass: constraints of both kinds. */
static const double skate_mass[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};

static int skate_force(double t, const double *q, const double *v, double *f, void *user)
{
    f[3] = 0;
    return zoo_skate.form.force(t, q, v, f, user);
}

static int square(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[3] - q[0] * q[0];
    return 0;
}

static int square_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = -2 * q[0];
    dq[3] = 1;
    return 0;
}

static void skating(double t, zoo_motion *m)
{
    zoo_skate.exact(t, m);
    m->lambda[1] = m->lambda[0];
    m->lambda[0] = 0;
    m->q[3] = m->q[0] * m->q[0];
    m->v[3] = 2 * m->q[0] * m->v[0];
}

static void start_skating(double *q, double *v)
{
    zoo_motion m;
    skating(0, &m);
    for (int i = 0; i < 4; i++) q[i] = m.q[i], v[i] = m.v[i];
}

static zoo_mechanical both_kinds(void)
{
    return (zoo_mechanical){.form = {.nq = 4,
                                     .holonomic = 1,
                                     .nonholonomic = 1,
                                     .constant_mass = skate_mass,
                                     .force = skate_force,
                                     .constraint = square,
                                     .constraint_q = square_q,
                                     .velocity_constraint = zoo_skate.form.velocity_constraint,
                                     .about.name = "skate with its square"},
                            .start = start_skating,
                            .exact = skating};
}

START_TEST(orders_with_nonholonomic_constraints)
{
    const zoo_mechanical both = both_kinds();
    const zoo_mechanical *const row[] = {&zoo_skate, &zoo_rolling_disc, &both};
    for (size_t r = 0; r < 3; r++) {
        for (size_t k = 0; k < SECOND; k++) check_orders(row[r], second[k], 0, 2, 100);
        check_orders(row[r], "newmark:alpha=0.75,beta=0.390625", 0, 1, 400);
    }
    check_orders(&zoo_skate, "fox-goodwin:corrected=1", 0, 4, 100);
    check_orders(&both, "fox-goodwin:corrected=1", 0, 4, 100);
}
END_TEST

/* The blade does not slip, and what is accelerated does not either. */
START_TEST(velocities_and_accelerations_hold)
{
    const zoo_mechanical both = both_kinds();
    const zoo_mechanical *const row[] = {&zoo_skate, &zoo_rolling_disc, &both};
    for (size_t r = 0; r < 3; r++) {
        motion s;
        double c[4], gamma[4];
        engine *e = motion_begin(&s, row[r], "newmark", 0, (engine_options){.fixed_step = 0.02});
        while (e->t < 10) {
            ck_assert_int_eq(engine_step(e, 10), DAE_OK);
            if (s.form->holonomic > 0) mechanical_position(s.system, e->t, e->y, c);
            if (s.form->holonomic > 0) ck_assert_double_le(fabs(c[0]), 1e-15);
            mechanical_velocity(s.system, e->t, e->y, e->y + s.nq, c);
            for (size_t i = 0; i < s.constraints; i++) ck_assert_double_le(fabs(c[i]), 1e-14);
            mechanical_gamma(s.system, e->t, e->y, e->y + s.nq, gamma);
            mechanical_evaluate(s.system, e->t, e->y);
            mechanical_gradient_times(s.system, e->yp + s.nq, c);
            for (size_t i = 0; i < s.constraints; i++)
                ck_assert_double_le(fabs(c[i] + gamma[i]), 1e-10);
        }
        motion_end(&s);
    }
}
END_TEST

UNIT_MAIN("integrate/structural_bodies", 120, orders_with_quaternions,
          the_norm_of_quaternions_is_kept, within_steps, errors_follow_the_tolerance,
          frequencies_with_quaternions, orders_with_nonholonomic_constraints,
          velocities_and_accelerations_hold)
