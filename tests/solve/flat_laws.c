/* Laws that are flat at a point: flows through pipes whose pressure drop is k*q*abs(q), which come
 * to rest in finite time, stay at rest, and begin again.
 *
 * Two tanks joined by parallel pipes behave as if joined by one, with 1/sqrt(k) the sum of those of
 * all. With d the difference of their levels and q = sqrt(d/k), 2 k q' = -c until the rest, where c
 * = 1/A + 1/B. A pump that gives a difference the rate a from then on moves it by 2 k q q' = a - c
 * q, so that time = -2 k/c (q + a/c log(1 - c q/a)). */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto",    "bdf",     "radau-iia5",
                                      "rodas5p", "esdirk4", "state-space-dopri5"};
static const double RTOL[] = {1e-3, 1e-6, 1e-9};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, DRAWN = 4, MOST_PIPES = 2, TEXT = 2400 };

/* How a law may be written: F for its number, Q for its flow. */
static const char *const LAWS[] = {
    "a - b = F*Q*abs(Q)",
    "a - b = F*(if Q > 0 then Q^2 else -Q^2)",
    "0 = if time < 1e3 then a - b - F*Q*abs(Q) else Q",
    "Q = sign(a - b)*sqrt(abs(a - b)/F)",
    "Q = noEvent(if a >= b then sqrt((a - b)/F) else -sqrt((b - a)/F))",
    "Q = if time < 1e3 then (a - b)/sqrt(F*abs(a - b)) else 0",
};
enum { LAWS_COUNT = sizeof LAWS / sizeof *LAWS };

typedef struct tanks {
    int pipes;
    const char *law;
    double area[2], level[2], k[MOST_PIPES];
    double rest, start, stop, pump; /* times, and the flow of the pump from `start` on */
} tanks;

static double closing(const tanks *n)
{
    return 1 / n->area[0] + 1 / n->area[1];
}

static double resistance(const tanks *n)
{
    double sum = 0;
    for (int i = 0; i < n->pipes; i++) sum += 1 / sqrt(n->k[i]);
    return 1 / (sum * sum);
}

static tanks drawn(uint64_t *state)
{
    tanks n = {.pipes = 1 + (int)scatter_below(state, MOST_PIPES)};
    n.law = LAWS[scatter_below(state, LAWS_COUNT)];
    for (int i = 0; i < 2; i++) n.area[i] = scatter_between(state, 0.5, 2);
    n.level[1] = scatter_between(state, 0.2, 1);
    n.level[0] = n.level[1] + scatter_between(state, 0.2, 2);
    for (int i = 0; i < n.pipes; i++) n.k[i] = scatter_between(state, 0.3, 3);
    n.rest = 2 * sqrt(resistance(&n) * (n.level[0] - n.level[1])) / closing(&n);
    n.start = n.rest * scatter_between(state, 1.2, 2);
    n.stop = n.start + scatter_between(state, 0.5, 2);
    n.pump = scatter_between(state, 0.3, 1);
    return n;
}

/* The law of one pipe. */
static char *write_law(const tanks *n, int pipe, char *at)
{
    for (const char *from = n->law; *from; from++) {
        if (*from == 'F')
            at += sprintf(at, "%.17g", n->k[pipe]);
        else if (*from == 'Q')
            at += sprintf(at, "q[%d]", pipe + 1);
        else
            *at++ = *from;
    }
    return at + sprintf(at, ";\n");
}

static void write_model(const tanks *n, char *to)
{
    char *at = to + sprintf(to,
                            "model M Real a(start = %.17g, fixed = true);\n"
                            "Real b(start = %.17g, fixed = true), q[%d](each start = 0.5);\n"
                            "equation %.17g*der(b) = sum(q);\n"
                            "%.17g*der(a) = (if time > %.17g then %.17g else 0) - sum(q);\n",
                            n->level[0], n->level[1], n->pipes, n->area[1], n->area[0], n->start,
                            n->pump);
    for (int k = 0; k < n->pipes; k++) at = write_law(n, k, at);
    strcpy(at, "end M;");
}

