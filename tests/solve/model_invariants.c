/* Invariants that models declare: their drift, the projection onto them, events that change them.
 */
#include "solve/models.h"

#include <math.h>

static const char LOTKA_VOLTERRA[] =
    "model M Real x(start = 2, fixed = true), y(start = 1, fixed = true);\n"
    "equation der(x) = x*(2 - 2*y); der(y) = y*(x - 1);\n"
    "annotation(__daedal(invariant = x - log(x) + 2*y - 2*log(y))); end M;";

static double lotka_volterra(const double *y)
{
    return y[0] - log(y[0]) + 2 * y[1] - 2 * log(y[1]);
}

static const char SWINGS[] =
    "model M Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v, T;\n"
    "equation der(x) = u; der(y) = v; der(u) = -T*x; der(v) = -T*y - 9.81; x^2 + y^2 = 1;\n"
    "annotation(__daedal(invariant = (u^2 + v^2)/2 + 9.81*y)); end M;";

static double energy(const double *y)
{
    return (y[2] * y[2] + y[3] * y[3]) / 2 + 9.81 * y[1];
}

static const char TWO_BODY[] =
    "model M Real x(start = 0.5, fixed = true), y(start = 0, fixed = true);\n"
    "  Real u(start = 0, fixed = true), v(start = 1.7320508075688772, fixed = true), r;\n"
    "equation der(x) = u; der(y) = v; der(u) = -x/r^3; der(v) = -y/r^3; r = sqrt(x^2 + y^2);\n"
    "annotation(__daedal(invariant = {(u^2 + v^2)/2 - 1/r, x*v - y*u})); end M;";

static double momentum(const double *y)
{
    return y[0] * y[3] - y[1] * y[2];
}

static double kepler(const double *y)
{
    return (y[2] * y[2] + y[3] * y[3]) / 2 - 1 / hypot(y[0], y[1]);
}

