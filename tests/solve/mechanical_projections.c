/* Projections of mechanical systems: what corrections with frozen factors leave, over the length of
 * constant steps; invariants that are kept. */
#include "base/unit.h"
#include "solve/mechanical_simulation.h"
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
        const mechanical *m = ((mechanical_simulation *)s->simulation)->system;
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

/* --- invariants --- */

static int pendulum_energy(double t, const double *q, const double *v, double *c, void *user)
{
    (void)t, (void)user;
    c[0] = (v[0] * v[0] + v[1] * v[1]) / 2 + 9.81 * q[1];
    return 0;
}

static int pendulum_gradient(double t, const double *q, const double *v, double *dq, double *dv,
                             void *user)
{
    (void)t, (void)q, (void)user;
    dq[1] = 9.81;
    dv[0] = v[0], dv[1] = v[1];
    return 0;
}

/* Of the top: its energy, and twice that beside the spin about its axis, of which two are
 * independent. */
static int top_invariants(double t, const double *q, const double *v, double *c, void *user)
{
    (void)t, (void)user;
    c[0] = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + 2 * 9.81 * q[2];
    c[0] += (0.1 * v[3] * v[3] + 0.1 * v[4] * v[4] + 0.05 * v[5] * v[5]) / 2;
    c[1] = v[5];
    c[2] = 2 * c[0] + v[5];
    return 0;
}

typedef struct system {
    const zoo_mechanical *z;
    size_t invariants;
    int (*invariant)(double t, const double *q, const double *v, double *c, void *user);
    int (*gradient)(double t, const double *q, const double *v, double *dq, double *dv, void *user);
} system_of;

static const system_of kept_systems[] = {
    {&zoo_pendulum, 1, pendulum_energy, NULL},
    {&zoo_pendulum, 1, pendulum_energy, pendulum_gradient},
    {&zoo_top, 3, top_invariants, NULL},
};

static zoo_mechanical with_invariants(const system_of *k)
{
    zoo_mechanical z = *k->z;
    z.form.invariants = k->invariants;
    z.form.invariant = k->invariant;
    z.form.invariant_gradient = k->gradient;
    return z;
}

/* Over outputs the worst violation of invariants, and of the rest of what was met; the largest
 * errors of positions and velocities. At a single time they may be small by chance. */
typedef struct outcome {
    const zoo_mechanical *z;
    double invariants, constraints, q, v;
    size_t steps;
    bool reported;
} outcome;

static int compare(double t, const double *y, const double *yp, void *user)
{
    outcome *found = user;
    const dae_mechanical_form *form = &found->z->form;
    zoo_motion exact;
    (void)yp;
    found->z->exact(t, &exact);
    for (size_t j = 0; j < form->nq; j++) found->q = fmax(found->q, fabs(y[j] - exact.q[j]));
    for (size_t j = 0; j < (form->nv ? form->nv : form->nq); j++)
        found->v = fmax(found->v, fabs(y[form->nq + j] - exact.v[j]));
    return 0;
}

static outcome follow(const zoo_mechanical *z, const dae_options *o, double end)
{
    outcome found = {.z = z};
    const dae_times times = {.count = 101, .first = 0, .last = end};
    dae_solver *s = moved(z, o, 0);
    dae_solver_output(s, &times, compare, &found);
    ck_assert_msg(dae_solver_run(s, end) == DAE_OK, "%s", dae_solver_message(s));
    const dae_stats *stats = dae_solver_stats(s);
    ck_assert_uint_eq(stats->constraint_levels, 4);
    found.invariants = stats->max_constraint[3];
    for (int k = 0; k < 3; k++)
        found.constraints = fmax(found.constraints, stats->max_constraint[k]);
    found.steps = stats->steps;
    found.reported = strstr(stats->reasons, "no velocities nearby") != NULL;
    dae_solver_free(s);
    return found;
}

/* A swinging pendulum, which comes to rest at each turn, and a top with a quaternion. What `post`
 * leaves is the square of what a step misses, or of that after another correction. */
START_TEST(invariants_are_kept)
{
    static const struct {
        const char *way;
        double most;
    } ways[] = {{"auto", 1e-15},          {"coordinate", 1e-15}, {"mass", 1e-15}, {"fz", 1e-15},
                {"least-squares", 1e-15}, {"derivative", 1e-15}, {"post", 1e-10}, {"post2", 1e-15}};
    static const char *const methods[] = {"dopri5", "radau-iia3", "bdf"};
    for (size_t m = 0; m < 3; m++) {
        for (size_t k = 0; k < sizeof kept_systems / sizeof *kept_systems; k++) {
            const zoo_mechanical z = with_invariants(&kept_systems[k]);
            dae_options o = with(methods[m], "none", 0);
            o.rtol = o.atol = 1e-5;
            const outcome free = follow(&z, &o, z.stop);
            ck_assert_double_gt(free.invariants, 1e-9);
            for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
                o.projection = ways[w].way;
                const outcome f = follow(&z, &o, z.stop);
                ck_assert_msg(f.invariants < ways[w].most && f.constraints < 1e-11 && !f.reported,
                              "%s, %s, %zu: invariants %g, constraints %g", methods[m], ways[w].way,
                              k, f.invariants, f.constraints);
            }
            o.projection = "coordinate";
            const outcome f = follow(&z, &o, z.stop);
            ck_assert_msg(f.q < free.q && f.v < free.v && f.steps < 1.1 * (double)free.steps,
                          "%s, %zu: %g and %g in %zu steps, without projection %g and %g in %zu",
                          methods[m], k, f.q, f.v, f.steps, free.q, free.v, free.steps);
        }
    }
}
END_TEST

