/* Events of C programs, against exact solutions. */
#include "solve/equations.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SEEN = 400 };

/* What callbacks share with their test. */
typedef struct world {
    int mode;
    double restitution, at, period;
    size_t seen, asked;
    double t[MOST_SEEN], before[MOST_SEEN], behind[MOST_SEEN]; /* of the second unknown */
    signed char crossed[MOST_SEEN][2];
    bool due[MOST_SEEN];
    int answer; /* of the callback that is tested */
} world;

static const double GRAVITY = 9.81;

static dae_options options_for(const char *method, double rtol)
{
    dae_options options = tolerance_of(rtol);
    options.method = method;
    options.max_steps = 1000000;
    return options;
}

/* Starts at 0 and checks that. */
static dae_solver *begin(dae_problem *problem, const dae_options *options, const double *start)
{
    dae_solver *s = solver_for(problem, options);
    is_ok(s, dae_solver_start(s, 0, start));
    return s;
}

static void note(world *w, const dae_event *e)
{
    if (w->seen == MOST_SEEN) return;
    w->t[w->seen] = e->t;
    w->before[w->seen] = e->n > 1 ? e->y_before[1] : e->y_before[0];
    w->due[w->seen] = e->due;
    for (size_t k = 0; k < e->roots && k < 2; k++) w->crossed[w->seen][k] = e->crossed[k];
    w->seen++;
}

static int seen(dae_event *e, void *user)
{
    note(user, e);
    return 0;
}

/* --- a ball --- */

static int fall(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1];
    f[1] = -GRAVITY;
    return 0;
}

static int height(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return 0;
}

static int bounce(dae_event *e, void *user)
{
    world *w = user;
    note(w, e);
    e->y[1] = -w->restitution * e->y_before[1];
    e->changed = true;
    return 0;
}

static const signed char FALLS[] = {-1};
static const char *const GROUND[] = {"ground"};

static dae_about ball(world *w)
{
    return (dae_about){.roots = 1,
                       .root = height,
                       .root_direction = FALLS,
                       .root_name = GROUND,
                       .event = bounce,
                       .user = w};
}

static const char *const METHODS[] = {"auto", "dop853", "radau-iia5", "rodas5p", "bdf", "mebdf"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

/* Dropped from 1 it meets the ground at sqrt(2 / g), and after flights that are 0.8 times as long
 * each time. Methods of high order make no error here but rounding. */
START_TEST(a_ball_bounces)
{
    const double start[] = {1, 0};
    world w = {.restitution = 0.8};
    dae_options options = options_for(METHODS[_i], _i < 4 ? 1e-12 : 1e-9);
    double allowed = _i < 4 ? 1e-12 : 1e-7;
    dae_solver *s = begin(dae_problem_mass(&(dae_mass_form){.n = 2, .f = fall, .about = ball(&w)}),
                          &options, start);
    is_ok(s, dae_solver_run(s, 3));
    double t = sqrt(2 / GRAVITY), speed = GRAVITY * t;
    size_t expected = 0;
    for (; t < 3; expected++) {
        ck_assert_uint_lt(expected, w.seen);
        ck_assert_msg(fabs(w.t[expected] - t) < allowed, "%s: bounce %zu is off by %.2e",
                      METHODS[_i], expected, w.t[expected] - t);
        ck_assert_double_eq_tol(w.before[expected], -speed, 10 * allowed);
        ck_assert_int_eq(w.crossed[expected][0], -1);
        speed *= w.restitution;
        t += 2 * speed / GRAVITY;
    }
    ck_assert_uint_eq(w.seen, expected);
    const dae_stats *stats = dae_solver_stats(s);
    ck_assert_uint_eq(stats->events, expected);
    ck_assert_uint_eq(stats->state_events, expected);
    ck_assert_uint_eq(stats->time_events, 0);
    const dae_event *last = dae_solver_event(s);
    ck_assert(last && last->t == w.t[expected - 1] && strcmp(last->name, "ground") == 0);
    dae_solver_free(s);
}
END_TEST

/* Flights that become 100 times shorter each time, below what a step can tell from its begin. */
START_TEST(no_bounce_is_lost)
{
    const double start[] = {1, 0};
    world w = {.restitution = 0.01};
    dae_options options = options_for("dop853", 1e-10);
    dae_solver *s = begin(dae_problem_mass(&(dae_mass_form){.n = 2, .f = fall, .about = ball(&w)}),
                          &options, start);
    double t = sqrt(2 / GRAVITY), speed = GRAVITY * t;
    for (int k = 0; k < 5; k++, t += 2 * (speed *= w.restitution) / GRAVITY) continue;
    is_ok(s, dae_solver_run(s, t + 0.4 * speed * w.restitution / GRAVITY));
    ck_assert_uint_ge(w.seen, 5);
    double at = sqrt(2 / GRAVITY);
    speed = GRAVITY * at;
    for (int k = 0; k < 5; k++, at += 2 * (speed *= w.restitution) / GRAVITY)
        ck_assert_double_eq_tol(w.t[k], at, 1e-12);
    dae_solver_free(s);
}
END_TEST

/* --- location: root functions of the time alone, along steps that are as long as the run --- */

static int rest(double t, const double *y, double *f, void *user)
{
    (void)t, (void)y, (void)user;
    f[0] = 0;
    return 0;
}

static int flat(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)y, (void)yp;
    g[0] = pow(t - ((const world *)user)->at, 7);
    return 0;
}