/* The difference of the levels so long after the pump has begun, by bisection for its flow. */
static double difference(const tanks *n, double time)
{
    double c = closing(n), k = resistance(n), a = n->pump / n->area[0], low = 0, high = a / c;
    for (int i = 0; i < 200; i++) {
        double q = (low + high) / 2;
        *(-2 * k / c * (q + a / c * log1p(-c * q / a)) < time ? &low : &high) = q;
    }
    return k * low * low;
}

static double level_at_end(const tanks *n)
{
    double held = n->area[0] * n->level[0] + n->area[1] * n->level[1];
    held += n->pump * (n->stop - n->start);
    return (held + n->area[1] * difference(n, n->stop - n->start)) / (n->area[0] + n->area[1]);
}

START_TEST(flows_rest_and_begin_again)
{
    uint64_t state = 5;
    char model[TEXT];
    for (int i = 0; i < DRAWN; i++) {
        tanks n = drawn(&state);
        dae_options o = tolerance_of(RTOL[i % 3]);
        o.method = METHODS[_i];
        o.max_steps = 20000;
        write_model(&n, model);
        double between = (n.rest + n.start) / 2, bound = 20 * o.rtol;
        double rest = end_of(model, &o, between, "a") - end_of(model, &o, between, "b");
        double end = end_of(model, &o, n.stop, "a") - level_at_end(&n);
        ck_assert_msg(fabs(rest) <= bound, "%s: levels differ by %.3g\n%s", o.method, rest, model);
        ck_assert_msg(fabs(end) <= bound, "%s at %g: off by %.3g\n%s", o.method, o.rtol, end,
                      model);
    }
}
END_TEST

/* A valve that shuts at a level holds it: what flows in flows out. */
START_TEST(a_level_is_held_by_a_valve)
{
    static const char *const VALVE[] = {"0 = if a > 0.8 then a - b - 0.7*q*abs(q) else q;",
                                        "q = if a > 0.8 then sign(a - b)*sqrt(abs(a - b)/0.7) "
                                        "else 0;"};
    char text[300];
    for (int i = 0; i < 2; i++) {
        dae_options o = tolerance_of(1e-6);
        o.method = METHODS[_i];
        snprintf(text, sizeof text,
                 "model M Real a(start = 1, fixed = true), b(start = 0, fixed = true), q;\n"
                 "equation der(a) = -q + (if time > 1 then 0.3 else 0); der(b) = q; %s end M;",
                 VALVE[i]);
        ck_assert_double_eq_tol(end_of(text, &o, 2, "a"), 0.8, 1e-6);
        ck_assert_double_eq_tol(end_of(text, &o, 2, "b"), 0.5, 1e-6);
    }
}
END_TEST

/* Flows of a hydraulic drive, in SI units: the chamber comes to the pressure of the tank in finite
 * time, beside a mass that friction holds on its spring. Pressure 1e5, and position (-1e2 + 500 -
 * F)/5e7 with the force F of friction between -500 and 500. */
START_TEST(a_chamber_rests_beside_friction)
{
    static const char *const DRIVE =
        "model M Real p(start = 2e5, fixed = true, nominal = 1e6), v(start = 0.2, fixed = true), "
        "x(start = 0, fixed = true, nominal = 0.01); equation\n"
        "1e-4/1.4e9*der(p) = -1.2e-7*sign(p - 1e5)*sqrt(abs(p - 1e5)) + 1e-3*v; der(x) = v;\n"
        "200*der(v) = -1e-3*p - 5e7*x - 500*sign(v) - 1e5*v; end M;";
    dae_options o = tolerance_of(1e-6);
    o.method = METHODS[_i];
    o.max_steps = 20000;
    ck_assert_double_eq_tol(end_of(DRIVE, &o, 1, "p"), 1e5, 1);
    ck_assert_double_eq_tol(end_of(DRIVE, &o, 1, "v"), 0, 1e-6);
}
END_TEST

