/* Motion along the surface of a relation to which both modes lead back: exact solutions, with the
 * instants at which it begins and ends; and loops of relations and unknowns. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static void ends(const char *model, double stop, const char *name, double wanted, double tolerance)
{
    dae_options options = tolerance_of(1e-9);
    double found = end_of(model, &options, stop, name);
    ck_assert_msg(fabs(found - wanted) <= tolerance, "%s = %.17g, not %.17g\n%s", name, found,
                  wanted, model);
}

static void fails(const char *model, const char *part)
{
    dae_options options = tolerance_of(1e-9);
    dae_solver *s = solver_of(model, &options);
    dae_status status = dae_solver_start(s, 0, NULL);
    if (status == DAE_OK) status = dae_solver_run(s, 2);
    ck_assert_int_eq(status, DAE_EVENT);
    ck_assert_msg(strstr(dae_solver_message(s), part), "%s", dae_solver_message(s));
    dae_solver_free(s);
}

/* x = 0 and y' = 2 - sin(t)/2 from where x has come down to 0. */
START_TEST(it_slides_on)
{
    static const char MODEL[] =
        "model M Real x(start = 0.5, fixed = true), y(start = 0, fixed = true); equation"
        " der(x) = (if x > 0 then -1 else 1) + 0.5*sin(time);"
        " der(y) = if x > 0 then 1 else 3; end M;";
    double begin = 0.5; /* 1/2 - t + (1 - cos t)/2 = 0 */
    for (int i = 0; i < 50; i++) begin += (1 - begin - cos(begin) / 2) / (1 - sin(begin) / 2);
    ends(MODEL, 4, "x", 0, 1e-9);
    ends(MODEL, 4, "y", begin + 2 * (4 - begin) + (cos(4) - cos(begin)) / 2, 1e-8);
}
END_TEST

/* From 2 - sqrt 2 on, until at t = 2 the share of x > 0 has become 1. */
START_TEST(it_ends)
{
    static const char MODEL[] =
        "model M Real x(start = 0.5, fixed = true), y(start = 0, fixed = true); equation"
        " der(x) = (if x > 0 then -1 else 1) + time/2;"
        " der(y) = if x > 0 then 1 else 3; end M;";
    ends(MODEL, 1.5, "x", 0, 1e-9);
    ends(MODEL, 2, "y", 2.5, 1e-8);
    ends(MODEL, 4, "x", 1, 1e-8);
    ends(MODEL, 4, "y", 4.5, 1e-8);
}
END_TEST

/* While x slides, y comes down to 0 at t = 0.7, and goes on faster: its own event is located. */
START_TEST(another_event_meanwhile)
{
    static const char MODEL[] =
        "model M Real x(start = 0.5, fixed = true), y(start = 0.7, fixed = true); equation"
        " der(x) = if x > 0 then -1 else 1; der(y) = if y > 0 then -1 else -3; end M;";
    ends(MODEL, 1, "x", 0, 1e-9);
    ends(MODEL, 1, "y", -0.9, 1e-9);
}
END_TEST

/* sign(x) is two relations with one surface: x' = 0 there for each drive between -1 and 1. */
START_TEST(a_sign_has_one_surface)
{
    static const char *const DRIVE[] = {"0.3", "(-0.3)", "0.3*sin(time)", "0.99", "(-0.99)"};
    static const char *const FORCE[] = {
        "equation der(x) = -sign(x) + %s;",
        "equation der(x) = (if x > 0 then -1 elseif x < 0 then 1 else 0) + %s;",
        ("Boolean b = x > 0, c = 2*x < 0;"
         "equation der(x) = (if b then -1 elseif c then 1 else 0) + %s;"),
        "Integer n; equation n = if x > 0 then -1 elseif -x > 0 then 1 else 0; der(x) = n + %s;",
        "equation der(x) = -sign(x) + %s + 0.005*abs(x);",
        "equation der(x) = (if x < 0 then 1 else -1) + %s + 0.005*abs(x);"};
    char model[400];
    for (size_t i = 0; i < sizeof DRIVE / sizeof *DRIVE; i++) {
        for (size_t k = 0; k < 2 * sizeof FORCE / sizeof *FORCE; k++) {
            int n = snprintf(model, sizeof model, "model M Real x(start = %g, fixed = true); ",
                             k % 2 ? 0.02 : -0.02);
            n += snprintf(model + n, sizeof model - (size_t)n, FORCE[k / 2], DRIVE[i]);
            snprintf(model + n, sizeof model - (size_t)n, " end M;");
            ends(model, 4, "x", 0, 1e-9);
        }
    }
}
END_TEST