/* Two roots, `period` apart; negative: none, and a distance to 0 of that order. */
static int pair(double t, const double *y, const double *yp, double *g, void *user)
{
    const world *w = user;
    (void)y, (void)yp;
    g[0] = (t - w->at) * (t - w->at) - 0.25 * w->period * fabs(w->period);
    return 0;
}

static int wave(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)y, (void)yp;
    g[0] = sin(t * ((const world *)user)->period);
    return 0;
}

static int both(double t, const double *y, const double *yp, double *g, void *user)
{
    const world *w = user;
    (void)y, (void)yp;
    g[0] = t - w->at;
    g[1] = 3 * (w->at - t);
    return 0;
}

typedef int (*roots_of)(double t, const double *y, const double *yp, double *g, void *user);

/* Runs to `stop` and notes what is found; steps that are not restarted stay as long as the run. */
static void watch(world *w, roots_of root, size_t roots, const signed char *direction, double stop)
{
    const double start[] = {1};
    const dae_about about = {
        .roots = roots, .root = root, .root_direction = direction, .event = seen, .user = w};
    dae_options options = options_for("dop853", 1e-6);
    w->seen = 0;
    dae_solver *s = begin(dae_problem_mass(&(dae_mass_form){.n = 1, .f = rest, .about = about}),
                          &options, start);
    is_ok(s, dae_solver_run(s, stop));
    ck_assert_uint_eq(dae_solver_stats(s)->events, w->seen);
    dae_solver_free(s);
}

static void is_at(const world *w, size_t k, double t, int crossed)
{
    ck_assert_uint_lt(k, w->seen);
    ck_assert_msg(fabs(w->t[k] - t) <= 4 * DBL_EPSILON * fmax(10, fabs(t)),
                  "event %zu is off by %.2e", k, w->t[k] - t);
    ck_assert_int_eq(w->crossed[k][0], crossed);
}

START_TEST(roots_are_located)
{
    for (double at = 0.1; at < 10; at += 0.7) {
        world w = {.at = at};
        watch(&w, flat, 1, NULL, 10);
        ck_assert_uint_eq(w.seen, 1);
        is_at(&w, 0, at, 1);
        watch(&w, both, 2, NULL, 10);
        ck_assert_uint_eq(w.seen, 1); /* at one instant */
        is_at(&w, 0, at, 1);
        ck_assert_int_eq(w.crossed[0][1], -1);
        static const signed char second[] = {-1, -1};
        watch(&w, both, 2, second, 10);
        is_at(&w, 0, at, 0);
        ck_assert_int_eq(w.crossed[0][1], -1);
    }
}
END_TEST