/* Both flows of parallel pipes are 0 at one instant, also at the start: q1 = 2 q2 for ever. */
static void turn_round_together(const char *laws, const char *method)
{
    char text[500];
    /* the state-space form needs a regular Jacobian at its start */
    int last = strncmp(method, "state-space", 11) == 0 ? 3 : 6;
    for (int i = 0; i < last; i++) {
        dae_options o = tolerance_of(RTOL[i % 3]);
        o.method = method;
        o.max_steps = 20000;
        snprintf(text, sizeof text,
                 "model M Real q1, q2, a1, a2, dp, v(start = 0, fixed = true); equation q1 + q2 = "
                 "3*%s(time);\n%s der(v) = q1; end M;",
                 i < 3 ? "cos" : "sin", laws);
        double wanted = i < 3 ? 2 * sin(7) : 2 - 2 * cos(7);
        double off = end_of(text, &o, 7, "v") - wanted;
        ck_assert_msg(fabs(off) <= 100 * o.rtol, "%s at %g: off by %.3g\n%s", o.method, o.rtol, off,
                      text);
    }
}

START_TEST(parallel_flows_turn_round_together)
{
    turn_round_together("dp = q1*abs(q1); dp = 4*q2*abs(q2); a1 = q1; a2 = q2;", METHODS[_i]);
}
END_TEST

/* The law is the same where the size of a flow has an equation of its own. */
START_TEST(sizes_of_flows_may_have_names)
{
    turn_round_together("a1 = abs(q1); dp = q1*a1; dp = 4*q2*a2; a2 = abs(q2);", METHODS[_i]);
    turn_round_together("a1 = if q1 > 0 then q1 else -q1; dp = q1*a1; dp = 4*q2*abs(q2); a2 = q2;",
                        METHODS[_i]);
}
END_TEST

/* Valves that let a flow pass one way, k*sqrt(d) where d > 0 and 0 elsewhere, beside pipes that let
 * it pass both ways. */
static const char *const VALVES[] = {
    "if %s > 0 then %.17g*sqrt(%s) else 0",
    "(if %s < 0 then 0 else %.17g)*sqrt(max(%s, 0))",
    "sign(%s)*%.17g*sqrt(abs(%s))",
};

/* A ring of three or four tanks with valves along it, and another one or two across: levels meet,
 * two or all at once. */
typedef struct ring {
    int tanks, valves, from[6], to[6], law[6];
    double area[4], level[4], pump;
} ring;

static ring drawn_ring(uint64_t *state)
{
    ring r = {.tanks = 3 + (int)scatter_below(state, 2)};
    r.valves = r.tanks + 1 + (int)scatter_below(state, 2);
    for (int i = 0; i < r.tanks; i++) {
        r.area[i] = scatter_between(state, 0.3, 2);
        r.level[i] = scatter_between(state, 0.2, 3);
    }
    for (int k = 0; k < r.valves; k++) {
        r.from[k] = k % r.tanks;
        r.to[k] = (r.from[k] + (k < r.tanks ? 1 : 2)) % r.tanks;
        r.law[k] = (int)scatter_below(state, 3);
    }
    r.pump = scatter_between(state, 0.2, 0.6);
    return r;
}

static void write_ring(const ring *r, uint64_t *state, char *text)
{
    char d[40], law[200];
    int n = snprintf(text, TEXT, "model M Real h[%d](start = {", r->tanks);
    for (int i = 0; i < r->tanks; i++)
        n += snprintf(text + n, TEXT - n, "%s%.17g", i ? ", " : "", r->level[i]);
    n += snprintf(text + n, TEXT - n, "}, each fixed = true), q[%d]; equation\n", r->valves);
    for (int k = 0; k < r->valves; k++) {
        (void)snprintf(d, sizeof d, "(h[%d] - h[%d])", r->from[k] + 1, r->to[k] + 1);
        (void)snprintf(law, sizeof law, VALVES[r->law[k]], d, scatter_between(state, 0.5, 1.5), d);
        n += snprintf(text + n, TEXT - n, "q[%d] = %s;\n", k + 1, law);
    }
    for (int i = 0; i < r->tanks; i++) {
        n += snprintf(text + n, TEXT - n, "%.17g*der(h[%d]) = ", r->area[i], i + 1);
        n += snprintf(text + n, TEXT - n, "%s",
                      i ? "0" : "(if time < 20 or time > 24 then 0 else 1)");
        if (i == 0) n += snprintf(text + n, TEXT - n, "*%.17g", r->pump);
        for (int k = 0; k < r->valves; k++)
            if (r->from[k] == i || r->to[k] == i)
                n += snprintf(text + n, TEXT - n, " %c q[%d]", r->from[k] == i ? '-' : '+', k + 1);
        n += snprintf(text + n, TEXT - n, ";\n");
    }
    (void)snprintf(text + n, TEXT - n, "end M;");
}

