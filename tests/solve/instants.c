/* Times that differ by round-off alone are one instant: known times of events at the stop, at the
 * start, and of several events. */
#include "solve/equations.h"
#include "solve/models.h"
#include "solve/pendulum.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

static const char *const METHODS[] = {"auto", "dop853", "radau-iia5", "rodas5p", "bdf", "mebdf"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

static double counted(const char *model, const char *with, double start, double stop)
{
    dae_options o = tolerance_of(1e-6);
    double y[3];
    o.method = with;
    dae_solver *s = solver_of(model, &o);
    is_ok(s, dae_solver_start(s, start, NULL));
    is_ok(s, dae_solver_run(s, stop));
    ck_assert_double_eq(dae_solver_time(s), stop);
    is_ok(s, dae_solver_at(s, stop, y, NULL));
    dae_solver_free(s);
    return y[1];
}

/* sample(a, b) to a stop that is one of its ticks in decimal numbers: the last one counts. */
START_TEST(ticks_at_the_stop)
{
    char model[400];
    for (int interval = 1; interval <= 9; interval += 2) {
        for (int first = -7; first <= 3; first++) {
            int last = first + interval * (3 + (7 * first + 77) % 11);
            if (last <= 0) continue;
            snprintf(model, sizeof model,
                     "model M Real x(start = 0, fixed = true);\n"
                     "  discrete Integer n(start = 0, fixed = true);\n"
                     "equation der(x) = 1; when sample(%.1f, %.1f) then n = pre(n) + 1; end when;\n"
                     "end M;",
                     0.1 * first, 0.1 * interval);
            int ticks = 0;
            for (int k = first; k <= last; k += interval) ticks += k >= 0;
            double n = counted(model, METHODS[_i], 0, last / 10.0);
            ck_assert_msg(n == ticks, "%s to %g: %g ticks, not %d", model, last / 10.0, n, ticks);
        }
    }
}
END_TEST

/* time >= a + b in decimal numbers at the stop; at the start it is true from the beginning, and
 * time > a + b becomes true after it. */
START_TEST(relations_of_time)
{
    char model[400];
    for (int k = 0; k < 128; k++) {
        int a = 1 + k / 2 % 8, b = 1 + k / 16;
        snprintf(model, sizeof model,
                 "model M Real x(start = 0, fixed = true);\n"
                 "  discrete Integer n(start = 0, fixed = true);\n"
                 "equation der(x) = 1; when time %s 0.%d + 0.%d then n = pre(n) + 1; end when;\n"
                 "end M;",
                 k % 2 ? ">" : ">=", a, b);
        double at = (a + b) / 10.0;
        ck_assert_double_eq(counted(model, METHODS[_i], 0, at), 1);
        ck_assert_double_eq(counted(model, METHODS[_i], at, at + 1), k % 2);
    }
}
END_TEST

/* Ticks of samples that are multiples of each other fall together, also late ones. */
START_TEST(ticks_fall_together)
{
    dae_options o = tolerance_of(1e-6);
    o.max_steps = 1000000;
    dae_solver *s = solver_of("model M Real x(start = 0, fixed = true);\n"
                              "  discrete Integer n(start = 0, fixed = true);\n"
                              "equation der(x) = 1;\n"
                              "  when {sample(0, 0.1), sample(0, 0.3), sample(-2.1, 0.7)} then\n"
                              "    n = pre(n) + 1; end when; end M;",
                              &o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, 2100));
    ck_assert_uint_eq(dae_solver_stats(s)->events, 21001); /* with that of the start */
    double y[2];
    is_ok(s, dae_solver_at(s, 2100, y, NULL));
    ck_assert_double_eq(y[1], 21001);
    dae_solver_free(s);
}
END_TEST

/* What the callbacks of a C program share with their test. */
typedef struct world {
    double *at; /* announced, in their order */
    size_t count, called;
    bool due;
} world;

static int moves(double t, const double *y, double *f, void *user)
{
    (void)t, (void)y, (void)user;
    f[0] = 1;
    return 0;
}

static double listed(double t, void *user)
{
    const world *w = user;
    for (size_t k = 0; k < w->count; k++)
        if (w->at[k] > t) return w->at[k];
    return HUGE_VAL;
}

static double next_number(double t, void *user)
{
    (void)user;
    return t < 1 ? nextafter(t, 2) : HUGE_VAL;
}

static int called(dae_event *e, void *user)
{
    world *w = user;
    w->called++;
    w->due = w->due && e->due;
    e->changed = true;
    return 0;
}

