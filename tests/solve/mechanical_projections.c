/* Projections of mechanical systems: what corrections with frozen factors leave, over the length of
 * constant steps. */
#include "base/unit.h"
#include "solve/mechanical_course.h"
#include "solve/solver.h"
#include "zoo/mechanical.h"

#include <daedal/daedal.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 3 * ZOO_MECHANICAL_MOST, REFINEMENTS = 12, FEWEST = 6 };

static const double ROUND_OFF = 3e-14, LARGEST = 1e-2;

static int ignore(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

/* A solver that has come to t, having looked at the last point alone. */
static dae_solver *moved(const zoo_mechanical *z, const dae_options *o, double t)
{
    const dae_times end = {.count = 1, .first = t, .last = t};
    double start[MOST];
    for (int j = 0; j < MOST; j++) start[j] = (double)NAN;
    dae_problem *p = dae_problem_mechanical(&z->form);
    dae_solver *s = dae_solver_create(p, o);
    dae_problem_free(p);
    z->start(start, start + z->form.nq);
    ck_assert_msg(dae_solver_start(s, 0, start) == DAE_OK, "%s", dae_solver_message(s));
    dae_solver_output(s, &end, ignore, NULL);
    ck_assert_msg(dae_solver_run(s, t) == DAE_OK, "%s", dae_solver_message(s));
    return s;
}

static dae_options with(const char *name, const char *way, double step)
{
    dae_options o = dae_options_default();
    o.method = name;
    o.formulation = "elimination";
    o.projection = way;
    o.step = step;
    return o;
}

typedef struct sample {
    int count;
    double h[REFINEMENTS], size[REFINEMENTS];
} sample;

/* Of the straight line through the logarithms. */
static double slope_of(const sample *s)
{
    double x = 0, y = 0, xx = 0, xy = 0, n = s->count;
    for (int k = 0; k < s->count; k++) {
        x += s->h[k], y += s->size[k], xx += s->h[k] * s->h[k], xy += s->h[k] * s->size[k];
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

/* The largest |phi| and |phi_q v| at the ends of steps to t = 1. */
static void missed(const dae_options *o, double *worst)
{
    const zoo_mechanical *z = &zoo_pendulum;
    dae_solver *s = moved(z, o, 0);
    double y[MOST], phi, slope[2];
    worst[0] = worst[1] = 0;
    while (dae_solver_time(s) < 1) {
        ck_assert_msg(dae_solver_step(s, 1) == DAE_OK, "%s", dae_solver_message(s));
        ck_assert_int_eq(dae_solver_at(s, dae_solver_time(s), y, NULL), DAE_OK);
        z->form.constraint(0, y, &phi, NULL);
        z->form.constraint_q(0, y, slope, NULL);
        worst[0] = fmax(worst[0], fabs(phi));
        worst[1] = fmax(worst[1], fabs(slope[0] * y[2] + slope[1] * y[3]));
    }
    dae_solver_free(s);
}

/* A step of order p misses constraints by h^(p+1). With the factors of its end each correction
 * multiplies that by as much: positions by a simplified Newton's iteration, and velocities, which
 * are linear, by the change of their gradients, which is that of the positions. */
START_TEST(what_corrections_leave)
{
    static const struct {
        const char *name, *way;
        int expected;
    } rows[] = {{"ralston2", "post", 6}, {"ralston2", "post2", 9}, {"kutta3", "post", 8}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        sample found[2] = {{0}, {0}};
        for (int k = 0; k < REFINEMENTS; k++) {
            double worst[2];
            dae_options o = with(rows[r].name, rows[r].way, 1 / rint(10 * pow(2, k / 4.)));
            missed(&o, worst);
            for (int level = 0; level < 2; level++) {
                if (!(worst[level] > ROUND_OFF && worst[level] < LARGEST)) continue;
                found[level].h[found[level].count] = log(o.step);
                found[level].size[found[level].count++] = log(worst[level]);
            }
        }
        for (int level = 0; level < 2; level++) {
            double slope = slope_of(&found[level]);
            ck_assert_msg(fabs(slope - rows[r].expected) < 0.4 && found[level].count >= FEWEST,
                          "%s, %s: %g of %d on level %d, not %d", rows[r].name, rows[r].way, slope,
                          found[level].count, level, rows[r].expected);
        }
    }
}
END_TEST

/* A constraint on velocities alone is linear in them. */
START_TEST(one_correction_of_nonholonomic_constraints)
{
    static const zoo_mechanical *const systems[] = {&zoo_skate, &zoo_rolling_disc};
    static const char *const ways[] = {"none", "post"};
    for (int k = 0; k < 4; k++) {
        dae_options o = with("kutta3", ways[k % 2], 0.125);
        dae_solver *s = moved(systems[k / 2], &o, 1);
        const dae_stats *stats = dae_solver_stats(s);
        ck_assert_uint_eq(stats->constraint_levels, 2);
        if (k % 2)
            ck_assert_double_lt(stats->max_constraint[0], 4 * DBL_EPSILON);
        else
            ck_assert_double_gt(stats->max_constraint[0], 1e-9);
        dae_solver_free(s);
    }
}
END_TEST

/* One a step, for both corrections, for accelerations and for the output; these are met to
 * round-off. */
START_TEST(factors_stay)
{
    static const zoo_mechanical *const systems[] = {&zoo_pendulum, &zoo_andrews, &zoo_top,
                                                    &zoo_mechanical_car_axis};
    enum { STEPS = 40 };
    for (int k = 0; k < 4; k++) {
        dae_options o = with("rk4", "post2", systems[k]->stop / 4 / STEPS / 10);
        dae_solver *s = moved(systems[k], &o, 0);
        const mechanical *m = ((mechanical_course *)s->course)->system;
        size_t before = m->factorizations;
        const dae_times times = {.count = STEPS / 2 + 1, .first = 0, .last = STEPS * o.step};
        dae_solver_output(s, &times, ignore, NULL);
        ck_assert_msg(dae_solver_run(s, STEPS * o.step) == DAE_OK, "%s", dae_solver_message(s));
        const dae_stats *stats = dae_solver_stats(s);
        ck_assert_uint_ge(stats->steps, STEPS);
        ck_assert_uint_le(m->factorizations - before, stats->steps + STEPS / 2);
        ck_assert_double_lt(stats->max_constraint[2], 1e-13);
        ck_assert_double_lt(stats->max_residual, 1e-13);
        dae_solver_free(s);
    }
}
END_TEST

UNIT_MAIN("solve/mechanical_projections", 60, what_corrections_leave,
          one_correction_of_nonholonomic_constraints, factors_stay)