START_TEST(roots_at_the_ends_of_a_run)
{
    world w = {.at = 0};
    watch(&w, both, 2, NULL, 10);
    ck_assert_uint_eq(w.seen, 0); /* it begins there */
    w.at = 10;
    watch(&w, both, 2, NULL, 10);
    ck_assert_uint_eq(w.seen, 1);
    ck_assert(w.t[0] == 10 && w.crossed[0][0] == 1 && w.crossed[0][1] == -1);
}
END_TEST

/* Where the root function dips below 0 between the ends of a step, and where it does not. */
START_TEST(pairs_hidden_in_a_step)
{
    static const double apart[] = {3, 0.5, 1e-2, 1e-3, 1e-5};
    for (double at = 1.6; at < 8; at += 0.9) {
        for (size_t k = 0; k < sizeof apart / sizeof *apart; k++) {
            world w = {.at = at, .period = apart[k]};
            watch(&w, pair, 1, NULL, 10);
            ck_assert_msg(w.seen == 2, "%g apart at %g: %zu found", apart[k], at, w.seen);
            for (int i = 0; i < 2; i++) {
                double t = at + (i - 0.5) * apart[k];
                /* the value there is rounded: its slope says how far that moves the root */
                ck_assert_double_eq_tol(w.t[i], t, 1e-14 + 1e-15 / apart[k]);
                ck_assert_int_eq(w.crossed[i][0], i == 0 ? -1 : 1);
            }
            static const signed char rises[] = {1};
            watch(&w, pair, 1, rises, 10);
            ck_assert_uint_eq(w.seen, 1);
            ck_assert_int_eq(w.crossed[0][0], 1);
            w.period = -apart[k];
            watch(&w, pair, 1, NULL, 10);
            ck_assert_uint_eq(w.seen, 0);
        }
        world touching = {.at = at}; /* 0 is touched, but for rounding */
        watch(&touching, pair, 1, NULL, 10);
        ck_assert_uint_le(touching.seen, 2);
    }
}
END_TEST

/* sin(w t) has its roots at k pi / w. */
START_TEST(many_roots_in_a_step)
{
    for (double period = 0.3; period < 12; period *= 1.7) {
        world w = {.period = period};
        double apart = acos(-1.0) / period;
        watch(&w, wave, 1, NULL, 10);
        ck_assert_uint_eq(w.seen, (size_t)(10 / apart));
        for (size_t k = 0; k < w.seen; k++) is_at(&w, k, (double)(k + 1) * apart, k % 2 ? 1 : -1);
    }
}
END_TEST

/* --- announced times --- */

/* The mode is 1 in the first half of each period. The next edge is counted, so that each is known
 * to the last bit. */
static double next_edge(double t, void *user)
{
    world *w = user;
    (void)t;
    return 0.5 * w->period * (double)(w->asked++ + 1);
}

static int edge(dae_event *e, void *user)
{
    world *w = user;
    ck_assert(e->due);
    w->mode = !w->mode;
    e->changed = true;
    w->seen++;
    return 0;
}

static int follow(double t, const double *y, double *f, void *user)
{
    (void)t;
    f[0] = ((const world *)user)->mode - y[0];
    return 0;
}

/* y' = u - y with pulses u: y_end = d (y_begin + ...), known in closed form edge by edge. A step or
 * two for each edge are all that it takes. */
