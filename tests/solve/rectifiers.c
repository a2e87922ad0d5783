/* Rectifiers behind inductances, whose diodes and thyristors have a resistance of 1e-3 Ohm where
 * they conduct and of 1e5 Ohm where they block. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

/* Six switching devices between three phases behind inductances and a load of R and L. */
#define SIX                                                                                        \
    "constant Real pi = 3.14159265358979; Real v[3], i[3], vp, vn, id(start = 0, fixed = true);\n" \
    "Real it[6], ut[6], s[6](each start = 0), W(start = 0, fixed = true);\n"
#define BRIDGE_EQUATIONS                                                \
    "for k in 1:3 loop v[k] = 325*sin(100*pi*time - 2*pi/3*(k - 1));\n" \
    " Ls*der(i[k]) = v[k] - ut[k] - vp; i[k] = it[k] - it[k + 3];\n"    \
    " ut[k + 3] = vn - (v[k] - Ls*der(i[k])); end for;\n"               \
    "it[1] + it[2] + it[3] = id; it[4] + it[5] + it[6] = id;\n"         \
    "vp - vn = R*id + Ld*der(id); der(W) = vp - vn;\n"

/* The mean voltage of a bridge that is fired `alpha` after its natural commutation: each of six
 * commutations in a period takes the flux Ls Id from it (Mohan, Undeland & Robbins, Power
 * Electronics, 3rd ed. (2003), eq. 6-67). */
static double mean_of(double alpha, double inductance, double current)
{
    double pi = acos(-1.0);
    return 3 * sqrt(3) / pi * 325 * cos(alpha) - 300 * inductance * current;
}

/* The mean of the last period before `stop`, against a part of that of the mean current. */
static void has_part_of_mean(const char *model, double stop, double resistance, double alpha,
                             double ls, double part)
{
    double y[64];
    dae_options options = tolerance_of(1e-5);
    dae_problem *read = problem_of(model);
    dae_solver *s = dae_solver_create(read, &options);
    size_t at = dae_problem_find(read, "W");
    dae_problem_free(read);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, stop - 0.02));
    is_ok(s, dae_solver_at(s, stop - 0.02, y, NULL));
    double before = y[at];
    is_ok(s, dae_solver_run(s, stop));
    is_ok(s, dae_solver_at(s, stop, y, NULL));
    double mean = (y[at] - before) / 0.02, expected = part * mean_of(alpha, ls, mean / resistance);
    ck_assert_msg(fabs(mean - expected) < 0.01 * expected, "%g, not %g\n%s", mean, expected, model);
    dae_solver_free(s);
}

static void has_mean(const char *model, double stop, double resistance, double alpha, double ls)
{
    has_part_of_mean(model, stop, resistance, alpha, ls, 1);
}

/* The sums of currents at both rails hide that those of the phases are 0 together. */
START_TEST(thyristors)
{
    static const double ANGLE[] = {30, 40, 45};
    for (size_t k = 0; k < sizeof ANGLE / sizeof *ANGLE; k++) {
        char model[2000];
        snprintf(model, sizeof model,
                 "model M parameter Real Ls = 1e-3, Ld = 20e-3, R = 5, alpha = %g;\n" SIX
                 "Boolean off[6](each start = true, each fixed = true), gate[6]; Real th[6];\n"
                 "parameter Real ph[6] = {30, 150, 270, 210, 330, 90}; equation for k in 1:6 loop\n"
                 "th[k] = mod(360*50*time - ph[k] - alpha + 7200, 360); gate[k] = th[k] < 100;\n"
                 "off[k] = s[k] < 0 or (pre(off[k]) and not gate[k]);\n"
                 "ut[k] = s[k]*(if off[k] then 1 else 1e-3);\n"
                 "it[k] = s[k]*(if off[k] then 1e-5 else 1); end for;\n" BRIDGE_EQUATIONS "end M;",
                 ANGLE[k]);
        has_mean(model, 0.045, 5, ANGLE[k] * acos(-1.0) / 180, 1e-3);
    }
}
END_TEST

