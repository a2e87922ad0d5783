/* A surface has one share, whatever the forms in which equations write its relation: each end value
 * is compared with the exact solution. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const double RTOL[] = {1e-5, 1e-7};

static void meets(const char *model, const char *method, double stop, const char *name,
                  double wanted)
{
    for (size_t k = 0; k < sizeof RTOL / sizeof *RTOL; k++)
        ends_near(model, method, RTOL[k], stop, name, wanted);
}

/* Two bodies stick together by dry friction that is written in two orientations. By Newton's third
 * law their momentum is the impulse of the drive. */
START_TEST(one_law_in_two_orientations)
{
    static const char *const LAW[] = {
        "sign(v1 - v2)",
        "-sign(v2 - v1)",
        "(if v1 > v2 then 1 elseif v1 < v2 then -1 else 0)",
        "(if v2 - v1 < 0 then 1 else (if v2 > v1 then -1 else 0))",
        "(if not (v1 <= v2) then 1 elseif not (v2 <= v1) then -1 else 0)",
        "sign(v1 - v2)^3",
        "(if v1 > v2 then 1 else -1)"};
    enum { LAWS = sizeof LAW / sizeof *LAW };
    uint64_t state = 5;
    char model[600];
    for (int one = 0; one < LAWS; one++) {
        for (int two = 0; two < LAWS; two++) {
            double m1 = scatter_between(&state, 0.5, 2), m2 = scatter_between(&state, 0.5, 2);
            double a = scatter_between(&state, 0.2, 1), w = scatter_between(&state, 0.5, 2);
            double friction = scatter_between(&state, 1.2, 3) * a * m2 / (m1 + m2);
            double apart = scatter_between(&state, -0.2, 0.2);
            snprintf(model, sizeof model,
                     "model M Real v1(start = %.17g, fixed = true), v2(start = 0, fixed = true);\n"
                     "equation %.17g*der(v1) = %.17g*sin(%.17g*time) - %.17g*(%s);\n"
                     "%.17g*der(v2) = %.17g*(%s); end M;",
                     apart, m1, a, w, friction, LAW[one], m2, friction, LAW[two]);
            double sum = (m1 * apart + a / w * (1 - cos(w * 4))) / (m1 + m2);
            meets(model, "auto", 4, "v1", sum);
            meets(model, "radau-iia5", 4, "v2", sum);
        }
    }
}
END_TEST

UNIT_MAIN("solve/one_share", 60, one_law_in_two_orientations)
