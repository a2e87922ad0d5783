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

START_TEST(two_surfaces_at_once)
{
    fails("model M Real x(start = 0.5, fixed = true), y(start = 0.7, fixed = true); equation"
          " der(x) = if x > 0 then -1 else 1; der(y) = if y > 0 then -1 else 1; end M;",
          "cannot leave the surfaces of two relations");
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

/* Behind an impact the ball may stand below the ground by rounding: that is no further impact. The
 * last one before 1.34 is at t, and u is the speed behind it. */
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
          "no values of the relations are those of a solution: s < 0");
}
END_TEST

START_TEST(an_iteration_that_does_not_end)
{
    fails("model M Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);"
          "equation der(x) = 1; n = if x > 0.5 then pre(n) + 1 else pre(n); end M;",
          "does not end: after 1000 rounds, values still change: n");
}
END_TEST

UNIT_MAIN("solve/sliding", 60, it_slides_on, it_ends, another_event_meanwhile,
          a_sign_has_one_surface, another_relation_ends_it, both_sides_lead_away,
          two_surfaces_at_once, dry_friction, a_ball_comes_to_rest, no_impact_counts_twice,
          nothing_rests, relations_that_contradict_each_other, an_iteration_that_does_not_end)