static double drawn(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

/* Three thyristors with one cathode have half the mean of a bridge. Each of them remembers that it
 * was fired: events of its voltage that come as close as rounding do not end the run. */
START_TEST(drawn_thyristors_with_one_cathode)
{
    uint64_t seed = 1;
    for (int draw = 0; draw < 8; draw++) {
        char model[2000];
        double alpha = drawn(&seed, 5, 45), ls = pow(10, drawn(&seed, -4, -3));
        double ld = pow(10, drawn(&seed, -2, -1.5)), load = drawn(&seed, 3, 6);
        snprintf(
            model, sizeof model,
            "model M constant Real pi = 3.14159265358979; Real v[3], vp, it[3], ut[3], th[3];\n"
            "Real s[3](each start = 0), id(start = 0, fixed = true), W(start = 0, fixed = true);"
            "\nBoolean off[3](each start = true, each fixed = true), gate[3];\n"
            "equation for k in 1:3 loop v[k] = 325*sin(100*pi*time - 2*pi/3*(k - 1));\n"
            "th[k] = mod(360*50*time - 120*k + 90 - %.17g + 7200, 360);\n"
            "gate[k] = th[k] < 100; off[k] = s[k] < 0 or (pre(off[k]) and not gate[k]);\n"
            "ut[k] = s[k]*(if off[k] then 1 else 1e-3);\n"
            "it[k] = s[k]*(if off[k] then 1e-5 else 1);\n"
            "%.17g*der(it[k]) = v[k] - ut[k] - vp; end for; it[1] + it[2] + it[3] = id;\n"
            "vp = %.17g*id + %.17g*der(id); der(W) = vp; end M;",
            alpha, ls, load, ld);
        has_part_of_mean(model, 0.045, load, alpha * acos(-1.0) / 180, ls, 0.5);
    }
}
END_TEST

/* A diode that blocks makes 1e5 V of an ampere: its current has to be 0 or less where it begins. */
START_TEST(diodes_behind_inductances)
{
    static const double PAIR[][2] = {{1e-3, 10}, {1e-3, 5}, {5e-4, 10}, {1e-3, 20}};
    for (size_t k = 0; k < sizeof PAIR / sizeof *PAIR; k++) {
        char model[2000];
        snprintf(model, sizeof model,
                 "model M parameter Real Ls = %g, Ld = 50e-3, R = %g;\n"
                 "constant Real pi = 3.14159265358979; Real v[3], ia(start = 0, fixed = true);\n"
                 "Real ib(start = 0, fixed = true), ic, ua, ub, uc, vp, id(start = 0), v0, i[6];\n"
                 "Real u[6], s[6](each start = 0), W(start = 0, fixed = true); Boolean on[6];\n"
                 "equation for k in 1:3 loop v[k] = 325*sin(100*pi*time - 2*pi/3*(k - 1));\n"
                 "end for; Ls*der(ia) = v[1] - v0 - ua; Ls*der(ib) = v[2] - v0 - ub;\n"
                 "Ls*der(ic) = v[3] - v0 - uc; ia + ib + ic = 0; u[1] = ua - vp; u[2] = ub - vp;\n"
                 "u[3] = uc - vp; u[4] = -ua; u[5] = -ub; u[6] = -uc; for k in 1:6 loop\n"
                 "on[k] = s[k] > 0; u[k] = s[k]*(if on[k] then 1e-3 else 1);\n"
                 "i[k] = s[k]*(if on[k] then 1 else 1e-5); end for; ia = i[1] - i[4];\n"
                 "ib = i[2] - i[5]; ic = i[3] - i[6]; i[1] + i[2] + i[3] = id;\n"
                 "vp = R*id + Ld*der(id); der(W) = vp; end M;",
                 PAIR[k][0], PAIR[k][1]);
        has_mean(model, 0.2, PAIR[k][1], 0, PAIR[k][0]);
    }
}
END_TEST

/* A diode, L and R in series at 325 V and 50 Hz. Where the diode blocks, its voltage follows the
 * source within 1e-5 L s: first steps have to be as short as a time can show. While it conducts, i
 * = 325/Z (sin(w t - phi) + sin(phi) exp(-R t/L)) from the beginning of each period on. */
START_TEST(a_half_wave_rectifier)
{
    static const char *const METHOD[] = {"bdf", "mebdf", "radau-iia5"};
    uint64_t state = 53;
    for (size_t k = 0; k < 4 * sizeof METHOD / sizeof *METHOD; k++) {
        double inductance = pow(10, scatter_between(&state, -3.5, -2.5));
        double resistance = scatter_between(&state, 5, 20), w = 100 * acos(-1.0);
        dae_options options = tolerance_of(k % 2 ? 1e-7 : 1e-8);
        char model[600];
        options.method = METHOD[k % (sizeof METHOD / sizeof *METHOD)];
        snprintf(model, sizeof model,
                 "model M Real u, s, i(start = 0, fixed = true), v = 325*sin(%.17g*time);\n"
                 "Boolean on = s > 0; equation %.17g*der(i) = v - u - (%.17g - 1e-3)*i;\n"
                 "u = s*(if on then 1e-3 else 1); i = s*(if on then 1 else 1e-5); end M;",
                 w, inductance, resistance);
        double phi = atan2(w * inductance, resistance), z = hypot(resistance, w * inductance);
        double exact = 325 / z *
                       (sin(w * 0.004 - phi) + sin(phi) * exp(-resistance * 0.004 / inductance));
        ck_assert_double_eq_tol(end_of(model, &options, 0.064, "i"), exact, 1e-4);
    }
}
END_TEST

/* A bridge of three phases with ideal valves that are open or shorted. `bal` is the energy that the
 * sources have given beyond what is stored and lost. */
#define IDEAL_BRIDGE                                                                           \
    "constant Real pi = 3.14159265358979; Real e[3], v[3], i[3](start = {0, 0, 0}), vp, vn;\n" \
    "Real st[3], sb[3], it[3], ib[3], W(start = 0, fixed = true, nominal = 100), bal;\n"
#define IDEAL_VALVES                                                                 \
    "for k in 1:3 loop e[k] = 325*sin(100*pi*time - (k - 1)*2*pi/3);\n"              \
    " Ls*der(i[k]) + Rs*i[k] = e[k] - v[k]; i[k] = it[k] - ib[k];\n"                 \
    " v[k] - vp = if ot[k] then st[k] else 0; it[k] = if ot[k] then 0 else st[k];\n" \
    " vn - v[k] = if ob[k] then sb[k] else 0; ib[k] = if ob[k] then 0 else sb[k];\n"

/* Runs with a method at 1e-4 and 1e-6: `bal` is 0 within 100 tolerances, after at most so many
 * events. */
static void balances(const char *model, const char *method, double stop, size_t events)
{
    for (int k = 0; k < 2; k++) {
        dae_options o = tolerance_of(k ? 1e-6 : 1e-4);
        double y[64];
        o.method = method;
        o.max_steps = 20000;
        dae_problem *read = problem_of(model);
        dae_solver *s = dae_solver_create(read, &o);
        size_t at = dae_problem_find(read, "bal");
        dae_problem_free(read);
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_run(s, stop));
        is_ok(s, dae_solver_at(s, stop, y, NULL));
        ck_assert_msg(fabs(y[at]) < 100 * o.rtol, "%s: %g\n%s", method, y[at], model);
        ck_assert_msg(dae_solver_stats(s)->events <= events, "%s: %zu events\n%s", method,
                      (size_t)dae_solver_stats(s)->events, model);
        dae_solver_free(s);
    }
}

