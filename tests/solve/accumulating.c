/* Impacts that accumulate: a body that rebounds never goes through what it falls onto, whatever its
 * restitution, the method and the formulation are. The run ends where the impacts accumulate. An
 * impact without restitution is one event, and the equations say what follows. */
#include "solve/equations.h"
#include "solve/models.h"
#include "solve/pendulum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double GRAVITY = 9.81;

typedef struct world {
    double restitution;
    bool struck; /* the event is a blow */
} world;

static const double restitutions[] = {1e-6, 0.01, 0.05, 0.2, 0.5};
enum { RESTITUTIONS = sizeof restitutions / sizeof *restitutions };

/* A flight follows the one before after its part R of the time: the first lasts sqrt(2/g), half a
 * flight, and all together (1 + R)/(1 - R) times that. */
static double end_of_flights(double r)
{
    return (1 + r) / (1 - r) * sqrt(2 / GRAVITY);
}

/* The run has ended where impacts accumulate; the body is not beyond what it hits. Where heights
 * are off by some tolerances, times are off by the time in which a ball falls through that: through
 * 20 of them in 2 sqrt(tolerance). */
static void has_ended(dae_solver *s, dae_status status, double end, double tolerance,
                      const char *named)
{
    const char *message = dae_solver_message(s), *says = strstr(message, "accumulate at t = ");
    ck_assert_msg(status == DAE_EVENT && says, "%d %s", status, message);
    ck_assert_msg(strstr(message, named) != NULL, "%s", message);
    double at = strtod(says + strlen("accumulate at t = "), NULL);
    ck_assert_double_eq_tol(at, end, 2 * sqrt(tolerance));
    ck_assert_double_eq_tol(dae_solver_time(s), end, 2 * sqrt(tolerance));
}

static int falls(double t, const double *y, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = y[1];
    r[1] = -GRAVITY;
    return 0;
}

static int floor_below(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return 0;
}

static int rebounds(dae_event *e, void *user)
{
    const world *w = user;
    e->y[1] = -w->restitution * e->y_before[1];
    e->changed = true;
    return 0;
}

/* Once the ball rises from the floor, and once it is not known in which direction roots count. */
START_TEST(a_ball)
{
    static const char *const methods[] = {"auto",       "bdf",     "mebdf",
                                          "radau-iia5", "rodas5p", "dopri5"};
    static const signed char down[] = {-1};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (int power = -10; power <= -4; power += 3) {
            world w = {.restitution = restitutions[_i]};
            dae_mass_form form = {.n = 2,
                                  .f = falls,
                                  .about = {.roots = 1,
                                            .root = floor_below,
                                            .event = rebounds,
                                            .root_direction = m % 2 ? down : NULL,
                                            .user = &w}};
            dae_options options = tolerance_of(pow(10, power));
            options.method = methods[m];
            dae_solver *s = solver_for(dae_problem_mass(&form), &options);
            is_ok(s, dae_solver_start(s, 0, (double[]){1, 0}));
            double end = end_of_flights(w.restitution);
            has_ended(s, dae_solver_run(s, 3), end, options.atol, "root 1");
            dae_solver_free(s);
        }
    }
}
END_TEST

START_TEST(a_ball_of_a_model)
{
    static const char *const methods[] = {"auto", "bdf", "mebdf", "esdirk4", "rodas5p"};
    char text[300];
    snprintf(text, sizeof text,
             "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation\n"
             "der(h) = v; der(v) = -9.81; when h < 0 then reinit(v, -(%.17g)*pre(v)); end when;\n"
             "end M;",
             restitutions[_i]);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (int power = -10; power <= -4; power += 3) {
            dae_options options = tolerance_of(pow(10, power));
            options.method = methods[m];
            dae_solver *s = solver_of(text, &options);
            is_ok(s, dae_solver_start(s, 0, NULL));
            has_ended(s, dae_solver_run(s, 3), end_of_flights(restitutions[_i]), options.atol,
                      "h < 0");
            dae_solver_free(s);
        }
    }
}
END_TEST

