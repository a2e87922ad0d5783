/* Relations whose pulses lie between the points of a step, and relations of time with functions
 * that have poles, jumps or no values. Each is written with time and with x, whose derivative is 1.
 */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 900 };

/* A relation of @, the length of the time in which it is true up to t = 10, and whether that is
 * asked of x, too, which a step may take to where it has no value. */
typedef struct shape {
    const char *relation;
    double length;
    bool of_x;
} shape;

/* The text with `by` in place of each `mark`. */
static void write_in(const char *pattern, char mark, const char *by, char *to, size_t room)
{
    size_t n = 0;
    for (const char *c = pattern; *c; c++) {
        ck_assert_uint_lt(n + strlen(by) + 1, room);
        if (*c != mark) {
            to[n++] = *c;
            continue;
        }
        memcpy(to + n, by, strlen(by));
        n += strlen(by);
    }
    to[n] = 0;
}

static void is_true_for(const char *relation, const char *name, const char *method, double length,
                        double tolerance)
{
    char of_name[TEXT / 3], model[TEXT];
    write_in(relation, '@', name, of_name, sizeof of_name);
    snprintf(model, sizeof model,
             "model M Real x(start = 0, fixed = true), y(start = 0, fixed = true); equation\n"
             "der(x) = 1; der(y) = if %s then 1 else 0; end M;",
             of_name);
    dae_options options = tolerance_of(1e-6);
    options.method = method;
    double found = end_of(model, &options, 10, "y");
    ck_assert_msg(fabs(found - length) <= tolerance, "%s: y = %.17g, not %.17g\n%s", method, found,
                  length, model);
}

START_TEST(functions_with_poles_and_jumps)
{
    const double pi = acos(-1.0);
    const shape SHAPE[] = {
        {"atan2(@ - 5, 0.5) > 0.5", 5 - 0.5 * tan(0.5), true},
        {"atan2(0.05, @ - 5) < 2", 5 + 0.05 * tan(2 - pi / 2), true},
        {"atan2(sin(@), cos(@)) > 3", 2 * (pi - 3), false},
        {"tan(0.1*@) > 0.5", 10 - 10 * atan(0.5), true},
        {"tan(@) > 1", 3 * pi / 4, false},
        {"2^@ > 7", 10 - log2(7), true},
        {"noEvent(if @ > 5 then 1 else 0) > 0.5", 5, true},
        {"max(if integer(@) == 2 then 0 else @ - 1, 0.1) > 0.2", 0.8 + 7, true},
        {"@ > 5 and sqrt(@ - 5) > 1", 4, false},
        {"@ > 5 and log(@ - 5) > 0", 4, false},
    };
    for (size_t k = 0; k < sizeof SHAPE / sizeof *SHAPE; k++) {
        is_true_for(SHAPE[k].relation, "time", "auto", SHAPE[k].length, 1e-6);
        if (SHAPE[k].of_x) is_true_for(SHAPE[k].relation, "x", "auto", SHAPE[k].length, 1e-4);
    }
}
END_TEST

/* In u = (x - centre)/width each shape is at its level at +half and -half. */
START_TEST(pulses_between_points)
{
    static const char *const METHOD[] = {"auto", "bdf", "radau", "rodas5p"};
    static const struct {
        const char *relation; /* of u */
        double half;
    } SHAPE[] = {{"exp(-u^2) > 0.5", 0.83255461115769775},
                 {"1/(1 + u^2) > 0.5", 1},
                 {"exp(-10*abs(u)) > 0.5", 0.069314718055994531},
                 {"u^4 < 1", 1},
                 {"log(abs(u) + 0.001) < -3", 0.048787068367863944},
                 {"tanh(u)^2 < 0.25", 0.54930614433405484},
                 {"abs(u)^1.5 < 2", 1.5874010519681994},
                 {"sqrt(1 + u^2) < 2", 1.7320508075688772},
                 {"abs(u) < 1", 1},
                 {"max(u, -u) < 1", 1},
                 {"min(2*u, -u) > -1", 0.75},
                 {"abs(abs(u) - 2) < 1", 2}};
    uint64_t state = 41;
    char u[100], relation[300];
    for (size_t k = 0; k < sizeof SHAPE / sizeof *SHAPE; k++) {
        for (size_t j = 0; j < sizeof METHOD / sizeof *METHOD; j++) {
            double centre = scatter_between(&state, 2, 8);
            double width = pow(10, scatter_between(&state, -5, -1));
            double length = 2 * SHAPE[k].half * width;
            snprintf(u, sizeof u, "((@ - %.17g)/%.17g)", centre, width);
            write_in(SHAPE[k].relation, 'u', u, relation, sizeof relation);
            is_true_for(relation, "x", METHOD[j], length, 1e-6 * length + 1e-9);
            if (j == 0) is_true_for(relation, "time", METHOD[j], length, 1e-6 * length + 1e-9);
        }
    }
}
END_TEST

UNIT_MAIN("solve/hidden_pulses", 60, functions_with_poles_and_jumps, pulses_between_points)