/* The voltage of a diode comes to 0, and its current leaves 0 by a rate that is rounding: a second
 * derivative tells. Events do not accumulate there. */
START_TEST(currents_begin_without_a_rate)
{
    static const char STAR[] =
        "model M Real e[3], v[3], i[3](start = {0, 0, 0}), vp, s[3], bal;\n"
        "Real W(start = 0, fixed = true, nominal = 100);\n"
        "equation for k in 1:3 loop e[k] = 325*sin(314.1592653589793*time - (k - 1)*2.094395102);\n"
        "3e-3*der(i[k]) = e[k] - v[k]; v[k] - vp = if s[k] < 0 then s[k] else 0;\n"
        "i[k] = if s[k] < 0 then 0 else s[k]; end for; 0.05*der(sum(i)) + 10*sum(i) = vp;\n"
        "der(W) = e*i - 10*sum(i)^2; bal = W - 0.0015*(i*i) - 0.025*sum(i)^2; end M;";
    balances(STAR, "auto", 0.03, 12);
    balances(STAR, "rodas5p", 0.03, 16);
    static const char SIX_DIODES[] =
        "model M parameter Real Ls = 1e-3, Rs = 0.1;\n" IDEAL_BRIDGE
        "Boolean ot[3], ob[3]; Real vc(start = 500, fixed = true);\n"
        "equation " IDEAL_VALVES " ot[k] = st[k] < 0; ob[k] = sb[k] < 0; end for;\n"
        "1e-3*der(vc) = sum(it) - vc/20; sum(it) = sum(ib); vc = vp - vn;\n"
        "der(W) = e*i - Rs*(i*i) - vc^2/20;\n"
        "bal = W - 0.5*Ls*(i*i) - 0.5e-3*(vc^2 - 500^2); end M;";
    balances(SIX_DIODES, "rodas5p", 0.01, 24);
    balances(SIX_DIODES, "radau-iia5", 0.01, 24);
}
END_TEST

