/* Relations of what is exactly 0 for a while: at rest, on one branch of max(), of time that touches
 * 0 at the start. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto", "radau", "dopri5", "bdf", "rodas5p"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

/* A number of 0 to 1, the same in each run. */
static double draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

/* The value of x at the end of a run; no more than so many events. */
static void ends_from(const char *model, const char *method, double start, double stop,
                      double exact, unsigned events)
{
    dae_options o = tolerance_of(1e-8);
    double y[8];
    o.method = method;
    o.max_steps = 5000;
    dae_solver *s = solver_of(model, &o);
    is_ok(s, dae_solver_start(s, start, NULL));
    is_ok(s, dae_solver_run(s, stop));
    is_ok(s, dae_solver_at(s, stop, y, NULL));
    size_t found = dae_solver_stats(s)->events;
    ck_assert_msg(fabs(y[0] - exact) < 1e-6 * (stop - start), "%s: %s: %.9g, not %.9g", method,
                  model, y[0], exact);
    ck_assert_msg(found <= events, "%s: %s: %zu events", method, model, found);
    dae_solver_free(s);
}

static void ends_at(const char *model, const char *method, double stop, double exact,
                    unsigned events)
{
    ends_from(model, method, 0, stop, exact, events);
}

/* A body rests at 0 and begins to move at a time of its own: what is 0 until then is no event. */
START_TEST(rest_has_no_events)
{
    static const char *const moves[] = {"abs(y) > 0",       "y^2 > 0",      "y*v > 0",
                                        "abs(y) < v",       "0 < y*y",      "not abs(y) <= 0",
                                        "abs(y) >= 1e-300", "y^2 + v^2 > 0"};
    char model[500];
    unsigned seed = 7u + (unsigned)_i;
    for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) {
        double begin = 0.1 + draw(&seed), rate = 0.2 + draw(&seed);
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = 0, fixed = true), y(start = 0, fixed = true), v;\n"
                       "equation v = if time < %.17g then 0 else %.17g*(time - %.17g);\n"
                       "  der(y) = v; der(x) = if %s then 1 else 0; end M;",
                       begin, rate, begin, moves[k]);
        ends_at(model, METHODS[_i], 2, 2 - begin, 8);
    }
}
END_TEST

/* y goes through 0 once: on one side the relation is one of what is 0 there. */
START_TEST(one_branch_is_zero)
{
    static const char *const positive[] = {"max(0, y)",
                                           "max(0, max(0, y))",
                                           "abs(max(0, y))",
                                           "sign(max(0, y))",
                                           "min(max(0, y), max(0, 2*y))",
                                           "-min(0, -y)",
                                           "(if y < 0 then 0 else y)",
                                           "y*max(0, y)",
                                           "abs(y) + y"};
    char model[500];
    unsigned seed = 70u + (unsigned)_i;
    for (size_t k = 0; k < 2 * sizeof positive / sizeof *positive; k++) {
        double at = 0.1 + 0.8 * draw(&seed), rate = (k % 2 ? 1 : -1) * (0.2 + draw(&seed));
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = 0, fixed = true);\n"
                       "  Real y(start = %.17g, fixed = true);\n"
                       "equation der(y) = %.17g; der(x) = if %s > 0 then 1 else 0; end M;",
                       -at * rate, rate, positive[k / 2]);
        ends_at(model, METHODS[_i], 1, k % 2 ? 1 - at : at, 6);
    }
}
END_TEST

/* Functions of time that touch 0 at the start, or are equal to another one for a while. */
START_TEST(time_touches_zero)
{
    static const struct {
        const char *rate;
        double exact;
    } way[] = {{"if time^2 > 0 then 1 else 2", 1},
               {"if abs(time) > 0 then 1 else 2", 1},
               {"max(0, time^2)", 1.0 / 3},
               {"min(0, time^2)", 0},
               {"min(0, abs(time))", 0},
               {"sign(time^2)", 1},
               {"min(abs(time), 2*abs(time))", 0.5},
               {"min(0, abs(sin(time)))", 0},
               {"min(time, abs(time))", 0.5},
               {"max(time, abs(time))", 0.5},
               {"min(time, abs(time) + max(0, -time))", 0.5}};
    char model[300];
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = 0, fixed = true); equation der(x) = %s; end M;",
                       way[k].rate);
        ends_at(model, METHODS[_i], 1, way[k].exact, 4);
    }
}
END_TEST