/* The height as the root sees it is algebraic: z + 0.3 z^3 = h. Its rate follows from the
 * equations.
 */
static int falls_beside(double t, const double *y, double *r, void *user)
{
    falls(t, y, r, user);
    r[2] = y[2] + 0.3 * y[2] * y[2] * y[2] - y[0];
    return 0;
}

static int beside(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[2];
    return 0;
}

START_TEST(an_algebraic_root)
{
    static const char *const methods[] = {"auto", "bdf", "radau-iia5", "rodas5p"};
    static const double mass[] = {1, 0, 0, 0, 1, 0, 0, 0, 0}, start[] = {1, 0, 0.8};
    char text[300];
    world w = {.restitution = restitutions[_i]};
    const dae_mass_form form = {
        .n = 3,
        .f = falls_beside,
        .constant_mass = mass,
        .about = {.roots = 1, .root = beside, .event = rebounds, .user = &w}};
    snprintf(text, sizeof text,
             "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true), z; equation\n"
             "der(h) = v; der(v) = -9.81; z + 0.3*z^3 = h;\n"
             "when z < 0 then reinit(v, -(%.17g)*pre(v)); end when; end M;",
             restitutions[_i]);
    for (size_t m = 0; m < 2 * sizeof methods / sizeof *methods; m++) {
        for (int power = -9; power <= -5; power += 2) {
            dae_options options = tolerance_of(pow(10, power));
            options.method = methods[m / 2];
            dae_solver *s = m % 2 ? solver_for(dae_problem_mass(&form), &options)
                                  : solver_of(text, &options);
            is_ok(s, dae_solver_start(s, 0, m % 2 ? start : NULL));
            has_ended(s, dae_solver_run(s, 3), end_of_flights(restitutions[_i]), 4 * options.atol,
                      m % 2 ? "root 1" : "z < 0");
            dae_solver_free(s);
        }
    }
}
END_TEST

/* Fixed steps are cut after an impact as well, so that the flight that follows is seen. A method of
 * order 2 and more has the parabola of the flight. */
START_TEST(a_ball_in_fixed_steps)
{
    static const char *const methods[] = {"bdf2",   "radau-iia3", "radau-iia5",
                                          "dopri5", "rodas5p",    "trapezoidal"};
    static const double steps[] = {0.313, 0.04};
    char text[300];
    for (size_t m = 0; m < 2 * sizeof methods / sizeof *methods; m++) {
        snprintf(text, sizeof text,
                 "model M Real h(start = 4, fixed = true), v(start = 0, fixed = true); equation\n"
                 "der(h) = v; der(v) = -9.81; when h < 3 then reinit(v, -(%.17g)*pre(v)); end when;"
                 "end M;",
                 restitutions[_i]);
        dae_options options = tolerance_of(1e-7);
        options.method = methods[m / 2];
        options.step = steps[m % 2];
        options.max_steps = 20000;
        dae_solver *s = solver_of(text, &options);
        is_ok(s, dae_solver_start(s, 0, NULL));
        has_ended(s, dae_solver_run(s, 3), end_of_flights(restitutions[_i]), options.atol, "h < 3");
        dae_solver_free(s);
    }
}
END_TEST

/* --- a pendulum beside its rest, whose tip hits the wall x = 0.2 --- */

static int wall(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.2;
    return 0;
}

static int hits(dae_event *e, void *user)
{
    static const double along_x[] = {1, 0};
    const world *w = user;
    if (w->struck) {
        e->blow = along_x;
        e->restitution = w->restitution;
    } else {
        e->y[2] = -w->restitution * e->y_before[2];
        e->y[3] = -w->restitution * e->y_before[3];
    }
    e->changed = true;
    return 0;
}

/* Where its impacts accumulate, by each restitution: by elimination at 1e-11. */
static const double ends[RESTITUTIONS] = {0.411368809, 0.430700328, 0.511440054, 0.852391854,
                                          1.923898330};

