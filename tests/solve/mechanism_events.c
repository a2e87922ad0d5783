/* Events of models that are followed as mechanisms: impacts, dry friction, samples, the end of a
 * run, and what is refused. */
#include "solve/models.h"

#include <math.h>

static const double GRAVITY = 9.81;

/* A pendulum of length 1 that is released at a right angle and hits a wall below its pivot. */
static const char WALL[] =
    "model Wall parameter Real g = 9.81, r = 0.5;\n"
    "  Real x(start = 1), y(start = 0, fixed = true), u, v(start = 0, fixed = true), F;\n"
    "  Integer n(start = 0, fixed = true);\n"
    "equation der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - g; x^2 + y^2 = 1;\n"
    "  when x < 0 then reinit(u, -r*pre(u)); reinit(v, -r*pre(v)); n = pre(n) + 1; end when;\n"
    "end Wall;";

/* A bead on the straight wire y = 2 x, with 5 x'' = the force along x. */
#define BEAD(declared, force, more)                                                         \
    "model Bead Real x(start = 1, fixed = true), y, u(start = 0, fixed = true), v, F, f;\n" \
    "  " declared " equation der(x) = u; der(y) = v; der(u) = 5*f + 2*F; der(v) = -F;\n"    \
    "  y = 2*x; f = " force "; " more " end Bead;"

/* The order of unknowns. */
enum { X, Y, U, V, F, LAST };

static const struct {
    const char *formulation, *method;
    double tolerance, error;
} ways[] = {
    {"index3", "auto", 1e-8, 1e-5},
    {"index2", "auto", 1e-8, 1e-6},
    {"ggl", "auto", 1e-8, 1e-6},
    {"ggl-mass", "auto", 1e-8, 1e-6},
    {"fuhrer-leimkuhler", "auto", 1e-8, 1e-6},
    {"elimination", "auto", 1e-8, 1e-6},
    {"udwadia-kalaba", "auto", 1e-8, 1e-6},
    {"partition", "auto", 1e-8, 1e-6},
    {"nullspace-qr", "auto", 1e-8, 1e-6},
    {"nullspace-svd", "auto", 1e-8, 1e-6},
    {"zero-eigenvalue", "auto", 1e-8, 1e-6},
    {"baumgarte", "auto", 1e-8, 1e-6},
    {"penalty:alpha=1e9", "auto", 1e-8, 1e-6},
    {"augmented", "auto", 1e-8, 1e-6},
    {"index1", "newmark", 1e-5, 1e-4},
    {"index2", "generalized-alpha", 1e-5, 1e-4},
    {"index3", "hht", 1e-5, 1e-3},
    {"tangent", "generalized-alpha", 1e-5, 1e-4},
    {"tangent", "fox-goodwin", 1e-5, 1e-4},
    {"index1", "auto", 1e-8, 1e-6}, /* of the model itself */
};
enum { WAYS = sizeof ways / sizeof *ways };

static dae_solver *begin(const char *model, size_t way, dae_options options)
{
    options.formulation = ways[way].formulation;
    options.method = ways[way].method;
    options.rtol = options.atol = ways[way].tolerance;
    dae_solver *s = solver_of(model, &options);
    is_ok(s, dae_solver_start(s, 0, NULL));
    return s;
}

/* pi over the arithmetic-geometric mean of 1 and sqrt(1 - m): twice the complete elliptic integral
 * of the first kind. */
