/* A callback asks to stop: at whichever of its calls it does, the run ends with DAE_STOPPED and a
 * message that names it, and no callback is called again. Each form, with and without its optional
 * callbacks, under methods of each family. */
#include "base/unit.h"
#include "zoo/mechanical.h"

#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What all callbacks of a run share. */
typedef struct counter {
    const dae_mechanical_form *of; /* whose functions are called, of a mechanical system */
    long calls, stop_at;           /* the call that asks to stop; below 0: none */
    const char *asked;             /* which it was */
    long after;                    /* calls after that one */
} counter;

static int count(void *user, const char *name)
{
    counter *c = user;
    if (c->asked) c->after++;
    if (c->calls++ != c->stop_at) return 0;
    c->asked = name;
    return -1;
}

/* x' = z - x, 0 = z + z^3 - x - sin t: index 1. */
static double law(double t, double x, double z)
{
    return z + z * z * z - x - sin(t);
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    r[0] = yp[0] + y[0] - y[1];
    r[1] = law(t, y[0], y[1]);
    return count(user, "residual");
}

static int residual_jacobian(double t, const double *y, const double *yp, double *dy, double *dyp,
                             void *user)
{
    (void)t, (void)yp;
    dy[0] = 1, dy[1] = -1, dy[2] = -1, dy[3] = 1 + 3 * y[1] * y[1];
    dyp[0] = 1;
    return count(user, "jacobian");
}

static int residual_time(double t, const double *y, const double *yp, double *dt, void *user)
{
    (void)y, (void)yp;
    dt[0] = 0, dt[1] = -cos(t);
    return count(user, "time_derivative");
}

static int right_side(double t, const double *y, double *f, void *user)
{
    f[0] = y[1] - y[0];
    f[1] = law(t, y[0], y[1]);
    return count(user, "f");
}

static int right_side_by_y(double t, const double *y, double *dy, void *user)
{
    (void)t;
    dy[0] = -1, dy[1] = -1, dy[2] = 1, dy[3] = 1 + 3 * y[1] * y[1];
    return count(user, "f_y");
}

static int right_side_by_t(double t, const double *y, double *dt, void *user)
{
    (void)y;
    dt[0] = 0, dt[1] = -cos(t);
    return count(user, "f_t");
}

/* (1 + x^2) x' in place of x', which moves the solution alone. */
static int mass(double t, const double *y, double *m, void *user)
{
    (void)t;
    m[0] = 1 + y[0] * y[0];
    return count(user, "mass");
}

static int mass_by_y(double t, const double *y, const double *w, double *dy, void *user)
{
    (void)t;
    dy[0] = 2 * y[0] * w[0];
    return count(user, "mass_y");
}

static int semi_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t;
    f[0] = z[0] - x[0];
    return count(user, "f");
}

static int semi_g(double t, const double *x, const double *z, double *g, void *user)
{
    g[0] = law(t, x[0], z[0]);
    return count(user, "g");
}

static int semi_jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    (void)t, (void)x;
    j[0] = -1, j[1] = -1, j[2] = 1, j[3] = 1 + 3 * z[0] * z[0];
    return count(user, "jacobian");
}

static int semi_time(double t, const double *x, const double *z, double *dt, void *user)
{
    (void)x, (void)z;
    dt[0] = 0, dt[1] = -cos(t);
    return count(user, "time_derivative");
}

/* x1' = x2 z, x2' = 0, x1 = t: index 2. */
static int ramp_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t;
    f[0] = x[1] * z[0], f[1] = 0;
    return count(user, "f");
}

static int ramp_g(double t, const double *x, const double *z, double *g, void *user)
{
    (void)z;
    g[0] = x[0] - t;
    return count(user, "g");
}

static int source(double t, double *b, void *user)
{
    b[0] = 0, b[1] = -sin(t);
    return count(user, "b");
}

static int source_by_t(double t, double *dt, void *user)
{
    dt[0] = 0, dt[1] = -cos(t);
    return count(user, "b_t");
}

static int turning(double t, const double *y, double *f, void *user)
{
    (void)t;
    f[0] = -y[1], f[1] = y[0];
    return count(user, "f");
}