/* Functions of time that are 0 but for rounding: about a root of higher order, or for ever. */
START_TEST(time_within_rounding)
{
    static const struct {
        const char *relation;
        double exact;
    } way[] = {{"sin(time) - time < 0", 2},
               {"sin(time - 1) < time - 1", 1},
               {"1 - cos(time - 1) > 1e-30", 2},
               {"exp(time - 1) - time - (time - 1)^2/2 > 0", 1},
               {"time^3 - 3*time^2 + 3*time - 1 > 0", 1},
               {"sin(time)^2 + cos(time)^2 - 1 > 0", 0},
               {"sin(3*time) > 3*sin(time) - 4*sin(time)^3", 0}};
    char model[400];
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = 0, fixed = true), y; Integer n(start = 0);\n"
                       "equation der(x) = if %s then 1 else 0; y = n;\n"
                       "when %s then n = pre(n) + 1; end when; end M;",
                       way[k].relation, way[k].relation);
        dae_options o = tolerance_of(1e-8);
        double y[8];
        o.method = METHODS[_i];
        o.max_steps = 5000;
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_run(s, 2));
        is_ok(s, dae_solver_at(s, 2, y, NULL));
        ck_assert_double_eq_tol(y[0], way[k].exact, 1e-4); /* the cube root of the rounding */
        ck_assert_double_le(y[1], 1);
        dae_solver_free(s);
    }
}
END_TEST

/* A mass is held by friction of 2; a sample sees a force that is switched at the same instant. */
START_TEST(samples_at_the_edge_of_a_force)
{
    char model[500];
    unsigned seed = 700u + (unsigned)_i;
    for (int k = 0; k < 6; k++) {
        int edge = 4 + (int)(4 * draw(&seed)); /* of samples at 1/4 */
        double force = (k % 2 ? 1 : -1) * (k < 4 ? 2.5 + draw(&seed) : 1), stop = 2.5;
        double slips = fmax(fabs(force) - 2, 0) * (stop - edge / 4.0);
        (void)snprintf(model, sizeof model,
                       "model M Real w(start = 1, fixed = true), ref;\n"
                       "  discrete Real u(start = 0, fixed = true);\n"
                       "equation ref = if time < %.17g then 0 else %.17g;\n"
                       "  when sample(0, 0.25) then u = ref; end when;\n"
                       "  der(w) = u - 2*sign(w); end M;",
                       edge / 4.0, force);
        ends_at(model, METHODS[_i], stop, copysign(slips, force), 40);
    }
}
END_TEST

/* A sine that is at a step of a whole part at the start, by rounding on either side, or touches one
 * on its way: over a period, floor has the mean -1/2 wherever it begins. */
START_TEST(steps_of_a_sine)
{
    static const struct {
        const char *rate;
        double mean;
    } step[] = {{"floor(2*s)", -0.5},       {"floor(-2*s)", -0.5},    {"ceil(2*s)", 0.5},
                {"-ceil(-2*s)", -0.5},      {"integer(s/0.5)", -0.5}, {"div(s, 0.5)", 0},
                {"div(-s, 0.5) + s", 0},    {"rem(s, 0.5)", 0},       {"mod(s, 0.5)", 0.25},
                {"mod(-s, 0.5) - s", 0.25}, {"floor(s)", -0.5},       {"rem(-s, -0.5)", 0}};
    static const char *const phase[] = {"0", "pi", "pi/2", "(-pi)", "7*pi", "1"};
    char model[400];
    unsigned seed = 7000u + (unsigned)_i;
    for (size_t k = 0; k < sizeof step / sizeof *step; k++) {
        double w = 0.3 + 3 * draw(&seed);
        const char *at = phase[(k + (size_t)_i) % (sizeof phase / sizeof *phase)];
        (void)snprintf(model, sizeof model,
                       "model M constant Real pi = 3.141592653589793;\n"
                       "  Real x(start = 0, fixed = true), s = sin(%.17g*time + %s);\n"
                       "equation der(x) = %s; end M;",
                       w, at, step[k].rate);
        double period = 2 * acos(-1.0) / w;
        ends_at(model, METHODS[_i], period, step[k].mean * period, 24);
    }
}
END_TEST

