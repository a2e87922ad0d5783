/* What an author's functions share is computed once at each point: configure() is called before
 * them, with their t and q, and not twice with the same ones. */
#include "base/unit.h"
#include "formulation/mechanical_formulation.h"
#include "zoo/mechanical.h"

#include <daedal/daedal.h>
#include <string.h>

/* A form of the zoo whose functions look at what was told. */
typedef struct looking {
    const dae_mechanical_form *of;
    bool known; /* a point was told since the library was called last */
    bool used;  /* ... and a function was called there */
    double t, q[ZOO_MECHANICAL_MOST];
    size_t points, calls;
    const char *wrong; /* what a function saw; NULL: nothing */
} looking;

static bool is_here(const looking *l, double t, const double *q)
{
    return l->known && l->t == t && memcmp(l->q, q, l->of->nq * sizeof *q) == 0;
}

static int configure(double t, const double *q, void *user)
{
    looking *l = user;
    if (is_here(l, t, q)) l->wrong = "a point was told twice";
    if (l->known && !l->used) l->wrong = "a point was told where nothing was called";
    l->known = true;
    l->used = false;
    l->t = t;
    memcpy(l->q, q, l->of->nq * sizeof *q);
    l->points++;
    return l->of->configure ? l->of->configure(t, q, l->of->about.user) : 0;
}

static void *look(double t, const double *q, void *user)
{
    looking *l = user;
    if (!is_here(l, t, q)) l->wrong = "a function was called where nothing was told";
    l->used = true;
    l->calls++;
    return l->of->about.user;
}

#define LOOK_AT(member)                                                     \
    static int member(double t, const double *q, double *value, void *user) \
    {                                                                       \
        void *own = look(t, q, user);                                       \
        return ((const looking *)user)->of->member(t, q, value, own);       \
    }
#define LOOK_AT_MOVING(member)                                                               \
    static int member(double t, const double *q, const double *v, double *value, void *user) \
    {                                                                                        \
        void *own = look(t, q, user);                                                        \
        return ((const looking *)user)->of->member(t, q, v, value, own);                     \
    }

LOOK_AT(kinematics)
LOOK_AT(mass)
LOOK_AT(constraint)
LOOK_AT(constraint_q)
LOOK_AT(constraint_t)
LOOK_AT(velocity_constraint)
LOOK_AT(velocity_right)
LOOK_AT_MOVING(force)
LOOK_AT_MOVING(force_q)
LOOK_AT_MOVING(force_v)
LOOK_AT_MOVING(gamma)

/* The same form with functions that look, as far as it has them. */
static dae_mechanical_form form_of(looking *l, const zoo_mechanical *z)
{
    dae_mechanical_form f = z->form;
    *l = (looking){.of = &z->form};
    f.configure = configure;
    f.about.user = l;
    f.force = force;
#define TAKE(member) \
    if (f.member) f.member = member
    TAKE(kinematics);
    TAKE(mass);
    TAKE(constraint);
    TAKE(constraint_q);
    TAKE(constraint_t);
    TAKE(velocity_constraint);
    TAKE(velocity_right);
    TAKE(force_q);
    TAKE(force_v);
    TAKE(gamma);
    return f;
}

/* The author has had the word between: what he keeps may be of any point. */
static dae_status between(looking *l, dae_status status)
{
    l->known = false;
    return status;
}

static int receive(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp;
    between(user, DAE_OK);
    return 0;
}

static int watch(double t, void *user)
{
    (void)t;
    between(user, DAE_OK);
    return 0;
}

typedef struct run {
    dae_solver *solver;
    size_t nq, n;
    double y[3 * ZOO_MECHANICAL_MOST];
} run;

static run begin(const zoo_mechanical *z, const dae_mechanical_form *f, looking *l,
                 const dae_options *o)
{
    dae_problem *p = dae_problem_mechanical(f);
    run r = {.solver = dae_solver_create(p, o), .nq = f->nq, .n = dae_problem_size(p)};
    dae_problem_free(p);
    z->start(r.y, r.y + f->nq);
    for (size_t j = f->nq + (f->nv ? f->nv : f->nq); j < r.n; j++) r.y[j] = (double)NAN;
    dae_solver_watch(r.solver, watch, l);
    dae_solver_watch_start(r.solver, watch, l);
    if (between(l, dae_solver_start(r.solver, 0, r.y)) != DAE_OK) return r;
    const dae_times times = {.first = 0, .last = z->stop, .count = 40};
    dae_solver_output(r.solver, &times, receive, l);
    return r;
}

