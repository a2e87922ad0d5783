/* Motion along surfaces whose two sides are told by more than a relation: whole parts, discrete
 * variables, and bends. Each end value is compared with the exact solution. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void ends(const char *model, double stop, const char *name, double wanted, double tolerance)
{
    dae_options options = tolerance_of(1e-9);
    double found = end_of(model, &options, stop, name);
    ck_assert_msg(fabs(found - wanted) <= tolerance, "%s = %.17g, not %.17g\n%s", name, found,
                  wanted, model);
}

/* x slides at the jump of a whole part from 0 to 1 while the drive is a, and at that from 1 to 2
 * from t = from on, when it is b; the integral w of the whole part tells the shares. */
START_TEST(a_whole_part_slides)
{
    static const char *const WHOLE[] = {"floor(x/%.17g)", "(x - mod(x, %.17g))/p",
                                        "-ceil(-x/%.17g)"};
    uint64_t state = 31;
    char whole[64], model[700];
    for (size_t k = 0; k < 2 * sizeof WHOLE / sizeof *WHOLE; k++) {
        double a = scatter_between(&state, 0.2, 0.9), b = scatter_between(&state, 1.2, 1.9);
        double p = k % 2 ? scatter_between(&state, 0.3, 3) : 1, rise = 1 / (b - 1);
        double from = 1 / a + scatter_between(&state, 0.1, 2), to = from + rise + 1.5;
        snprintf(whole, sizeof whole, WHOLE[k / 2], p);
        snprintf(model, sizeof model,
                 "model M parameter Real p = %.17g; Real n = %s,\n"
                 "x(start = 0, fixed = true), w(start = 0, fixed = true); equation\n"
                 "der(x) = p*((if time < %.17g then %.17g else %.17g) - n); der(w) = n; end M;",
                 p, whole, from, a, b);
        ends(model, from, "x", p, 1e-8);
        ends(model, to, "x", 2 * p, 1e-8);
        ends(model, to, "w", a * (from - 1 / a) + rise + 1.5 * b, 1e-8);
    }
}
END_TEST

/* A discrete variable follows from the relation and from another one that an event changes while
 * the solution slides: with -k and k on both sides, the share is (k + drive)/(2 k). */
START_TEST(both_sides_change_meanwhile)
{
    static const char *const LEVEL[] = {"if x > 0 then k else -k", "k*(if x > 0 then 1 else -1)",
                                        "if x > 0 then (if w < 0.5 then pre(k) else k) else -k",
                                        "if x <= 0 then -k elseif z < 0.7 then 1 else k"};
    uint64_t state = 32;
    char model[700];
    for (size_t i = 0; i < sizeof LEVEL / sizeof *LEVEL; i++) {
        double drive = scatter_between(&state, -0.8, 0.8), k = scatter_between(&state, 1.3, 3);
        double before = (1 + drive) / 2, after = (k + drive) / (2 * k);
        snprintf(model, sizeof model,
                 "model M Real x(start = 0, fixed = true), w(start = 0, fixed = true), z = time;\n"
                 "discrete Real k(start = 1, fixed = true), level; equation\n"
                 "when time > 0.7 then k = %.17g; end when; level = %s;\n"
                 "der(x) = %.17g - level; der(w) = if x > 0 then 1 else 0; end M;",
                 k, LEVEL[i], drive);
        ends(model, 2, "w", 0.7 * before + 1.3 * after, 1e-8);
    }
}
END_TEST

/* Levels that two-point controllers hold get other set values at one event, so that none of their
 * surfaces is one of the equations any more; the last one keeps its own. Each moves with its rate
 * until it is there. */