/* All levels become the same, by the mass that is there: a ring of valves lets no level stay above
 * another one. */
START_TEST(rings_of_valves_come_to_rest)
{
    uint64_t state = 41;
    char text[TEXT];
    double y[32];
    for (int i = 0; i < 12; i++) {
        ring r = drawn_ring(&state);
        write_ring(&r, &state, text);
        double area = 0, held = 0;
        for (int k = 0; k < r.tanks; k++) area += r.area[k], held += r.area[k] * r.level[k];
        dae_options o = tolerance_of(RTOL[i % 2]);
        o.method = METHODS[i % (METHODS_COUNT - 1)];
        dae_solver *s = solver_of(text, &o);
        is_ok(s, dae_solver_start(s, 0, NULL));
        for (int later = 0; later <= 1; later++) {
            double stop = later ? 40 : 19, level = (held + later * 4 * r.pump) / area;
            ck_assert_msg(dae_solver_run(s, stop) == DAE_OK, "%s, rtol %g: %s\n%s", o.method,
                          o.rtol, dae_solver_message(s), text);
            is_ok(s, dae_solver_at(s, stop, y, NULL));
            for (int k = 0; k < r.tanks; k++)
                ck_assert_msg(fabs(y[k] - level) <= 10 * o.rtol, "%s, rtol %g: %.9g, not %.9g\n%s",
                              o.method, o.rtol, y[k], level, text);
        }
        dae_solver_free(s);
    }
}
END_TEST

/* A valve in front of the flow closes for good. */
START_TEST(a_closed_valve_lets_nothing_through)
{
    static const char *const MODEL =
        "model M Real h(start = 2, fixed = true), q(start = 1), u;\n"
        "equation u = max(0, 1 - 0.5*time); u^2*h = q*abs(q); der(h) = -0.2*q + 0.05; end M;";
    for (int i = 0; i < 3; i++) {
        dae_options o = tolerance_of(RTOL[i]);
        o.method = METHODS[_i];
        o.max_steps = 20000;
        double off = end_of(MODEL, &o, 10, "h") - end_of(MODEL, &o, 6, "h") - 0.2;
        ck_assert_msg(fabs(off) <= 20 * o.rtol, "%s at %g: off by %.3g", o.method, o.rtol, off);
    }
}
END_TEST

/* Where no solution goes on, none is found: x^2 = 1 - t ends at t = 1, though the law is flat. */
/* An event at which a flow turns round forms other equations: what follows the curve is of these.
 */
START_TEST(a_valve_opens_where_a_flow_turns)
{
    static const char model[] =
        "model T Real h0(start = 1.26, fixed = true), h1(start = 1, fixed = true);\n"
        "Real h2(start = 0, fixed = true), h3(start = 0, fixed = true), q0, q1, q2, q3, q4, V;\n"
        "equation 1.84*q0 = h0 - h1; h1 - h2 = 1.99*q1*abs(q1);\n"
        "0 = if h2 > 0.475 then h2 - h3 - 1.11*q2*abs(q2) else q2; h1 - h3 = 0.65*q3*abs(q3);\n"
        "q4 = max(0, h0 - 0.76)/0.87; 0.79*der(h0) = -q0 - q4; V = 0.79*h0 + h1 + h2 + h3;\n"
        "der(h1) = q0 - q1 - q3 + q4 + (if time > 0.5 then 0.9*sin(3*(time - 0.5)) else 0);\n"
        "der(h2) = q1 - q2; der(h3) = q2 + q3; end T;\n";
    static const char *const methods[] = {"auto", "bdf", "esdirk4"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        dae_options o = tolerance_of(1e-6);
        double y[10], volume = 0.79 * 1.26 + 1 + 0.3 * (1 - cos(9));
        o.method = methods[k];
        dae_solver *s = solver_of(model, &o);
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_run(s, 3.5));
        is_ok(s, dae_solver_at(s, 3.5, y, NULL));
        ck_assert_msg(fabs(y[9] - volume) < 1e-4, "%s: %.9g, not %.9g", o.method, y[9], volume);
        dae_solver_free(s);
    }
}
END_TEST