START_TEST(orders_are_kept)
{
    static const struct {
        const char *name, *way;
        int order;
    } rows[] = {{"rk4", "coordinate", 4},
                {"kutta3", "post", 3},
                {"bdf3", "mass", 3},
                {"gauss2", "post2", 4}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (size_t k = 0; k < sizeof kept_systems / sizeof *kept_systems; k++) {
            const zoo_mechanical z = with_invariants(&kept_systems[k]);
            static const double steps[] = {600, 2400};
            double q[2], v[2];
            for (int i = 0; i < 2; i++) {
                dae_options o = with(rows[r].name, rows[r].way, 1.5 / steps[i]);
                const outcome f = follow(&z, &o, 1.5);
                q[i] = f.q, v[i] = f.v;
            }
            double of_q = log2(q[0] / q[1]) / 2, of_v = log2(v[0] / v[1]) / 2;
            ck_assert_msg(of_q > rows[r].order - 0.3 && of_v > rows[r].order - 0.3,
                          "%s, %s, %zu: %.2f, %.2f", rows[r].name, rows[r].way, k, of_q, of_v);
        }
    }
}
END_TEST

/* At an equilibrium neither velocities nor positions change the energy: Euler's method has taken
 * some from a pendulum that hangs. What is said to be its energy is from 0.5 on none, nor is it
 * kept then. */
static const double ONSET = 0.5;

static int damped(double t, const double *q, const double *v, double *f, void *user)
{
    double damping = t > ONSET ? 1000 : 0;
    (void)q, (void)user;
    f[0] = -damping * v[0];
    f[1] = -9.81 - damping * v[1];
    return 0;
}

static int hangs(double t, const double *q, const double *v, double *c, void *user)
{
    (void)user;
    pendulum_energy(t, q, v, c, user);
    c[0] -= fmax(t - ONSET, 0);
    return 0;
}

START_TEST(what_cannot_be_kept_is_reported)
{
    zoo_mechanical z = zoo_pendulum;
    const double start[5] = {0, -1, 0, 0, (double)NAN};
    const dae_times times = {.count = 11, .first = 0, .last = 1};
    z.form.invariants = 1;
    z.form.invariant = hangs;
    z.form.force = damped;
    dae_options o = with("dopri5", "coordinate", 0.001);
    dae_problem *p = dae_problem_mechanical(&z.form);
    dae_solver *s = dae_solver_create(p, &o);
    dae_problem_free(p);
    ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_OK);
    dae_solver_output(s, &times, ignore, NULL);
    for (int k = 1; k <= 3; k++) /* of which the third end is not looked at */
        ck_assert_msg(dae_solver_run(s, k < 3 ? 0.2 * k : 1) == DAE_OK, "%s",
                      dae_solver_message(s));
    const dae_stats *stats = dae_solver_stats(s);
    ck_assert_ptr_nonnull(strstr(stats->reasons, "at t = 0.501, and wherever this happens again"));
    ck_assert_double_gt(stats->max_constraint[3], 0.01);
    ck_assert_double_lt(stats->max_constraint[0], 1e-15);
    for (int k = 4; k <= 8; k++) dae_solver_run(s, 1 + 0.01 * (k - 3)); /* the last of these is */
    ck_assert_int_eq(dae_solver_status(s), DAE_USAGE);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "invariant 1"));
    dae_solver_free(s);
}
END_TEST

static int broken(double t, const double *q, const double *v, double *c, void *user)
{
    pendulum_energy(t, q, v, c, user);
    if (t > 0.5) c[0] = (double)NAN;
    return 0;
}

static int refuses(double t, const double *q, const double *v, double *c, void *user)
{
    pendulum_energy(t, q, v, c, user);
    return t > 0.5 ? -3 : 0;
}

START_TEST(callbacks_that_fail_end_the_run)
{
    for (int k = 0; k < 2; k++) {
        zoo_mechanical z = zoo_pendulum;
        z.form.invariants = 1;
        z.form.invariant = k ? refuses : broken;
        dae_options o = with("dopri5", "coordinate", 0.01);
        dae_solver *s = moved(&z, &o, 0);
        const dae_times times = {.count = 11, .first = 0, .last = 1};
        dae_solver_output(s, &times, ignore, NULL);
        ck_assert_int_eq(dae_solver_run(s, 1), k ? DAE_STOPPED : DAE_NOT_EVALUABLE);
        ck_assert_msg(strstr(dae_solver_message(s), "invariant") != NULL, "%s",
                      dae_solver_message(s));
        dae_solver_free(s);
    }
}
END_TEST

UNIT_MAIN("solve/mechanical_projections", 60, what_corrections_leave,
          one_correction_of_nonholonomic_constraints, factors_stay, invariants_are_kept,
          orders_are_kept, what_cannot_be_kept_is_reported, callbacks_that_fail_end_the_run)