/* The voltage of a thyristor that is fired is 0 after the event, and was far from it before: no
 * event of it is missed. */
START_TEST(a_firing_of_a_thyristor)
{
    static const char MODEL[] =
        "model M parameter Real Ls = 5e-3, Rs = 0;\n" IDEAL_BRIDGE
        "Boolean gt[3], gb[3], ot[3](each start = true, each fixed = true);\n"
        "Boolean ob[3](each start = true, each fixed = true); Real id, ph[3];\n"
        "equation " IDEAL_VALVES
        " ph[k] = mod(18000*time - 70 - (k - 1)*120 + 720, 360); gt[k] = ph[k] < 100;\n"
        " gb[k] = ph[k] > 180 and ph[k] < 280; ot[k] = st[k] < 0 or pre(ot[k]) and not gt[k];\n"
        " ob[k] = sb[k] < 0 or pre(ob[k]) and not gb[k]; end for; sum(it) = id; sum(ib) = id;\n"
        "0.02*der(id) + id + 250 = vp - vn; der(W) = e*i - id^2 - 250*id;\n"
        "bal = W - 0.01*id^2 - 0.5*Ls*(i*i); end M;";
    balances(MODEL, "auto", 0.02, 24);
    balances(MODEL, "bdf", 0.02, 24);
}
END_TEST

#define LEGS                                                          \
    "d1 = if s1 < 0 then 0 else s1; d2 = if s2 < 0 then 0 else s2;\n" \
    "d3 = if s3 < 0 then 0 else s3; d4 = if s4 < 0 then 0 else s4; i = d1 - d3; -i = d2 - d4;\n"

/* A bridge whose diodes all block leaves a potential open: its modes are determined where one diode
 * conducts 0 A. The diodes of the other pair would conduct backward at once. */