START_TEST(one_event_gives_many_other_surfaces)
{
    static const char *const DAY[] = {"time < 0.8", "c < 0.8", "phase < 2"};
    uint64_t state = 34;
    char model[3000];
    for (size_t kind = 0; kind < 3; kind++) {
        for (size_t count = 2; count <= 6; count += 4) {
            double set[6], next[6], rate[6];
            size_t n = 0;
            n += (size_t)snprintf(model, sizeof model,
                                  "model M Real c(start = 0, fixed = true), w; discrete Integer "
                                  "phase(start = 1, fixed = true); ");
            for (size_t i = 0; i < count; i++)
                n += (size_t)snprintf(model + n, sizeof model - n,
                                      "Real x%zu(start = 1, fixed = true), u%zu; ", i, i);
            n += (size_t)snprintf(model + n, sizeof model - n,
                                  "equation der(c) = 1; w = if x0 < 1.2 then 1 else 0; "
                                  "when c > 0.8 then phase = 2; end when; ");
            for (size_t i = 0; i < count; i++) {
                set[i] = scatter_between(&state, 0.5, 3);
                next[i] = i + 1 == count ? set[i] : scatter_between(&state, 0.5, 3);
                rate[i] = scatter_between(&state, 4, 8);
                n += (size_t)snprintf(
                    model + n, sizeof model - n,
                    "u%zu = if %s then (if x%zu < %.17g then %.17g else -%.17g) else (if x%zu > "
                    "%.17g then -%.17g else %.17g); der(x%zu) = u%zu; ",
                    i, i + 1 == count ? "true" : DAY[kind], i, set[i], rate[i], rate[i], i, next[i],
                    rate[i], rate[i], i, i);
            }
            snprintf(model + n, sizeof model - n, "end M;");
            for (size_t i = 0; i < count; i += count - 1) {
                char name[] = {'x', (char)('0' + i), 0};
                double way = next[i] - set[i], most = 0.1 * rate[i];
                ends(model, 0.9, name, set[i] + fmax(-most, fmin(most, way)), 1e-8);
                ends(model, 2, name, next[i], 1e-8);
            }
        }
    }
}
END_TEST

/* The solution slides where what is compared is solved for from an equation that does not give it
 * by itself: from t = size k v(0)/(1 + a - d) on, w = a t. */
START_TEST(a_surface_of_what_is_solved_for)
{
    static const char *const GIVEN[] = {"w = k*v + a*time", "0 = a*time - w + k*v",
                                        "w - a*time = 2*u; u = k*v/2",
                                        "2*w = q + k*v; w = 2*a*time + k*v - (q - w)"};
    uint64_t state = 35;
    char model[700];
    for (size_t i = 0; i < sizeof GIVEN / sizeof *GIVEN; i++) {
        double k = scatter_between(&state, 0.5, 4), a = scatter_between(&state, 0.1, 0.5);
        double d = scatter_between(&state, -0.3, 0.3), w = scatter_between(&state, 0.3, 1);
        snprintf(model, sizeof model,
                 "model M parameter Real k = %.17g, a = %.17g; Real v, u, q, x(start = 0, fixed = "
                 "true), w(start = %.17g, fixed = true); equation der(w) = %.17g - sign(v); "
                 "der(x) = v; %s;%s%s end M;",
                 k, a, w, d, GIVEN[i], i == 2 ? "" : " u = time;", i == 3 ? "" : " q = time;");
        double rests = w / (1 + a - d);
        ends(model, 0.5 * rests, "w", w - 0.5 * rests * (1 - d), 1e-8);
        ends(model, rests + 1, "w", a * (rests + 1), 1e-8);
        ends(model, rests + 1, "x", 0.5 * rests * w / k, 1e-8);
    }
}
END_TEST

/* The same from an equation that is bent in it: heat H = c T + b T^2, or an implicit law, is held
 * at a temperature by a heater. Its share is that with which H stays. */
