/* Baumgarte's frequency where the formulation finds it: it is a multiple of the rate of the motion
 * and bounded by what the step bears, so that methods keep their orders and constraints do not
 * drift.
 */
#include "base/unit.h"
#include "zoo/move.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CLASSES = 3, RUNS = 4 };

/* Slopes of errors in q, v and lambda over constant steps, each half the one before. `omega`: NULL,
 * or what it is times the step. */
static void slopes(const zoo_mechanical *z, const char *name, int steps, const double *omega,
                   double slope[CLASSES])
{
    double error[CLASSES][RUNS];
    for (int k = 0; k < RUNS; k++) {
        char formulation[80] = "baumgarte";
        zoo_moved found;
        dae_options o = dae_options_default();
        o.method = name;
        o.step = zoo_known_time(z, 0, 1) / (steps << k);
        if (omega) snprintf(formulation, sizeof formulation, "baumgarte:omega=%g", *omega / o.step);
        o.formulation = formulation;
        zoo_move(z, &o, 0, 1, &found);
        ck_assert_msg(found.status == DAE_OK, "%s: %s", name, found.message);
        error[0][k] = found.q, error[1][k] = found.v, error[2][k] = found.lambda;
    }
    for (int c = 0; c < CLASSES; c++)
        slope[c] = log2(error[c][0] / error[c][RUNS - 1]) / (RUNS - 1);
}

/* An omega of 1 / (2 h) is as stable, and takes from one-step methods what their stages lack. */
START_TEST(orders_are_kept)
{
    static const struct {
        const char *name;
        int order, steps;
        bool loses; /* where omega goes with 1 / h */
    } rows[] = {{"radau-iia3", 5, 40, true},
                {"bdf3", 3, 200, false},
                {"hem4", 4, 50, true},
                {"rodasp", 4, 50, true}};
    const double per_step = 0.5;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double slope[CLASSES];
        slopes(&zoo_pendulum, rows[k].name, rows[k].steps, NULL, slope);
        for (int c = 0; c < CLASSES; c++)
            ck_assert_msg(slope[c] > rows[k].order - 0.3, "%s: %c %.2f", rows[k].name, "qvl"[c],
                          slope[c]);
        slopes(&zoo_pendulum, rows[k].name, rows[k].steps, &per_step, slope);
        ck_assert_msg((slope[1] < rows[k].order - 0.9) == rows[k].loses, "%s by the step: v %.2f",
                      rows[k].name, slope[1]);
    }
}
END_TEST

static int no_force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = f[1] = 0;
    return 0;
}

static int circle(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    return 0;
}

static int circle_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = q[0], dq[1] = q[1];
    return 0;
}

static int ignore(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

/* A point that goes round at a rate, over five turns, to `last` and back where that is the first.
 */
static double found_omega(double rate, double step, double last)
{
    const dae_mechanical_form form = {
        .nq = 2, .holonomic = 1, .force = no_force, .constraint = circle, .constraint_q = circle_q};
    const double start[5] = {1, 0, 0, rate, (double)NAN};
    dae_options o = dae_options_default();
    o.method = "radau-iia3";
    o.formulation = "baumgarte:omega=auto";
    o.step = step;
    dae_problem *p = dae_problem_mechanical(&form);
    dae_solver *s = dae_solver_create(p, &o);
    dae_problem_free(p);
    ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_OK);
    ck_assert_msg(dae_solver_run(s, last) == DAE_OK, "%s", dae_solver_message(s));
    double omega = 0;
    const char *reported = strstr(dae_solver_stats(s)->reasons, "with omega = ");
    ck_assert_msg(reported && sscanf(reported, "with omega = %lf", &omega) == 1, "%s",
                  dae_solver_stats(s)->reasons);
    dae_solver_free(s);
    return omega;
}

/* v = 1, v' = rate v: four times the rate, half of what a step is at most, the other sign where the
 * run goes back. */
START_TEST(the_motion_decides)
{
    for (double rate = 1e-3; rate < 1e4; rate *= 10) {
        ck_assert_double_eq_tol(found_omega(rate, 0.05 / rate, 30 / rate) / rate, 4, 1e-2);
        ck_assert_double_eq_tol(found_omega(rate, 0.25 / rate, 30 / rate) / rate, 2, 1e-2);
        ck_assert_double_eq_tol(found_omega(rate, 0.05 / rate, -30 / rate) / rate, -4, 1e-2);
    }
    double adaptive = found_omega(1, 0, 30);
    ck_assert(adaptive > 1 && adaptive < 4.1);
}
END_TEST

/* How far positions are missed in five times the time, over what they are missed in one, which is
 * long enough for the worst of many steps. `direction`: -1 where the run goes back. */
static double growth(const char *by, const char *formulation, double direction)
{
    const double at[] = {20 * direction, 100 * direction};
    double missed[2];
    for (int k = 0; k < 2; k++) {
        const dae_times times = {
            .first = 0, .last = at[k], .count = (size_t)(10 * fabs(at[k])) + 1};
        double start[5] = {0, 0, 0, 0, (double)NAN};
        dae_options o = dae_options_default();
        o.method = by;
        o.formulation = formulation;
        o.projection = "none";
        zoo_pendulum.start(start, start + 2);
        dae_problem *p = dae_problem_mechanical(&zoo_pendulum.form);
        dae_solver *s = dae_solver_create(p, &o);
        dae_problem_free(p);
        ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_OK);
        dae_solver_output(s, &times, ignore, NULL);
        ck_assert_msg(dae_solver_run(s, at[k]) == DAE_OK, "%s", dae_solver_message(s));
        missed[k] = dae_solver_stats(s)->max_constraint[0];
        dae_solver_free(s);
    }
    return missed[1] / missed[0];
}

START_TEST(drift_is_bounded)
{
    static const char *const methods[] = {"bdf", "rodasp", "esdirk4", "hedop5"};
    for (int k = 0; k < 4; k++) {
        double bounded = growth(methods[k], "baumgarte", 1);
        double without = growth(methods[k], "index1", 1);
        ck_assert_msg(bounded < 3 && without > 5, "%s: %.3g, without it %.3g", methods[k], bounded,
                      without);
    }
}
END_TEST

START_TEST(nor_does_it_grow_where_a_run_goes_back)
{
    static const char *const given[] = {"baumgarte", "baumgarte:xi=1,omega=2",
                                        "baumgarte:omega=10"};
    for (int k = 0; k < 3; k++) {
        double bounded = growth("rodasp", given[k], -1);
        ck_assert_msg(bounded < 3, "%s: %.3g", given[k], bounded);
    }
}
END_TEST

UNIT_MAIN("solve/baumgarte", 120, orders_are_kept, the_motion_decides, drift_is_bounded,
          nor_does_it_grow_where_a_run_goes_back)
