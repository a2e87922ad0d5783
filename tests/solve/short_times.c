/* What happens within a short time is no sign that events accumulate, or that a run creeps towards
 * a point at which its equations say nothing. */
#include "solve/models.h"

/* Thresholds of a clock, each a tenth as far after the one before it as that is: each is passed
 * once, and time goes on. */
START_TEST(thresholds_that_lie_ever_closer_are_passed)
{
    enum { MANY = 11 };
    char model[1200];
    double at = 0.5, gap = 0.1;
    int used = snprintf(model, sizeof model,
                        "model M Real x(start = 0, fixed = true);\n"
                        "  discrete Integer n(start = 0, fixed = true);\n"
                        "equation der(x) = 1; when {");
    for (int k = 0; k < MANY; k++, at += gap, gap /= 10)
        used += snprintf(model + used, sizeof model - (size_t)used, "%sx > %.17g", k ? ", " : "",
                         at);
    snprintf(model + used, sizeof model - (size_t)used, "} then n = pre(n) + 1; end when; end M;");
    for (int k = 4; k <= 10; k += 2) {
        dae_options o = tolerance_of(pow(10, -k));
        ck_assert_double_eq(end_of(model, &o, 1, "n"), MANY);
        ck_assert_double_eq_tol(end_of(model, &o, 1, "x"), 1, 1e-10);
    }
}
END_TEST

/* Two capacitors in parallel, written the other way round, so that combinations of their equations
 * are integrated; after a resistance of 1 on both sides u' = (p - u)/2. The voltage p that steps
 * at t = 5 rings for some 1e-8. */
static const char RINGS[] =
    "model Rings Real u(start = 0, fixed = true), w, ia, ib, v1, v2;\n"
    "  Real z(start = 0, fixed = true), p(start = 0, fixed = true);\n"
    "equation u = v1 - v2; w = v2 - v1; 0.5*der(u) = ia; 0.5*der(w) = -ib; p - v1 = ia + ib;\n"
    "  v2 = ia + ib; 1e-9*der(p) = z;\n"
    "  1e-9*der(z) = (if time < 5 then 0 else 1) - p - 0.2*z; end Rings;";

START_TEST(combinations_of_equations_may_ring)
{
    for (int k = 4; k <= 8; k += 2) {
        dae_options o = tolerance_of(pow(10, -k));
        ck_assert_double_eq_tol(end_of(RINGS, &o, 6, "u"), 1 - exp(-0.5), o.rtol);
        ck_assert_double_eq_tol(end_of(RINGS, &o, 6, "p"), 1, o.rtol);
    }
}
END_TEST

UNIT_MAIN("solve/short_times", 60, thresholds_that_lie_ever_closer_are_passed,
          combinations_of_equations_may_ring)