START_TEST(a_surface_of_what_a_bent_equation_gives)
{
    static const char *const GIVEN[] = {"H = c*T + b*T^2", "H = c*T + b*exp(T/4)",
                                        "H = c*u + b*u^3; T = u + 0.1*sin(u)",
                                        "0 = H - c*T - b*T*sqrt(1 + T^2)"};
    uint64_t state = 37;
    char model[700];
    for (size_t i = 0; i < sizeof GIVEN / sizeof *GIVEN; i++) {
        double c = scatter_between(&state, 1, 3), b = scatter_between(&state, 0.05, 0.3);
        double up = scatter_between(&state, 2, 4), down = scatter_between(&state, 1, 2);
        snprintf(model, sizeof model,
                 "model M parameter Real c = %.17g, b = %.17g; Real T, u, z(start = 0, fixed = "
                 "true), H(start = 30, fixed = true); equation %s;%s der(H) = if T < 3 then %.17g "
                 "else -%.17g; der(z) = if T < 3 then 1 else 0; end M;",
                 c, b, GIVEN[i], i == 2 ? "" : " u = time;", up, down);
        dae_options options = tolerance_of(1e-9);
        double held = end_of(model, &options, 40, "H"), from = (30 - held) / down;
        ends(model, 40, "T", 3, 1e-8);
        ends(model, 40, "z", (40 - from) * down / (up + down), 1e-6);
    }
}
END_TEST

/* Momenta give the velocities of bodies with dry friction by a matrix: each comes to rest. */
START_TEST(momenta_with_dry_friction)
{
    uint64_t state = 36;
    char model[900], given[900];
    for (size_t i = 0; i < 4; i++) {
        double b = scatter_between(&state, -0.6, 0.6), p = scatter_between(&state, 0.5, 2);
        double m = scatter_between(&state, 1, 3), q = scatter_between(&state, -1, 1);
        static const char *const BODIES =
            "model M parameter Real b = %.17g, m = %.17g; Real x(start = 0, fixed = true), v, u, "
            "p(start = %.17g, fixed = true), q(start = %.17g, fixed = true); equation "
            "der(x) = v; der(p) = 0.1 - sign(v); der(q) = 0.2 - 0.7*sign(u); %s end M;";
        snprintf(model, sizeof model, BODIES, b, m, p, q, "p = m*v + b*u; q = b*v + u;");
        snprintf(given, sizeof given, BODIES, b, m, p, q,
                 "v = (p - b*q)/(m - b*b); u = (m*q - b*p)/(m - b*b);");
        dae_options options = tolerance_of(1e-9);
        ends(model, 6, "x", end_of(given, &options, 6, "x"), 1e-8);
        ends(model, 6, "p", 0, 1e-8);
        ends(model, 6, "q", 0, 1e-8);
    }
}
END_TEST

/* The surface bends while y slides along it: at the bend the motion ends where the other piece
 * moves away by itself, and goes on where that moves more slowly than y. */
START_TEST(a_surface_bends)
{
    static const struct {
        const char *surface;
        double way, on; /* y then leaves with this rate; or goes on with this part of that of u */
    } CASE[] = {{"min(y, level - u) - level", 1, 0},
                {"max(y, level + u) - level", -1, 0},
                {"(y + level + u + abs(y - level - u))/2 - level", -1, 0},
                {"min(y, 3*y - 2*level - u) - level", 0, 1.0 / 3},
                {"max(min(y, 3*y - 2*level - u), -5) - level", 0, 1.0 / 3},
                {"max(y, 2*y - level + u) - level", 0, -0.5}};
    uint64_t state = 33;
    char model[700];
    for (size_t i = 0; i < 2 * sizeof CASE / sizeof *CASE; i++) {
        double level = scatter_between(&state, 0.1, 0.9), pace = scatter_between(&state, 0.3, 1.5);
        double from = 1 + scatter_between(&state, 0.1, 1), after = scatter_between(&state, 0.2, 1);
        double rate = CASE[i / 2].way + CASE[i / 2].on * pace;
        snprintf(model, sizeof model,
                 "model M parameter Real level = %.17g; Real y(start = 0, fixed = true),\n"
                 "u = %.17g*(time - %.17g); equation der(y) = -sign(%s); end M;",
                 level, pace, from, CASE[i / 2].surface);
        ends(model, from, "y", level, 1e-8);
        ends(model, from + after, "y", level + rate * after, 1e-8);
    }
}
END_TEST

