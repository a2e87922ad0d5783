/* spatialDistribution(): what a flow carries, against exact solutions of z_t + x' z_y = 0. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

static const char *const METHODS[] = {"auto", "radau-iia3", "rodas5p", "bdf", "mebdf"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS, ONE_STEP_COUNT = METHOD_COUNT - 2 };

/* What leaves at the left and at the right end. Returns by how much these change with x: where the
 * flow has just turned, content that lies close together was written at quite different speeds. */
typedef double transported(double t, double *left, double *right);

typedef struct checked {
    transported *exact;
    double worst, at;
} checked;

static int compare(double t, const double *y, const double *yp, void *user)
{
    (void)yp;
    checked *c = user;
    double left, right;
    double slope = c->exact(t, &left, &right);
    double off = fmax(fabs(y[0] - left), fabs(y[1] - right)) / (1 + slope);
    if (!(off <= c->worst)) c->at = t;
    c->worst = fmax(c->worst, off);
    return 0;
}

static dae_solver *started(const char *model, const char *method, double tolerance, bool keep)
{
    dae_options o = dae_options_default();
    o.method = method;
    o.rtol = o.atol = tolerance;
    o.keep_trajectory = keep;
    return solver_of(model, &o);
}

/* Where a flow turns, what leaves later has kinks, over which multistep methods need many steps. */
static void is_exact(const char *model, double stop, bool turns, transported *exact)
{
    static const double TOLERANCE[] = {1e-4, 1e-7, 1e-9};
    for (size_t i = 0; i < (turns ? ONE_STEP_COUNT : METHOD_COUNT); i++)
        for (size_t k = 0; k < (turns ? 2 : 3); k++) {
            if (!is_sampled(METHODS[i], i + k, 3)) continue;
            checked c = {.exact = exact};
            dae_solver *s = started(model, METHODS[i], TOLERANCE[k], false);
            dae_times times = {.first = 0, .last = stop, .count = 204};
            dae_solver_output(s, &times, compare, &c);
            ck_assert_msg(dae_solver_run(s, stop) == DAE_OK, "%s: %s", METHODS[i],
                          dae_solver_message(s));
            ck_assert_msg(c.worst < 30 * TOLERANCE[k], "%s at %g: %g at t = %g\n%s", METHODS[i],
                          TOLERANCE[k], c.worst, c.at, model);
            dae_solver_free(s);
        }
}

/* The content at the start leaves first: it is bent at 0.5. */
static double steady(double t, double *left, double *right)
{
    double y = 1 - 0.8 * t;
    *left = sin(3 * t);
    *right = y > 0.5 ? 4 - 3 * y : y > 0 ? 5 * y : sin(3 * (t - 1.25));
    return 0;
}

START_TEST(constant_velocity)
{
    is_exact("model M Real a, b, x(start = 7, fixed = true); equation der(x) = 0.8;\n"
             "(a, b) = spatialDistribution(sin(3*time), 0, x, true, {0, 0.5, 1}, {0, 2.5, 1});\n"
             "end M;",
             4, false, steady);
}
END_TEST

/* A flow to and fro, x = A sin(t). Where the flow has turned at T, there comes back what was
 * written at 2 T - t, which x tells with an error of rounding over speed; where the amplitude is
 * large enough, before that what the other end has written since, a length of 1 ago. */
static double amplitude;

static double in_left(double t)
{
    return 2 + sin(2 * t);
}

static double in_right(double t)
{
    return cos(3 * t) - 1;
}

static double at_start(double y)
{
    return 1 - 3 * y;
}