/* Another relation changes at t = 2 so that both sides lead down, or up: the solution goes there.
 */
START_TEST(another_relation_ends_it)
{
    static const char BEGIN[] =
        "model M Real x(start = 1, fixed = true), y(start = 0, fixed = true); equation der(y) = 1;";
    static const struct {
        const char *equation;
        double wanted;
    } CASE[] = {
        {"der(x) = if x < 0 then (if time < 2 then 1 else -2) else -1;", -2},
        {"der(x) = if x < 0 then 1 else (if time < 2 then -1 else 2);", 2},
        {"der(x) = if x < 0 and time < 2 then 1 else -1;", -1},
        {"der(x) = if x < 0 or time > 2 then 1 else -1;", 1},
        {"der(x) = if x < 0 and y < 2 then 1 else -1;", -1},
        {"der(x) = if x < 0 or y > 2 then 1 else -1;", 1},
        {"der(x) = if x < 0 then (if y < 2 then 1 else -2) else -1;", -2},
        {"der(x) = -sign(x) + (if y < 2 then 0.3 else -3);", -2},
        {"der(x) = -sign(x) + (if time < 2 then 0.3 else 3);", 2},
    };
    char model[400];
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        snprintf(model, sizeof model, "%s %s end M;", BEGIN, CASE[i].equation);
        ends(model, 2, "x", 0, 1e-8);
        ends(model, 3, "x", CASE[i].wanted, 1e-8);
    }
}
END_TEST

/* From t = 2 on the surface repels: the relation has its value there, which is false. */
START_TEST(both_sides_lead_away)
{
    static const char MODEL[] =
        "model M Real x(start = 1, fixed = true); equation"
        " der(x) = (if x < 0 then 1 else -1)*(if time < 2 then 1 else -1); end M;";
    ends(MODEL, 3, "x", 1, 1e-9);
    dae_options options = tolerance_of(1e-9);
    dae_solver *s = solver_of(MODEL, &options);
    ck_assert_int_eq(dae_solver_start(s, 0, NULL), DAE_OK);
    ck_assert_int_eq(dae_solver_run(s, 3), DAE_OK);
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(s), "lead away from it"));
    dae_solver_free(s);
}
END_TEST

static const char *const METHODS[] = {"auto",       "bdf",     "mebdf",  "radau",
                                      "radau-iia5", "esdirk4", "rodas4", "rodas5p",
                                      "gauss3",     "hedop5",  "dopri5", "dop853"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, DRAWN = 5 };

/* All variables at these times. */
static void values_at(const char *model, const char *method, double rtol, size_t times,
                      const double *t, double (*y)[8])
{
    dae_options options = tolerance_of(rtol);
    options.method = method;
    dae_solver *s = solver_of(model, &options);
    for (size_t i = 0; i < times; i++) {
        dae_status status = dae_solver_run(s, t[i]);
        ck_assert_msg(status == DAE_OK, "%s: %s\n%s", method, dae_solver_message(s), model);
        is_ok(s, dae_solver_at(s, t[i], y[i], NULL));
    }
    dae_solver_free(s);
}

/* y' = -A sign(y) + b cos(w t) slides along both surfaces at once, where the equivalent values of
 * the signs are A^-1 b cos(w t), which z adds up; A is close to diagonal. Both come to their
 * surface by t =
 * 3. From t = 6 on the drive of y2 grows, until its surface lets go while y1 stays at its own. */