START_TEST(a_pulse_train)
{
    enum { EDGES = 100000 };
    const double start[] = {0};
    world w = {.mode = 1, .period = 2e-3};
    dae_options options = options_for(_i ? "radau-iia5" : "dopri5", 1e-6);
    const dae_about about = {.next_event = next_edge, .event = edge, .user = &w};
    dae_solver *s = begin(dae_problem_mass(&(dae_mass_form){.n = 1, .f = follow, .about = about}),
                          &options, start);
    double stop = 0.5 * w.period * EDGES, y = 0, decay = exp(-0.5 * w.period);
    is_ok(s, dae_solver_run(s, stop));
    for (int k = 0; k < EDGES; k++) y = k % 2 ? y * decay : 1 + (y - 1) * decay;
    double found;
    is_ok(s, dae_solver_at(s, stop, &found, NULL));
    ck_assert_double_eq_tol(found, y, 1e-6);
    const dae_stats *stats = dae_solver_stats(s);
    ck_assert_uint_eq(w.seen, EDGES);
    ck_assert_uint_eq(stats->time_events, EDGES);
    ck_assert_uint_eq(stats->state_events, 0);
    ck_assert_msg(stats->steps + stats->rejected <= 2 * EDGES, "%zu steps", stats->steps);
    dae_solver_free(s);
}
END_TEST

/* --- algebraic variables jump where a source does: 0 = z + z^3 - u --- */

static int charge(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)x, (void)user;
    f[0] = z[0];
    return 0;
}

static int diode(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)x;
    g[0] = z[0] + z[0] * z[0] * z[0] - (((const world *)user)->mode ? 10 : 2);
    return 0;
}

static int half_way(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.5;
    return 0;
}

static int switch_on(dae_event *e, void *user)
{
    world *w = user;
    note(w, e);
    w->mode = 1;
    e->changed = true;
    return 0;
}

static int diode_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    return diode(t, y, y + 1, r + 1, user);
}

static int diode_right(double t, const double *y, double *f, void *user)
{
    f[0] = y[1];
    return diode(t, y, y + 1, f + 1, user);
}

static dae_problem *diode_problem(int form, const dae_about *about)
{
    static const double mass[] = {1, 0, 0, 0};
    switch (form) {
    case 0:
        return dae_problem_semi_explicit(
            &(dae_semi_explicit_form){.nx = 1, .nz = 1, .f = charge, .g = diode, .about = *about});
    case 1:
        return dae_problem_residual(
            &(dae_residual_form){.n = 2, .residual = diode_residual, .about = *about});
    default:
        return dae_problem_mass(
            &(dae_mass_form){.n = 2, .f = diode_right, .constant_mass = mass, .about = *about});
    }
}

/* x' = z is 1 before x is 1/2, and 2 from there on. */
START_TEST(algebraic_variables_jump)
{
    static const char *const methods[] = {"auto", "radau-iia5", "bdf", "rodas5p"};
    const double start[] = {0, 1};
    for (int form = 0; form < 3; form++) {
        world w = {0};
        const dae_about about = {.roots = 1, .root = half_way, .event = switch_on, .user = &w};
        dae_options options = options_for(methods[_i], 1e-8);
        options.keep_trajectory = true;
        dae_solver *s = begin(diode_problem(form, &about), &options, start);
        is_ok(s, dae_solver_run(s, 1));
        double y[2], yp[2];
        ck_assert_uint_eq(w.seen, 1);
        ck_assert_double_eq_tol(w.t[0], 0.5, 1e-8);
        is_ok(s, dae_solver_at(s, 1, y, yp));
        ck_assert_double_eq_tol(y[0], 1.5, 1e-7);
        ck_assert_double_eq_tol(y[1], 2, 1e-7);
        is_ok(s, dae_solver_at(s, w.t[0], y, yp));
        ck_assert_double_eq_tol(y[1], 2, 1e-9);
        ck_assert_double_eq_tol(yp[0], 2, 1e-9);
        is_ok(s, dae_solver_at_left(s, w.t[0], y, yp));
        ck_assert_double_eq_tol(y[1], 1, 1e-9);
        ck_assert_double_eq_tol(yp[0], 1, 1e-9);
        is_ok(s, dae_solver_at_left(s, 0.25, y, NULL));
        ck_assert_double_eq_tol(y[0], 0.25, 1e-7);
        dae_solver_free(s);
    }
}
END_TEST