START_TEST(a_bridge_blocks)
{
    static const char *const METHOD[] = {"auto", "bdf", "mebdf"};
    static const char MODEL[] =
        "model M Real u, i(start = 0, fixed = true), va, vb, vn, vc(start = 0, fixed = true);\n"
        "Real s1, s2, s3, s4, d1, d2, d3, d4, W(start = 0, fixed = true, nominal = 100), bal;\n"
        "equation u = 325*sin(314.1592653589793*time); 2e-3*der(i) + 0.2*i = u - va + vb;\n"
        "va - vn - vc = if s1 < 0 then s1 else 0; vb - vn - vc = if s2 < 0 then s2 else 0;\n"
        "vn - va = if s3 < 0 then s3 else 0; vn - vb = if s4 < 0 then s4 else 0; va + vb = "
        "0;\n" LEGS "4.7e-4*der(vc) = d1 + d2 - vc/100; der(W) = u*i - 0.2*i^2 - vc^2/100;\n"
        "bal = W - 1e-3*i^2 - 2.35e-4*vc^2; end M;";
    for (size_t k = 0; k < sizeof METHOD / sizeof *METHOD; k++) balances(MODEL, METHOD[k], 0.02, 9);
}
END_TEST

/* The current of a rectifier with boost converter ends while the voltage of the source has the
 * other sign. What diodes had for a voltage is no current that jumps. */
START_TEST(a_boost_converter_comes_to_rest)
{
    static const char MODEL[] =
        "model M Real u, i(start = 0, fixed = true), vr, va, vb, s1, s2, s3, s4, d1, d2, d3, d4;\n"
        "Real sD, iD, isw; Boolean on; equation on = mod(time, 1e-4) < 5e-5;\n"
        "u = 325*sin(314.1592653589793*(time + 0.011)); 1e-3*der(i) = u - va + vb;\n"
        "va - vr = if s1 < 0 then s1 else 0; vb - vr = if s2 < 0 then s2 else 0;\n"
        "-va = if s3 < 0 then s3 else 0; -vb = if s4 < 0 then s4 else 0;\n" LEGS
        "d1 + d2 = isw + iD; vr - 330 = if sD < 0 then sD else 0;\n"
        "iD = if sD < 0 then 0 else sD; if on then vr = 0.1*isw; else isw = 0; end if; end M;";
    ends_near(MODEL, "auto", 1e-6, 9.9e-5, "i", 0);
    ends_near(MODEL, "bdf", 1e-4, 9.9e-5, "i", 0);
}
END_TEST

/* Two diodes and a source that is switched by a whole part of time: the numbers of the whole part
 * follow where both diodes in their modes of before contradict each other. */
START_TEST(a_whole_part_switches)
{
    static const char MODEL[] =
        "model M Real v1, i2, i3, vx, s2, s3; equation\n"
        "v1 = if mod(time, 0.1) < 0.04 then 24 else 0; v1 - vx = if s2 < 0 then s2 else 0;\n"
        "i2 = if s2 < 0 then 0 else s2; -vx = if s3 < 0 then s3 else 0;\n"
        "i3 = if s3 < 0 then 0 else s3; 1 = i2 + i3; end M;";
    ends_near(MODEL, "auto", 1e-6, 0.12, "s3", -24);
    ends_near(MODEL, "bdf", 1e-6, 0.12, "s3", -24);
}
END_TEST

/* The largest difference of three sines that are a third of a period apart. */
static double widest(double phase)
{
    double most = -1, least = 1, third = 2 * acos(-1.0) / 3;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, sin(phase - k * third));
        least = fmin(least, sin(phase - k * third));
    }
    return most - least;
}

/* Bridges in series, each with three phases of its own and a floating neutral point: of so many
 * diodes no start tries all modes. A phase of one bridge is 0. The voltage is the sum of the
 * largest differences of phases. */