/* Steps of time in any unit, with samples at the same instants, from a start before 0 and from one
 * beside a step by rounding. */
START_TEST(steps_of_time)
{
    static const struct {
        const char *rate;
        double sum; /* over the steps -3 to 4, and half of the next one */
    } step[] = {{"floor(time/P)", 2}, {"ceil(time/P)", 9.5},          {"-floor(-time/P)", 9.5},
                {"div(time, P)", 5},  {"integer(time/P - 1e-16)", 2}, {"mod(time, P)/P", 3.625}};
    static const double unit[] = {1, 0.1, 1e5, 1e-4, 7};
    char model[400];
    double p = unit[_i];
    for (size_t k = 0; k < sizeof step / sizeof *step; k++) {
        (void)snprintf(model, sizeof model,
                       "model M constant Real P = %.17g; Real x(start = 0, fixed = true);\n"
                       "  Integer n(start = 0, fixed = true);\n"
                       "equation der(x) = %s;\n"
                       "  when sample(0, P) then n = pre(n) + 1; end when; end M;",
                       p, step[k].rate);
        ends_from(model, METHODS[_i], -3 * p, 4.5 * p, step[k].sum * p, 24);
    }
}
END_TEST

/* A relation that is 0 at the start and true at once. What it selects is what others compare: s is
 * sin(4) again at 3 pi - 8. */
START_TEST(branches_that_change_at_the_start)
{
    static const char BRANCH[] = "(if s < sin(4) then s else 1.7)";
    static const struct {
        const char *rate;
        double first, then; /* the rate, before and after */
    } way[] = {{"floor(%s)", -1, 1},         {"ceil(%s)", 0, 2},
               {"sign(%s)", -1, 1},          {"max(0, %s)", 0, 1.7},
               {"floor(abs(%s))", 0, 1},     {"div(2*%s, 1)", -1, 3},
               {"floor(max(%s, s))", -1, 1}, {"if %s > 0 then 1 else 2", 2, 1}};
    char model[400], rate[100];
    double at = 3 * acos(-1.0) - 8;
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        (void)snprintf(rate, sizeof rate, way[k].rate, BRANCH);
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = 0, fixed = true), s = sin(time + 4);\n"
                       "equation der(x) = %s; end M;",
                       rate);
        ends_at(model, METHODS[_i], 2, way[k].first * at + way[k].then * (2 - at), 8);
    }
}
END_TEST

/* Both sides of a relation are equal wherever a constraint is met: it has the value of equal sides,
 * at the start, in an event of another relation and between, and no event. */
START_TEST(a_constraint_holds_both_sides_equal)
{
    static const struct {
        const char *relation;
        double at_zero;
    } CASE[] = {{"r > L", 0},          {"r <= L", 1},         {"x^2 + y^2 < L^2", 0},
                {"abs(r - L) > 0", 0}, {"x*u + y*v >= 0", 1}, {"max(r, L) > L", 0},
                {"2*L <= 2*r", 1},     {"(r - L)*x > 0", 0}};
    char model[700];
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        snprintf(model, sizeof model,
                 "model M parameter Real L = 0.9; Real is, x(start = 0, fixed = true), y(start = "
                 "-L), r,\n"
                 "u(start = 3, fixed = true), v, S; Boolean b = %s; Integer n(start = 0, fixed =\n"
                 "true); equation der(x) = u; der(y) = v; der(u) = -S*x; der(v) = -S*y - 9.81;\n"
                 "x^2 + y^2 = L^2; r = sqrt(x^2 + y^2); is = (if b then 1 else 0) + n;\n"
                 "when x > 0.5 then n = if pre(n) == 0 and b then 10 else 0; end when; end M;",
                 CASE[i].relation);
        double wanted = CASE[i].at_zero * 11;
        dae_options o = tolerance_of(1e-6);
        o.method = METHODS[((size_t)_i + i) % METHODS_COUNT];
        if (strcmp(o.method, "dopri5") == 0) o.method = "state-space-dopri5";
        dae_solver *s = solver_of(model, &o);
        double y[9];
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_run(s, 0.5));
        is_ok(s, dae_solver_at(s, 0.5, y, NULL));
        ck_assert_uint_eq(dae_solver_stats(s)->events, 1);
        ck_assert_double_eq(y[0], wanted);
        dae_solver_free(s);
    }
}
END_TEST