/* x' = z + m, x = sin t, of index 2: z is cos t - m, and m becomes 1 at t = 1. */
static int driven(double t, const double *y, const double *yp, double *r, void *user)
{
    r[0] = yp[0] - y[1] - ((const world *)user)->mode;
    r[1] = y[0] - sin(t);
    return 0;
}

static double at_one(double t, void *user)
{
    (void)user;
    return t < 1 ? 1 : HUGE_VAL;
}

/* Multipliers before an event are as exact after it as they were before, although they follow from
 * functions that have changed. */
START_TEST(multipliers_before_an_event)
{
    static const char *const methods[] = {"auto",    "radau-iia5", "bdf",    "rodas5p",
                                          "esdirk4", "mebdf",      "rodas4", "radau"};
    enum { TIMES = 40 };
    world w = {0};
    double before[TIMES], behind[TIMES], worst[2] = {0, 0};
    const dae_residual_form form = {
        .n = 2,
        .residual = driven,
        .about = {.next_event = at_one, .event = switch_on, .user = &w}};
    dae_options options = options_for(methods[_i], 1e-6);
    options.keep_trajectory = true;
    dae_solver *s = begin(dae_problem_residual(&form), &options, (const double[]){0, 1});
    for (int round = 0; round < 2; round++) {
        is_ok(s, dae_solver_run(s, round ? 2 : 0.999));
        for (int k = 0; k < TIMES; k++) {
            double t = 0.998 * (k + 0.3) / TIMES, y[2];
            is_ok(s, dae_solver_at(s, t, y, NULL));
            (round ? behind : before)[k] = y[1];
            worst[round] = fmax(worst[round], fabs(y[1] - cos(t)));
        }
    }
    ck_assert_uint_eq(w.seen, 1);
    ck_assert_msg(worst[1] <= 2 * worst[0] + 1e-8, "%s: %g before, %g after", methods[_i], worst[0],
                  worst[1]);
    for (int k = 0; k < TIMES; k++)
        ck_assert_double_eq_tol(behind[k], before[k], 2 * worst[0] + 1e-8);
    dae_solver_free(s);
}
END_TEST

/* --- states that a callback changes --- */

static double each_second(double t, void *user)
{
    (void)user;
    return floor(t) + 1;
}

static int add_one(dae_event *e, void *user)
{
    note(user, e);
    e->y[0] += 1;
    e->changed = true;
    return 0;
}

/* x' = -x, 0 = z - 2 x; at each second x becomes x + 1, and z follows. */
START_TEST(linear_equations_are_reset)
{
    static const double mass[] = {1, 0, 0, 0}, a[] = {-1, -2, 0, 1};
    const double start[] = {1, 2};
    world w = {0};
    const dae_about about = {.next_event = each_second, .event = add_one, .user = &w};
    dae_options options = options_for("auto", 1e-9);
    dae_solver *s = begin(
        dae_problem_linear(&(dae_linear_form){.n = 2, .e = mass, .a = a, .about = about}), &options,
        start);
    is_ok(s, dae_solver_run(s, 3.5));
    double x = 1, y[2];
    for (int k = 0; k < 3; k++) x = x * exp(-1) + 1;
    is_ok(s, dae_solver_at(s, 3.5, y, NULL));
    ck_assert_double_eq_tol(y[0], x * exp(-0.5), 1e-7);
    ck_assert_double_eq_tol(y[1], 2 * y[0], 1e-8);
    ck_assert_uint_eq(w.seen, 3);
    for (size_t k = 0; k < 3; k++) ck_assert(w.due[k] && w.t[k] == (double)(k + 1));
    dae_solver_free(s);
}
END_TEST

