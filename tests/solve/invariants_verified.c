/* What an author says to be an invariant and is none, or whose gradient he gives wrong, would draw
 * the solution away: it is refused with its number and both values; right ones are believed, in
 * whatever units and however late. */
#include "base/scatter.h"
#include "base/unit.h"
#include "solve/pendulum.h"
#include "zoo/mechanical.h"

#include <daedal/daedal.h>
#include <math.h>
#include <string.h>

/* x' = v, v' = -x + u(t): an oscillator in units of time and length that a force u = a cos 2t
 * moves, whose particular solution is p = -a/3 cos 2t. Around that the energy is kept, and with u =
 * 0 the energy itself. */
typedef struct oscillator {
    double time, length, force;
    bool shifted;            /* p is subtracted, as is right */
    double skew, drift;      /* factor of x^2 less 1; a rate */
    double by_x, by_v, turn; /* factors of the gradient less 1; its entries are exchanged */
} oscillator;

static double phase(const oscillator *o, double t)
{
    return t / o->time;
}

static double particular(const oscillator *o, double t)
{
    return o->shifted ? -o->force * o->length / 3 * cos(2 * phase(o, t)) : 0;
}

static double particular_speed(const oscillator *o, double t)
{
    return o->shifted ? 2 * o->force * o->length / 3 / o->time * sin(2 * phase(o, t)) : 0;
}

static int motion(double t, const double *y, double *f, void *user)
{
    const oscillator *o = user;
    double rate = 1 / o->time;
    f[0] = y[1];
    f[1] = rate * rate * (-y[0] + o->force * o->length * cos(2 * phase(o, t)));
    return 0;
}

static int energy(double t, const double *y, double *c, void *user)
{
    const oscillator *o = user;
    double x = y[0] - particular(o, t), v = (y[1] - particular_speed(o, t)) * o->time;
    c[0] = 0.5 * (v * v + (1 + o->skew) * x * x) + o->drift * o->length * o->length * phase(o, t);
    return 0;
}

static int energy_by_y(double t, const double *y, double *dy, void *user)
{
    const oscillator *o = user;
    double x = y[0] - particular(o, t), v = (y[1] - particular_speed(o, t)) * o->time;
    dy[0] = (1 + o->by_x) * x;
    dy[1] = (1 + o->by_v) * v * o->time;
    if (o->turn != 0) {
        double first = dy[0];
        dy[0] = dy[1], dy[1] = first;
    }
    return 0;
}

typedef struct setting {
    const char *projection, *method;
    bool with_gradient, with_sizes;
    double t; /* of the start */
} setting;

static const setting USUAL = {"coordinate", "auto", true, true, 0};

