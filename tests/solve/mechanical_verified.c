/* Derivatives that a mechanical form gives and that are not those of its constraints: whichever
 * entry it is, the start refuses it by name; right ones are believed. */
#include "base/scatter.h"
#include "base/unit.h"
#include "problem/equations.h"
#include "zoo/mechanical.h"

#include <daedal/daedal.h>
#include <math.h>
#include <string.h>

/* What is made wrong in the form that is looked at: an entry of phi_q, in its author's layout, of
 * phi_t or of gamma is multiplied. */
typedef struct fault {
    const dae_mechanical_form *of;
    size_t entry;
    double factor, from; /* and the time from which on it is */
    bool was_zero;
} fault;

static fault now;

/* Entries that are tiny at the start and near it are not found there. */
static void look(double t, double value)
{
    if (fabs(t) < 2e-3 && fabs(value) >= 1e-2) now.was_zero = false;
}

static int wrong_q(double t, const double *q, double *dq, void *user)
{
    int answer = now.of->constraint_q(t, q, dq, user);
    look(t, dq[now.entry]);
    if (t >= now.from) dq[now.entry] *= now.factor;
    return answer;
}

static int wrong_t(double t, const double *q, double *dt, void *user)
{
    int answer = now.of->constraint_t(t, q, dt, user);
    look(t, dt[now.entry]);
    if (t >= now.from) dt[now.entry] *= now.factor;
    return answer;
}

static int wrong_gamma(double t, const double *q, const double *v, double *gamma, void *user)
{
    int answer = now.of->gamma(t, q, v, gamma, user);
    look(t, gamma[now.entry]);
    if (t >= now.from) gamma[now.entry] *= now.factor;
    return answer;
}

/* A solver that was asked to start from the values known of the motion, its multipliers left open.
 */
static dae_solver *started(const zoo_mechanical *z, const dae_mechanical_form *form)
{
    double y[3 * ZOO_MECHANICAL_MOST];
    dae_problem *problem = dae_problem_mechanical(form);
    dae_solver *solver = dae_solver_create(problem, NULL);
    dae_problem_free(problem);
    for (size_t j = 0; j < 3 * ZOO_MECHANICAL_MOST; j++) y[j] = (double)NAN;
    z->start(y, y + form->nq);
    dae_solver_start(solver, 0, y);
    return solver;
}

/* The status of a start; `names` must be in the message of a refusal. */
static dae_status start(const zoo_mechanical *z, const dae_mechanical_form *form, const char *names)
{
    dae_solver *solver = started(z, form);
    dae_status status = dae_solver_status(solver);
    const char *said = dae_solver_message(solver);
    bool named = strstr(said, names) ||
                 strstr(said, "gamma is"); /* which sees small errors first */
    ck_assert_msg(status != DAE_USAGE || named, "%s, %s: %s", form->about.name, names, said);
    dae_solver_free(solver);
    return status;
}

/* The status of a run whose start is right. */
static dae_status run(const zoo_mechanical *z, const dae_mechanical_form *form)
{
    dae_solver *solver = started(z, form);
    ck_assert_msg(dae_solver_status(solver) == DAE_OK, "%s: %s", form->about.name,
                  dae_solver_message(solver));
    dae_status status = dae_solver_run(solver, z->stop);
    dae_solver_free(solver);
    return status;
}

typedef struct counts {
    int refused, missed;
} counts;

/* Each entry of one member, of another sign, half as large again, left out, and off by a per cent.
 */
static void spoil(const zoo_mechanical *z, const dae_mechanical_form *wrong, const char *member,
                  size_t entries, counts *c)
{
    static const double factors[] = {-1, 1.5, 0, 1.01};
    for (size_t k = 0; k < 4 * entries; k++) {
        if (entries > 60 && k % 7 != 0) continue;
        if (!is_sampled(member, k, 10)) continue;
        now = (fault){.of = &z->form, .entry = k % entries, .factor = factors[k / entries]};
        now.was_zero = true;
        bool refused = start(z, wrong, member) == DAE_USAGE;
        if (now.was_zero) continue;
        c->refused += refused;
        c->missed += !refused;
        ck_assert_msg(refused, "%s: entry %zu of %s times %g", z->form.about.name, now.entry,
                      member, now.factor);
    }
}