static dae_solver *announced(world *w, double (*next)(double, void *), const char *with, double t)
{
    const dae_about about = {.next_event = next, .event = called, .user = w};
    dae_options o = tolerance_of(1e-6);
    o.method = with;
    dae_solver *s = solver_for(
        dae_problem_mass(&(dae_mass_form){.n = 1, .f = moves, .about = about}), &o);
    is_ok(s, dae_solver_start(s, t, (double[]){0}));
    w->called = 0;
    w->due = true;
    return s;
}

/* Each instant is announced by two or three numbers, on both sides of it: it is one event, also
 * where a run stops at it and goes on. At the start none is. */
START_TEST(numbers_of_one_instant)
{
    double at[12];
    for (int k = 0; k < 4; k++) {
        at[3 * k] = nextafter(0.3 * (k + 1), 0);
        at[3 * k + 1] = 0.3 * (k + 1);
        at[3 * k + 2] = nextafter(0.3 * (k + 1), 9);
    }
    for (int ulp = -1; ulp <= 1; ulp++) {
        world w = {.at = at, .count = 12};
        dae_solver *s = announced(&w, listed, METHODS[_i], 0);
        is_ok(s, dae_solver_run(s, at[4 + ulp]));
        ck_assert_uint_eq(w.called, 2);
        ck_assert_double_eq(dae_solver_time(s), at[4 + ulp]);
        is_ok(s, dae_solver_run(s, 2));
        ck_assert_uint_eq(w.called, 4);
        ck_assert(w.due);
        dae_solver_free(s);
        s = announced(&w, listed, METHODS[_i], at[1 + ulp]);
        is_ok(s, dae_solver_run(s, 2));
        ck_assert_uint_eq(w.called, 3);
        dae_solver_free(s);
    }
}
END_TEST

START_TEST(no_time_behind)
{
    for (int k = 0; k < 3; k++) {
        world w = {0};
        dae_solver *s = announced(&w, next_number, METHODS[_i], k == 0 ? 0 : k == 1 ? 1e-3 : -7);
        ck_assert_int_eq(dae_solver_run(s, 2), DAE_USAGE);
        ck_assert(strstr(dae_solver_message(s), "next_event") != NULL);
        ck_assert(strstr(dae_solver_message(s), "round-off") != NULL);
        ck_assert_uint_eq(w.called, 0);
        dae_solver_free(s);
    }
}
END_TEST

/* Functions of time that stay 0 for a while, or equal to one of others: how long a relation of
 * theirs holds from 0 to 7, found without a step for each of the instants at which it is 0. */
START_TEST(functions_that_stay)
{
    static const struct {
        const char *value, *relation;
        double slope, held; /* in addition for each second of the shift c; at c = 0 */
    } row[] = {
        {"max(0, time - 2 - c)", "u > 0", -1, 5},
        {"max(0, time - 2 - c)", "u >= 0.5", -1, 4.5},
        {"max(0, time - 2 - c)^2", "u > 0", -1, 5},
        {"sqrt(max(0, time - 2 - c))", "u > 0", -1, 5},
        {"if time > 2 + c then time - 2 - c else 0", "u > 0", -1, 5},
        {"noEvent(if time > 2 + c then time - 2 - c else 0)", "u > 0", -1, 5},
        {"max(0, 3 + c - time)", "u > 0", 1, 3},
        {"max(time, 3 + c)", "u <= 3 + c", 1, 3},
        {"min(1 + c, time)", "u >= 1 + c", -1, 6},
        {"max(0, -sin(time - c))*(if time > 1 then 1 else 0)", "u > 0", 0, 3.141592653589793},
        {"max({sin(time), cos(time), -1.5 + 0*c})", "sin(time) >= u", 0, 3.141592653589793},
        {"min({sin(time), cos(time), 1.5 + 0*c})", "sin(time) > u", 0, 3.141592653589793},
    };
    char model[400];
    double y[4];
    uint64_t state = 11;
    for (int k = 0; k < 8; k++) {
        double c = scatter_between(&state, -0.7, 0.7), held = row[_i].held + row[_i].slope * c;
        dae_options o = tolerance_of(1e-9);
        snprintf(model, sizeof model,
                 "model M parameter Real c = %.17g; Real x(start = 0, fixed = true), u = %s;\n"
                 "  Boolean on = %s; equation der(x) = if on then 1 else 0; end M;",
                 c, row[_i].value, row[_i].relation);
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_run(s, 7));
        is_ok(s, dae_solver_at(s, 7, y, NULL));
        ck_assert_msg(fabs(y[0] - held) < 1e-8, "%s: %.9g, not %.9g", model, y[0], held);
        ck_assert_uint_lt(dae_solver_stats(s)->events, 20);
        dae_solver_free(s);
    }
}
END_TEST