START_TEST(two_surfaces_at_once)
{
    uint64_t state = 11;
    char model[900];
    for (int i = 0; i < DRAWN; i++) {
        double a11 = scatter_between(&state, 1, 2), a22 = scatter_between(&state, 1, 2);
        double a12 = scatter_between(&state, -0.3, 0.3), a21 = scatter_between(&state, -0.3, 0.3);
        double b1 = scatter_between(&state, -0.4, 0.4), b2 = scatter_between(&state, -0.4, 0.4);
        double w = scatter_between(&state, 0.5, 3), det = a11 * a22 - a12 * a21;
        snprintf(model, sizeof model,
                 "model M Real y1(start = %.17g, fixed = true), y2(start = %.17g, fixed = true),\n"
                 "z1(start = 0, fixed = true), z2(start = 0, fixed = true); equation\n"
                 "der(y1) = -(%.17g)*sign(y1) - (%.17g)*sign(y2) + (%.17g)*cos(%.17g*time);\n"
                 "der(y2) = -(%.17g)*sign(y1) - (%.17g)*sign(y2) + (%.17g)*cos(%.17g*time)\n"
                 "  + (if time > 6 then 3*(time - 6) else 0);\n"
                 "der(z1) = sign(y1); der(z2) = sign(y2); end M;",
                 scatter_between(&state, -0.5, 0.5), scatter_between(&state, -0.5, 0.5), a11, a12,
                 b1, w, a21, a22, b2, w);
        double y[3][8], rtol = i % 2 ? 1e-5 : 1e-8, sum = (sin(w * 5.5) - sin(w * 3)) / w;
        values_at(model, METHODS[_i], rtol, 3, (const double[]){3, 5.5, 7.3}, y);
        ck_assert_double_eq_tol(y[1][2] - y[0][2], (a22 * b1 - a12 * b2) / det * sum, 50 * rtol);
        ck_assert_double_eq_tol(y[1][3] - y[0][3], (a11 * b2 - a21 * b1) / det * sum, 50 * rtol);
        for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(y[k][0], 0, rtol);
        for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(y[k][1], 0, rtol);
        ck_assert(y[2][1] > 0.05);
    }
}
END_TEST

/* Infinitely many events spiral into both surfaces; from there on the signs are equivalent values,
 * as above, which z adds up. In the second one the solution slides along a surface into the other
 * one, where each of them alone is left for the other. */
START_TEST(spirals_go_on_along_both)
{
    static const double A[][4] = {{0.2, 1, -1, 0.2}, {0.4, 0.555, -0.344, 0.32}};
    char model[600];
    for (int k = 0; k < 2; k++) {
        const double *a = A[k];
        snprintf(model, sizeof model,
                 "model M Real x(start = %g, fixed = true), y(start = %g, fixed = true),"
                 " z(start = 0, fixed = true); equation\n"
                 "der(x) = -(%g)*sign(x) - (%g)*sign(y) + 0.1*sin(time);\n"
                 "der(y) = -(%g)*sign(x) - (%g)*sign(y); der(z) = sign(y); end M;",
                 k ? -0.36 : 1, k ? -0.79 : 0.3, a[0], a[1], a[2], a[3]);
        double wanted = -a[2] / (a[0] * a[3] - a[1] * a[2]) * 0.1 * (cos(8) - cos(12));
        double y[2][8];
        values_at(model, METHODS[_i], 1e-6, 2, (const double[]){8, 12}, y);
        ck_assert_double_eq_tol(y[1][2] - y[0][2], wanted, 1e-5);
        ck_assert_double_eq_tol(y[1][0], 0, 1e-6);
        ck_assert_double_eq_tol(y[1][1], 0, 1e-6);
    }
}
END_TEST

/* A chain of bodies with dry friction, which stick and slip each by itself. The reference steps
 * over impulses: with positions half a step ahead, a body stops where friction can stop it (Moreau,
 * 1988).
 */
enum { BODIES = 3, STEPS = 20000, CHAINS = 3 };

typedef struct body_chain {
    double mass[BODIES], friction[BODIES], force[BODIES], pace[BODIES], x[BODIES], v[BODIES];
    double spring, stop;
} body_chain;

static void draw_chain(uint64_t *state, body_chain *c)
{
    for (int i = 0; i < BODIES; i++) {
        c->mass[i] = scatter_between(state, 0.5, 2);
        c->friction[i] = scatter_between(state, 0.2, 0.8);
        c->force[i] = scatter_between(state, 0, 1.2);
        c->pace[i] = scatter_between(state, 0.5, 2.5);
        c->x[i] = scatter_between(state, -0.5, 0.5);
        c->v[i] = scatter_between(state, -1.5, 1.5);
    }
    c->spring = scatter_between(state, 0.5, 3);
    c->stop = scatter_between(state, 4, 8);
}