static int turning_by_y(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)y;
    dy[1] = 1, dy[2] = -1;
    return count(user, "f_y");
}

static int turning_by_t(double t, const double *y, double *dt, void *user)
{
    (void)t, (void)y;
    dt[0] = dt[1] = 0;
    return count(user, "f_t");
}

static int radius(double t, const double *y, double *c, void *user)
{
    (void)t;
    c[0] = y[0] * y[0] + y[1] * y[1];
    return count(user, "c");
}

static int radius_with_yp(double t, const double *y, const double *yp, double *c, void *user)
{
    (void)t, (void)y;
    c[0] = yp[0] * yp[0] + yp[1] * yp[1];
    return count(user, "c_with_yp");
}

static int radius_by_y(double t, const double *y, double *dy, void *user)
{
    (void)t;
    dy[0] = 2 * y[0], dy[1] = 2 * y[1];
    return count(user, "c_y");
}

static const double SINGULAR_MASS[4] = {1, 0, 0, 0};
static const double SLOPES[4] = {-1, -1, 1, 1};

/* The forms by a word, "bare" without what is optional. */
static dae_problem *problem_in(const char *form, counter *c)
{
    dae_about about = {.user = c};
    bool bare = strstr(form, "bare") != NULL;
    if (strstr(form, "residual"))
        return dae_problem_residual(
            &(dae_residual_form){.n = 2,
                                 .residual = residual,
                                 .jacobian = bare ? NULL : residual_jacobian,
                                 .time_derivative = bare ? NULL : residual_time,
                                 .about = about});
    if (strstr(form, "moving mass"))
        return dae_problem_mass(&(dae_mass_form){.n = 2,
                                                 .f = right_side,
                                                 .f_y = bare ? NULL : right_side_by_y,
                                                 .mass = mass,
                                                 .mass_y = bare ? NULL : mass_by_y,
                                                 .about = about});
    if (strstr(form, "mass"))
        return dae_problem_mass(&(dae_mass_form){.n = 2,
                                                 .f = right_side,
                                                 .f_y = bare ? NULL : right_side_by_y,
                                                 .f_t = bare ? NULL : right_side_by_t,
                                                 .constant_mass = SINGULAR_MASS,
                                                 .about = about});
    if (strstr(form, "ramp"))
        return dae_problem_semi_explicit(
            &(dae_semi_explicit_form){.nx = 2, .nz = 1, .f = ramp_f, .g = ramp_g, .about = about});
    if (strstr(form, "semi-explicit"))
        return dae_problem_semi_explicit(
            &(dae_semi_explicit_form){.nx = 1,
                                      .nz = 1,
                                      .f = semi_f,
                                      .g = semi_g,
                                      .jacobian = bare ? NULL : semi_jacobian,
                                      .time_derivative = bare ? NULL : semi_time,
                                      .about = about});
    if (strstr(form, "linear"))
        return dae_problem_linear(&(dae_linear_form){.n = 2,
                                                     .e = SINGULAR_MASS,
                                                     .a = SLOPES,
                                                     .b = source,
                                                     .b_t = bare ? NULL : source_by_t,
                                                     .about = about});
    bool held = strstr(form, "held") != NULL;
    return dae_problem_invariant(&(dae_invariant_form){.n = 2,
                                                       .f = turning,
                                                       .f_y = bare ? NULL : turning_by_y,
                                                       .f_t = bare ? NULL : turning_by_t,
                                                       .invariants = 1,
                                                       .c = held ? NULL : radius,
                                                       .c_with_yp = held ? radius_with_yp : NULL,
                                                       .c_y = bare || held ? NULL : radius_by_y,
                                                       .about = about});
}

static const double START[][3] = {{1, (double)NAN, 0}, {0, 1, (double)NAN}, {1, 0, 0}};

static const double *start_of(const char *form)
{
    return START[strstr(form, "ramp") ? 1 : strstr(form, "invariant") ? 2 : 0];
}