START_TEST(a_fold_still_ends)
{
    static const char *const MODEL =
        "model M Real x(start = 1), y(start = 1, fixed = true), q; equation x^2 = y;\n"
        "der(y) = -1; y = q*abs(q); end M;";
    dae_options o = tolerance_of(1e-6);
    o.method = METHODS[_i];
    dae_solver *solver = solver_of(MODEL, &o);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    ck_assert(dae_solver_run(solver, 2) != DAE_OK);
    ck_assert_double_le(dae_solver_time(solver), 1 + 1e-3);
    dae_solver_free(solver);
}
END_TEST

/* A check valve by a parameter, as ideal diodes are written: for a difference d of levels with
 * der(d) = 4 - 2 t and d = 1 - (t - 2)^2 the flow sqrt(d) goes from t = 1 to 3 over half a circle.
 * The slope of s is infinite at both ends. */
static const char *const OPEN_LAWS[] = {
    "d = if s > 0 then s^2 else s; q = if s > 0 then s else 0;",
    "0 = (if 0 <= s then s^2 else 0.1*s) - d; q = if s < 0 then 0 else s;",
    "open = s > 0; d = if open then s^2 else 5*s; q = if open then s else 0;",
    "shut = s < 0; d = if shut then s else s*abs(s); q = if shut then 0 else s;",
    "d = max(s, 0)^2 + min(s, 0); q = max(s, 0);",
    "-d = if s < 0 then -s^2 else s; q = if s < 0 then -s else 0;",
    "d = if s > 0 then s^3 else s; q = if s > 0 then s^1.5 else 0;",
};

START_TEST(a_check_valve_may_have_a_parameter)
{
    char text[600];
    for (size_t k = 0; k < sizeof OPEN_LAWS / sizeof *OPEN_LAWS; k++) {
        dae_options o = tolerance_of(1e-6);
        o.method = METHODS[_i];
        o.max_steps = 20000;
        snprintf(text, sizeof text,
                 "model M Real d(start = -3, fixed = true), s, q, v(start = 0, fixed = true), e;\n"
                 "Boolean open, shut; Integer n(start = 0, fixed = true);\n"
                 "equation der(d) = 4 - 2*time; der(v) = q; e = v; %s %s%s\n"
                 "when {change(open), change(shut)} then n = pre(n) + 1; end when; end M;",
                 OPEN_LAWS[k], strstr(OPEN_LAWS[k], "open =") ? "" : "open = false;",
                 strstr(OPEN_LAWS[k], "shut =") ? "" : "shut = false;");
        double off = end_of(text, &o, 4, "e") - acos(-1) / 2;
        ck_assert_msg(fabs(off) <= 1e-4, "%s: off by %.3g\n%s", o.method, off, text);
        bool counts = strstr(OPEN_LAWS[k], "open =") || strstr(OPEN_LAWS[k], "shut =");
        ck_assert_double_eq(end_of(text, &o, 4, "n"), counts ? 2 : 0);
    }
}
END_TEST

/* Where the valve is in series with a resistance, s has a rate as it opens: d = s^2 + s for s > 0.
 */
START_TEST(a_resistance_shares_the_parameter)
{
    static const char *const MODEL =
        "model M Real d(start = -1, fixed = true), s, p, v(start = 0, fixed = true), e; Boolean "
        "open;\n"
        "Integer n(start = 0, fixed = true); equation der(d) = 1; d - p = if s > 0 then s^2 else "
        "s;\n"
        "p = if open then s else 0; der(v) = if open then s else 0; e = v; open = s > 0;\n"
        "when change(open) then n = pre(n) + 1; end when; end M;";
    dae_options o = tolerance_of(1e-8);
    o.method = METHODS[_i];
    /* s = (sqrt(1 + 4 d) - 1)/2 from d = 0 to 2 */
    ck_assert_double_eq_tol(end_of(MODEL, &o, 3, "e"), (27 - 1) / 12. - 1, 1e-6);
    ck_assert_double_eq(end_of(MODEL, &o, 3, "n"), 1);
}
END_TEST