/* A sample is true at its instants alone: no integral sees it, also through other variables. */
START_TEST(a_sample_has_no_length)
{
    static const char *const when[] = {"s", "s and x < 9", "b", "not c"};
    char model[500];
    double y[6];
    for (int k = 0; k < 4; k++) {
        dae_options o = tolerance_of(1e-6);
        o.method = METHODS[_i];
        snprintf(model, sizeof model,
                 "model M Real x(start = 0, fixed = true), u = time - (if %s then 1 else 0);\n"
                 "  Boolean s = sample(0, 0.1), b = s or x > 9, c = not b;\n"
                 "equation der(x) = if %s then 1 else -1; end M;",
                 when[k], when[k]);
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_run(s, 1.05));
        is_ok(s, dae_solver_at(s, 1.05, y, NULL));
        ck_assert_double_eq_tol(y[0], -1.05, 1e-13);
        ck_assert_double_eq_tol(y[1], 1.05, 1e-13);
        ck_assert_double_lt(dae_solver_stats(s)->max_residual, 1e-12);
        dae_solver_free(s);
    }
}
END_TEST

/* A motor with dry friction leaves standstill within rounding of the sample that switches it on:
 * the sample is taken once. Periods are drawn. */
START_TEST(a_sample_is_taken_once)
{
    static const char *const kind[] = {"sign(w)", "(if w > 0 then 1 elseif w < 0 then -1 else 0)"};
    static const double rtol[] = {1e-4, 1e-6, 1e-8};
    uint64_t state = 7;
    char model[500];
    for (int k = 0; k < 6; k++) {
        double period = 1e-3 * exp2(2 * scatter(&state));
        dae_options o = tolerance_of(rtol[k % 3]);
        o.method = METHODS[_i];
        snprintf(model, sizeof model,
                 "model M Real i(start = 0, fixed = true), w(start = 0, fixed = true);\n"
                 "  Integer k(start = 0, fixed = true);\n"
                 "equation when sample(%.17g, %.17g) then k = pre(k) + 1; end when;\n"
                 "  0.002*der(i) = (if k > 0 then 3 else 0) - i;\n"
                 "  1e-5*der(w) = 0.4*i - 0.02*%s; end M;",
                 period, period, kind[k % 2]);
        ck_assert_double_eq(end_of(model, &o, 5.5 * period, "k"), 5);
    }
}
END_TEST

/* A kept trajectory has the values before each event, although a step ends there at a time that
 * sums of steps meet but for rounding: z = u x has the sign of u. */
START_TEST(a_trajectory_tells_both_sides)
{
    static const char *const MODEL = "model M Real x(start = 1, fixed = true), z = u*x; discrete "
                                     "Real u(start = 1, fixed = true);\n"
                                     "equation when sample(0.05, 0.05) then u = -pre(u); end when; "
                                     "der(x) = sin(7*time) - z/9; end M;";
    for (int digits = 4; digits < 10; digits++) {
        dae_options o = tolerance_of(pow(10, -digits));
        o.method = METHODS[_i];
        o.keep_trajectory = true;
        dae_solver *s = solver_of(MODEL, &o);
        is_ok(s, dae_solver_run(s, 4.02));
        double y[3];
        for (int k = 0; k < 80; k++) {
            double t = 0.05 + k * 0.05, before = k % 2 ? -1 : 1;
            is_ok(s, dae_solver_at_left(s, t, y, NULL));
            ck_assert_msg(fabs(y[1] - before * y[0]) < 1e-3 && y[2] == before,
                          "%s, 1e-%d: before %.17g", METHODS[_i], digits, t);
            is_ok(s, dae_solver_at(s, t, y, NULL));
            ck_assert_msg(fabs(y[1] + before * y[0]) < 1e-3 && y[2] == -before,
                          "%s, 1e-%d: after %.17g", METHODS[_i], digits, t);
        }
        dae_solver_free(s);
    }
}
END_TEST

/* --- C programs under constraints --- */

/* A pendulum of length 1 and its passages of x = 0.2; how far from there it is as the callback is
 * called. */
typedef struct passages {
    bool changed;
    int count;
    double t[8], most;
} passages;