static int receive(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

typedef struct simulation_of_test {
    const char *form, *method, *formulation, *projection;
    double step;
    const zoo_mechanical *system; /* in place of a form */
} simulation_of_test;

static dae_status run_to_end(dae_solver *s, const double *start)
{
    const dae_times times = {.first = 0, .last = 0.05, .count = 4};
    double y[3 * ZOO_MECHANICAL_MOST];
    dae_status status = dae_solver_start(s, 0, start);
    dae_solver_output(s, &times, receive, NULL);
    if (status == DAE_OK) status = dae_solver_run(s, 0.05);
    if (status == DAE_OK) status = dae_solver_at(s, 0.04, y, NULL);
    return status;
}

static dae_solver *solver_for_simulation(const simulation_of_test *p, dae_problem *problem)
{
    dae_options o = dae_options_default();
    o.rtol = o.atol = 1e-4;
    o.step = p->step;
    o.keep_trajectory = true;
    if (p->method) o.method = p->method;
    if (p->formulation) o.formulation = p->formulation;
    if (p->projection) o.projection = p->projection;
    dae_solver *s = dae_solver_create(problem, &o);
    dae_problem_free(problem);
    return s;
}

/* A mechanical system of the zoo whose functions count. */
#define COUNT_AT(member)                                                    \
    static int member(double t, const double *q, double *value, void *user) \
    {                                                                       \
        counter *c = user;                                                  \
        c->of->member(t, q, value, c->of->about.user);                      \
        return count(c, #member);                                           \
    }
#define COUNT_MOVING(member)                                                                 \
    static int member(double t, const double *q, const double *v, double *value, void *user) \
    {                                                                                        \
        counter *c = user;                                                                   \
        c->of->member(t, q, v, value, c->of->about.user);                                    \
        return count(c, #member);                                                            \
    }
#define MEMBERS_AT(X)      \
    X(kinematics)          \
    X(constraint)          \
    X(constraint_q)        \
    X(constraint_t)        \
    X(velocity_constraint) \
    X(velocity_right)
#define MEMBERS_MOVING(X) \
    X(force)              \
    X(force_q)            \
    X(force_v)            \
    X(gamma)              \
    X(invariant)
MEMBERS_AT(COUNT_AT)
MEMBERS_MOVING(COUNT_MOVING)

static int mechanical_mass(double t, const double *q, double *m, void *user)
{
    counter *c = user;
    c->of->mass(t, q, m, c->of->about.user);
    return count(c, "mass");
}

static int configure(double t, const double *q, void *user)
{
    counter *c = user;
    if (c->of->configure) c->of->configure(t, q, c->of->about.user);
    return count(c, "configure");
}

static int invariant_gradient(double t, const double *q, const double *v, double *dq, double *dv,
                              void *user)
{
    counter *c = user;
    c->of->invariant_gradient(t, q, v, dq, dv, c->of->about.user);
    return count(c, "invariant_gradient");
}

static dae_problem *mechanical_with(counter *c, const zoo_mechanical *z)
{
    dae_mechanical_form f = z->form;
    c->of = &z->form;
#define TAKE(member) \
    if (f.member) f.member = member;
    MEMBERS_AT(TAKE)
    MEMBERS_MOVING(TAKE)
    TAKE(invariant_gradient)
    if (f.mass) f.mass = mechanical_mass;
    f.configure = configure;
    f.about.user = c;
    return dae_problem_mechanical(&f);
}

static dae_solver *begin(const simulation_of_test *p, counter *c, double *start)
{
    if (!p->system) {
        memcpy(start, start_of(p->form), 3 * sizeof *start);
        return solver_for_simulation(p, problem_in(p->form, c));
    }
    const dae_mechanical_form *f = &p->system->form;
    size_t nv = f->nv ? f->nv : f->nq, n = f->nq + nv + f->holonomic + f->nonholonomic;
    p->system->start(start, start + f->nq);
    for (size_t j = f->nq + nv; j < n; j++) start[j] = (double)NAN;
    return solver_for_simulation(p, mechanical_with(c, p->system));
}

/* Calls at which a run could be stopped, and at which one was. */
typedef struct tally {
    long calls, runs;
} tally;

/* The run with its stop at one of the calls; how many it makes in all. */
static long stop_once(const simulation_of_test *p, long stop_at)
{
    counter c = {.stop_at = stop_at};
    double start[3 * ZOO_MECHANICAL_MOST];
    dae_solver *s = begin(p, &c, start);
    dae_status status = run_to_end(s, start);
    const char *said = dae_solver_message(s);
    const char *word = p->system ? p->system->form.about.name : p->form;
    const char *method = p->method ? p->method : p->formulation ? p->formulation : "auto";
    if (stop_at < 0) {
        ck_assert_msg(status == DAE_OK, "%s by %s: %s", word, method, said);
    } else {
        ck_assert_msg(c.asked, "%s by %s has no call %ld", word, method, stop_at);
        ck_assert_msg(status == DAE_STOPPED && dae_solver_status(s) == DAE_STOPPED,
                      "%s by %s, call %ld, of %s: %s, %s", word, method, stop_at, c.asked,
                      dae_status_word(status), said);
        char asked[100];
        snprintf(asked, sizeof asked, "the callback %s asked to stop (it returned -1)", c.asked);
        ck_assert_msg(strstr(said, asked), "%s by %s, call %ld, of %s: %s", word, method, stop_at,
                      c.asked, said);
        ck_assert_msg(c.after == 0, "%s by %s, call %ld, of %s: %ld calls after it", word, method,
                      stop_at, c.asked, c.after);
        ck_assert_int_eq(dae_solver_run(s, 1), DAE_STOPPED);
    }
    dae_solver_free(s);
    return c.calls;
}

/* How many of the first calls, and of the rest. */
static const long EACH[] = {[GRID_FULL] = 150, [GRID_THINNED] = 20, [GRID_SANITIZED] = 5};
static const long OTHERS[] = {[GRID_FULL] = 150, [GRID_THINNED] = 60, [GRID_SANITIZED] = 15};

/* Each call where there are few, else the first ones and some of the rest. */
static void stops_in_grid(const simulation_of_test *p, unit_grid grid, tally *t)
{
    long calls = stop_once(p, -1), each = EACH[grid], others = OTHERS[grid];
    ck_assert_int_gt(calls, 3);
    long stride = calls > each + others ? (calls - each + others - 1) / others : 1;
    for (long k = 0; k < calls; k += k < each ? 1 : stride, t->runs++) stop_once(p, k);
    t->calls += calls;
}

static void report(const char *of, const tally *t)
{
    report_left_out(of, t->calls - t->runs, t->calls,
                    "calls between those at which a run is stopped, of the same functions");
}

static void stops_everywhere(simulation_of_test p)
{
    tally t = {0};
    stops_in_grid(&p, grid_of_run(), &t);
    report(p.system ? p.system->form.about.name : p.form, &t);
}

static const char *const IMPLICIT[] = {"auto", "radau5", "radau",  "gauss3", "kvaerno3", "rodas5p",
                                       "bdf",  "mebdf",  "rodas4", "sdirk4", "radau-ia2"};
static const char *const FIXED[] = {"bdf3",
                                    "adams-moulton3",
                                    "milne",
                                    "one-leg-two-step",
                                    "dcbdf3",
                                    "dcbdf3-unblocked",
                                    "blocked-adams-moulton2"};

/* The start is that of `auto` for all of them. */
static void stops_by_all(const char *form)
{
    unit_grid grid = grid_of_run();
    tally t = {0};
    for (size_t k = 0; k < sizeof IMPLICIT / sizeof *IMPLICIT; k++)
        stops_in_grid(&(simulation_of_test){.form = form,
                                            .method = IMPLICIT[k],
                                            .step = strcmp(IMPLICIT[k], "radau-ia2") ? 0 : 0.01},
                      k == 0 && grid == GRID_THINNED ? GRID_FULL : grid, &t);
    for (size_t k = 0; k < sizeof FIXED / sizeof *FIXED; k++)
        stops_in_grid(&(simulation_of_test){.form = form, .method = FIXED[k], .step = 0.005}, grid,
                      &t);
    report(form, &t);
}

START_TEST(residual_form)
{
    stops_by_all("residual");
    stops_by_all("bare residual");
}
END_TEST

START_TEST(mass_form)
{
    stops_by_all("mass");
    stops_by_all("bare mass");
    stops_by_all("moving mass");
    stops_by_all("bare moving mass");
}
END_TEST

START_TEST(semi_explicit_form)
{
    stops_by_all("semi-explicit");
    stops_by_all("bare semi-explicit");
    stops_everywhere((simulation_of_test){.form = "semi-explicit", .method = "state-space-dopri5"});
    stops_everywhere((simulation_of_test){
        .form = "bare semi-explicit", .method = "state-space-rk4", .step = 0.01});
}
END_TEST

START_TEST(linear_form)
{
    stops_by_all("linear");
    stops_by_all("bare linear");
}
END_TEST

/* Where the index is found at the start. */
START_TEST(index_2)
{
    static const char *const method[] = {"auto", "radau5",          "bdf", "mebdf", "hedop5",
                                         "hem4", "projected-gauss3"};
    static const char *const way[] = {"coordinate", "fz", "least-squares", "post2"};
    for (size_t k = 0; k < sizeof method / sizeof *method; k++)
        stops_everywhere((simulation_of_test){
            .form = "ramp", .method = method[k], .step = strcmp(method[k], "hem4") ? 0 : 0.01});
    for (size_t k = 0; k < sizeof way / sizeof *way; k++)
        stops_everywhere((simulation_of_test){.form = "ramp", .projection = way[k]});
}
END_TEST

START_TEST(invariant_form)
{
    static const char *const form[] = {"invariant", "bare invariant", "bare invariant, held"};
    static const char *const method[] = {"auto", "dopri5", "radau5", "rodas5p", "bdf"};
    static const char *const way[] = {"auto", "coordinate", "post", "derivative", "embedded"};
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 5; k++)
            stops_everywhere((simulation_of_test){.form = form[i], .method = method[k]});
        for (size_t k = 0; k < 5; k++)
            stops_everywhere((simulation_of_test){.form = form[i], .projection = way[k]});
    }
}
END_TEST

static const zoo_mechanical *const SYSTEMS[] = {&zoo_driven_pendulum, &zoo_governor, &zoo_skate,
                                                &zoo_top};
enum { SYSTEM_COUNT = sizeof SYSTEMS / sizeof *SYSTEMS };

START_TEST(mechanical_form)
{
    for (size_t i = 0; i < SYSTEM_COUNT; i++)
        stops_everywhere((simulation_of_test){.system = SYSTEMS[i]});
    stops_everywhere((simulation_of_test){.system = &zoo_andrews});
}
END_TEST

START_TEST(mechanical_formulations)
{
    static const char *const formulation[] = {"index1",         "index2",       "index3",
                                              "baumgarte",      "ggl",          "fuhrer-leimkuhler",
                                              "udwadia-kalaba", "nullspace-qr", "nullspace-svd",
                                              "partition",      "penalty",      "augmented"};
    for (size_t k = 0; k < sizeof formulation / sizeof *formulation; k++)
        stops_everywhere(
            (simulation_of_test){.system = &zoo_driven_pendulum, .formulation = formulation[k]});
}
END_TEST

START_TEST(mechanical_methods)
{
    static const char *const method[] = {"radau5", "rodas5p", "dopri5", "bdf"};
    static const char *const way[] = {"mass", "post", "derivative", "least-squares"};
    for (size_t k = 0; k < sizeof method / sizeof *method; k++)
        stops_everywhere((simulation_of_test){.system = &zoo_driven_pendulum, .method = method[k]});
    for (size_t k = 0; k < sizeof way / sizeof *way; k++)
        stops_everywhere((simulation_of_test){.system = &zoo_top, .projection = way[k]});
}
END_TEST

START_TEST(structural_methods)
{
    static const char *const method[] = {"generalized-alpha", "newmark", "hht"};
    for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
        stops_everywhere((simulation_of_test){
            .system = &zoo_driven_pendulum, .method = method[k], .step = 0.01});
        stops_everywhere((simulation_of_test){.system = &zoo_driven_pendulum,
                                              .method = method[k],
                                              .formulation = "tangent",
                                              .step = 0.01});
    }
}
END_TEST

UNIT_MAIN("solve/stops", 300, residual_form, mass_form, semi_explicit_form, linear_form, index_2,
          invariant_form, mechanical_form, mechanical_formulations, mechanical_methods,
          structural_methods)
