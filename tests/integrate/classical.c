/* The tangent and the classical way beside programs that were written for one mechanism each. */
#include "integrate/motion.h"

/* --- larger motions --- */

static int torque(double t, const double *q, const double *v, double *f, void *user)
{
    (void)q, (void)v;
    f[0] = 0;
    f[1] = -9.8;
    f[2] = *(const double *)user * sin(0.1 * t);
    return 0;
}

/* The trapezoid with steps of 0.1 s to 200 s: how far it comes, the largest horizontal reaction,
 * the largest angle. */
static double swing(double size, int level, double *reaction, double *angle)
{
    motion s;
    double q[3], v[3];
    dae_mechanical_form form = zoo_pendulum_torque.form;
    form.force = torque;
    form.about.user = &size;
    engine *e = motion_engine(&s, &form, "newmark", level, (engine_options){.fixed_step = 0.1});
    zoo_pendulum_torque.start(q, v);
    motion_start(&s, 0, q, v);
    *reaction = *angle = 0;
    while (e->t < 200 && engine_step(e, 200) == DAE_OK) {
        *reaction = fmax(*reaction, fabs(e->y[6]));
        *angle = fmax(*angle, fabs(e->y[2]));
    }
    double reached = e->t;
    motion_end(&s);
    return reached;
}

/* The paper's Figs 8 to 10: as the angle grows, the classical trapezoid, whose angle is right,
 * loses the reaction, and at 9 N m itself: it fails, or turns on and on. In the tangent the
 * reaction is that of the motion, which is slow. 115.74 N is what a program of full Newton
 * iterations for (q, lambda), written for this alone, has with 8 N m, and 7.320 N with 7. */
START_TEST(torques_of_larger_motions)
{
    double reaction, angle, classical, right;
    for (int size = 5; size <= 9; size++) {
        ck_assert_double_eq(swing(size, 0, &reaction, &right), 200);
        ck_assert_double_le(reaction, 0.3);
        double reached = swing(size, 3, &classical, &angle);
        if (size == 5) ck_assert_double_eq_tol(classical, reaction, 0.02);
        if (size >= 6) ck_assert_double_ge(classical, 3 * reaction);
        if (size == 7) ck_assert_double_eq_tol(classical, 7.320, 1e-3);
        if (size == 8) ck_assert_double_eq_tol(classical, 115.74, 0.02);
        if (size <= 8) ck_assert_double_eq(reached, 200);
        if (size <= 8) ck_assert_double_eq_tol(angle, right, 2e-3);
        if (size == 9) ck_assert(reached < 199 || angle > 100);
    }
}
END_TEST

/* --- a stiff double pendulum --- */

/* What alternates in the multiplier of the vertical force at the pin between two times, at most. */
static double alternating(engine *e, double from, double to)
{
    double most = 0, last[2] = {0, 0};
    int count = 0;
    while (e->t < from && engine_step(e, from) == DAE_OK) continue;
    while (e->t < to && engine_step(e, to) == DAE_OK) {
        double now = e->y[13], off = fabs(now - 2 * last[1] + last[0]) / 4;
        if (count++ > 1) most = fmax(most, off);
        last[0] = last[1], last[1] = now;
    }
    return most;
}

/* Accelerations of the start that are exact put 4e5 N into what (0.5001, 0.2507) lets decay by
 * 0.9998 a step: a program of full Newton iterations for (q, lambda) has the same 14,050 N after 2
 * s and 4,230 N after 8 s, and that (0.5, 0.25) fails at 1.43 s. */
START_TEST(sets_of_numbers_that_hardly_decay)
{
    motion s;
    engine_options options = {.fixed_step = 1e-3};
    engine *e = motion_begin(&s, &zoo_double_pendulum, "newmark:alpha=0.5001,beta=0.2507", 3,
                             options);
    ck_assert_double_eq_tol(alternating(e, 2, 3), 14050, 300);
    ck_assert_double_eq_tol(alternating(e, 8, 9), 4230, 100);
    motion_end(&s);
    e = motion_begin(&s, &zoo_double_pendulum, "newmark", 3, options);
    alternating(e, 0, 2);
    ck_assert_double_eq_tol(e->t, 1.43, 0.05);
    motion_end(&s);
}
END_TEST

/* --- constants of the coordinates --- */

/* The error of the first joint of the double four-bar after 10 s, translations having that nominal
 * size. */
static double joint_error(double h, double nominal_translation)
{
    enum { BARS = 5, CONSTRAINTS = 14 };
    motion s;
    double nominal[6 * BARS + CONSTRAINTS], q[3 * BARS], v[3 * BARS];
    dae_mechanical_form form = zoo_double_four_bar.form;
    for (int i = 0; i < 6 * BARS + CONSTRAINTS; i++) nominal[i] = 1;
    for (int i = 0; i < 3 * BARS; i++)
        if (i % 3 != 2) nominal[3 * BARS + i] = nominal_translation;
    form.about.nominal = nominal;
    engine *e = motion_engine(&s, &form, "fox-goodwin:corrected=1", 0,
                              (engine_options){.fixed_step = h});
    ck_assert_msg(e, "%s", message_string(&s.said));
    zoo_double_four_bar.start(q, v);
    motion_start(&s, 0, q, v);
    while (e->t < 10) ck_assert_int_eq(engine_step(e, 10), DAE_OK);
    double off = hypot(2 * e->y[0] - 0.32845811154081538, 2 * e->y[1] - 0.94451853817860096);
    motion_end(&s);
    return off;
}

/* The same formulas on the exact curve q(theta), of which each bar's centre has a circle and its
 * angle a line, in the tangent of that curve at the end of each step: 1.0848e-2 m with the weights
 * that bodies have, 1.3749e-5 m in the angle alone, which the nominal sizes of velocities can ask
 * for. A circle in its tangent has fifth derivatives of r omega^5, omega up to 6.8 rad/s. */
START_TEST(the_constant_of_the_error_is_that_of_the_coordinates)
{
    ck_assert_double_eq_tol(joint_error(0.05, 1), 1.0848e-2, 1e-6);
    ck_assert_double_eq_tol(joint_error(0.025, 1), 3.458e-4, 1e-6);
    ck_assert_double_eq_tol(joint_error(0.05, 100), 1.37e-5, 3e-6);
}
END_TEST

UNIT_MAIN("integrate/classical", 60, torques_of_larger_motions, sets_of_numbers_that_hardly_decay,
          the_constant_of_the_error_is_that_of_the_coordinates)