/* What jumps at the joint has its event there. */
START_TEST(what_jumps_beside_a_valve_has_an_event)
{
    static const char *const MODEL =
        "model M Real d(start = -3, fixed = true), s, v(start = 0, fixed = true), e;\n"
        "equation der(d) = 4 - 2*time; der(v) = if s > 0 then 1 else 0; e = v;\n"
        "d = if s > 0 then s^2 else s; end M;";
    dae_options o = tolerance_of(1e-8);
    o.method = METHODS[_i];
    ck_assert_double_eq_tol(end_of(MODEL, &o, 4, "e"), 2, 1e-6);
}
END_TEST

/* The limits of an amplifier are no flat laws of s - u, whatever stands beside them: at each limit
 * its fed back output jumps to the other one. */
START_TEST(a_limit_is_no_flat_law)
{
    static const char *const MODEL =
        "model Astable Real s, v(start = 0.1, fixed = true), u, w, e; equation\n"
        "u = if s > 10 then 10 elseif s < -10 then -10 else s; w = s - u; u/2 - v = w;\n"
        "der(v) = 100*(u - v); e = v; end Astable;";
    dae_options o = tolerance_of(1e-8);
    o.method = METHODS[_i];
    double first = log(50) / 100, half = log(3) / 100, last = 0.1 - first - 5 * half;
    ck_assert_double_eq_tol(end_of(MODEL, &o, 0.1, "e"), 10 - 15 * exp(-100 * last), 1e-5);
}
END_TEST

/* A diode that blocks: s goes to -10 within 22 ps, and no further. */
START_TEST(a_fast_transient_is_no_pole)
{
    static const char *const MODEL =
        "model M Real i(start = 4, fixed = true), u, s; equation\n"
        "u = s*(if s > 0 then 0.01 else 1); i = s*(if s > 0 then 1 else 1e-6);\n"
        "22e-6*der(i) = -u - 10; end M;";
    static const char *const OF[] = {"radau", "radau-iia5", "bdf", "rodas5p", "esdirk4"};
    for (size_t k = 0; k < sizeof OF / sizeof *OF; k++) {
        dae_options o = tolerance_of(1e-6);
        o.method = OF[k];
        dae_solver *solver = solver_of(MODEL, &o);
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        if (dae_solver_run(solver, 1e-4) != DAE_OK)
            ck_assert_msg(!strstr(dae_solver_message(solver), "without bound"), "%s: %s", OF[k],
                          dae_solver_message(solver));
        dae_solver_free(solver);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, flows_rest_and_begin_again, 0, METHODS_COUNT);
    unit_loop(tests, a_level_is_held_by_a_valve, 0, METHODS_COUNT);
    unit_loop(tests, a_chamber_rests_beside_friction, 0, METHODS_COUNT - 1);
    unit_loop(tests, parallel_flows_turn_round_together, 0, METHODS_COUNT);
    unit_loop(tests, sizes_of_flows_may_have_names, 0, METHODS_COUNT);
    unit_loop(tests, a_closed_valve_lets_nothing_through, 0, METHODS_COUNT);
    tcase_add_test(tests, rings_of_valves_come_to_rest);
    tcase_add_test(tests, a_valve_opens_where_a_flow_turns);
    unit_loop(tests, a_fold_still_ends, 0, METHODS_COUNT);
    tcase_add_test(tests, a_fast_transient_is_no_pole);
    unit_loop(tests, a_check_valve_may_have_a_parameter, 0, METHODS_COUNT - 1);
    unit_loop(tests, a_resistance_shares_the_parameter, 0, METHODS_COUNT - 1);
    unit_loop(tests, what_jumps_beside_a_valve_has_an_event, 0, METHODS_COUNT - 1);
    unit_loop(tests, a_limit_is_no_flat_law, 0, METHODS_COUNT - 1);
    return unit_run("solve/flat_laws", tests);
}