/* Appends to a text of this length. */
#define APPEND(...) (n += (size_t)snprintf(model + n, room - n, __VA_ARGS__))

static void write_chain(const body_chain *c, char *model, size_t room)
{
    size_t n = 0;
    APPEND("model M\n");
    for (int i = 0; i < BODIES; i++)
        APPEND("Real x%d(start = %.17g, fixed = true), v%d(start = %.17g, fixed = true);\n", i,
               c->x[i], i, c->v[i]);
    APPEND("equation\n");
    for (int i = 0; i < BODIES; i++) {
        APPEND("der(x%d) = v%d; %.17g*der(v%d) = %.17g*sin(%.17g*time) - %.17g*sign(v%d)", i, i,
               c->mass[i], i, c->force[i], c->pace[i], c->friction[i], i);
        if (i == 0) APPEND(" - %.17g*x0", c->spring);
        if (i > 0) APPEND(" - %.17g*(x%d - x%d)", c->spring, i, i - 1);
        if (i + 1 < BODIES) APPEND(" - %.17g*(x%d - x%d)", c->spring, i, i + 1);
        APPEND(";\n");
    }
    APPEND("end M;");
}

static void step_chain(const body_chain *c, double t, double h, double *x, double *v)
{
    double f[BODIES];
    for (int i = 0; i < BODIES; i++) {
        x[i] += h / 2 * v[i];
        f[i] = c->force[i] * sin(c->pace[i] * (t + h / 2));
    }
    for (int i = 0; i < BODIES; i++) {
        double pull = c->spring * (x[i] - (i ? x[i - 1] : 0));
        f[i] -= pull;
        if (i) f[i - 1] += pull;
    }
    for (int i = 0; i < BODIES; i++) {
        double free = v[i] + h * f[i] / c->mass[i], stops = h * c->friction[i] / c->mass[i];
        v[i] = fabs(free) <= stops ? 0 : free - copysign(stops, free);
        x[i] += h / 2 * v[i];
    }
}

START_TEST(bodies_stick_each_by_itself)
{
    uint64_t state = 21;
    char model[3000];
    for (int k = 0; k < CHAINS; k++) {
        body_chain c;
        draw_chain(&state, &c);
        write_chain(&c, model, sizeof model);
        double x[BODIES], v[BODIES], h = c.stop / STEPS, exact[1][8], found[1][8];
        memcpy(x, c.x, sizeof x);
        memcpy(v, c.v, sizeof v);
        for (int i = 0; i < STEPS; i++) step_chain(&c, i * h, h, x, v);
        values_at(model, "radau-iia5", 1e-10, 1, &c.stop, exact);
        values_at(model, METHODS[_i], 1e-6, 1, &c.stop, found);
        for (int i = 0; i < 2 * BODIES; i++) {
            ck_assert_double_eq_tol(exact[0][i], i % 2 ? v[i / 2] : x[i / 2], 2e-3);
            ck_assert_double_eq_tol(found[0][i], exact[0][i], 2e-4);
        }
    }
}
END_TEST

/* What selects a branch depends on both surfaces, so that a share of each says nothing. */
START_TEST(surfaces_that_select_together)
{
    fails("model M Real x(start = 0.5, fixed = true), y(start = 0.7, fixed = true),"
          " z(start = 0, fixed = true); equation"
          " der(x) = if x > 0 then -1 else 1; der(y) = if y > 0 then -1 else 1;"
          " der(z) = if x > 0 and y > 0 then 1 else 2; end M;",
          "at t = 0.7 the solution cannot leave the surfaces of 2 relations, 0 < x and 0 < y");
}
END_TEST

/* The explicit method goes on on the state-space form while the solution slides, and only then. */
START_TEST(an_explicit_method_slides)
{
    static const char MODEL[] =
        "model M Real x(start = 0.5, fixed = true), y(start = 0, fixed = true); equation"
        " der(x) = (if x > 0 then -1 else 1) + time/2;"
        " der(y) = if x > 0 then 1 else 3; end M;";
    dae_options options = tolerance_of(1e-9);
    options.method = "dopri5";
    dae_solver *s = solver_of(MODEL, &options);
    ck_assert_int_eq(dae_solver_run(s, 1), DAE_OK);
    ck_assert_str_eq(dae_solver_stats(s)->method, "state-space-dopri5");
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(s), "from t = 0.585786438 on"));
    ck_assert_int_eq(dae_solver_run(s, 4), DAE_OK);
    ck_assert_str_eq(dae_solver_stats(s)->method, "dopri5");
    dae_solver_free(s);
}
END_TEST