static const struct {
    const char *formulation;
    double tolerance;
} ways[] = {
    {"auto", 1e-7},    {"elimination", 1e-4},      {"partition", 1e-7}, {"ggl", 1e-4},
    {"ggl", 1e-7},     {"index3", 1e-7},           {"baumgarte", 1e-7}, {"nullspace-qr", 1e-4},
    {"penalty", 1e-7}, {"fuhrer-leimkuhler", 1e-7}};

START_TEST(a_pendulum)
{
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        world w = {.restitution = restitutions[_i], .struck = k % 2};
        const dae_mechanical_form form = {
            .nq = 2,
            .holonomic = 1,
            .force = weight,
            .constraint = rod,
            .constraint_q = rod_q,
            .about = {.roots = 1, .root = wall, .event = hits, .user = &w}};
        dae_options options = tolerance_of(ways[k].tolerance);
        options.formulation = ways[k].formulation;
        dae_solver *s = solver_for(dae_problem_mechanical(&form), &options);
        is_ok(s, dae_solver_start(s, 0, (double[]){0.6, -0.8, 0, 0, (double)NAN}));
        has_ended(s, dae_solver_run(s, 3), ends[_i], options.atol, "root 1");
        dae_solver_free(s);
    }
}
END_TEST

START_TEST(a_pendulum_of_a_model)
{
    char text[400];
    snprintf(text, sizeof text,
             "model M Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = "
             "true), vy(start = 0), F;\nequation der(x) = vx; der(y) = vy; der(vx) = -F*x;"
             "der(vy) = -F*y - 9.81; x^2 + y^2 = 1;\n"
             "when x < 0.2 then reinit(vx, -(%.17g)*pre(vx)); end when; end M;",
             restitutions[_i]);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        dae_options options = tolerance_of(ways[k].tolerance);
        options.formulation = ways[k].formulation;
        dae_solver *s = solver_of(text, &options);
        is_ok(s, dae_solver_start(s, 0, NULL));
        has_ended(s, dae_solver_run(s, 3), ends[_i], options.atol, "x < 0.2");
        dae_solver_free(s);
    }
}
END_TEST

/* --- no restitution --- */

static const char NOTE[] = "leaves its root at 0 without a rate";

/* The run has gone on from one event, and one note tells of it. */
static void has_gone_on(dae_solver *s, dae_status status, const char *named)
{
    const char *notes = dae_solver_notes(s), *first = strstr(notes, NOTE);
    ck_assert_msg(status == DAE_OK, "%s", dae_solver_message(s));
    ck_assert_uint_eq(dae_solver_stats(s)->events, 1);
    ck_assert_msg(first && strstr(notes, named) && !strstr(first + 1, NOTE), "%s", notes);
}

/* A ball that falls from 1 above a floor, rests there for an instant, and falls on. */
static void has_fallen_on(dae_solver *s, double floor, double t, double tolerance)
{
    double y[2], after = t - sqrt(2 / GRAVITY);
    is_ok(s, dae_solver_at(s, t, y, NULL));
    ck_assert_double_eq_tol(y[0], floor - GRAVITY / 2 * after * after, 100 * tolerance);
    ck_assert_double_eq_tol(y[1], -GRAVITY * after, 100 * tolerance);
}

static int floor_at_5(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 5;
    return 0;
}