/* Three blocks in a row come to rest one after the other, each on a force that is well below its
 * friction: three events, wherever the step before ends beside the surface. */
START_TEST(blocks_come_to_rest_one_by_one)
{
    static const char MODEL[] =
        "model M parameter Real k = 100, c = 0.5, mu = 2, F = 2.6; Real x[3](start = {0.699685,\n"
        "0.680835, 0.67045}, each fixed = true), v[3](start = {0.02561, 0.0373, 0.03643}, each\n"
        "fixed = true), s[2] = k*(x[1:2] - x[2:3]) + c*(v[1:2] - v[2:3]); equation der(x) = v;\n"
        "der(v[1]) = F - s[1] - mu*sign(v[1]); der(v[2]) = s[1] - s[2] - mu*sign(v[2]);\n"
        "der(v[3]) = s[2] - mu*sign(v[3]); end M;";
    static const char *const METHOD[] = {"bdf", "rodas5p", "radau"};
    static const double RTOL[] = {1e-4, 1e-6, 1e-6};
    for (int i = 0; i < 3; i++) {
        dae_options o = tolerance_of(RTOL[i]);
        double y[8];
        o.method = METHOD[i];
        o.max_steps = 1000;
        dae_solver *s = solver_of(MODEL, &o);
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_run(s, 0.5));
        is_ok(s, dae_solver_at(s, 0.5, y, NULL));
        ck_assert_uint_eq(dae_solver_stats(s)->events, 3);
        dae_solver_free(s);
    }
}
END_TEST

/* A block rests from the start on until its drive a (t + b) has come to the friction f, from where
 * on x = a (t + b - f/a)^3 / 6. An explicit method goes on the state-space form until then. */
START_TEST(an_explicit_method_begins_at_rest)
{
    static const char *const METHOD[] = {"dopri5", "dop853", "rk4"};
    uint64_t state = 33;
    char model[300];
    for (size_t i = 0; i < 6; i++) {
        double f = scatter_between(&state, 0.3, 3), a = scatter_between(&state, 0.5, 3) * f, y[4];
        double b = scatter_between(&state, 0.1, 0.9) * f / a, stop = f / a - b + 1;
        dae_options o = tolerance_of(1e-8);
        o.method = METHOD[i % 3];
        o.step = i % 3 == 2 ? 0.01 : 0;
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                       "equation der(x) = v; der(v) = %.17g*(time + %.17g) - %.17g*sign(v); end M;",
                       a, b, f);
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_start(s, 0, NULL));
        ck_assert_ptr_nonnull(strstr(dae_solver_stats(s)->method, "state-space-"));
        is_ok(s, dae_solver_run(s, stop));
        ck_assert_str_eq(dae_solver_stats(s)->method, o.method);
        is_ok(s, dae_solver_at(s, stop, y, NULL));
        ck_assert_double_eq_tol(y[0], a / 6, 1e-6);
        dae_solver_free(s);
    }
}
END_TEST

/* der(x) = k + c on one side of x = w and k - c on the other leaves w, which is x at the start, to
 * both sides with c > 0 and |k| < c, so that there are two solutions; with the other sign it
 * slides, and with |k| > c it crosses w. A note says so in the first case alone. */
START_TEST(both_sides_lead_away_at_the_start)
{
    static const char *const CONDITION[] = {"x > w", "x >= w", "not x <= w", "not w - x > 0"};
    uint64_t state = 34;
    char model[300];
    for (size_t i = 0; i < 16; i++) {
        double c = scatter_between(&state, 0.5, 2) * (i % 3 == 1 ? -1 : 1), y[4];
        double k = scatter_between(&state, -0.9, 0.9) * c + (i % 3 == 2 ? 2 * c : 0);
        double w = scatter_between(&state, -2, 2);
        bool two = i % 3 == 0, above = i % 4 != 0 && i % 4 != 2;
        dae_options o = tolerance_of(1e-6);
        (void)snprintf(model, sizeof model,
                       "model M parameter Real w = %.17g; Real x(start = w, fixed = true);\n"
                       "equation der(x) = %.17g + (if %s then %.17g else %.17g); end M;",
                       w, k, CONDITION[i % 4], c, -c);
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_start(s, 0, NULL));
        ck_assert_msg((strstr(dae_solver_notes(s), "lead away") != NULL) == two, "%s\n%s", model,
                      dae_solver_notes(s));
        is_ok(s, dae_solver_run(s, 1));
        is_ok(s, dae_solver_at(s, 1, y, NULL));
        if (two) ck_assert_double_eq_tol(y[0], w + k + (above ? c : -c), 1e-9);
        dae_solver_free(s);
    }
}
END_TEST