/* From the start on, its author is told of that form, which has the solution x = exp(-t). */
START_TEST(an_explicit_method_names_its_form)
{
    static const char MODEL[] = "model M Real x(start = 1, fixed = true), z(start = 1); equation"
                                " der(x) = -z; z^3 + z = x^3 + x; end M;";
    dae_options options = tolerance_of(1e-8);
    options.method = "dopri5";
    dae_solver *s = solver_of(MODEL, &options);
    ck_assert_int_eq(dae_solver_start(s, 0, NULL), DAE_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "or state-space-dopri5"));
    dae_solver_free(s);
    double y[1][8];
    values_at(MODEL, "state-space-dopri5", 1e-8, 1, (const double[]){1}, y);
    ck_assert_double_eq_tol(y[0][0], exp(-1), 1e-6);
}
END_TEST

/* An explicit multistep method has no such form: it says where it stops, and what goes on. */
START_TEST(what_cannot_slide_says_when)
{
    dae_options options = tolerance_of(1e-6);
    options.method = "adams-bashforth2";
    options.step = 0.01;
    dae_solver *s = solver_of("model M Real x(start = 0.505, fixed = true); equation"
                              " der(x) = if x > 0 then -1 else 1; end M;",
                              &options);
    ck_assert_int_eq(dae_solver_run(s, 1), DAE_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "after the event at t = 0.505"));
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "x > 0"));
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "try radau-iia3"));
    dae_solver_free(s);
}
END_TEST

/* A body slows down until t = 2, sticks, and moves again once the force exceeds 1/2 at 6.5. */
START_TEST(dry_friction)
{
    static const char MODEL[] =
        "model M Real v(start = 1, fixed = true), x(start = 0, fixed = true); equation"
        " der(x) = v; der(v) = -0.5*sign(v) + (if time < 4 then 0 else 0.2*(time - 4)); end M;";
    ends(MODEL, 3, "v", 0, 1e-9);
    ends(MODEL, 6, "x", 1, 1e-9);
    ends(MODEL, 8, "v", 0.225, 1e-9);
    ends(MODEL, 8, "x", 1.1125, 1e-9);
}
END_TEST

/* The ball of the specification (Modelica 3.6, Sec. 8.3.5): infinitely many bounces until it rests
 * at sqrt(2/g) (1 + 2 e/(1 - e)), and stays so; a push at t = 9 lifts it again. */
START_TEST(a_ball_comes_to_rest)
{
    static const char *const METHOD[] = {"auto",    "dopri5", "radau-iia5",
                                         "rodas5p", "mebdf",  "gauss3"};
    static const double BACK[] = {0.3, 0.5, 0.9};
    static const char MODEL[] =
        "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); Boolean impact,"
        " flies(start = true, fixed = true); discrete Real u(start = 0, fixed = true), r(start = 0,"
        " fixed = true); equation impact = h <= 0; der(h) = v; der(v) = if flies then -9.81 else 0;"
        " when {impact, h <= 0 and v <= 0, time >= 9} then u = if time >= 9 then 9.81 elseif"
        " edge(impact) then -%g*pre(v) else 0; flies = u > 0; reinit(v, u);"
        " r = if flies then 0 else time; end when; end M;";
    char model[700];
    for (size_t i = 0; i < sizeof METHOD / sizeof *METHOD; i++) {
        for (size_t k = 0; k < sizeof BACK / sizeof *BACK; k++) {
            dae_options options = tolerance_of(1e-8);
            options.method = METHOD[i];
            snprintf(model, sizeof model, MODEL, BACK[k]);
            double rest = sqrt(2 / 9.81) * (1 + 2 * BACK[k] / (1 - BACK[k]));
            ck_assert_double_eq_tol(end_of(model, &options, 8.9, "h"), 0, 1e-12);
            ck_assert_double_eq_tol(end_of(model, &options, 8.9, "v"), 0, 1e-12);
            ck_assert_double_eq_tol(end_of(model, &options, 8.9, "r"), rest, 1e-5);
            ck_assert_double_eq_tol(end_of(model, &options, 10, "h"), 9.81 / 2, 1e-6);
        }
    }
}
END_TEST