START_TEST(a_ball_that_is_stopped)
{
    static const char *const methods[] = {"auto",       "bdf",     "mebdf",
                                          "radau-iia5", "rodas5p", "dopri5"};
    static const signed char down[] = {-1};
    for (size_t m = 0; m < 2 * sizeof methods / sizeof *methods; m++) {
        world w = {.restitution = 0};
        dae_mass_form form = {.n = 2,
                              .f = falls,
                              .about = {.roots = 1,
                                        .root = _i ? floor_at_5 : floor_below,
                                        .event = rebounds,
                                        .root_direction = m % 2 ? down : NULL,
                                        .user = &w}};
        dae_options options = tolerance_of(1e-7);
        options.method = methods[m / 2];
        dae_solver *s = solver_for(dae_problem_mass(&form), &options);
        is_ok(s, dae_solver_start(s, 0, (double[]){_i ? 6 : 1, 0}));
        has_gone_on(s, dae_solver_run(s, 3), "root 1");
        has_fallen_on(s, _i ? 5 : 0, 3, options.atol);
        dae_solver_free(s);
    }
}
END_TEST

START_TEST(a_ball_of_a_model_that_is_stopped)
{
    static const char *const methods[] = {"auto", "bdf", "mebdf", "esdirk4", "rodas5p"};
    static const char *const floors[] = {"h < 0", "h <= 0", "h < 5", "h <= 5"};
    char text[300];
    snprintf(text, sizeof text,
             "model M Real h(start = %d, fixed = true), v(start = 0, fixed = true); equation\n"
             "der(h) = v; der(v) = -9.81; when %s then reinit(v, 0); end when; end M;",
             _i < 2 ? 1 : 6, floors[_i]);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        dae_options options = tolerance_of(1e-7);
        options.method = methods[m];
        dae_solver *s = solver_of(text, &options);
        is_ok(s, dae_solver_start(s, 0, NULL));
        has_gone_on(s, dae_solver_run(s, 3), floors[_i]);
        has_fallen_on(s, _i < 2 ? 0 : 5, 3, options.atol);
        dae_solver_free(s);
    }
}
END_TEST

/* The pendulum swings on from rest at the wall. Its energy at x, y, vx and vy is that of the rest;
 * it is back at the wall, and at rest, after a period of 2.01. */
static void swings_on(dae_solver *s, const double y[4], double tolerance)
{
    double rest = -GRAVITY * sqrt(1 - 0.2 * 0.2);
    double energy = (y[2] * y[2] + y[3] * y[3]) / 2 + GRAVITY * y[1];
    ck_assert_msg(fabs(energy - rest) < 1000 * tolerance, "%s: %g", dae_solver_stats(s)->method,
                  energy - rest);
    ck_assert_msg(y[0] < 0 && fabs(y[2]) > 0.1, "x = %g, v = %g", y[0], y[2]);
}

START_TEST(a_pendulum_that_is_stopped)
{
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        world w = {.restitution = 0, .struck = k % 2};
        const dae_mechanical_form form = {
            .nq = 2,
            .holonomic = 1,
            .force = weight,
            .constraint = rod,
            .constraint_q = rod_q,
            .about = {.roots = 1, .root = wall, .event = hits, .user = &w}};
        dae_options options = tolerance_of(ways[k].tolerance);
        double y[5];
        options.formulation = ways[k].formulation;
        dae_solver *s = solver_for(dae_problem_mechanical(&form), &options);
        is_ok(s, dae_solver_start(s, 0, (double[]){0.6, -0.8, 0, 0, (double)NAN}));
        has_gone_on(s, dae_solver_run(s, 1.2), "root 1");
        is_ok(s, dae_solver_at(s, 1.2, y, NULL));
        swings_on(s, y, options.atol);
        dae_solver_free(s);
    }
}
END_TEST

START_TEST(a_pendulum_of_a_model_that_is_stopped)
{
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        dae_options options = tolerance_of(ways[k].tolerance);
        double y[5];
        options.formulation = ways[k].formulation;
        dae_solver *s = solver_of(
            "model M Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = "
            "true), vy(start = 0), F;\nequation der(x) = vx; der(y) = vy; der(vx) = -F*x;"
            "der(vy) = -F*y - 9.81; x^2 + y^2 = 1; when x < 0.2 then reinit(vx, 0); end when;"
            "end M;",
            &options);
        is_ok(s, dae_solver_start(s, 0, NULL));
        has_gone_on(s, dae_solver_run(s, 1.2), "x < 0.2");
        is_ok(s, dae_solver_at(s, 1.2, y, NULL));
        swings_on(s, y, options.atol);
        dae_solver_free(s);
    }
}
END_TEST