/* A tenth of the interval, or fifty steps, with values on the way and at the end. */
static void check(const zoo_mechanical *z, const char *formulation, const char *by,
                  const char *projection)
{
    looking l;
    dae_mechanical_form f = form_of(&l, z);
    dae_options o = dae_options_default();
    o.formulation = formulation;
    o.method = by;
    o.projection = projection;
    o.rtol = o.atol = 1e-4;
    o.max_steps = 50;
    run r = begin(z, &f, &l, &o);
    if (between(&l, dae_solver_step(r.solver, 0.1 * z->stop)) == DAE_OK)
        between(&l, dae_solver_run(r.solver, 0.1 * z->stop));
    bool goes = dae_solver_status(r.solver) == DAE_OK;
    if (goes) between(&l, dae_solver_at(r.solver, dae_solver_time(r.solver), r.y, NULL));
    ck_assert_msg(!l.wrong, "%s, %s, %s, %s: %s", z->form.about.name, formulation, by, projection,
                  l.wrong);
    ck_assert_uint_gt(l.points, 0);
    ck_assert_uint_lt(l.points, l.calls);
    dae_solver_free(r.solver);
}

static const zoo_mechanical *const systems[] = {
    &zoo_andrews,      &zoo_mechanical_car_axis, &zoo_skate,   &zoo_top,
    &zoo_driven_crank, &zoo_double_pendulum,     &zoo_platform};

enum { SYSTEMS = sizeof systems / sizeof *systems };

START_TEST(each_formulation_reports_its_points)
{
    for (int k = 0; k < SYSTEMS; k++)
        for (size_t i = 0; mechanical_formulation_at(i); i++) {
            check(systems[k], mechanical_formulation_at(i)->name, "radau-iia3", "auto");
            if (mechanical_formulation_at(i)->holds_multipliers) continue;
            check(systems[k], mechanical_formulation_at(i)->name, "dop853", "auto");
        }
}
END_TEST

START_TEST(each_projection_reports_its_points)
{
    static const char *const ways[] = {"none", "coordinate", "mass", "derivative", "post", "post2"};
    for (int k = 0; k < SYSTEMS; k++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            check(systems[k], "elimination", "dopri5", ways[i]);
}
END_TEST

START_TEST(other_engines_report_their_points)
{
    static const char *const pairs[][2] = {
        {"index2", "hedop5"}, {"index1", "state-space-dopri5"}, {"index1", "rodasp"},
        {"ggl", "mebdf"},     {"index3", "generalized-alpha"},  {"tangent", "newmark"},
        {"auto", "auto"}};
    for (int k = 0; k < SYSTEMS; k++)
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            check(systems[k], pairs[i][0], pairs[i][1], "auto");
}
END_TEST

/* They share what `user` points to. */
START_TEST(solvers_of_one_problem_take_turns)
{
    looking l;
    dae_mechanical_form f = form_of(&l, &zoo_andrews);
    dae_options o = dae_options_default();
    run r[2];
    o.method = "dop853";
    r[0] = begin(&zoo_andrews, &f, &l, &o);
    r[1] = begin(&zoo_andrews, &f, &l, &o);
    for (int k = 0; k < 40; k++) {
        dae_solver *s = r[k % 2].solver;
        ck_assert_int_eq(between(&l, dae_solver_step(s, 0.03)), DAE_OK);
        double t = dae_solver_time(s);
        if (k % 4 < 2) ck_assert_int_eq(between(&l, dae_solver_at(s, t, r[0].y, NULL)), DAE_OK);
    }
    ck_assert_msg(!l.wrong, "%s", l.wrong);
    for (int k = 0; k < 2; k++) dae_solver_free(r[k].solver);
}
END_TEST

static int refuse(double t, const double *q, void *user)
{
    (void)q;
    return t > *(const double *)user ? -1 : 0;
}

static int fall(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = -9.81;
    return 0;
}

START_TEST(a_point_may_be_refused)
{
    double last = 0.5;
    const dae_mechanical_form f = {
        .nq = 1, .configure = refuse, .force = fall, .about.user = &last};
    dae_problem *p = dae_problem_mechanical(&f);
    dae_solver *s = dae_solver_create(p, NULL);
    dae_problem_free(p);
    ck_assert_int_eq(dae_solver_start(s, 0, (double[]){1, 0}), DAE_OK);
    ck_assert_int_eq(dae_solver_run(s, 1), DAE_STOPPED);
    const char *said = dae_solver_message(s);
    ck_assert_msg(strstr(said, "the callback configure asked to stop (it returned -1)"), "%s",
                  said);
    dae_solver_free(s);
}
END_TEST

UNIT_MAIN("what mechanical functions share", 240, each_formulation_reports_its_points,
          each_projection_reports_its_points, other_engines_report_their_points,
          solvers_of_one_problem_take_turns, a_point_may_be_refused)