/* Created, with at most so many steps. */
static dae_solver *solver_of(oscillator *o, const setting *s, size_t steps)
{
    const double nominal[] = {o->length, o->length / o->time};
    const dae_invariant_form form = {
        .n = 2,
        .f = motion,
        .invariants = 1,
        .c = energy,
        .c_y = s->with_gradient ? energy_by_y : NULL,
        .about = {.nominal = s->with_sizes ? nominal : NULL, .user = o}};
    dae_options options = dae_options_default();
    options.projection = s->projection;
    options.method = s->method;
    options.max_steps = steps;
    if (!s->with_sizes) options.atol = 1e-6 * fmin(nominal[0], nominal[1]);
    dae_problem *problem = dae_problem_invariant(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    return solver;
}

/* A run over five units of time from x = 1, v = 0, both relative to p. */
static dae_status go(dae_solver *solver, const oscillator *o, double t)
{
    const double y[] = {o->length + particular(o, t), particular_speed(o, t)};
    dae_status status = dae_solver_start(solver, t, y);
    return status == DAE_OK ? dae_solver_run(solver, t + 5 * o->time) : status;
}

/* Its status; `names` must be in the message of a refusal. */
static dae_status run(oscillator *o, const setting *s, const char *names)
{
    dae_solver *solver = solver_of(o, s, dae_options_default().max_steps);
    dae_status status = go(solver, o, s->t);
    const char *said = dae_solver_message(solver);
    ck_assert_msg(status == DAE_OK || status == DAE_USAGE, "%s, %s, t = %g: %s", s->projection,
                  s->method, s->t, said);
    ck_assert_msg(status == DAE_OK || strstr(said, names), "no \"%s\" in: %s", names, said);
    dae_solver_free(solver);
    return status;
}

START_TEST(what_is_none_is_refused)
{
    static const char *const projections[] = {"coordinate", "post",     "post2",
                                              "derivative", "embedded", "least-squares"};
    static const char *const methods[] = {"auto", "dopri5", "radau-iia3", "bdf"};
    oscillator wrong[] = {
        {.skew = 0.01}, {.drift = 1e-3}, {.skew = -1}, {.force = 0.1}, {.skew = 1e-4}};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        wrong[w].time = wrong[w].length = 1;
        for (size_t k = 0; k < 6 * 4; k++) {
            setting s = USUAL;
            s.projection = projections[k / 4];
            s.method = methods[k % 4];
            s.with_gradient = wrong[w].skew == 0;
            ck_assert_msg(run(&wrong[w], &s, "invariant 1 (c) changes along") == DAE_USAGE,
                          "%zu, %s, %s", w, s.projection, s.method);
        }
        setting none = USUAL;
        none.projection = "none"; /* nothing is drawn anywhere */
        ck_assert_int_eq(run(&wrong[w], &none, ""), DAE_OK);
    }
}
END_TEST

START_TEST(wrong_gradients_are_refused)
{
    oscillator wrong[] = {{.by_x = -2}, {.by_x = 0.3}, {.by_v = -1}, {.turn = 1}, {.by_v = 1e-3}};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        wrong[w].time = wrong[w].length = 1;
        ck_assert_int_eq(run(&wrong[w], &USUAL, "c_y by y"), DAE_USAGE);
    }
}
END_TEST

/* Where a run ends for another reason, that alone is told. */
START_TEST(right_ones_are_not_spoken_of)
{
    oscillator right = {.time = 1, .length = 1};
    dae_solver *solver = solver_of(&right, &USUAL, 2);
    ck_assert_int_eq(go(solver, &right, 0), DAE_TOO_MANY_STEPS);
    const char *said = dae_solver_message(solver);
    ck_assert_msg(strstr(said, "steps") && !strstr(said, "invariant"), "%s", said);
    dae_solver_free(solver);
}
END_TEST

/* Nanoseconds and years, micrometres and thousands of kilometres, late starts. */
START_TEST(right_ones_are_believed)
{
    static const char *const projections[] = {"coordinate", "post2", "derivative", "embedded"};
    for (size_t k = 0; k < 80; k++) {
        oscillator o = {.time = pow(10, 9 * scattered(3 * k)),
                        .length = pow(10, 6 * scattered(3 * k + 1)),
                        .force = 0.3 * (double)(k % 3),
                        .shifted = true};
        setting s = USUAL;
        s.projection = projections[k % 4];
        s.with_gradient = k % 2;
        s.with_sizes = k % 5;
        if (k % 7 > 3) s.t = o.time * pow(10, 9 * fabs(scattered(k)));
        ck_assert_msg(run(&o, &s, "\n") == DAE_OK, "unit %g s, %g m, t = %g", o.time, o.length,
                      s.t);
        if (!s.with_sizes) continue;
        o.skew = 0.01;
        s.with_gradient = false;
        ck_assert_msg(run(&o, &s, "changes along") == DAE_USAGE, "skew, unit %g s, %g m, t = %g",
                      o.time, o.length, s.t);
    }
}
END_TEST

/* A length and its rate, where the other is met: of a pendulum whose reaction is known, the second
 * derivative of the length vanishes anywhere, the first where the rate does. */
static int swing(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    double l2 = y[0] * y[0] + y[1] * y[1];
    double reaction = (y[2] * y[2] + y[3] * y[3] - 9.81 * y[1]) / l2;
    f[0] = y[2], f[1] = y[3];
    f[2] = -reaction * y[0], f[3] = -reaction * y[1] - 9.81;
    return 0;
}