/* A body that slides along the inside of an ellipse after an impact without restitution: its rate
 * along the normal is 0 but for rounding, and it leaves on a straight line. */
static int drifts(double t, const double *y, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = y[2], r[1] = y[3], r[2] = r[3] = 0;
    return 0;
}

static int ellipse(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = 1 - y[0] * y[0] - 4 * y[1] * y[1];
    return 0;
}

static int stays_along(dae_event *e, void *user)
{
    const double *y = e->y_before, n[] = {2 * y[0], 8 * y[1]};
    double along = (n[0] * y[2] + n[1] * y[3]) / (n[0] * n[0] + n[1] * n[1]);
    (void)user;
    e->y[2] -= along * n[0];
    e->y[3] -= along * n[1];
    e->changed = true;
    return 0;
}

START_TEST(along_an_ellipse)
{
    static const char *const methods[] = {"auto", "bdf", "radau-iia5", "dopri5"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        dae_mass_form form = {
            .n = 4, .f = drifts, .about = {.roots = 1, .root = ellipse, .event = stays_along}};
        dae_options options = tolerance_of(1e-8);
        double y[4], angle = 0.1 + 0.13 * _i;
        options.method = methods[m];
        dae_solver *s = solver_for(dae_problem_mass(&form), &options);
        is_ok(s, dae_solver_start(s, 0, (double[]){0.1, 0.1, cos(angle), sin(angle)}));
        has_gone_on(s, dae_solver_run(s, 2), "root 1");
        is_ok(s, dae_solver_at(s, 2, y, NULL));
        ck_assert_double_gt(y[0] * y[0] + 4 * y[1] * y[1], 1);
        dae_solver_free(s);
    }
}
END_TEST

/* An event that moves states and lets a root pass is none that stops it: a body that loses nine
 * tenths of its speed in a thin wall goes on. */
START_TEST(what_passes)
{
    dae_options options = tolerance_of(1e-8);
    double y[2];
    dae_solver *s = solver_of(
        "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation\n"
        "der(h) = v; der(v) = -9.81; when h < 0 then reinit(v, 0.1*pre(v)); end when; end M;",
        &options);
    is_ok(s, dae_solver_run(s, 1));
    is_ok(s, dae_solver_at(s, 1, y, NULL));
    double hit = sqrt(2 / GRAVITY), u = 0.1 * GRAVITY * hit;
    ck_assert_double_eq_tol(y[0], -u * (1 - hit) - GRAVITY / 2 * (1 - hit) * (1 - hit), 1e-6);
    dae_solver_free(s);
}
END_TEST

/* --- three rods on each other, whose tip falls against a wall --- */

enum { RODS = 3, MOST_TEXT = 2000, MOST_IMPACTS = 200 };

static const char CHAIN[] =
    "model M parameter Real a[3] = {%.17g, %.17g, %.17g};\n"
    "Real x[3](start = {sin(a[1]), sin(a[1]) + sin(a[2]), sin(a[1]) + sin(a[2]) + sin(a[3])}, each "
    "fixed = true);\n"
    "Real y[3](start = {-cos(a[1]), -cos(a[1]) - cos(a[2]), -cos(a[1]) - cos(a[2]) - cos(a[3])});\n"
    "Real u[3](each start = 0, each fixed = true), v[3](each start = 0), F[4], dx[3], dy[3];\n"
    "equation F[4] = 0;\n"
    "for i in 1:3 loop dx[i] = x[i] - (if i > 1 then x[max(i - 1, 1)] else 0);\n"
    "dy[i] = y[i] - (if i > 1 then y[max(i - 1, 1)] else 0); der(x[i]) = u[i]; der(y[i]) = v[i];\n"
    "der(u[i]) = F[i + 1]*dx[min(i + 1, 3)] - F[i]*dx[i];\n"
    "der(v[i]) = F[i + 1]*dy[min(i + 1, 3)] - F[i]*dy[i] - 9.81; dx[i]^2 + dy[i]^2 = 1; end for;\n"
    "when x[3] < %.17g then reinit(u[3], -(%.17g)*pre(u[3])); end when; end M;";

