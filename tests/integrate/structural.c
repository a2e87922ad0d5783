/* Structural methods with constraints on one level: orders, what index 3 does to their multipliers,
 * adaptive steps, refusals. */
#include "method/structural.h"
#include "integrate/motion.h"
#include "method/properties.h"
#include "zoo/mechanical_chain.h"

#include <stdio.h>

enum { CLASSES = 3, NONE = METHOD_NO_ORDER };

/* The largest differences of q, v and lambda from the exact solution. */
static void compare(const motion *s, const zoo_mechanical *row, double *error)
{
    zoo_motion exact;
    const double *y = s->engine->y;
    row->exact(s->engine->t, &exact);
    error[0] = error[1] = error[2] = 0;
    const double *v = y + s->nq, *lambda = v + s->nv;
    for (size_t k = 0; k < s->nq; k++) error[0] = fmax(error[0], fabs(y[k] - exact.q[k]));
    for (size_t k = 0; k < s->nv; k++) error[1] = fmax(error[1], fabs(v[k] - exact.v[k]));
    for (size_t i = 0; i < s->constraints; i++)
        error[2] = fmax(error[2], fabs(lambda[i] - exact.lambda[i]));
}

/* Steps of 1/n to t = 1; largest errors of the last tenth of them, so that no zero passes for
 * accuracy. */
static void run(const zoo_mechanical *row, const char *name, int level, int n, double *error)
{
    motion s;
    engine *e = motion_begin(&s, row, name, level, (engine_options){.fixed_step = 1.0 / n});
    error[0] = error[1] = error[2] = 0;
    for (int k = 0; k < n; k++) {
        double now[CLASSES];
        ck_assert_msg(engine_step(e, 1) == DAE_OK, "%s, level %d, step %d", name, level, k);
        compare(&s, row, now);
        for (int c = 0; c < CLASSES && k >= n - n / 10; c++) error[c] = fmax(error[c], now[c]);
    }
    motion_end(&s);
}

/* --- orders --- */

/* Slopes of all classes that converge, against what the library promises of the row; they are no
 * more than `above` higher. */
static void check_orders(const zoo_mechanical *row, const char *name, int level, double above)
{
    message m = {0};
    method *which;
    method_properties p;
    double coarse[CLASSES], fine[CLASSES];
    ck_assert_int_eq(method_create(&which, name, &m), DAE_OK);
    ck_assert_int_eq(method_properties_find(which, &p), DAE_OK);
    const int *found = level == 3 ? p.index3 : level == 2 ? p.index2 : p.index1;
    int order[CLASSES] = {found[0], found[0], found[level == 3 ? 2 : 1]};
    run(row, name, level, 200, coarse);
    run(row, name, level, 400, fine);
    for (int c = 0; c < CLASSES; c++) {
        double slope = log2(coarse[c] / fine[c]);
        if (order[c] == NONE) continue;
        ck_assert_msg(slope > order[c] - 0.2 && slope < order[c] + above,
                      "%s, %s, level %d: %c %.3f", row->form.about.name, name, level, "qvl"[c],
                      slope);
    }
    method_free(which);
    message_free(&m);
}

START_TEST(orders)
{
    static const char *const name[] = {"newmark",
                                       "hht:alpha=-0.2",
                                       "generalized-alpha:rho_inf=0",
                                       "generalized-alpha:rho_inf=0.5",
                                       "generalized-alpha:rho_inf=0.8",
                                       "newmark:alpha=0.75,beta=0.390625"};
    static const zoo_mechanical *const row[] = {&zoo_pendulum, &zoo_driven_pendulum};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
        for (size_t r = 0; r < 2; r++)
            for (int level = 1; level <= 3; level++) check_orders(row[r], name[k], level, 0.3);
}
END_TEST

