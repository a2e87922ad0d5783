/* min, max and abs: in equations that are solved for what they bend, and as guards. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto",    "bdf",    "mebdf",   "radau",
                                      "esdirk4", "rodas4", "rodas5p", "radau-iia5"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, DRAWN = 8 };

typedef struct rectifier {
    double frequency, leak, resistance, load;
} rectifier;

/* The same diode, solved for its current by hand. */
static double exact_end(const rectifier *r, double stop)
{
    char model[600];
    dae_options o = tolerance_of(1e-11);
    snprintf(model, sizeof model,
             "model M Real v(start = 0, fixed = true), w = sin(%.17g*time) - v;\n"
             "equation 0.1*der(v) = (if w < 0 then %.17g*w else %.17g*w) - %.17g*v; end M;",
             r->frequency, r->leak / (1 + r->resistance * r->leak), 1 / (r->leak + r->resistance),
             r->load);
    return end_of(model, &o, stop, "v");
}

/* An ideal diode but for a leak of 1e-3 to 1e-8 in both directions, as its author may write it. */
static void write_rectifier(const rectifier *r, int how, char *model, size_t room)
{
    static const char *const ways[] = {
        "u = min(s, 0) + (%.17g)*max(s, 0); i = max(s, 0) + (%.17g)*min(s, 0);",
        "u = (s - abs(s))/2 + (%.17g)*(s + abs(s))/2; i = (s + abs(s))/2 + (%.17g)*(s - abs(s))/2;",
        "u = -max(-s, 0) + (%.17g)*max(s, 0); i = max(s, 0) - (%.17g)*max(-s, 0);"};
    char diode[300];
    snprintf(diode, sizeof diode, ways[how], r->leak, r->leak);
    snprintf(model, room,
             "model M Real v(start = 0, fixed = true), s, u, i;\n"
             "equation %s\n  u = sin(%.17g*time) - v - %.17g*i; 0.1*der(v) = i - %.17g*v; end M;",
             diode, r->frequency, r->resistance, r->load);
}

START_TEST(diodes)
{
    uint64_t state = 5;
    char model[800];
    for (int k = 0; k < DRAWN; k++) {
        rectifier r = {scatter_between(&state, 3, 9), pow(10, scatter_between(&state, -8, -3)),
                       scatter_between(&state, 0.05, 0.3), scatter_between(&state, 0.2, 2)};
        double wanted = exact_end(&r, 2.3);
        write_rectifier(&r, k % 3, model, sizeof model);
        for (int digits = 4; digits <= 8; digits += 2) {
            dae_options o = tolerance_of(pow(10, -digits));
            o.method = METHODS[_i];
            double found = end_of(model, &o, 2.3, "v"), off = fabs(found - wanted) / o.rtol;
            ck_assert_msg(off <= 20, "%s at %g: off by %.3g tolerances\n%s", o.method, o.rtol, off,
                          model);
        }
    }
}
END_TEST

/* Torricelli's law: h = (1 - t/2)^2 until the tank is empty. What guards a root stays a guard, also
 * through a variable. */
START_TEST(guards)
{
    static const char *const models[] = {
        "model M Real h(start = 1, fixed = true); equation der(h) = -sqrt(max(h, 0)); end M;",
        "model M Real h(start = 1, fixed = true), p, q;\n"
        "equation der(h) = -q; p = max(h, 0); q = sqrt(p); end M;",
        "model M Real h(start = 1, fixed = true), l, p;\n"
        "equation l = 2*h; p = max(l, 0)/2; der(h) = -p/sqrt(p + 1e-14); end M;"};
    for (int k = 0; k < 3; k++) {
        dae_options o = tolerance_of(1e-7);
        o.method = METHODS[_i];
        ck_assert_double_eq_tol(end_of(models[k], &o, 1.5, "h"), 0.0625, 1e-5);
        ck_assert_double_eq_tol(end_of(models[k], &o, 3, "h"), 0, 1e-5);
    }
}
END_TEST

/* An amplifier with a feedback of its output, which saturates at +-10, charges a capacitor that it
 * compares: its middle branch turns back in time, so that it jumps from one limit to the other. */
START_TEST(saturations_jump)
{
    static const char *const limits[] = {
        "vo = max(-10, min(10, %.17g*vd));", "vo = min(10, max(-10, %.17g*vd));",
        "vo = if a > 10 then 10 elseif a < -10 then -10 else a; a = %.17g*vd;"};
    static const double STOP = 5;
    char model[400], limit[150];
    uint64_t state = 11 + (uint64_t)_i;
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        double part = scatter_between(&state, 0.2, 0.8);
        double gain = pow(10, scatter_between(&state, 0.8, 5));
        double turn = 10 * (part - 1 / gain), v = -9, to = 10, t = 0;
        for (double go = log(19 / (10 - turn)); t + go < STOP; to = -to) {
            t += go;
            v = to > 0 ? turn : -turn;
            go = log((10 + turn) / (10 - turn));
        }
        dae_options o = tolerance_of(1e-8);
        o.method = METHODS[_i];
        (void)snprintf(limit, sizeof limit, limits[k], gain);
        (void)snprintf(model, sizeof model,
                       "model M Real v(start = -9, fixed = true), vo(start = 10), vd%s;\n"
                       "equation der(v) = vo - v; vd = %.17g*vo - v; %s end M;",
                       k == 2 ? ", a" : "", part, limit);
        ck_assert_double_eq_tol(end_of(model, &o, STOP, "v"), to + (v - to) * exp(t - STOP), 1e-4);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, diodes, 0, METHODS_COUNT);
    unit_loop(tests, saturations_jump, 0, METHODS_COUNT);
    unit_loop(tests, guards, 0, METHODS_COUNT);
    return unit_run("solve/bends", tests);
}
