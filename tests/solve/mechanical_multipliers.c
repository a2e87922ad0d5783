/* Multipliers beside stiff dampers, of which the error of a velocity is multiplied by the
 * stiffness: as accurate as the states, at the ends of steps and within them. */
#include "base/unit.h"

#include <daedal/daedal.h>
#include <math.h>
#include <string.h>

enum { N = 5, ROWS = 301 };

/* Tolerances that a multiplier may be off by. */
static const double ACCURATE = 10;

/* x = sin t, y = cos 0.7 t - 0.3 sin x, lambda = cos 2 t, with forces that make it so: */
static void exact(double t, double *y, double *vp)
{
    double s = sin(t), c = cos(t);
    y[0] = s;
    y[1] = cos(0.7 * t) - 0.3 * sin(s);
    y[2] = c;
    y[3] = -0.7 * sin(0.7 * t) - 0.3 * cos(s) * c;
    y[4] = cos(2 * t);
    vp[0] = -s;
    vp[1] = -0.49 * cos(0.7 * t) + 0.3 * (cos(s) * s + sin(s) * c * c);
}

static int mass(double t, const double *q, double *m, void *user)
{
    (void)t, (void)q, (void)user;
    m[0] = 2, m[1] = m[2] = 0.5, m[3] = 1;
    return 0;
}

/* A damper between x and what moves as x is to. */
static int force(double t, const double *q, const double *v, double *f, void *user)
{
    const double *damper = user;
    double y[N], vp[2];
    exact(t, y, vp);
    f[0] = 2 * vp[0] + 0.5 * vp[1] - 0.3 * cos(y[0]) * y[4];
    f[1] = 0.5 * vp[0] + vp[1] - y[4];
    f[0] -= *damper * (v[0] - y[2]) + (q[0] - y[0]);
    return 0;
}

static int curve(double t, const double *q, double *phi, void *user)
{
    (void)user;
    phi[0] = q[1] + 0.3 * sin(q[0]) - cos(0.7 * t);
    return 0;
}

static int direction(double t, const double *q, double *a, void *user)
{
    (void)t, (void)user;
    a[0] = 0.3 * cos(q[0]);
    a[1] = 1;
    return 0;
}

static int curve_t(double t, const double *q, double *dt, void *user)
{
    (void)q, (void)user;
    dt[0] = 0.7 * sin(0.7 * t);
    return 0;
}

static int speed(double t, const double *q, double *b, void *user)
{
    (void)q, (void)user;
    b[0] = -0.7 * sin(0.7 * t);
    return 0;
}

typedef struct worst {
    double tolerance, state, multiplier;
} worst;

static int take(double t, const double *y, const double *yp, void *user)
{
    worst *w = user;
    double known[N], vp[2];
    (void)yp;
    exact(t, known, vp);
    for (int j = 0; j < N; j++) {
        double off = fabs(y[j] - known[j]) / (w->tolerance * (1 + fabs(known[j])));
        double *most = j < 4 ? &w->state : &w->multiplier;
        if (!(off <= *most)) *most = off;
    }
    return 0;
}

static dae_problem *system_of(bool holonomic, double *damper)
{
    dae_mechanical_form form = {.nq = 2, .mass = mass, .force = force};
    form.about.user = damper;
    if (holonomic) {
        form.holonomic = 1;
        form.constraint = curve, form.constraint_q = direction, form.constraint_t = curve_t;
    } else {
        form.nonholonomic = 1;
        form.velocity_constraint = direction, form.velocity_right = speed;
    }
    return dae_problem_mechanical(&form);
}

/* The solver at the end, for its statistics and notes. */
static dae_solver *follow(bool holonomic, double damper, const char *method, worst *w)
{
    const dae_times times = {.first = 0, .last = 3, .count = ROWS};
    double start[N], vp[2];
    dae_options o = dae_options_default();
    o.method = method;
    o.rtol = o.atol = w->tolerance;
    exact(0, start, vp);
    start[4] = (double)NAN;
    dae_problem *p = system_of(holonomic, &damper);
    dae_solver *s = dae_solver_create(p, &o);
    dae_status status = dae_solver_start(s, 0, start);
    if (status == DAE_OK) status = dae_solver_output(s, &times, take, w);
    if (status == DAE_OK) status = dae_solver_run(s, 3);
    ck_assert_msg(status == DAE_OK, "%s: %s", method, dae_solver_message(s));
    dae_problem_free(p);
    return s;
}

START_TEST(multipliers_are_as_accurate_as_states)
{
    static const char *const methods[] = {"auto",  "radau",   "radau-iia5", "bdf",
                                          "mebdf", "esdirk4", NULL};
    for (const char *const *m = methods; *m; m++)
        for (double damper = 1; damper < 2e6; damper *= 1e3)
            for (double tolerance = 1e-4; tolerance > 1e-9; tolerance /= 100)
                for (int holonomic = 0; holonomic < 2; holonomic++) {
                    worst w = {.tolerance = tolerance};
                    dae_solver_free(follow(holonomic, damper, *m, &w));
                    ck_assert_msg(w.state < ACCURATE && w.multiplier < ACCURATE,
                                  "%s, %g, %g: %g tolerances, multiplier %g", *m, damper, tolerance,
                                  w.state, w.multiplier);
                }
}
END_TEST

/* Two links of length 1 with masses 1 at their ends, their angles and multipliers given, and a
 * damper between the first and what turns as it is to. */
enum { LINKS = 2, CHAIN = 10 };