/* What is explicit in the positions, or grows on index 3, on the levels below. */
START_TEST(orders_of_conditionally_stable_methods)
{
    static const char *const name[] = {"central-difference", "fox-goodwin", "linear-acceleration"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
        for (int level = 1; level <= 2; level++) check_orders(&zoo_pendulum, name[k], level, 0.3);
}
END_TEST

/* On a plane that nothing curves some errors cancel. */
START_TEST(nonholonomic_constraints)
{
    check_orders(&zoo_skate, "generalized-alpha:rho_inf=0.5", 3, 1.1);
    check_orders(&zoo_skate, "generalized-alpha:rho_inf=0.5", 2, 1.1);
    check_orders(&zoo_rolling_disc, "hht:alpha=-0.2", 2, 1.1);
}
END_TEST

/* Values within the steps: cubic from both ends, multipliers linear. */
START_TEST(orders_within_steps)
{
    double error[2][CLASSES];
    for (int k = 0; k < 2; k++) {
        motion s;
        int n = k ? 400 : 200;
        engine_options options = {.fixed_step = 1.0 / n};
        engine *e = motion_begin(&s, &zoo_pendulum, "generalized-alpha:rho_inf=0.5", 3, options);
        double y[8], yp[8], before[8];
        for (int i = 0; i < n; i++) {
            memcpy(before, e->y, sizeof(double) * s.problem.n);
            ck_assert_int_eq(engine_step(e, 1), DAE_OK);
        }
        dense_output_evaluate(&e->dense, 1 - 1.0 / n, y, NULL);
        for (size_t i = 0; i < s.problem.n; i++) ck_assert_double_eq_tol(y[i], before[i], 1e-14);
        dense_output_evaluate(&e->dense, 1, y, yp);
        for (size_t i = 0; i < s.problem.n; i++) ck_assert_double_eq_tol(y[i], e->y[i], 1e-12);
        for (size_t i = 0; i < 2 * s.nv; i++) ck_assert_double_eq_tol(yp[i], e->yp[i], 1e-9);
        double middle = 1 - 0.6 / n;
        zoo_motion exact;
        zoo_pendulum.exact(middle, &exact);
        dense_output_evaluate(&e->dense, middle, y, yp);
        error[k][0] = fmax(fabs(y[0] - exact.q[0]), fabs(y[1] - exact.q[1]));
        error[k][1] = fmax(fabs(y[2] - exact.v[0]), fabs(y[3] - exact.v[1]));
        error[k][2] = fabs(y[4] - exact.lambda[0]);
        motion_end(&s);
    }
    for (int c = 0; c < CLASSES; c++) ck_assert_double_gt(log2(error[0][c] / error[1][c]), 1.8);
}
END_TEST

/* A chain of ten rods to 0.25 s: x of its tip by a computation in quadruple precision. One factor
 * serves several steps. */
static double tip_error(const char *name, int level, double most_factors)
{
    enum { LINKS = 10 };
    motion s;
    double q[3 * LINKS], v[3 * LINKS];
    zoo_chain *c = zoo_chain_create(LINKS);
    engine *e = motion_engine(&s, &c->form, name, level, (engine_options){.fixed_step = 1e-3});
    zoo_chain_start(c, q, v);
    motion_start(&s, 0, q, v);
    while (e->t < 0.25) ck_assert_int_eq(engine_step(e, 0.25), DAE_OK);
    const double *last = e->y + 3 * (LINKS - 1);
    double tip = last[0] + sin(last[2]) / (2 * LINKS);
    ck_assert_double_le((double)s.system->factorizations, most_factors * (double)e->counts.steps);
    motion_end(&s);
    zoo_chain_free(c);
    return fabs(tip - 0.092322495438689384);
}

START_TEST(a_chain)
{
    ck_assert_double_le(tip_error("generalized-alpha", 3, 0.25), 1e-5);
    ck_assert_double_le(tip_error("newmark", 0, HUGE_VAL), 1e-5);
    ck_assert_double_le(tip_error("fox-goodwin:corrected=1", 0, HUGE_VAL), 1e-10);
}
END_TEST

/* --- constraints --- */

START_TEST(the_constraints_of_the_level_are_met)
{
    for (int level = 1; level <= 3; level++) {
        motion s;
        double c[ZOO_MECHANICAL_MOST], gamma[ZOO_MECHANICAL_MOST];
        engine_options options = {.fixed_step = 1e-5};
        engine *e = motion_begin(&s, &zoo_andrews, "generalized-alpha", level, options);
        for (int k = 0; k < 300; k++) {
            ck_assert_int_eq(engine_step(e, 0.003), DAE_OK);
            const double *q = e->y, *v = q + s.nv, *vp = e->yp + s.nv;
            mechanical_evaluate(s.system, e->t, q);
            mechanical_gradient_times(s.system, vp, c);
            mechanical_gamma(s.system, e->t, q, v, gamma);
            double size = 1;
            for (size_t i = 0; i < s.nv; i++) size = fmax(size, fabs(vp[i]));
            for (size_t i = 0; i < s.constraints && level == 1; i++)
                ck_assert_double_le(fabs(c[i] + gamma[i]), 1e-13 * size);
            if (level == 2) mechanical_velocity(s.system, e->t, q, v, c);
            if (level == 3) mechanical_position(s.system, e->t, q, c);
            for (size_t i = 0; i < s.constraints && level > 1; i++)
                ck_assert_double_le(fabs(c[i]), level == 3 ? 1e-16 : 1e-12);
        }
        motion_end(&s);
    }
}
END_TEST

/* Velocities and accelerations brought to their levels after each step: all three hold, and the
 * order stays. */
START_TEST(projected_after_each_step)
{
    double error[2][CLASSES];
    for (int run_of = 0; run_of < 2; run_of++) {
        motion s;
        int n = run_of ? 400 : 200;
        engine_options options = {.fixed_step = 1.0 / n};
        engine *e = motion_begin(&s, &zoo_pendulum, "generalized-alpha:rho_inf=0.5", 3, options);
        for (int k = 0; k < n; k++) {
            double y[8], yp[8] = {0}, c;
            ck_assert_int_eq(engine_step(e, 1), DAE_OK);
            memcpy(y, e->y, sizeof(double) * s.problem.n);
            ck_assert_int_eq(mechanical_project(s.system, e->t, y, y + 2, false), DAE_OK);
            memcpy(yp, y + 2, 2 * sizeof(double));
            ck_assert_int_eq(mechanical_accelerate(s.system, e->t, y, y + 2, yp + 2, y + 4),
                             DAE_OK);
            engine_replace(e, y, yp);
            mechanical_position(s.system, e->t, e->y, &c);
            ck_assert_double_le(fabs(c), 4 * DBL_EPSILON);
            mechanical_velocity(s.system, e->t, e->y, e->y + 2, &c);
            ck_assert_double_le(fabs(c), 32 * DBL_EPSILON);
        }
        compare(&s, &zoo_pendulum, error[run_of]);
        motion_end(&s);
    }
    for (int c = 0; c < CLASSES; c++) {
        double slope = log2(error[0][c] / error[1][c]);
        ck_assert_msg(slope > 1.8 && slope < 2.3, "%c: %.3f", "qvl"[c], slope);
    }
}
END_TEST

/* --- multipliers of index 3 --- */

/* At rest below the joint, with a velocity off the constraint by `off`: what is then left of the
 * multiplier after each step, n of them. */
static void disturb(const char *name, double h, double off, int n, double *left)
{
    motion s;
    const double q[] = {0, -1}, v[] = {0, 0};
    engine *e = motion_engine(&s, &zoo_pendulum.form, name, 3, (engine_options){.fixed_step = h});
    ck_assert_ptr_nonnull(e);
    motion_start(&s, 0, q, v);
    double rest = e->y[4], y[5], yp[5];
    memcpy(y, e->y, sizeof y);
    memcpy(yp, e->yp, sizeof yp);
    y[3] = yp[1] = off;
    engine_start(e, 0, y, yp);
    for (int k = 0; k < n; k++) {
        ck_assert_int_eq(engine_step(e, HUGE_VAL), DAE_OK);
        left[k] = e->y[4] - rest;
    }
    motion_end(&s);
}

/* h v_(n) + h^2 ((1/2 - beta) a_n + beta a_(n+1)) = 0: for Fox-Goodwin's numbers r^2 + 10 r + 1 =
 * 0, r = -5 - 2 sqrt(6); for the trapezoid (r + 1)^2 = 0, and the error is (-1)^n 4 n off / h of 2
 * lambda y. */
START_TEST(index_3_multiplies_errors_of_multipliers)
{
    enum { COUNT = 8 };
    double left[COUNT];
    disturb("fox-goodwin", 0.01, 1e-9, COUNT, left);
    for (int k = 3; k < COUNT; k++)
        ck_assert_double_eq_tol(left[k] / left[k - 1], -5 - 2 * sqrt(6), 5e-4);
    disturb("newmark", 0.01, 1e-7, COUNT, left);
    for (int k = 0; k < COUNT; k++)
        ck_assert_double_eq_tol(left[k] / ((k % 2 ? -1 : 1) * 2 * (k + 1) * 1e-7 / 0.01), 1, 1e-4);
    disturb("generalized-alpha:rho_inf=0.5", 0.01, 1e-7, COUNT, left);
    ck_assert_double_lt(fabs(left[COUNT - 1]), 0.2 * fabs(left[1]));
}
END_TEST

/* Classical Fox-Goodwin on index 3 fails whatever the step: within so many steps that round-off has
 * grown by 1e16. */
START_TEST(fox_goodwin_fails_on_index_3_at_every_step)
{
    static const double h[] = {0.1, 0.01, 0.001, 0.6};
    for (size_t k = 0; k < sizeof h / sizeof *h; k++) {
        motion s;
        dae_status status = DAE_OK;
        engine_options options = {.fixed_step = h[k]};
        engine *e = motion_begin(&s, &zoo_pendulum_torque, "fox-goodwin", 3, options);
        ck_assert_ptr_nonnull(strstr(text_string(&s.said.notes), "9.899"));
        int steps = 0;
        double most = 0;
        for (; steps < 40 && status == DAE_OK && most < 1e3; steps++) {
            status = engine_step(e, HUGE_VAL);
            most = fmax(fabs(e->y[6]), fabs(e->y[7]));
        }
        ck_assert_msg(steps < 40, "h = %g", h[k]);
        motion_end(&s);
    }
}
END_TEST

/* The sets of numbers of the tangent-space paper (2023), Sec. 6, on a stiff double pendulum that
 * ends at rest: the multiplier of the vertical force at its pin is then the weight of both bars.
 * Errors of the first steps, which do not resolve the transient, fall by the square root of
 * (1/2 - gamma + beta) / beta a step: hardly, by 0.37 in 5 s, and at once. */
START_TEST(sets_of_numbers_of_newmark)
{
    static const struct {
        const char *name;
        double least, most;
    } set[] = {{"newmark:alpha=0.5000005,beta=0.2500006", 1e5, HUGE_VAL},
               {"newmark:alpha=0.5001,beta=0.2507", 1e2, 3e4},
               {"newmark:alpha=0.75,beta=0.390625", 0, 1e-3}};
    for (size_t k = 0; k < sizeof set / sizeof *set; k++) {
        motion s;
        engine_options options = {.fixed_step = 1e-3};
        engine *e = motion_begin(&s, &zoo_double_pendulum, set[k].name, 3, options);
        double off = 0;
        while (e->t < 5) {
            ck_assert_int_eq(engine_step(e, 5), DAE_OK);
            if (e->t > 4) off = fmax(off, fabs(e->y[13] - 3.3 * 9.81));
        }
        ck_assert_msg(off >= set[k].least && off <= set[k].most, "%s: %g", set[k].name, off);
        ck_assert_double_eq_tol(e->y[1], -0.5, 1e-6); /* positions are right all the same */
        motion_end(&s);
    }
}
END_TEST

/* --- adaptive steps --- */

START_TEST(errors_follow_the_tolerance)
{
    static const char *const name[] = {"generalized-alpha:rho_inf=0.5", "hht", "newmark"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
        for (int level = 0; level <= 3; level++) {
            if (level == 3 && k == 2) continue; /* its multipliers do not converge */
            double error[2][CLASSES];
            for (int i = 0; i < 2; i++) {
                motion s;
                double rtol = i ? 1e-5 : 1e-3;
                engine_options options = {.rtol = rtol, .atol = rtol};
                engine *e = motion_begin(&s, &zoo_pendulum, name[k], level, options);
                while (e->t < 2) ck_assert_int_eq(engine_step(e, 2), DAE_OK);
                compare(&s, &zoo_pendulum, error[i]);
                ck_assert_double_le(error[i][0], 100 * rtol);
                ck_assert_double_le(error[i][1], 100 * rtol);
                motion_end(&s);
            }
            ck_assert_msg(error[0][0] / error[1][0] > 5, "%s, level %d: %g, %g", name[k], level,
                          error[0][0], error[1][0]);
        }
}
END_TEST

/* Steps that change do not disturb the multipliers of a method that damps them. */
/* The largest errors of the last fifth of steps about 1/n long, ten of them and then ten that are
 * longer by one part in 20, to t = 1. */
static void run_with_changes(const char *name, int n, double *error)
{
    motion s;
    engine *e = motion_begin(&s, &zoo_pendulum, name, 3, (engine_options){.fixed_step = 1});
    error[0] = error[1] = error[2] = 0;
    for (int k = 0; e->t < 1 - 2.0 / n; k++) {
        double now[CLASSES], end = e->t + (k / 10 % 2 ? 1.05 : 1.0) / n;
        ck_assert_int_eq(engine_step(e, end), DAE_OK);
        compare(&s, &zoo_pendulum, now);
        for (int c = 0; c < CLASSES && e->t > 0.8; c++) error[c] = fmax(error[c], now[c]);
    }
    motion_end(&s);
}

/* Of order 2, and not of 1, as they were without structural_finish_velocities(). */
START_TEST(multipliers_with_steps_that_change)
{
    static const char *const name[] = {"generalized-alpha", "generalized-alpha:rho_inf=0.5", "hht"};
    for (int k = 0; k < 3; k++) {
        double coarse[CLASSES], fine[CLASSES];
        run_with_changes(name[k], 400, coarse);
        run_with_changes(name[k], 1600, fine);
        for (int c = 0; c < CLASSES; c++) {
            double slope = log2(coarse[c] / fine[c]) / 2;
            ck_assert_msg(slope > 1.8 && slope < 2.2, "%s: %c %.3f", name[k], "qvl"[c], slope);
        }
    }
}
END_TEST

START_TEST(backwards)
{
    motion s;
    engine_options options = {.fixed_step = 0.005, .direction = -1};
    engine *e = motion_engine(&s, &zoo_pendulum.form, "generalized-alpha:rho_inf=0.5", 3, options);
    zoo_motion exact;
    double error[CLASSES];
    zoo_pendulum.exact(1, &exact);
    e->options.direction = -1;
    motion_start(&s, 1, exact.q, exact.v);
    while (e->t > 0.5) ck_assert_int_eq(engine_step(e, 0.5), DAE_OK);
    compare(&s, &zoo_pendulum, error);
    ck_assert_double_le(error[0], 1e-3);
    motion_end(&s);
}
END_TEST

UNIT_MAIN("integrate/structural", 120, orders, orders_of_conditionally_stable_methods,
          nonholonomic_constraints, orders_within_steps, a_chain,
          the_constraints_of_the_level_are_met, projected_after_each_step,
          index_3_multiplies_errors_of_multipliers, fox_goodwin_fails_on_index_3_at_every_step,
          sets_of_numbers_of_newmark, errors_follow_the_tolerance,
          multipliers_with_steps_that_change, backwards)
