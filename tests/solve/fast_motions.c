/* Relations of what moves fast after an event: a long implicit step ends where the fast motion has
 * come to rest, or could, and its polynomial does not show what switches on the way. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto",    "radau",    "radau-iia5", "esdirk4",
                                      "rodas5p", "kvaerno5", "bdf"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

static double end_by(const char *method, const char *model, double rtol, double t)
{
    dae_options options = tolerance_of(rtol);
    options.method = method;
    return end_of(model, &options, t, "y");
}

/* y follows u with the lag tau, but no faster than 2: from t = 1 on u falls with a slope s, and
 * w = y' comes to -2 after a = -tau log(1 - 2/s). From there y falls by 2 (t - 1 - a). */
START_TEST(a_rate_limit_behind_a_lag)
{
    uint64_t seed = 3;
    for (int draw = 0; draw < 8; draw++) {
        char model[300];
        double s = scatter_between(&seed, 2.5, 10), tau = pow(10, scatter_between(&seed, -5, -3));
        double rtol = pow(10, scatter_between(&seed, -7, -4)), a = -tau * log(1 - 2 / s);
        (void)snprintf(model, sizeof model,
                       "model M Real u, w, y(start = 1, fixed = true); equation "
                       "u = 1 - (if time > 1 then %.17g*(time - 1) else 0);"
                       "w = (u - y)/%.17g; der(y) = max(-2, w); end M;",
                       s, tau);
        double off = end_by(METHODS[_i], model, rtol, 2) - (1 - s * a + 2 * tau - 2 * (1 - a));
        ck_assert_msg(fabs(off) < 100 * rtol, "%s, slope %g, tau %g, rtol %g: off by %g",
                      METHODS[_i], s, tau, rtol, off);
    }
}
END_TEST

/* The same without a fast motion: u = 1 - t^2, and w comes to -2 at 1 + tau. An error of y by its
 * tolerance moves w by more than what the relation compares. */
START_TEST(a_rate_limit_that_is_come_to_slowly)
{
    static const char *const FORM[] = {"w = (u - y)/tau; der(y) = max(-2, w);",
                                       "w = der(y); der(y) = max(-2, (u - y)/tau);"};
    for (double rtol = 1e-3; rtol > 1e-7; rtol /= 10) {
        for (int form = 0; form < 2; form++) {
            char model[300];
            const double tau = 1e-4;
            (void)snprintf(model, sizeof model,
                           "model M parameter Real tau = %g; Real u, w, y(start = 1, fixed = true);"
                           "equation u = 1 - time^2; %s end M;",
                           tau, FORM[form]);
            double off = end_by(METHODS[_i], model, rtol, 2) - (-2 + 2 * tau - tau * tau);
            ck_assert_msg(fabs(off) < 10 * rtol, "%s, form %d, rtol %g: off by %g", METHODS[_i],
                          form, rtol, off);
        }
    }
}
END_TEST

/* An operational amplifier of gain A with a lag tau as Schmitt trigger: between its limits it leads
 * away from its rest, in some tau/A. The values at the end are those in which bdf, radau and
 * esdirk4 agree at a tolerance of 1e-8. */
START_TEST(a_trigger_that_leads_away_from_its_rest)
{
    static const double GAIN[] = {1e5, 1e3, 1e5}, LAG[] = {1e-5, 1e-5, 1e-6},
                        END[] = {0.0771449, -0.1484215, -0.9581720};
    for (int k = 0; k < 3; k++) {
        char model[400];
        (void)snprintf(model, sizeof model,
                       "model M Real y(start = 0, fixed = true), vo(start = 10, fixed = true), vd;"
                       "equation vd = 0.5*vo - y; %g*der(vo) = -vo + max(-10, min(10, %g*vd));"
                       "1e-3*der(y) = vo - y; end M;",
                       LAG[k], GAIN[k]);
        double rtol = k == 1 ? 1e-5 : 1e-7, off = end_by(METHODS[_i], model, rtol, 0.01) - END[k];
        ck_assert_msg(fabs(off) < 1e-3, "%s, gain %g, lag %g: off by %g", METHODS[_i], GAIN[k],
                      LAG[k], off);
    }
}
END_TEST

/* Two lags tau in a row after a step of u that is no more than tolerances: w = y' comes to 37 for a
 * time of some tau, u/tau exp(-1), and what waits for 20 sees it. */
START_TEST(a_peak_of_a_short_time)
{
    static const char MODEL[] =
        "model M Real a(start = 0, fixed = true), z(start = 0, fixed = true), u, w;"
        "Boolean trip(start = false, fixed = true); Real y; equation u = if time > 0.1 then 1e-3 "
        "else 0; 1e-5*der(a) = u - a; 1e-5*der(z) = a - z; w = (a - z)/1e-5;"
        "when w > %d then trip = true; end when; y = if trip then 1 else 0; end M;";
    for (double rtol = 1e-3; rtol > 1e-7; rtol /= 10) {
        for (int level = 20; level <= 40; level += 20) {
            char model[500];
            (void)snprintf(model, sizeof model, MODEL, level);
            double trip = end_by(METHODS[_i], model, rtol, 1);
            ck_assert_msg((trip > 0.5) == (level == 20), "%s, rtol %g: %d", METHODS[_i], rtol,
                          level);
        }
    }
}
END_TEST

/* A diode behind an inductor and a small capacitor, with ringing: where it turns off, its voltage
 * leaves 0 slowly at first, and the polynomial of a step may dip to the other side by its error.
 * The voltage at the end is that of radau and esdirk4 at a tolerance of 1e-9. */
START_TEST(a_root_that_leaves_slowly_stays_on_its_side)
{
    static const char MODEL[] =
        "model M Real vj(start = 0, fixed = true), i(start = 0, fixed = true), u, id, m; Boolean "
        "on;"
        "Real y(start = 1.6119978638488304, fixed = true); equation"
        " u = 10*sin(62831.853071795864*time) + (if time > 0.00011807288086680143"
        " then 5.690275716097684 else 0);"
        " 8.764443455108965e-07*der(i) = u - 0.03499391324701272*i - vj;"
        " m = vj - y - 0.6; on = m > 0;"
        " id = if on then 852.0606883000842*m + 2.1780396290659095e-08*0.6"
        " else 2.1780396290659095e-08*(m + 0.6);"
        " 8.101561520446053e-09*der(vj) = i - id;"
        " 0.00013981354089259766*der(y) = id - y/34.99391324701272; end M;";
    for (double rtol = 1e-4; rtol > 1e-7; rtol /= 10) {
        double off = end_by(METHODS[_i], MODEL, rtol, 0.00029163025505894773) - 14.535305909;
        ck_assert_msg(fabs(off) < 300 * rtol, "%s, %g: off by %g", METHODS[_i], rtol, off);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, a_rate_limit_behind_a_lag, 0, METHODS_COUNT);
    unit_loop(tests, a_rate_limit_that_is_come_to_slowly, 0, METHODS_COUNT);
    unit_loop(tests, a_trigger_that_leads_away_from_its_rest, 0, METHODS_COUNT);
    unit_loop(tests, a_peak_of_a_short_time, 0, METHODS_COUNT);
    unit_loop(tests, a_root_that_leaves_slowly_stays_on_its_side, 0, METHODS_COUNT);
    return unit_run("solve/fast_motions", tests);
}