START_TEST(bridges_in_series_start)
{
    static const char EQUATIONS[] =
        "Real e[B,3], x[B,3], u[B,3], l[B,3], su[B,3], sl[B,3], p[B + 1], m[B], v = p[B + 1], "
        "i(start = 0, fixed = true); Boolean ou[B,3], ol[B,3]; equation\n"
        "p[1] = 0; for b in 1:B loop for k in 1:3 loop\n"
        "e[b,k] = 100*sin(314*time + phase[b] - 2*3.141592653589793*(k - 1)/3);\n"
        "x[b,k] = m[b] + e[b,k] - 0.1*(u[b,k] - l[b,k]);\n"
        "ou[b,k] = su[b,k] < 0; x[b,k] - p[b + 1] = if ou[b,k] then su[b,k] else 0;\n"
        "u[b,k] = if ou[b,k] then 1e-6*su[b,k] else su[b,k];\n"
        "ol[b,k] = sl[b,k] < 0; p[b] - x[b,k] = if ol[b,k] then sl[b,k] else 0;\n"
        "l[b,k] = if ol[b,k] then 1e-6*sl[b,k] else sl[b,k];\n"
        "end for; sum(u[b,:]) = sum(l[b,:]); sum(u[b,:]) = i; end for;\n"
        "0.02*der(i) = v - 5*i; end M;";
    uint64_t state = 77;
    char model[2000];
    for (int k = 0; k < 3; k++) {
        double first = k == 2 ? 0.3 : 0, second = k == 2 ? 0 : scatter_between(&state, 0, 6);
        double y[128];
        double wanted = 100 * (widest(first) + widest(second));
        snprintf(model, sizeof model,
                 "model M parameter Integer B = 2; parameter Real phase[B] = {%.17g, %.17g};\n%s",
                 first, second, EQUATIONS);
        dae_options options = tolerance_of(1e-6);
        dae_problem *read = problem_of(model);
        dae_solver *s = dae_solver_create(read, &options);
        size_t at = dae_problem_find(read, "v");
        ck_assert_uint_le(dae_problem_size(read), sizeof y / sizeof *y);
        dae_problem_free(read);
        is_ok(s, dae_solver_start(s, 0, NULL));
        is_ok(s, dae_solver_at(s, 0, y, NULL));
        ck_assert_msg(fabs(y[at] - wanted) < 0.01, "%.17g, not %.17g\n%s", y[at], wanted, model);
        dae_solver_free(s);
    }
}
END_TEST

/* As the voltage of a bridge comes to 0, all of its diodes conduct: their currents are determined
 * where one of them has 0 A. It is one of those that were crossed at the event, whose values are as
 * exact there as a step. */
START_TEST(a_bridge_shorts_its_load)
{
    static const char *const METHOD[] = {"auto", "esdirk4", "rodas5p"};
    static const char MODEL[] =
        "model M Real u, i(start = 0, fixed = true), va, vb, vp, vn, s1, s2, s3, s4, d1, d2, d3;\n"
        "Real d4, id, W(start = 0, fixed = true, nominal = 100), bal;\n"
        "equation u = 325*sin(314.1592653589793*time); 16.18594204165005e-3*der(i) = u - va + vb;\n"
        "va - vp = if s1 < 0 then s1 else 0; vb - vp = if s2 < 0 then s2 else 0;\n"
        "vn - va = if s3 < 0 then s3 else 0; vn - vb = if s4 < 0 then s4 else 0;\n"
        "va + vb = 0; " LEGS "id = d1 + d2;\n"
        "vp - vn = 7.039640048362957*id + 49.65233411535009e-3*der(id);\n"
        "der(W) = u*i - 7.039640048362957*id^2;\n"
        "bal = W - 0.5*16.18594204165005e-3*i^2 - 0.5*49.65233411535009e-3*id^2; end M;";
    for (size_t k = 0; k < sizeof METHOD / sizeof *METHOD; k++)
        balances(MODEL, METHOD[k], 0.012, 9);
}
END_TEST