/* What reinit() sets beside the surface moves on from there: a body at rest is struck each second,
 * runs 1/4 and rests again; another one is set to the other side, or where it is. */
START_TEST(a_blow_ends_a_sliding_motion)
{
    static const char *const METHOD[] = {"auto", "bdf", "radau", "dopri5", "rodas5p"};
    static const char HAMMER[] =
        "model Hammer parameter Real to = 0; Real v(start = 0, fixed = true);\n"
        "  Real s(start = 0, fixed = true), x(start = 0.5, fixed = true);\n"
        "equation der(s) = v; der(v) = -2*sign(v); der(x) = if x > 0 then -1 else 1;\n"
        "  when sample(1, 1) then reinit(v, pre(v) + 1); end when;\n"
        "  when time > 1.5 then reinit(x, to); end when; end Hammer;";
    for (size_t k = 0; k < sizeof METHOD / sizeof *METHOD; k++) {
        ends_near(HAMMER, METHOD[k], 1e-8, 3.9, "s", 0.75);
        ends_near(HAMMER, METHOD[k], 1e-8, 3.9, "v", 0);
        ends_near(HAMMER, METHOD[k], 1e-8, 1.75, "x", 0);
    }
    dae_options o = tolerance_of(1e-8);
    for (int side = -1; side <= 1; side += 2) {
        char to[400];
        snprintf(to, sizeof to, "%s", HAMMER);
        char *value = strstr(to, "to = 0;");
        memcpy(value, side < 0 ? "to =-1;" : "to = 1;", 7);
        ck_assert_double_eq_tol(end_of(to, &o, 1.75, "x"), 0.75 * side, 1e-6);
        ck_assert_double_eq_tol(end_of(to, &o, 3, "x"), 0, 1e-6);
    }
}
END_TEST

/* x'' = u - d x' + c sin t, where u jumps as x crosses 0 and leads back, flies over x = 0 to and
 * fro, ever lower, as 1/n. Where that is below the tolerances it rests there, and u is what holds
 * it. The integral of u is x' + d (x - x0) + c (cos t - 1). */
START_TEST(damped_flights_come_to_rest)
{
    static const char *const FORCE[] = {"if x > 0 then -%.17g else %.17g",
                                        "%.17g*floor(-x/0.2) + 0.4*%.17g",
                                        "(0.5*(%.17g + %.17g))*(-sign(x))"};
    static const char *const WITH[] = {"auto", "bdf", "dopri5", "radau-iia5", "rodas5p"};
    uint64_t state = 36;
    char force[100], model[500];
    for (size_t i = 0; i < 15; i++) {
        double a = scatter_between(&state, 1.2, 2), b = scatter_between(&state, 1.2, 2);
        double d = scatter_between(&state, 2, 4), c = scatter_between(&state, 0.1, 0.3);
        (void)snprintf(force, sizeof force, FORCE[i % 3], a, b);
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = 0.1, fixed = true), v(start = 0, fixed = true);\n"
                       "Real w(start = 0, fixed = true), u = %s; equation der(x) = v; der(w) = u;\n"
                       "der(v) = u - %.17g*v + %.17g*sin(time); end M;",
                       force, d, c);
        ends_near(model, WITH[i % 5], 1e-4, 6, "x", 0);
        ends_near(model, WITH[i % 5], 1e-4, 6, "w", -0.1 * d + c * (cos(6) - 1));
    }
}
END_TEST