/* A string that is taut if r > L holds r = L by that: once taut it stays so, whatever other events
 * there are. */
START_TEST(a_relation_holds_what_it_compares)
{
    static const char MODEL[] =
        "model M Real r(start = 0.3), x(start = 0.2, fixed = true), y(start = -0.3, fixed = "
        "true),\n"
        "u(start = 0.5, fixed = true), v(start = 0, fixed = true), S; Boolean taut(start = "
        "false);\n"
        "equation der(x) = u; der(y) = v; der(u) = -S*x; der(v) = -S*y - 9.81;\n"
        "r = sqrt(x^2 + y^2); 0 = if taut then x^2 + y^2 - 1 else S; taut = r > 1; end M;";
    dae_options o = tolerance_of(1e-6);
    o.method = strcmp(METHODS[_i], "dopri5") == 0 ? "mebdf" : METHODS[_i];
    dae_solver *s = solver_of(MODEL, &o);
    double y[8];
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, 2));
    is_ok(s, dae_solver_at(s, 2, y, NULL));
    ck_assert_uint_eq(dae_solver_stats(s)->events, 1);
    ck_assert_double_eq_tol(y[0], 1, 1e-9);
    dae_solver_free(s);
}
END_TEST

/* A ball flies up along x = a and is caught by a string of length 1 at x^2 + y^2 = 1 + by, from
 * where on it circles with its speed across the string. The way back to the string is far more than
 * the tolerance, and too short to be a jump: no step goes it. */
START_TEST(a_string_is_taut_a_little_late)
{
    unsigned seed = 60u + (unsigned)_i;
    for (int k = 0; k < 2; k++) {
        double a = 0.2 + 0.6 * draw(&seed), up = 0.5 + draw(&seed), by = k ? 1e-6 : 1e-7, y[8];
        double caught = sqrt(1 + by - a * a) / up, stop = caught + 1;
        double angle = acos(a / sqrt(1 + by)) + a * up;
        char model[500];
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = %.17g, fixed = true), y(start = 0, fixed = true),\n"
                       "u(start = 0, fixed = true), v(start = %.17g, fixed = true), S;\n"
                       "Boolean taut(start = false, fixed = true);\n"
                       "equation der(x) = u; der(y) = v; der(u) = -S*x; der(v) = -S*y;\n"
                       "0 = if taut then x^2 + y^2 - 1 else S;\n"
                       "when x^2 + y^2 > 1 + %.17g then taut = true; end when; end M;",
                       a, up, by);
        dae_options o = tolerance_of(1e-9);
        o.method = strcmp(METHODS[_i], "dopri5") == 0 ? "radau" : METHODS[_i];
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_run(s, stop));
        is_ok(s, dae_solver_at(s, stop, y, NULL));
        ck_assert_double_eq_tol(y[0], cos(angle), 3 * by + 1e-7);
        ck_assert_double_eq_tol(y[1], sin(angle), 3 * by + 1e-7);
        dae_solver_free(s);
    }
}
END_TEST

/* The velocities of a body on a wheel at the end of a short run, by a damper that is on where the
 * condition is true, from rest at a time of their own. */