/* After an impact the ball may stand below the ground by rounding: that is no further impact. The
 * last one before 1.34 is at t, and u is the speed after it. */
START_TEST(no_impact_counts_twice)
{
    static const char *const METHOD[] = {"auto", "radau-iia5", "rodas5p", "mebdf"};
    static const char MODEL[] =
        "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation"
        " der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.5*pre(v)); end when; end M;";
    double t = sqrt(2 / 9.81), u = 9.81 * t / 2;
    for (; t + 2 * u / 9.81 < 1.34; u /= 2) t += 2 * u / 9.81;
    for (size_t i = 0; i < sizeof METHOD / sizeof *METHOD; i++) {
        for (int power = -12; power <= -8; power++) {
            dae_options options = tolerance_of(pow(10, power));
            options.method = METHOD[i];
            double wanted = u * (1.34 - t) - 9.81 / 2 * (1.34 - t) * (1.34 - t);
            ck_assert_double_eq_tol(end_of(MODEL, &options, 1.34, "h"), wanted, 1e-7);
        }
    }
}
END_TEST

START_TEST(nothing_rests)
{
    fails("model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation"
          " der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.5*pre(v)); end when; end M;",
          "events accumulate at t = 1.35457");
}
END_TEST

START_TEST(relations_that_contradict_each_other)
{
    fails("model M Real s, u(start = 1); Boolean off = s < 0; equation u = sin(time);"
          "s = if off then u + 0.5 else u - 0.5; end M;",
          "no values of the relations are those of a solution: s < 0\n  remedy: ");
}
END_TEST

/* A diode shorts a source from the instant on at which its voltage turns. */
START_TEST(no_mode_goes_on)
{
    fails("model Short Real v, s, i, j, a, b, w(start = 0, fixed = true); Boolean off = s < 0;"
          "equation b - a = cos(3*time); v = a - b; v = if off then s else 0;"
          "i = if off then 0 else s; w = -b; 0.5*der(w) = j - i; -j + i + a/1.4 = 0; end Short;",
          "without progress: s < 0; no modes in which the solution goes on were found in");
}
END_TEST

START_TEST(modes_that_lead_back_to_each_other)
{
    fails("model M Real x(start = 0, fixed = true); Integer mode(start = 0, fixed = true);"
          "equation der(x) = 1; when pre(mode) == 0 and x > 0.5 then mode = 1;"
          "  elsewhen pre(mode) == 1 and x > 0.4 then mode = 0; end when; end M;",
          "these modes lead back to each other at once");
}
END_TEST

START_TEST(an_iteration_that_does_not_end)
{
    fails("model M Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);"
          "equation der(x) = 1; n = if x > 0.5 then pre(n) + 1 else pre(n); end M;",
          "does not end: after 1000 rounds, values still change: n");
}
END_TEST

int UNIT_ENTRY(void)
{
    const TTest *const ONCE[] = {it_slides_on,
                                 it_ends,
                                 another_event_meanwhile,
                                 a_sign_has_one_surface,
                                 another_relation_ends_it,
                                 both_sides_lead_away,
                                 surfaces_that_select_together,
                                 an_explicit_method_slides,
                                 an_explicit_method_names_its_form,
                                 what_cannot_slide_says_when,
                                 dry_friction,
                                 a_ball_comes_to_rest,
                                 no_impact_counts_twice,
                                 nothing_rests,
                                 relations_that_contradict_each_other,
                                 no_mode_goes_on,
                                 modes_that_lead_back_to_each_other,
                                 an_iteration_that_does_not_end};
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    for (size_t i = 0; i < sizeof ONCE / sizeof *ONCE; i++) tcase_add_test(tests, ONCE[i]);
    unit_loop(tests, two_surfaces_at_once, 0, METHODS_COUNT);
    unit_loop(tests, spirals_go_on_along_both, 0, METHODS_COUNT);
    unit_loop(tests, bodies_stick_each_by_itself, 0, METHODS_COUNT);
    return unit_run("solve/sliding", tests);
}