static double to_and_fro(double t, double *left, double *right)
{
    double x = amplitude * sin(t), turned = PI * (floor(t / PI + 0.5) - 0.5);
    bool to_right = cos(t) >= 0;
    double since = fabs(x + (to_right ? -1 : 1)); /* |x| when it was written at the other end */
    bool crosses = to_right ? x - 1 > (turned < 0 ? 0 : -amplitude) : x + 1 < amplitude;
    double sign = (x + (to_right ? -1 : 1)) * (to_right ? 1 : -1);
    double when = turned + PI / 2 + asin(copysign(since, sign) / amplitude);
    double slope = 3 / (amplitude * fabs(cos(t)) + 1e-12);
    double back = 2 * turned - t;
    if (to_right) {
        *left = in_left(t);
        *right = crosses ? in_left(when) : turned < 0 ? at_start(1 - x) : in_right(back);
    } else {
        *right = in_right(t);
        *left = crosses ? in_right(when) : back < 0 ? at_start(-x) : in_left(back);
    }
    return slope;
}

START_TEST(flow_that_turns)
{
    static const double AMPLITUDES[] = {0.3, 0.7, 1.9};
    char model[400];
    for (size_t i = 0; i < 3; i++) {
        amplitude = AMPLITUDES[i];
        snprintf(model, sizeof model,
                 "model M Real a, b, x(start = 0, fixed = true), v = %.17g*cos(time);\n"
                 "equation der(x) = v; (a, b) = spatialDistribution(in0 = 2 + sin(2*time),\n"
                 "  in1 = cos(3*time) - 1, x = x, positiveVelocity = v >= 0,\n"
                 "  initialPoints = {0, 1}, initialValues = {1, -2}); end M;",
                 amplitude);
        is_exact(model, 14, true, to_and_fro);
    }
}
END_TEST

/* On for 1.5, off for 1, and back. */
static double interrupted(double t, double *left, double *right)
{
    double back = t - 2.5;
    *left = back < 0 ? t : back < 1 ? 1.5 - back : 1 - t;
    *right = back >= 0 ? -t : t < 1 ? 0 : t < 1.5 ? t - 1 : 0.5;
    return 0;
}

START_TEST(flow_that_stops)
{
    is_exact("model M Real a, b, x(start = 0, fixed = true), v; equation der(x) = v;\n"
             "v = if time < 1.5 then 1 elseif time < 2.5 then 0 else -1;\n"
             "(a, b) = spatialDistribution(time, -time, x, v >= 0); end M;",
             5, false, interrupted);
}
END_TEST

/* Much faster than the steps of the method. */
static double fast(double t, double *left, double *right)
{
    *left = sin(t);
    *right = t < 0.02 ? 0 : sin(t - 0.02);
    return 0;
}

START_TEST(fast_flow)
{
    is_exact("model M Real a, b, x(start = 0, fixed = true); equation der(x) = 50;\n"
             "(a, b) = spatialDistribution(sin(time), 0, x, true); end M;",
             2, false, fast);
}
END_TEST

/* What leaves comes in again: a = 1 + b/2. */
static double circulating(double t, double *left, double *right)
{
    *right = t < 1 ? 0 : 2 - pow(0.5, floor(t) - 1);
    *left = 1 + *right / 2;
    return 0;
}

START_TEST(circulation)
{
    is_exact("model M Real a, b, x(start = 0, fixed = true); equation der(x) = 1;\n"
             "(a, b) = spatialDistribution(0.5*b + 1, 0, x, true); end M;",
             5.4, false, circulating);
}
END_TEST

/* Each jump of what enters comes to the other end: a step of a state after it is integrated up to
 * there and from there on. */
START_TEST(integral_of_pulses)
{
    dae_solver *s = started("model M Real I(start = 0, fixed = true), a, b;\n"
                            "  Real x(start = 0, fixed = true); equation der(x) = 2 + cos(time);\n"
                            "  der(I) = b; (a, b) = spatialDistribution(if sin(7*time) > 0 then 1 "
                            "else 0, 0, x, true); end M;",
                            "auto", 1e-9, false);
    double y[4], sum = 0, stop = 5;
    is_ok(s, dae_solver_run(s, stop));
    is_ok(s, dae_solver_at(s, stop, y, NULL));
    for (int k = 0; 2 * k * PI / 7 < stop; k++) { /* by when the edges of each pulse arrive */
        double edge[2];
        for (int i = 0; i < 2; i++) {
            double from = (2 * k + i) * PI / 7, to = from;
            for (int j = 0; j < 60; j++) /* 2 t + sin(t) has grown by 1 */
                to -= (2 * (to - from) + sin(to) - sin(from) - 1) / (2 + cos(to));
            edge[i] = fmin(to, stop);
        }
        sum += edge[1] - edge[0];
    }
    ck_assert_double_eq_tol(y[0], sum, 1e-7);
    dae_solver_free(s);
}
END_TEST

