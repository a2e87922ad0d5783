/* Cascades of tanks that run empty by Torricelli's law. Below one that runs empty the levels follow
 * it, so that all of them reach 0 at nearly one instant, slower than any tolerance shows. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TANKS = 5, MOST_TEXT = 4000 };

typedef struct cascade {
    int tanks;
    double area[MOST_TANKS], outlet[MOST_TANKS], level[MOST_TANKS];
    double inflow[MOST_TANKS], until[MOST_TANKS];
    bool guarded; /* the root has values where the tank is empty, too */
    char text[MOST_TEXT];
} cascade;

static void draw(cascade *c, uint64_t *state)
{
    c->tanks = 2 + (int)scatter_below(state, MOST_TANKS - 1);
    for (int i = 0; i < c->tanks; i++) {
        c->area[i] = scatter_between(state, 0.2, 2);
        c->outlet[i] = scatter_between(state, 0.3, 2);
        c->level[i] = scatter_between(state, 0.2, 2);
        c->until[i] = scatter_between(state, 0.5, 3);
        c->inflow[i] = i > 0 && scatter_below(state, 2) ? scatter_between(state, 0, 1) : 0;
    }
}

static void write(cascade *c)
{
    char *at = c->text, *end = c->text + MOST_TEXT;
    at += snprintf(at, (size_t)(end - at), "model M Real q[%d], out(start = 0, fixed = true), ",
                   c->tanks);
    for (int i = 0; i < c->tanks; i++)
        at += snprintf(at, (size_t)(end - at), "%sh%d(start = %.17g, fixed = true)", i ? ", " : "",
                       i + 1, c->level[i]);
    at += snprintf(at, (size_t)(end - at), ";\nequation der(out) = q[%d];\n", c->tanks);
    for (int i = 0; i < c->tanks; i++) {
        char level[16];
        snprintf(level, sizeof level, c->guarded ? "max(h%d, 0)" : "h%d", i + 1);
        at += snprintf(at, (size_t)(end - at),
                       "q[%d] = if h%d > 0 then %.17g*sqrt(%s) else 0;\n%.17g*der(h%d) = (if time "
                       "< %.17g then %.17g else 0)",
                       i + 1, i + 1, c->outlet[i], level, c->area[i], i + 1, c->until[i],
                       c->inflow[i]);
        if (i > 0) at += snprintf(at, (size_t)(end - at), " + q[%d]", i);
        at += snprintf(at, (size_t)(end - at), " - q[%d];\n", i + 1);
    }
    snprintf(at, (size_t)(end - at), "end M;");
}

/* The upper tank has no inflow: the root of its level falls linearly. */
static double upper_level(const cascade *c, double t)
{
    double root = fmax(sqrt(c->level[0]) - c->outlet[0] / (2 * c->area[0]) * t, 0);
    return root * root;
}

/* What is in the tanks and has run out at t is what was there and has come in. */
static double lost(const cascade *c, dae_problem *p, double t, const double *y)
{
    double sum = y[dae_problem_find(p, "out")];
    char name[8];
    for (int i = 0; i < c->tanks; i++) {
        snprintf(name, sizeof name, "h%d", i + 1);
        double level = y[dae_problem_find(p, name)];
        ck_assert(level > -1e-6);
        sum += c->area[i] * (level - c->level[i]) - c->inflow[i] * fmin(t, c->until[i]);
    }
    return sum;
}

static void runs_empty(const cascade *c, const char *method)
{
    static const double END = 60;
    double y[32];
    dae_options options = dae_options_default();
    options.method = method;
    options.keep_trajectory = true;
    dae_problem *p = problem_of(c->text);
    dae_solver *s = dae_solver_create(p, &options);
    ck_assert_msg(dae_solver_run(s, END) == DAE_OK, "%s: %s\n%s", method, dae_solver_message(s),
                  c->text);
    for (double t = 0.5; t < END; t += 2.5) {
        is_ok(s, dae_solver_at(s, t, y, NULL));
        ck_assert_double_eq_tol(y[dae_problem_find(p, "h1")], upper_level(c, t), 2e-5);
        ck_assert_double_eq_tol(lost(c, p, t, y), 0, 2e-5);
    }
    dae_solver_free(s);
    dae_problem_free(p);
}

static const char *const METHOD[] = {"auto",    "bdf",    "mebdf",  "radau",   "radau-iia3",
                                     "rodas5p", "dopri5", "dop853", "esdirk4", "gauss3"};
enum { METHODS = sizeof METHOD / sizeof *METHOD };

START_TEST(cascades)
{
    enum { DRAWN = 40 };
    uint64_t state = 1;
    for (int k = 0; k < DRAWN; k++) {
        cascade c;
        draw(&c, &state);
        c.guarded = k % 2;
        write(&c);
        runs_empty(&c, METHOD[_i]);
    }
}
END_TEST

/* Two tanks have run empty but for rounding. The lower one may fill by the flow from the upper one,
 * whose root has no values any more. */
START_TEST(the_tank_without_values_is_the_empty_one)
{
    cascade c = {.tanks = 5,
                 .area = {1.4376, 1.7121, 0.5307, 1.7404, 1.8987},
                 .outlet = {0.47837, 1.47945, 0.39528, 0.88595, 1.67308},
                 .level = {1.13577, 1.14834, 1.51964, 0.87217, 1.26792},
                 .inflow = {0, 0.9633},
                 .until = {1, 1.0245, 1, 1, 1}};
    write(&c);
    runs_empty(&c, METHOD[_i]);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, cascades, 0, METHODS);
    unit_loop(tests, the_tank_without_values_is_the_empty_one, 0, METHODS);
    return unit_run("solve/cascades", tests);
}