static void damped(const char *condition, const char *damping, double begin, double stop,
                   const dae_options *o, double *y)
{
    char model[900];
    (void)snprintf(model, sizeof model,
                   "model M Real zs(start = 0, fixed = true), vs(start = 0, fixed = true),\n"
                   "  zu(start = 0, fixed = true), vu(start = 0, fixed = true), zr, c;\n"
                   "equation zr = if time < %.17g then 0 else 0.04*sin(60*(time - %.17g));\n"
                   "  c = if %s then %s; der(zs) = vs; der(zu) = vu;\n"
                   "  300*der(vs) = -16000*(zs - zu) - c*(vs - vu);\n"
                   "  40*der(vu) = 16000*(zs - zu) + c*(vs - vu) - 160000*(zu - zr); end M;",
                   begin, begin, condition, damping);
    dae_solver *s = solver_of(model, o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    dae_status status = dae_solver_run(s, begin + stop);
    ck_assert_msg(status == DAE_OK, "%s, %g, %s: %s", o->method, o->rtol, condition,
                  dae_solver_message(s));
    is_ok(s, dae_solver_at(s, begin + stop, y, NULL));
    dae_solver_free(s);
}

/* Of factors that are 0 together, each begins as a power of time: those of the wheel as t^2 and
 * t^3, those of the body as t^3 and t^4. So the sign of the product is known from the start on, and
 * the damper is as one without a condition. */
START_TEST(factors_vanish_together)
{
    static const struct {
        const char *condition;
        bool is;
    } of[] = {{"vs*(vs - vu) > 0", false},          {"vs*vu > 0", true},
              {"vs*(vs - vu)*(zs - zu) > 0", true}, {"sin(vs)*(vs - vu) > 0", false},
              {"(vs*(vs - vu))^3 < 0", true},       {"vs*vs - vs*vu >= 0", false},
              {"(vs - vu)^2 > 9*vs^2", true},       {"0 < vu*(vu - vs)", true}};
    unsigned seed = 50u + (unsigned)_i;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        dae_options o = tolerance_of(pow(10, -3 - 6 * draw(&seed)));
        double y[8], exact[8], begin = draw(&seed) < 0.5 ? 0 : draw(&seed);
        const double stop = 2e-3;
        o.method = METHODS[_i];
        damped(of[k].condition, "3000 else 300", begin, stop, &o, y);
        damped("zr < 1", of[k].is ? "3000 else 0" : "300 else 0", begin, stop, &o, exact);
        for (int j = 0; j < 4; j++)
            ck_assert_msg(fabs(y[j] - exact[j]) <= 10 * o.rtol,
                          "%s, %g, from %g: %s: %.9g, not %.9g", o.method, o.rtol, begin,
                          of[k].condition, y[j], exact[j]);
    }
}
END_TEST