START_TEST(wrong_derivatives_are_refused)
{
    counts c = {0, 0};
    const zoo_mechanical *z;
    for (size_t i = 0; (z = zoo_mechanical_at(i)) != NULL; i++) {
        size_t rows = z->form.holonomic, columns = z->form.nq;
        dae_mechanical_form wrong = z->form;
        ck_assert_int_eq(start(z, &z->form, ""), DAE_OK);
        if (rows == 0) continue;
        wrong.constraint_q = wrong_q;
        spoil(z, &wrong, "constraint_q by",
              author_matrix_length(&z->form.constraint_pattern, rows, columns), &c);
        wrong = z->form;
        wrong.constraint_t = wrong_t;
        if (z->form.constraint_t) spoil(z, &wrong, "constraint_t", rows, &c);
        wrong = z->form;
        wrong.gamma = wrong_gamma;
        if (z->form.gamma) spoil(z, &wrong, "gamma", rows, &c);
        wrong = z->form;
        wrong.constraint_t = NULL;
        if (z->form.constraint_t) ck_assert_int_eq(start(z, &wrong, "constraint_t"), DAE_USAGE);
    }
    ck_assert_int_gt(c.refused, grid_of_run() == GRID_SANITIZED ? 20 : 200);
}
END_TEST

/* They are looked at where runs end as well. */
/* The tolerance says how small an error is found, also where steps are fixed. */
START_TEST(fixed_steps_hide_nothing)
{
    dae_mechanical_form wrong = zoo_pendulum.form;
    wrong.constraint_q = wrong_q;
    for (int k = 0; k < 8; k++) {
        double y[5] = {0.6, -0.8, 0, 0, (double)NAN};
        dae_options o = dae_options_default();
        bool fine = k % 2;
        o.rtol = o.atol = 1e-8;
        o.step = k & 4 ? 0.01 : 0;
        now = (fault){.of = &zoo_pendulum.form, .entry = (size_t)(k / 2 % 2)};
        now.factor = fine ? 1 : 1 + 1e-4;
        dae_problem *p = dae_problem_mechanical(&wrong);
        dae_solver *s = dae_solver_create(p, &o);
        dae_problem_free(p);
        ck_assert_msg(dae_solver_start(s, 0, y) == (fine ? DAE_OK : DAE_USAGE), "step %g: %s",
                      o.step, dae_solver_message(s));
        dae_solver_free(s);
    }
}
END_TEST

START_TEST(what_becomes_wrong_on_the_way_is_no_success)
{
    const zoo_mechanical *const systems[] = {&zoo_pendulum, &zoo_driven_pendulum,
                                             &zoo_double_pendulum, &zoo_mechanical_car_axis};
    for (size_t k = 0; k < 4; k++) {
        const zoo_mechanical *z = systems[k];
        dae_mechanical_form wrong = z->form;
        now = (fault){.of = &z->form, .entry = 0, .factor = 1.2, .from = z->stop / 4};
        wrong.constraint_q = wrong_q;
        ck_assert_msg(run(z, &wrong) != DAE_OK, "%s, constraint_q", z->form.about.name);
        wrong.constraint_q = z->form.constraint_q;
        ck_assert_msg(run(z, &wrong) == DAE_OK, "%s", z->form.about.name);
        if (!z->form.gamma) continue;
        wrong.gamma = wrong_gamma;
        ck_assert_msg(run(z, &wrong) != DAE_OK, "%s, gamma", z->form.about.name);
    }
}
END_TEST

/* A point on a rod whose length is driven, and which turns freely, in units of time and length. */
typedef struct rod {
    double time, length;            /* these units */
    double wrong_time, wrong_gamma; /* factors of phi_t and gamma */
} rod;

static double rod_length(const rod *r, double t)
{
    return r->length * (1.5 + 0.3 * sin(t / r->time));
}

static double rod_speed(const rod *r, double t)
{
    return r->length * 0.3 * cos(t / r->time) / r->time;
}

static double rod_acceleration(const rod *r, double t)
{
    return -r->length * 0.3 * sin(t / r->time) / r->time / r->time;
}

static int rod_force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = f[1] = 0;
    return 0;
}

static int rod_constraint(double t, const double *q, double *phi, void *user)
{
    double l = rod_length(user, t);
    phi[0] = q[0] * q[0] + q[1] * q[1] - l * l;
    return 0;
}

