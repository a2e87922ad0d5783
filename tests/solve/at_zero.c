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

/* The value of x at the end; no more than so many events. */
static void ends_at(const char *model, const char *method, double stop, double exact,
                    unsigned events)
{
    dae_options o = tolerance_of(1e-8);
    double y[8];
    o.method = method;
    o.max_steps = 5000;
    dae_solver *s = solver_of(model, &o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, stop));
    is_ok(s, dae_solver_at(s, stop, y, NULL));
    size_t found = dae_solver_stats(s)->events;
    ck_assert_msg(fabs(y[0] - exact) < 1e-6, "%s: %s: %.9g, not %.9g", method, model, y[0], exact);
    ck_assert_msg(found <= events, "%s: %s: %zu events", method, model, found);
    dae_solver_free(s);
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

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, rest_has_no_events, 0, METHODS_COUNT);
    unit_loop(tests, one_branch_is_zero, 0, METHODS_COUNT);
    unit_loop(tests, time_touches_zero, 0, METHODS_COUNT);
    unit_loop(tests, samples_at_the_edge_of_a_force, 0, METHODS_COUNT);
    return unit_run("solve/at_zero", tests);
}