typedef struct impacts {
    size_t count;
    double at[MOST_IMPACTS];
} impacts;

static int note_impact(const dae_event *e, void *user)
{
    impacts *all = user;
    if (all->count < MOST_IMPACTS) all->at[all->count++] = e->t;
    return 0;
}

/* Near the end the tip falls as in constant gravity, so that each flight takes the part R of the
 * time of the one before, however little the impact moves. */
static double end_of_chain(const char *text, const dae_options *options, double restitution)
{
    impacts all = {0};
    dae_solver *s = solver_of(text, options);
    dae_solver_watch_events(s, note_impact, &all);
    is_ok(s, dae_solver_start(s, 0, NULL));
    ck_assert_int_eq(dae_solver_run(s, 20), DAE_EVENT);
    const char *says = strstr(dae_solver_message(s), "accumulate at t = ");
    ck_assert_msg(says != NULL, "%s", dae_solver_message(s));
    ck_assert_uint_ge(all.count, 6);
    for (size_t k = 1; k < all.count; k++) ck_assert(all.at[k] > all.at[k - 1]);
    for (size_t k = all.count - 3; k < all.count; k++) {
        double ratio = (all.at[k] - all.at[k - 1]) / (all.at[k - 1] - all.at[k - 2]);
        ck_assert_double_eq_tol(ratio, restitution, 0.02);
    }
    double end = strtod(says + strlen("accumulate at t = "), NULL);
    dae_solver_free(s);
    return end;
}

START_TEST(a_chain_of_a_model)
{
    static const char *const formulation[] = {"auto", "elimination"};
    uint64_t state = (uint64_t)_i;
    char text[MOST_TEXT];
    double angle[RODS], earliest = HUGE_VAL, last = 0;
    double restitution = scatter_between(&state, 0.2, 0.5);
    double place = scatter_between(&state, 0.1, 0.5);
    for (int i = 0; i < RODS; i++) angle[i] = scatter_between(&state, 0.4, 1.2);
    snprintf(text, sizeof text, CHAIN, angle[0], angle[1], angle[2], place, restitution);
    for (int k = 0; k < 4; k++) {
        dae_options options = tolerance_of(k < 2 ? 1e-9 : 1e-11);
        options.formulation = formulation[k % 2];
        double end = end_of_chain(text, &options, restitution);
        earliest = fmin(earliest, end);
        last = fmax(last, end);
    }
    ck_assert_msg(last - earliest < 2e-7, "from %.10g to %.10g", earliest, last);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, a_ball, 0, RESTITUTIONS);
    unit_loop(tests, a_ball_of_a_model, 0, RESTITUTIONS);
    unit_loop(tests, a_ball_in_fixed_steps, 0, RESTITUTIONS);
    unit_loop(tests, an_algebraic_root, 0, RESTITUTIONS);
    unit_loop(tests, a_pendulum, 0, RESTITUTIONS);
    unit_loop(tests, a_pendulum_of_a_model, 0, RESTITUTIONS);
    unit_loop(tests, a_ball_that_is_stopped, 0, 2);
    unit_loop(tests, a_ball_of_a_model_that_is_stopped, 0, 4);
    tcase_add_test(tests, a_pendulum_that_is_stopped);
    tcase_add_test(tests, a_pendulum_of_a_model_that_is_stopped);
    unit_loop(tests, along_an_ellipse, 0, 12);
    unit_loop(tests, a_chain_of_a_model, 0, 6);
    tcase_add_test(tests, what_passes);
    return unit_run("solve/accumulating", tests);
}