/* What x is at the end of a run. */
static double x_at(const char *model, const char *method, double rtol, double stop)
{
    dae_options o = tolerance_of(rtol);
    double y[32]; /* of a recipe: 12 */
    o.method = method;
    o.max_steps = 5000;
    dae_solver *s = solver_of(model, &o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    dae_status status = dae_solver_run(s, stop);
    ck_assert_msg(status == DAE_OK, "%s, %g: %s\n%s", method, rtol, dae_solver_message(s), model);
    is_ok(s, dae_solver_at(s, stop, y, NULL));
    dae_solver_free(s);
    return y[0];
}

/* An event stops what it has thrown back before, where that has become slow, and gives it other
 * equations: it rests, or sinks into the floor to where a spring carries it. The speeds are below
 * what errors of the state throw up. */
START_TEST(a_slow_body_comes_to_rest)
{
    static const double SPRING = 200;
    char model[600];
    unsigned seed = 31u + (unsigned)_i;
    for (int sinks = 0; sinks < 2; sinks++) {
        double e = 0.05 + 0.3 * draw(&seed), g = 2 + 8 * draw(&seed);
        double least = pow(10, -4 + draw(&seed)), spring = sinks ? SPRING : 0;
        (void)snprintf(model, sizeof model,
                       "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                       "Boolean flies(start = true, fixed = true); equation der(x) = v;\n"
                       "der(v) = if flies then -%.17g else -%.17g*x - 20*v - %.17g;\n"
                       "when x <= 0 then flies = abs(%.17g*pre(v)) > %.17g;\n"
                       "reinit(v, if abs(%.17g*pre(v)) > %.17g then -%.17g*pre(v) else 0);\n"
                       "end when; end M;",
                       g, spring, sinks ? g : 0, e, least, e, least, e);
        double x = x_at(model, METHODS[_i], 1e-3, 6), rest = sinks ? -g / spring : 0;
        ck_assert_msg(fabs(x - rest) < 3e-3, "%s: %g, not %g\n%s", METHODS[_i], x, rest, model);
    }
}
END_TEST

/* A vessel is drained after it has been cooled to a temperature, at which its jacket holds it. The
 * flows of heat are in balance: what rounding leaves of them crosses no relation. */
START_TEST(a_balance_stands_still)
{
    static const char *const method[] = {"auto", "radau"};
    static const double rtol[] = {1e-3, 1e-4, 1e-7, 1e-9};
    char model[600];
    (void)snprintf(model, sizeof model,
                   "model M Real x, T(start = 330, fixed = true), Tj, V(start = 1, fixed = true);\n"
                   "Integer n(start = 0, fixed = true); Boolean off(start = false, fixed = true);\n"
                   "equation x = n; Tj = if off then T else 285; V*der(T) = 0.01*(Tj - T);\n"
                   "der(V) = if off and V > 0.001 then -0.003 else 0;\n"
                   "when T <= 305 then off = true; n = pre(n) + 1; end when; end M;");
    ck_assert_double_eq(x_at(model, method[_i % 2], rtol[_i / 2], 1000), 1);
}
END_TEST

/* A batch is filled, heated, reacts, is cooled and drained. What the reaction has left heats by
 * rates that errors of the state make, while the temperature stands where cooling has ended: the
 * events of a recipe are minutes apart, and none is missed. */
START_TEST(a_recipe_goes_on)
{
    static const char *const method[] = {"radau", "bdf"};
    static const char model[] =
        "model M Real x, V(start = 0.001, fixed = true), T(start = 293, fixed = true), Tj,\n"
        "n(start = 0, fixed = true), c, r, q, w; Integer step(start = 1, fixed = true),\n"
        "batches(start = 0, fixed = true); discrete Real t0(start = 0, fixed = true); equation\n"
        "x = batches; q = if step == 1 then 0.002 else 0; w = if step == 5 then 0.003 else 0;\n"
        "Tj = if step == 2 then 380 elseif step == 3 then 350 elseif step == 4 then 285 else T;\n"
        "der(V) = q - w; c = n/V; r = 1e6*exp(-50000/(8.314*T))*c;\n"
        "der(n) = 2000*q - r*V - w*c;\n"
        "1000*4186*V*der(T) = 2000*(Tj - T) + 60000*r*V + 1000*4186*q*(293 - T);\n"
        "when pre(step) == 1 and V >= 1 then step = 2; t0 = time; batches = pre(batches);\n"
        "elsewhen pre(step) == 2 and T >= 330 then step = 3; t0 = time; batches = pre(batches);\n"
        "elsewhen pre(step) == 3 and time >= pre(t0) + 3600 then step = 4; t0 = time;\n"
        "batches = pre(batches); elsewhen pre(step) == 4 and T <= 305 then step = 5; t0 = time;\n"
        "batches = pre(batches); elsewhen pre(step) == 5 and V <= 0.001 then step = 6; t0 = time;\n"
        "batches = pre(batches) + 1; elsewhen pre(step) == 6 and time > pre(t0) + 600 then step = "
        "1;\n"
        "t0 = time; batches = pre(batches); end when; end M;";
    ck_assert_double_eq(x_at(model, method[_i], 1e-7, 8000), 1);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, rest_has_no_events, 0, METHODS_COUNT);
    unit_loop(tests, one_branch_is_zero, 0, METHODS_COUNT);
    unit_loop(tests, time_touches_zero, 0, METHODS_COUNT);
    unit_loop(tests, time_within_rounding, 0, METHODS_COUNT);
    unit_loop(tests, samples_at_the_edge_of_a_force, 0, METHODS_COUNT);
    unit_loop(tests, steps_of_a_sine, 0, METHODS_COUNT);
    unit_loop(tests, a_constraint_holds_both_sides_equal, 0, METHODS_COUNT);
    unit_loop(tests, a_relation_holds_what_it_compares, 0, METHODS_COUNT);
    unit_loop(tests, a_string_is_taut_a_little_late, 0, METHODS_COUNT);
    unit_loop(tests, steps_of_time, 0, METHODS_COUNT);
    unit_loop(tests, branches_that_change_at_the_start, 0, METHODS_COUNT);
    unit_loop(tests, factors_vanish_together, 0, METHODS_COUNT);
    unit_loop(tests, a_slow_body_comes_to_rest, 0, METHODS_COUNT);
    unit_loop(tests, a_balance_stands_still, 0, 8);
    unit_loop(tests, a_recipe_goes_on, 0, 2);
    return unit_run("solve/at_zero", tests);
}