static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < 2; i++) {
        r[i] = yp[i] - y[2 + i];
        r[2 + i] = yp[2 + i] + y[i] * y[4] + (i ? 9.81 : 0);
    }
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

static int post(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.2;
    return 0;
}

static int is_passed(dae_event *e, void *user)
{
    passages *p = user;
    if (p->count < 8) p->t[p->count] = e->t;
    p->count++;
    p->most = fmax(p->most, fabs(e->y_before[0] - 0.2));
    e->changed = p->changed;
    return 0;
}

static void pass(passages *p, const char *formulation, double tolerance)
{
    const dae_about about = {.roots = 1, .root = post, .event = is_passed, .user = p};
    const dae_mechanical_form form = {.nq = 2,
                                      .holonomic = 1,
                                      .force = weight,
                                      .constraint = rod,
                                      .constraint_q = rod_q,
                                      .about = about};
    const dae_residual_form other = {.n = 5, .residual = pendulum, .about = about};
    const double start[] = {0.6, -0.8, 0, 0, (double)NAN};
    dae_options o = tolerance_of(tolerance);
    p->count = 0, p->most = 0;
    if (formulation) o.formulation = formulation;
    dae_solver *s = solver_for(
        formulation ? dae_problem_mechanical(&form) : dae_problem_residual(&other), &o);
    is_ok(s, dae_solver_start(s, 0, start));
    is_ok(s, dae_solver_run(s, 5));
    dae_solver_free(s);
}

/* The instant is that at which the state that the callback sees is at the root, though the state
 * within a step misses the constraints by its error; each passage is seen once. */
START_TEST(states_on_constraints)
{
    static const char *const formulations[] = {NULL,          "index1",       "index2",
                                               "index3",      "ggl",          "baumgarte",
                                               "elimination", "nullspace-qr", "penalty"};
    passages exact = {0}, p = {.changed = _i};
    pass(&exact, "elimination", 1e-12);
    ck_assert_int_eq(exact.count, 5);
    for (size_t k = 0; k < sizeof formulations / sizeof *formulations; k++) {
        pass(&p, formulations[k], 1e-5);
        const char *name = formulations[k] ? formulations[k] : "residual";
        ck_assert_msg(p.count == exact.count, "%s: %d passages", name, p.count);
        ck_assert_msg(p.most < 1e-13, "%s: off by %g", name, p.most);
        for (int i = 0; i < p.count; i++)
            ck_assert_msg(fabs(p.t[i] - exact.t[i]) < 1e-3, "%s: %g", name, p.t[i] - exact.t[i]);
    }
}
END_TEST

/* At the instant of a sample at the start time > 0 is false: it becomes true after it. */
START_TEST(a_sample_at_the_start_is_not_behind_it)
{
    static const char MODEL[] =
        "model M discrete Real q(start = 0, fixed = true), n(start = 0, fixed = true), "
        "c(start = 0, fixed = true); equation when sample(0, 1) then q = if time > 2.5 then 1 else "
        "-1; end when; when change(q) and time > 0 then c = pre(c) + 1; end when; when sample(0, "
        "1) "
        "and time > 0 then n = pre(n) + 1; end when; end M;";
    dae_options options = tolerance_of(1e-6);
    ck_assert_double_eq(end_of(MODEL, &options, 0.5, "c"), 0);
    ck_assert_double_eq(end_of(MODEL, &options, 0.5, "q"), -1);
    ck_assert_double_eq(end_of(MODEL, &options, 3.5, "c"), 1);
    ck_assert_double_eq(end_of(MODEL, &options, 3.5, "n"), 3);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, ticks_at_the_stop, 0, METHODS_COUNT);
    unit_loop(tests, relations_of_time, 0, METHODS_COUNT);
    tcase_add_test(tests, ticks_fall_together);
    unit_loop(tests, numbers_of_one_instant, 0, METHODS_COUNT);
    unit_loop(tests, functions_that_stay, 0, 12);
    unit_loop(tests, a_sample_has_no_length, 0, METHODS_COUNT);
    unit_loop(tests, a_trajectory_tells_both_sides, 0, METHODS_COUNT);
    unit_loop(tests, a_sample_is_taken_once, 0, METHODS_COUNT);
    unit_loop(tests, no_time_behind, 0, METHODS_COUNT);
    unit_loop(tests, states_on_constraints, 0, 2);
    tcase_add_test(tests, a_sample_at_the_start_is_not_behind_it);
    return unit_run("solve/instants", tests);
}