static double twice_elliptic(double m)
{
    double a = 1, b = sqrt(1 - m);
    for (int i = 0; i < 6; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return acos(-1.0) / a;
}

/* The wall is hit after K(1/2)/sqrt g at the speed sqrt(2 g). The pendulum swings back to the
 * height r^2, 1 - cos a = 1/4, and is at the wall again after 2 K(sin^2(a/2) = 1/8)/sqrt g, with
 * the speed that it left it with. */
START_TEST(a_pendulum_hits_a_wall)
{
    double error = ways[_i].error, y[LAST + 1], yp[LAST + 1], speed = sqrt(2 * GRAVITY);
    double first = 0.5 * twice_elliptic(0.5) / sqrt(GRAVITY);
    double second = first + twice_elliptic(0.125) / sqrt(GRAVITY);
    dae_options options = tolerance_of(1e-8);
    options.stop_at_events = true;
    dae_solver *s = begin(WALL, (size_t)_i, options);
    is_ok(s, dae_solver_run(s, 3));
    double hit = dae_solver_time(s);
    ck_assert_double_eq_tol(hit, first, error);
    is_ok(s, dae_solver_at_left(s, hit, y, yp));
    ck_assert_double_eq_tol(y[U], -speed, 10 * error);
    ck_assert_double_eq_tol(y[F], 3 * GRAVITY, 100 * error);
    is_ok(s, dae_solver_at(s, hit, y, yp));
    ck_assert_double_eq_tol(y[U], 0.5 * speed, 10 * error);
    ck_assert_double_eq_tol(y[V], 0, 10 * error);
    ck_assert_double_eq_tol(y[F], 1.5 * GRAVITY, 100 * error);
    ck_assert_double_eq_tol(yp[V], 0.5 * GRAVITY, 100 * error);
    is_ok(s, dae_solver_run(s, 3));
    hit = dae_solver_time(s);
    ck_assert_double_eq_tol(hit, second, error);
    is_ok(s, dae_solver_at(s, hit, y, yp));
    ck_assert_double_eq_tol(y[U], 0.25 * speed, 10 * error);
    ck_assert_double_eq(y[LAST], 2);
    ck_assert_uint_eq(dae_solver_stats(s)->state_events, 2);
    dae_solver_free(s);
}
END_TEST

/* x'' = -x - 0.1 sign x': the motion turns at k pi at the distance 1 - 0.2 k. Values of earlier
 * times are those of the mode of then. */
START_TEST(dry_friction)
{
    double error = 10 * ways[_i].error, y[LAST + 1], yp[LAST + 1], pi = acos(-1.0);
    dae_options options = tolerance_of(1e-8);
    options.keep_trajectory = true;
    dae_solver *s = begin(BEAD("", "-x - 0.1*sign(u)", ""), (size_t)_i, options);
    is_ok(s, dae_solver_run(s, 3.5 * pi));
    ck_assert_uint_eq(dae_solver_stats(s)->state_events, 3);
    for (int k = 0; k < 4; k++) {
        double side = k % 2 ? -1 : 1;
        is_ok(s, dae_solver_at(s, (k + 0.5) * pi, y, yp));
        ck_assert_double_eq_tol(y[X], 0.1 * side, error);
        ck_assert_double_eq_tol(y[U], -side * (0.9 - 0.2 * k), error);
        ck_assert_double_eq_tol(yp[U], 0, 100 * error); /* the spring balances the friction */
        ck_assert_double_eq_tol(y[F], 0, 100 * error);
    }
    dae_solver_free(s);
}
END_TEST

/* A force that is held between samples: x moves on parabolas. */
START_TEST(samples)
{
    static const char model[] = BEAD("discrete Real held(start = 0, fixed = true);", "held",
                                     "when sample(0, 0.1) then held = -x - u; end when;");
    double error = ways[_i].error, y[LAST + 2], x = 1, u = 0;
    dae_solver *s = begin(model, (size_t)_i, tolerance_of(1e-8));
    is_ok(s, dae_solver_run(s, 2.05));
    for (int k = 0; k < 20; k++) {
        double force = -x - u;
        x += 0.1 * u + 0.005 * force;
        u += 0.1 * force;
    }
    double last = -x - u;
    is_ok(s, dae_solver_at(s, 2.05, y, NULL));
    ck_assert_double_eq_tol(y[X], x + 0.05 * u + 0.00125 * last, error);
    ck_assert_double_eq_tol(y[V], 2 * (u + 0.05 * last), error);
    ck_assert_double_eq_tol(y[F], -2 * last, 100 * error);
    ck_assert_uint_eq(dae_solver_stats(s)->time_events, 21); /* with that of the start */
    dae_solver_free(s);
}
END_TEST

/* x = 1 - t^2/2. */
START_TEST(the_end_of_a_run)
{
    dae_solver *s = begin(BEAD("", "-1", "when x < 0.5 then terminate(\"there\"); end when;"),
                          (size_t)_i, tolerance_of(1e-8));
    ck_assert_int_eq(dae_solver_run(s, 3), DAE_TERMINATED);
    ck_assert_double_eq_tol(dae_solver_time(s), 1, ways[_i].error);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "there"));
    dae_solver_free(s);
}
END_TEST

/* Coulomb friction 0.3: the motion turns at -0.4 and at -0.2, where it sticks. */
START_TEST(sliding_is_refused)
{
    static const char model[] = BEAD("", "-x - (if u > 0 then 0.3 else -0.3)", "");
    double y[LAST + 1];
    dae_options options = tolerance_of(1e-8);
    options.formulation = "index1";
    dae_solver *s = solver_of(model, &options);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, 10));
    is_ok(s, dae_solver_at(s, 10, y, NULL));
    ck_assert_double_eq_tol(y[X], -0.2, 1e-6);
    dae_solver_free(s);
    options.formulation = "ggl";
    s = solver_of(model, &options);
    is_ok(s, dae_solver_start(s, 0, NULL));
    ck_assert_int_eq(dae_solver_run(s, 10), DAE_EVENT);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "at t = 6.2831")); /* 2 pi */
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "slide"));
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "index1"));
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, a_pendulum_hits_a_wall, 0, WAYS);
    unit_loop(tests, dry_friction, 0, WAYS);
    unit_loop(tests, samples, 0, WAYS);
    unit_loop(tests, the_end_of_a_run, 0, WAYS);
    tcase_add_test(tests, sliding_is_refused);
    return unit_run("solve/mechanism_events", tests);
}