/* From rest, x'' = f - a - d x' from where f = c t has become a. */
START_TEST(a_force_ends_the_rest)
{
    static const char MODEL[] =
        "model M Real x(start = %g, fixed = true), v(start = 0, fixed = true); equation\n"
        "der(x) = v; der(v) = (if x > 0 then -1 else 1.5) - 2*v %c 0.25*time; end M;";
    char model[300];
    for (int up = 0; up <= 1; up++) {
        double from = up ? 4 : 6, t = 8 - from, v = 0.25 / 2 * (t - (1 - exp(-2 * t)) / 2);
        double x = 0.25 / 2 * (t * t / 2 - t / 2 + (1 - exp(-2 * t)) / 4);
        (void)snprintf(model, sizeof model, MODEL, up ? 0.1 : -0.1, up ? '+' : '-');
        ends_near(model, "auto", 1e-4, 8, "x", up ? x : -x);
        ends_near(model, "dopri5", 1e-5, 8, "v", up ? v : -v);
    }
}
END_TEST

/* At t = 5, a blow throws x'' = -1 - 2 x' from rest to v = 1 or -1; or another force does. */
START_TEST(a_blow_ends_the_rest)
{
    static const char *const BLOW[] = {"when time > 5 then reinit(v, 1); end when;",
                                       "when time > 5 then reinit(v, -1); end when;"};
    char model[300];
    for (int i = 0; i < 4; i++) {
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = 0.1, fixed = true), v(start = 0, fixed = true);\n"
                       "equation der(x) = %g*v; der(v) = -sign(x) - 2*v; %s end M;",
                       i < 2 ? 1.0 : 2.0, BLOW[i % 2]);
        double v = 1.5 * exp(-2 * 0.2) - 0.5; /* after 0.2 s */
        ends_near(model, "auto", 1e-4, 5.2, "v", i % 2 ? -v : v);
    }
    ends_near("model M Real x(start = 0.1, fixed = true), v(start = 0, fixed = true); equation\n"
              "der(x) = v; der(v) = -sign(x) - 2*v + (if time < 5 then 0.3 else 3); end M;",
              "auto", 1e-4, 6, "v", 1 - exp(-2));
}
END_TEST

/* Flights that nothing damps, or that grow, have no rest, be they ever so low: with x'' = -sign x
 * and the velocity w at 0, x is back there every 2 w. */
START_TEST(other_flights_go_on)
{
    char model[300];
    for (int i = 0; i < 2; i++) {
        dae_options o = tolerance_of(1e-4);
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = 0, fixed = true), v(start = 5e-5, fixed = true);\n"
                       "equation der(x) = v; der(v) = -sign(x) + %g*v; end M;",
                       0.1 * i);
        o.method = "dopri5";
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_run(s, 0.02));
        ck_assert_uint_ge(dae_solver_stats(s)->events, 195);
        ck_assert_uint_le(dae_solver_stats(s)->events, 201);
        dae_solver_free(s);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_whole_part_slides);
    tcase_add_test(tests, both_sides_change_meanwhile);
    tcase_add_test(tests, one_event_gives_many_other_surfaces);
    tcase_add_test(tests, a_surface_of_what_is_solved_for);
    tcase_add_test(tests, a_surface_of_what_a_bent_equation_gives);
    tcase_add_test(tests, momenta_with_dry_friction);
    tcase_add_test(tests, a_surface_bends);
    tcase_add_test(tests, blocks_come_to_rest_one_by_one);
    tcase_add_test(tests, an_explicit_method_begins_at_rest);
    tcase_add_test(tests, both_sides_lead_away_at_the_start);
    tcase_add_test(tests, a_blow_ends_a_sliding_motion);
    tcase_add_test(tests, damped_flights_come_to_rest);
    tcase_add_test(tests, a_force_ends_the_rest);
    tcase_add_test(tests, a_blow_ends_the_rest);
    tcase_add_test(tests, other_flights_go_on);
    return unit_run("solve/sliding_sides", tests);
}