static void chain_exact(double t, double *y, double *vp)
{
    double x = 0, z = 0, vx = 0, vz = 0, ax = 0, az = 0;
    for (int k = 0; k < LINKS; k++) {
        double rate = k ? 0.9 : 2.3, size = k ? 0.8 : 0.6, phase = rate * t + k;
        double angle = 1 - 2 * k + size * sin(phase), turn = size * rate * cos(phase);
        double c = cos(angle), d = sin(angle), more = -size * rate * rate * sin(phase);
        x += c, z += d, vx -= d * turn, vz += c * turn;
        ax -= c * turn * turn + d * more, az += c * more - d * turn * turn;
        y[2 * k] = x, y[2 * k + 1] = z, y[4 + 2 * k] = vx, y[5 + 2 * k] = vz;
        vp[2 * k] = ax, vp[2 * k + 1] = az;
        y[8 + k] = 2 - 3 * k + (1 + k) * sin(1.7 * t - k);
    }
}

/* From the joint before a mass to it. */
static void link_of(const double *q, int k, double *dx, double *dz)
{
    *dx = q[2 * k] - (k ? q[2 * k - 2] : 0);
    *dz = q[2 * k + 1] - (k ? q[2 * k - 1] : 0);
}

static int identity(double t, const double *q, double *m, void *user)
{
    (void)t, (void)q, (void)user;
    for (int i = 0; i < 4; i++) m[5 * i] = 1;
    return 0;
}

static int chain_force(double t, const double *q, const double *v, double *f, void *user)
{
    const double *damper = user;
    double y[CHAIN], dx, dz;
    chain_exact(t, y, f);
    for (int k = 0; k < LINKS; k++) {
        link_of(y, k, &dx, &dz);
        f[2 * k] -= dx * y[8 + k], f[2 * k + 1] -= dz * y[8 + k];
        if (k) f[0] += dx * y[9], f[1] += dz * y[9];
    }
    double turn = q[0] * v[1] - q[1] * v[0] - (y[0] * y[5] - y[1] * y[4]);
    f[0] += *damper * turn * q[1];
    f[1] -= *damper * turn * q[0];
    return 0;
}

static int lengths(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    for (int k = 0; k < LINKS; k++) {
        double dx, dz;
        link_of(q, k, &dx, &dz);
        phi[k] = 0.5 * (dx * dx + dz * dz - 1);
    }
    return 0;
}

static int along_links(double t, const double *q, double *g, void *user)
{
    (void)t, (void)user;
    for (int k = 0; k < LINKS; k++) {
        double dx, dz;
        link_of(q, k, &dx, &dz);
        g[2 * k * LINKS + k] = dx, g[(2 * k + 1) * LINKS + k] = dz;
        if (k) g[k] = -dx, g[LINKS + k] = -dz;
    }
    return 0;
}

static double chain_off(const char *method, double damper, double tolerance)
{
    dae_mechanical_form form = {.nq = 4, .holonomic = LINKS, .mass = identity};
    form.force = chain_force, form.constraint = lengths, form.constraint_q = along_links;
    form.about.user = &damper;
    double y[CHAIN], known[CHAIN], vp[4], most = 0;
    dae_options o = dae_options_default();
    o.method = method;
    o.rtol = o.atol = tolerance;
    dae_problem *p = dae_problem_mechanical(&form);
    dae_solver *s = dae_solver_create(p, &o);
    chain_exact(0, y, vp);
    y[8] = y[9] = (double)NAN;
    dae_status status = dae_solver_start(s, 0, y);
    while (status == DAE_OK && dae_solver_time(s) < 2) {
        status = dae_solver_step(s, 2);
        double t = dae_solver_time(s);
        if (status == DAE_OK) status = dae_solver_at(s, t, y, NULL);
        chain_exact(t, known, vp);
        for (int k = 0; k < CHAIN; k++)
            most = fmax(most, fabs(y[k] - known[k]) / (tolerance * (1 + fabs(known[k]))));
    }
    ck_assert_msg(status == DAE_OK, "%s: %s", method, dae_solver_message(s));
    dae_solver_free(s);
    dae_problem_free(p);
    return most;
}

/* Estimates that are damped in stiff components leave nothing of a multiplier's. */
START_TEST(multipliers_at_ends_of_steps)
{
    static const char *const methods[] = {"kvaerno3", "kvaerno4", "kvaerno5", "esdirk4", "esdirk5"};
    for (double damper = 1e3; damper < 2e7; damper *= 100)
        for (double tolerance = 1e-4; tolerance > 5e-9; tolerance /= 10) {
            double off = chain_off(methods[_i], damper, tolerance);
            ck_assert_msg(off < 100, "%s, %g, %g: off by %g tolerances", methods[_i], damper,
                          tolerance, off);
        }
}
END_TEST

/* Elimination where nothing is stiff; Rosenbrock methods stay with it, and a note warns. */
START_TEST(what_is_taken_is_said)
{
    worst w = {.tolerance = 1e-6};
    dae_solver *s = follow(true, 1, "auto", &w);
    ck_assert_str_eq(dae_solver_stats(s)->formulation, "elimination");
    ck_assert_str_eq(dae_solver_notes(s), "");
    dae_solver_free(s);
    s = follow(true, 1e6, "auto", &w);
    ck_assert_str_eq(dae_solver_stats(s)->formulation, "ggl");
    ck_assert_ptr_nonnull(strstr(dae_solver_stats(s)->reasons, "multipliers are unknowns"));
    dae_solver_free(s);
    s = follow(true, 1e6, "rodas5p", &w);
    ck_assert_str_eq(dae_solver_stats(s)->formulation, "elimination");
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(s), "formulation ggl, with radau-iia5 or bdf"));
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, multipliers_are_as_accurate_as_states);
    unit_loop(tests, multipliers_at_ends_of_steps, 0, 5);
    tcase_add_test(tests, what_is_taken_is_said);
    return unit_run("mechanical multipliers", tests);
}