/* Runs with a method at 1e-4 to where the current of the load is known, within 100 tolerances. */
static void has_current(const char *model, const char *method, double stop, double wanted)
{
    dae_options o = tolerance_of(1e-4);
    double y[64];
    o.method = method;
    dae_problem *read = problem_of(model);
    dae_solver *s = dae_solver_create(read, &o);
    size_t at = dae_problem_find(read, "id");
    dae_problem_free(read);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, stop));
    is_ok(s, dae_solver_at(s, stop, y, NULL));
    ck_assert_double_eq_tol(y[at], wanted, 0.01);
    dae_solver_free(s);
}

/* Six thyristors behind inductances, with 1e-3 Ohm where they conduct and 1e5 Ohm where they block.
 * Where one is fired, the voltages of all others jump. The equations are linear, so that these
 * jumps do not depend on the way on which constraints are met. Implicit Euler with steps of 1e-6 s
 * and half of that, extrapolated, has 44.2322 A. */
START_TEST(a_firing_of_nearly_ideal_thyristors)
{
    static const char MODEL[] =
        "model M constant Real pi = 3.14159265358979; parameter Real Ls = 1e-3, Ld = 0.05;\n"
        "Real e[3], v[3], i[3], vn, st[3], sb[3], vp, id(start = 0, fixed = true), it[3], ib[3];\n"
        "Real gt[3], gb[3];\n"
        "Boolean ft[3](each start = false, each fixed = true);\n"
        "Boolean fb[3](each start = false, each fixed = true); equation for k in 1:3 loop\n"
        " e[k] = 325*sin(100*pi*time - 2*pi/3*(k - 1));\n"
        " gt[k] = mod(100*pi*time - 2*pi/3*(k - 1) - pi/3, 2*pi);\n"
        " gb[k] = mod(100*pi*time - 2*pi/3*(k - 1) - pi/3 - pi, 2*pi);\n"
        " ft[k] = st[k] > 0 and (pre(ft[k]) or gt[k] < 2*pi/3);\n"
        " fb[k] = sb[k] > 0 and (pre(fb[k]) or gb[k] < 2*pi/3);\n"
        " v[k] - vp = if ft[k] then 1e-3*st[k] else st[k];\n"
        " it[k] = if ft[k] then st[k] else 1e-5*st[k]; i[k] = it[k] - ib[k];\n"
        " -v[k] = if fb[k] then 1e-3*sb[k] else sb[k];\n"
        " ib[k] = if fb[k] then sb[k] else 1e-5*sb[k]; Ls*der(i[k]) = e[k] - v[k] - vn;\n"
        "end for; sum(it) = id; sum(ib) = id; Ld*der(id) = vp - 10*id;\n"
        "initial equation i[1] = 0; i[2] = 0; end M;";
    has_current(MODEL, "esdirk3", 0.0305, 44.23268173);
    has_current(MODEL, "radau-iia3", 0.0305, 44.23268173);
}
END_TEST

/* The current of two thyristors ends, a tolerance beyond 0, and the jump to 0 is an impulse of all
 * voltages. The other two have not been fired, and block on both sides of 0 V. */