static int length_and_rate(double t, const double *y, double *c, void *user)
{
    (void)t, (void)user;
    c[0] = y[0] * y[0] + y[1] * y[1];
    c[1] = y[0] * y[2] + y[1] * y[3];
    return 0;
}

START_TEST(some_hold_where_others_do)
{
    static const char *const projections[] = {"coordinate", "post2", "derivative", "embedded"};
    for (size_t k = 0; k < 4; k++) {
        const dae_invariant_form form = {.n = 4, .f = swing, .invariants = 2, .c = length_and_rate};
        const double start[] = {1, 0, 0, 1};
        dae_options options = dae_options_default();
        options.projection = projections[k];
        dae_problem *problem = dae_problem_invariant(&form);
        dae_solver *solver = dae_solver_create(problem, &options);
        dae_problem_free(problem);
        dae_solver_start(solver, 0, start);
        dae_solver_run(solver, 2);
        ck_assert_msg(dae_solver_status(solver) == DAE_OK, "%s: %s", projections[k],
                      dae_solver_message(solver));
        dae_solver_free(solver);
    }
}
END_TEST

/* Of mechanical systems: the energy of a pendulum, and what is none. */
typedef struct saying {
    double potential, drift, by_x, gradient;
} saying;

static saying said;

static int pendulum_energy(double t, const double *q, const double *v, double *c, void *user)
{
    (void)user;
    c[0] = 0.5 * (v[0] * v[0] + v[1] * v[1]) + said.potential * 9.81 * q[1] + said.drift * t +
           said.by_x * q[0];
    return 0;
}

static int pendulum_gradient(double t, const double *q, const double *v, double *dq, double *dv,
                             void *user)
{
    (void)t, (void)q, (void)user;
    dq[0] = said.by_x, dq[1] = said.gradient * said.potential * 9.81;
    dv[0] = v[0], dv[1] = v[1];
    return 0;
}

START_TEST(invariants_of_mechanical_systems)
{
    static const saying sayings[] = {{.potential = 1, .gradient = 1},
                                     {.potential = 0, .gradient = 1},
                                     {.potential = 1.001, .gradient = 1},
                                     {.potential = 1, .drift = 0.05, .gradient = 1},
                                     {.potential = 1, .by_x = 0.02, .gradient = 1},
                                     {.potential = 1, .gradient = 1.2}};
    for (size_t k = 0; k < 6 * 2; k++) {
        const dae_mechanical_form form = {
            .nq = 2,
            .holonomic = 1,
            .force = weight,
            .constraint = rod,
            .constraint_q = rod_q,
            .invariants = 1,
            .invariant = pendulum_energy,
            .invariant_gradient = k % 2 || k / 2 == 5 ? pendulum_gradient : NULL};
        const double start[] = {1, 0, 0, 0, (double)NAN};
        said = sayings[k / 2];
        dae_problem *problem = dae_problem_mechanical(&form);
        dae_solver *solver = dae_solver_create(problem, NULL);
        dae_problem_free(problem);
        dae_status status = dae_solver_start(solver, 0, start);
        if (status == DAE_OK) status = dae_solver_run(solver, 3);
        const char *words = dae_solver_message(solver);
        ck_assert_msg(status == (k / 2 == 0 ? DAE_OK : DAE_USAGE), "%zu: %s", k, words);
        const char *named = k / 2 == 5 ? "invariant_gradient by"
                                       : "invariant 1 (invariant) changes along";
        ck_assert_msg(status == DAE_OK || strstr(words, named), "%zu: %s", k, words);
        dae_solver_free(solver);
    }
}
END_TEST

UNIT_MAIN("invariants", 60, what_is_none_is_refused, wrong_gradients_are_refused,
          right_ones_are_not_spoken_of, right_ones_are_believed, some_hold_where_others_do,
          invariants_of_mechanical_systems)
