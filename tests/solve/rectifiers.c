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

UNIT_MAIN("solve/rectifiers", 120, thyristors, drawn_thyristors_with_one_cathode,
          diodes_behind_inductances, a_half_wave_rectifier)