static int pass_over(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

/* Rows are where invariants are measured. */
static dae_solver *ended(const char *model, const char *projection, double rtol, double stop,
                         double *y)
{
    dae_options o = tolerance_of(rtol);
    o.projection = projection;
    dae_solver *s = solver_of(model, &o);
    dae_times times = {.first = 0, .last = stop, .count = 101};
    dae_solver_output(s, &times, pass_over, NULL);
    is_ok(s, dae_solver_run(s, stop));
    is_ok(s, dae_solver_at(s, stop, y, NULL));
    return s;
}

static double drift_of(dae_solver *s)
{
    const dae_stats *stats = dae_solver_stats(s);
    return stats->max_constraint[stats->constraint_levels - 1];
}

/* The last entry of max_constraint is the drift; where states are brought back, it is round-off. */
START_TEST(kept_where_asked_for)
{
    static const struct {
        const char *model;
        double stop, (*value)(const double *y), is;
    } cases[] = {{LOTKA_VOLTERRA, 30, lotka_volterra, 0},
                 {TWO_BODY, 40, kepler, -0.5},
                 {TWO_BODY, 40, momentum, 0.8660254037844386}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double y[5], first[2] = {2, 1}, is = k ? cases[k].is : lotka_volterra(first);
        dae_solver *s = ended(cases[k].model, "none", 1e-5, cases[k].stop, y);
        double off = fabs(cases[k].value(y) - is);
        ck_assert_double_gt(drift_of(s), 1e-8);
        ck_assert_double_gt(off, 1e-8);
        ck_assert_str_eq(dae_solver_stats(s)->projection, "none");
        dae_solver_free(s);
        s = ended(cases[k].model, "coordinate", 1e-5, cases[k].stop, y);
        ck_assert_double_lt(fabs(cases[k].value(y) - is), 1e-12);
        ck_assert_double_lt(drift_of(s), 1e-12);
        ck_assert_str_eq(dae_solver_stats(s)->projection, "coordinate");
        dae_solver_free(s);
        s = ended(cases[k].model, "auto", 1e-5, cases[k].stop, y);
        ck_assert_double_gt(drift_of(s), 1e-8);
        dae_solver_free(s);
    }
}
END_TEST

#define ONE_SIDED(force, stored)                                                                  \
    "model M Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, " \
    "T;\n"                                                                                        \
    "equation der(x) = u; der(y) = v; der(u) = -T*x - 20*" force "; der(v) = -T*y - 9.81;\n"      \
    "x^2 + y^2 = 1; annotation(__daedal(invariant = (u^2 + v^2)/2 + 9.81*y + 10*" stored          \
    ")); end M;"

/* The energy of a spring that acts on one side of x = 0: steps end beyond the event, where another
 * branch would hold. */
START_TEST(branches_are_those_of_the_equations)
{
    static const char *const methods[] = {"auto", "bdf", "radau-iia5", "rodas5p", "mebdf"};
    static const char *const models[] = {
        ONE_SIDED("(if x < 0 then x else 0)", "(if x < 0 then x^2 else 0)"),
        ONE_SIDED("min(x, 0)", "min(x, 0)^2"),
        ONE_SIDED("min(x, 0)", "(if x < 0 then x^2 else 0)"),
    };
    for (size_t k = 0; k < 15; k++) {
        dae_options o = tolerance_of(1e-4);
        double y[5];
        o.method = methods[k % 5];
        o.projection = "coordinate";
        dae_solver *s = solver_of(models[k / 5], &o);
        is_ok(s, dae_solver_run(s, 4));
        is_ok(s, dae_solver_at(s, 4, y, NULL));
        ck_assert_double_lt(y[0], 0);
        ck_assert_double_eq_tol(energy(y) + 10 * y[0] * y[0], -0.8 * 9.81, 1e-11);
        dae_solver_free(s);
    }
}
END_TEST

/* Orbits that keep energy and momentum are better by far after many revolutions. */
START_TEST(orbits_stay)
{
    double exact[5], y[5], error[2];
    dae_solver_free(ended(TWO_BODY, "none", 1e-12, 100, exact));
    for (int k = 0; k < 2; k++) {
        dae_solver_free(ended(TWO_BODY, k ? "coordinate" : "none", 1e-6, 100, y));
        error[k] = hypot(y[0] - exact[0], y[1] - exact[1]);
    }
    ck_assert_double_lt(error[1], 0.5 * error[0]);
}
END_TEST

/* Where states are projected onto constraints anyway, the invariants are kept with them. */
START_TEST(kept_with_constraints)
{
    double y[5];
    dae_solver *s = ended(SWINGS, "auto", 1e-4, 20, y);
    ck_assert_double_lt(fabs(energy(y)), 1e-10);
    ck_assert_double_lt(fabs(y[0] * y[0] + y[1] * y[1] - 1), 1e-12);
    ck_assert_double_lt(fabs(y[0] * y[2] + y[1] * y[3]), 1e-10);
    ck_assert_double_lt(drift_of(s), 1e-10);
    dae_solver_free(s);
    s = ended(SWINGS, "none", 1e-4, 20, y);
    ck_assert_double_gt(drift_of(s), 1e-6);
    dae_solver_free(s);
}
END_TEST

/* A bounce takes energy; between bounces the new one is kept. */
START_TEST(taken_anew_at_an_event)
{
    static const char BALL[] =
        "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
        "  Real w(start = 1, fixed = true), x(start = 0, fixed = true);\n"
        "equation der(h) = v; der(v) = -9.81; der(w) = x; der(x) = -w;\n"
        "  when h < 0 then reinit(v, -0.8*pre(v)); end when;\n"
        "annotation(__daedal(invariant = {v^2/2 + 9.81*h, w^2 + x^2})); end M;";
    double y[4];
    dae_solver *s = ended(BALL, "coordinate", 1e-4, 1.5, y); /* after two bounces */
    ck_assert_uint_ge(dae_solver_stats(s)->events, 2);
    ck_assert_double_eq_tol(y[1] * y[1] / 2 + 9.81 * y[0], 9.81 * pow(0.8, 4), 1e-9);
    ck_assert_double_eq_tol(y[2] * y[2] + y[3] * y[3], 1, 1e-12);
    ck_assert_double_lt(drift_of(s), 1e-11);
    dae_solver_free(s);
}
END_TEST

/* From 2 to 4 there is friction: the energy is kept before, and after with another value. */
START_TEST(not_kept_where_it_does_not_hold)
{
    static const char BRAKED[] =
        "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
        "equation der(x) = v; der(v) = -x - (if time >= 2 and time < 4 then 0.5 else 0)*v;\n"
        "annotation(__daedal(invariant = x^2 + v^2)); end M;";
    double y[2], exact[2], before[2];
    dae_solver_free(ended(BRAKED, "none", 1e-11, 4, exact));
    dae_solver_free(ended(BRAKED, "coordinate", 1e-5, 2, before));
    ck_assert_double_eq_tol(before[0] * before[0] + before[1] * before[1], 1, 1e-12);
    dae_solver *s = ended(BRAKED, "coordinate", 1e-5, 4.5, y);
    double kept = y[0] * y[0] + y[1] * y[1];
    ck_assert_double_eq_tol(kept, exact[0] * exact[0] + exact[1] * exact[1], 1e-4);
    is_ok(s, dae_solver_run(s, 30));
    is_ok(s, dae_solver_at(s, 30, y, NULL));
    ck_assert_double_eq_tol(y[0] * y[0] + y[1] * y[1], kept, 1e-12);
    dae_solver_free(s);
}
END_TEST

static void refused(const char *model, const char *projection)
{
    dae_options o = tolerance_of(1e-6);
    o.projection = projection;
    dae_solver *s = solver_of(model, &o);
    ck_assert_int_eq(dae_solver_run(s, 1), DAE_USAGE);
    ck_assert_ptr_nonnull(
        strstr(dae_solver_message(s), "the invariant x^2 + v^2 (m.mo:3) is none"));
    dae_solver_free(s);
}

/* What changes is refused at the start, or where it begins to change. */
START_TEST(wrong_invariants)
{
    refused("model M Real x(start = 1, fixed = true), v(start = 1, fixed = true);\n"
            "equation der(x) = v; der(v) = -x - 0.1*v;\n"
            "annotation(__daedal(invariant = x^2 + v^2)); end M;",
            "auto");
    refused("model M Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
            "equation der(x) = v; der(v) = -x - 0.1*v;\n"
            "annotation(__daedal(invariant = x^2 + v^2)); end M;",
            "coordinate");
}
END_TEST

UNIT_MAIN("solve/model_invariants", 60, kept_where_asked_for, orbits_stay, kept_with_constraints,
          taken_anew_at_an_event, not_kept_where_it_does_not_hold,
          branches_are_those_of_the_equations, wrong_invariants)