START_TEST(an_impulse_at_thyristors_that_block)
{
    static const char MODEL[] =
        "model M Real th, u, i(start = 0, fixed = true), va, vb, vp, vn, s1, s2, s3, s4, d1, d2;\n"
        "Real d3, d4, id, W(start = 0, fixed = true, nominal = 100), bal; Boolean g1, g2;\n"
        "Boolean o1(start = true, fixed = true), o2(start = true, fixed = true);\n"
        "Boolean o3(start = true, fixed = true), o4(start = true, fixed = true);\n"
        "equation th = 376.99111843077515*time; u = 596.318287567376*sin(th);\n"
        "g1 = mod(th - 2.0943951023931953, 6.283185307179586) < 1.5471975511965979;\n"
        "g2 = mod(th - 5.235987755982988, 6.283185307179586) < 1.5471975511965979;\n"
        "4.1370276542404175e-4*der(i) + 0.0991*i = u - va + vb; va + vb = 0;\n"
        "o1 = s1 < 0 or pre(o1) and not g1; va - vp = if o1 then s1 else 0;\n"
        "o2 = s2 < 0 or pre(o2) and not g2; vb - vp = if o2 then s2 else 0;\n"
        "o3 = s3 < 0 or pre(o3) and not g2; vn - va = if o3 then s3 else 0;\n"
        "o4 = s4 < 0 or pre(o4) and not g1; vn - vb = if o4 then s4 else 0;\n"
        "d1 = if o1 then 0 else s1; d2 = if o2 then 0 else s2; d3 = if o3 then 0 else s3;\n"
        "d4 = if o4 then 0 else s4; i = d1 - d3; -i = d2 - d4; id = d1 + d2;\n"
        "vp - vn = 10.87*id + 4.25e-3*der(id); der(W) = u*i - 0.0991*i^2 - 10.87*id^2;\n"
        "bal = W - 0.5*4.1370276542404175e-4*i^2 - 0.5*4.25e-3*id^2; end M;";
    balances(MODEL, "radau", 0.01, 16);
    balances(MODEL, "rodas5p", 0.01, 16);
}
END_TEST

/* A freewheeling diode begins to conduct: its current is the difference of states, and may be below
 * 0 there by their errors. */
START_TEST(a_current_begins_below_0)
{
    static const char MODEL[] =
        "model M constant Real pi = 3.141592653589793; parameter Real U = 138.52666, Ls = 8.4e-4;\n"
        "parameter Real Ron = 1.1e-4, Gg = 1.3e-5; Real e[3], v[3], i[3](start = {0, 0, 0}), vn;\n"
        "Real st[3], sb[3], it[3], ib[3], vp, vm, id(start = 0, fixed = true), ig, sf, df;\n"
        "Boolean ot[3](each start = true, each fixed = true), of;\n"
        "Boolean ob[3](each start = true, each fixed = true); equation for k in 1:3 loop\n"
        " e[k] = U*sin(100*pi*time - 2*pi/3*(k - 1)); i[k] = it[k] - ib[k];\n"
        " Ls*der(i[k]) + 0.01*i[k] = e[k] - v[k] - vn;\n"
        " ot[k] = st[k] < 0 or (pre(ot[k]) and not\n"
        "  mod(100*pi*time - 2*pi/3*(k - 1) - 2.0385, 2*pi) < 2*pi/3);\n"
        " ob[k] = sb[k] < 0 or (pre(ob[k]) and not\n"
        "  mod(100*pi*time - 2*pi/3*(k - 1) - 2.0385 - pi, 2*pi) < 2*pi/3);\n"
        " v[k] - vp = if ot[k] then st[k] else Ron*st[k]; it[k] = if ot[k] then 0 else st[k];\n"
        " vm - v[k] = if ob[k] then sb[k] else Ron*sb[k]; ib[k] = if ob[k] then 0 else sb[k];\n"
        "end for; of = sf < 0; vm - vp = if of then sf else Ron*sf; df = if of then 0 else sf;\n"
        "sum(it) + df = id; sum(ib) + df + ig = id; ig = Gg*(vm + vn); sum(v) = 0;\n"
        "0.15*der(id) + 2.19*id = vp - vm; end M;";
    has_current(MODEL, "rodas5p", 0.003, 0.651020915);
}
END_TEST

UNIT_MAIN("solve/rectifiers", 120, thyristors, drawn_thyristors_with_one_cathode,
          diodes_behind_inductances, a_half_wave_rectifier, currents_begin_without_a_rate,
          a_firing_of_a_thyristor, a_bridge_blocks, a_boost_converter_comes_to_rest,
          a_whole_part_switches, bridges_in_series_start, a_bridge_shorts_its_load,
          a_firing_of_nearly_ideal_thyristors, an_impulse_at_thyristors_that_block,
          a_current_begins_below_0)