static int rod_constraint_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = 2 * q[0];
    dq[1] = 2 * q[1];
    return 0;
}

static int rod_constraint_t(double t, const double *q, double *dt, void *user)
{
    const rod *r = user;
    (void)q;
    dt[0] = -2 * r->wrong_time * rod_length(r, t) * rod_speed(r, t);
    return 0;
}

static int rod_gamma(double t, const double *q, const double *v, double *gamma, void *user)
{
    const rod *r = user;
    double l = rod_length(r, t), speed = rod_speed(r, t);
    (void)q;
    gamma[0] = 2 * r->wrong_gamma *
               (v[0] * v[0] + v[1] * v[1] - speed * speed - l * rod_acceleration(r, t));
    return 0;
}

/* From t = 0 on, at half as many turns as the length has; lambda at the end, which the angular
 * momentum tells. */
static double reaction_of(const rod *r, double t)
{
    double start = rod_length(r, 0), l = rod_length(r, t);
    double turn = 0.5 / r->time * start * start / (l * l);
    return (rod_acceleration(r, t) - l * turn * turn) / (2 * l);
}

/* The status of a run over three units of time; *reaction: lambda at its end. */
static dae_status run_rod(rod *r, bool with_gamma, bool with_sizes, double *reaction)
{
    const double speed = r->length / r->time,
                 nominal[] = {r->length, r->length, speed, speed, 1 / (r->time * r->time)};
    double least = fmin(fmin(nominal[0], nominal[2]), nominal[4]);
    const dae_mechanical_form form = {.nq = 2,
                                      .holonomic = 1,
                                      .force = rod_force,
                                      .constraint = rod_constraint,
                                      .constraint_q = rod_constraint_q,
                                      .constraint_t = rod_constraint_t,
                                      .gamma = with_gamma ? rod_gamma : NULL,
                                      .about = {.nominal = with_sizes ? nominal : NULL, .user = r}};
    dae_options o = dae_options_default();
    dae_problem *problem = dae_problem_mechanical(&form);
    o.atol = with_sizes ? 1e-6 : 1e-6 * least;
    dae_solver *solver = dae_solver_create(problem, &o);
    double l = rod_length(r, 0), y[] = {l, 0, rod_speed(r, 0), l * 0.5 / r->time, (double)NAN};
    dae_problem_free(problem);
    dae_status status = dae_solver_start(solver, 0, y);
    if (status == DAE_OK) status = dae_solver_run(solver, 3 * r->time);
    if (status == DAE_OK) status = dae_solver_at(solver, 3 * r->time, y, NULL);
    *reaction = y[4];
    dae_solver_free(solver);
    return status;
}

/* Differences are taken over times in which the constraints vary, be these nanoseconds or years. */
START_TEST(units_are_not_reported_from_derivatives)
{
    for (size_t k = 0; k < 40; k++) {
        rod r = {.time = pow(10, 9 * scattered(3 * k)),
                 .length = pow(10, 6 * scattered(3 * k + 1)),
                 .wrong_time = 1,
                 .wrong_gamma = 1};
        double reaction, known = reaction_of(&r, 3 * r.time);
        for (int form = 0; form < 2; form++) {
            ck_assert_msg(run_rod(&r, form, true, &reaction) == DAE_OK, "unit %g s, %g m", r.time,
                          r.length);
            ck_assert_msg(fabs(reaction - known) < 1e-4 * fabs(known), "unit %g s, %g m: %g for %g",
                          r.time, r.length, reaction, known);
        }
        r.wrong_time = 1.02;
        ck_assert_msg(run_rod(&r, false, k % 2, &reaction) == DAE_USAGE, "phi_t, unit %g s, %g m",
                      r.time, r.length);
        r.wrong_time = 1;
        r.wrong_gamma = 1.02;
        ck_assert_msg(run_rod(&r, true, k % 2, &reaction) == DAE_USAGE, "gamma, unit %g s, %g m",
                      r.time, r.length);
    }
}
END_TEST

UNIT_MAIN("derivatives of constraints", 60, wrong_derivatives_are_refused, fixed_steps_hide_nothing,
          what_becomes_wrong_on_the_way_is_no_success, units_are_not_reported_from_derivatives)