/* The derivative of what leaves, as v(t)/v(s) times that of what entered at s. */
START_TEST(derivative_of_what_leaves)
{
    dae_solver *s = started("model M Real a, b, z, x(start = 0, fixed = true); equation\n"
                            "der(x) = 1 + 0.5*cos(time); z = der(b);\n"
                            "(a, b) = spatialDistribution(sin(time), 0, x, true, {0, 1}, {0, -1});"
                            " end M;",
                            "auto", 1e-9, false);
    for (double t = 0.4; t < 5; t += 0.55) {
        double y[4], from = t, x = t + 0.5 * sin(t);
        is_ok(s, dae_solver_run(s, t));
        is_ok(s, dae_solver_at(s, t, y, NULL));
        for (int j = 0; j < 60; j++)
            from -= (from + 0.5 * sin(from) - (x - 1)) / (1 + 0.5 * cos(from));
        double speed = 1 + 0.5 * cos(t);
        double due = x < 1 ? speed : cos(from) * speed / (1 + 0.5 * cos(from));
        ck_assert_double_eq_tol(y[2], due, 1e-6);
    }
    dae_solver_free(s);
}
END_TEST

/* A kept trajectory can be asked at each past time, also where pieces have left since. */
START_TEST(kept_trajectory)
{
    amplitude = 1.9;
    dae_solver *s = started("model M Real a, b, x(start = 0, fixed = true), v = 1.9*cos(time);\n"
                            "equation der(x) = v; (a, b) = spatialDistribution(2 + sin(2*time),\n"
                            "  cos(3*time) - 1, x, v >= 0, {0, 1}, {1, -2}); end M;",
                            "auto", 1e-8, true);
    is_ok(s, dae_solver_run(s, 60));
    for (double t = 59.9; t > 0; t -= 0.833) {
        double y[4], left, right;
        is_ok(s, dae_solver_at(s, t, y, NULL));
        to_and_fro(t, &left, &right);
        ck_assert_double_eq_tol(y[0], left, 1e-7);
        ck_assert_double_eq_tol(y[1], right, 1e-7);
    }
    dae_solver_free(s);
}
END_TEST

static const struct {
    const char *body, *word;
    dae_status status;
} wrong[] = {
    {"der(x) = 1; when time > 0.5 then reinit(x, 0); end when;\n"
     "(a, b) = spatialDistribution(sin(time), 0, x, true);",
     "jumps at t = 0.5", DAE_UNSUPPORTED},
    {"der(x) = -1; (a, b) = spatialDistribution(sin(time), 0, x, true);",
     "moves against positiveVelocity", DAE_ASSERTION},
};

START_TEST(refused)
{
    char model[400];
    snprintf(model, sizeof model,
             "model M Real a, b, x(start = 0, fixed = true); equation\n%s end M;", wrong[_i].body);
    dae_solver *s = started(model, "auto", 1e-6, false);
    ck_assert_int_eq(dae_solver_run(s, 1), wrong[_i].status);
    ck_assert_msg(strstr(dae_solver_message(s), wrong[_i].word) &&
                      strstr(dae_solver_message(s), "x of spatialDistribution("),
                  "%s", dae_solver_message(s));
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, constant_velocity);
    tcase_add_test(tests, flow_that_turns);
    tcase_add_test(tests, flow_that_stops);
    tcase_add_test(tests, fast_flow);
    tcase_add_test(tests, circulation);
    tcase_add_test(tests, integral_of_pulses);
    tcase_add_test(tests, derivative_of_what_leaves);
    tcase_add_test(tests, kept_trajectory);
    unit_loop(tests, refused, 0, sizeof wrong / sizeof *wrong);
    return unit_run("solve/transports", tests);
}