static int turns(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1];
    f[1] = -y[0];
    return 0;
}

static int radius(double t, const double *y, double *c, void *user)
{
    (void)t, (void)user;
    c[0] = y[0] * y[0] + y[1] * y[1];
    return 0;
}

static int twice_as_far(dae_event *e, void *user)
{
    note(user, e);
    if (e->crossed[0] > 0) return 0; /* nothing is said to have changed */
    e->y[0] *= 2;
    e->y[1] *= 2;
    e->changed = true;
    return 0;
}

/* A circle, on which the states are projected. It becomes twice as large at 1/2 pi, where y1 = cos
 * falls through 0, and again a turn later. */
START_TEST(invariants_have_their_new_values)
{
    const double start[] = {1, 0}, pi = acos(-1.0);
    world w = {0};
    const dae_about about = {.roots = 1, .root = height, .event = twice_as_far, .user = &w};
    dae_options options = options_for("dopri5", 1e-5);
    options.projection = "coordinate";
    dae_solver *s = begin(dae_problem_invariant(&(dae_invariant_form){
                              .n = 2, .f = turns, .invariants = 1, .c = radius, .about = about}),
                          &options, start);
    is_ok(s, dae_solver_run(s, 3 * pi));
    double y[2];
    is_ok(s, dae_solver_at(s, 3 * pi, y, NULL));
    ck_assert_uint_eq(w.seen, 3);
    ck_assert_msg(fabs(hypot(y[0], y[1]) - 4) < 1e-12, "%.3e %.3e", hypot(y[0], y[1]) - 4,
                  dae_solver_stats(s)->max_constraint[0]);
    ck_assert_double_eq_tol(y[0], -4, 1e-3);
    ck_assert_double_le(dae_solver_stats(s)->max_constraint[0], 1e-12);
    dae_solver_free(s);
}
END_TEST

/* What one event costs where nothing but the right side changes: at most three steps more. */
START_TEST(an_event_is_cheap)
{
    static const char *const names[] = {"dopri5", "dop853", "radau-iia3", "radau-iia5", "rodas5p"};
    const double start[] = {0};
    for (double rtol = 1e-4; rtol > 1e-9; rtol *= 1e-2) {
        size_t steps[2];
        for (int with = 0; with < 2; with++) {
            world w = {.mode = 1, .period = 1.4}; /* edges at 0.7, 1.4, ... */
            const dae_about about = {
                .next_event = with ? next_edge : NULL, .event = with ? edge : NULL, .user = &w};
            dae_options options = options_for(names[_i], rtol);
            dae_solver *s = begin(
                dae_problem_mass(&(dae_mass_form){.n = 1, .f = follow, .about = about}), &options,
                start);
            is_ok(s, dae_solver_run(s, 1));
            ck_assert_uint_eq(w.seen, with);
            steps[with] = dae_solver_stats(s)->steps + dae_solver_stats(s)->rejected;
            dae_solver_free(s);
        }
        ck_assert_msg(steps[1] <= steps[0] + 3, "%s at %g: %zu steps, %zu without", names[_i], rtol,
                      steps[1], steps[0]);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, a_ball_bounces, 0, METHODS_COUNT);
    tcase_add_test(tests, no_bounce_is_lost);
    tcase_add_test(tests, roots_are_located);
    tcase_add_test(tests, roots_at_the_ends_of_a_run);
    tcase_add_test(tests, pairs_hidden_in_a_step);
    tcase_add_test(tests, many_roots_in_a_step);
    unit_loop(tests, a_pulse_train, 0, 2);
    unit_loop(tests, algebraic_variables_jump, 0, 4);
    unit_loop(tests, multipliers_before_an_event, 0, 8);
    tcase_add_test(tests, linear_equations_are_reset);
    tcase_add_test(tests, invariants_have_their_new_values);
    unit_loop(tests, an_event_is_cheap, 0, 5);
    return unit_run("solve/author_events", tests);
}
