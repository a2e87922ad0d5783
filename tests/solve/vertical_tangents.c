/* Instants at which a derivative is infinite and the solution goes on: flows through resistances
 * that turn round, of which the pressure drop is q*abs(q) or q^3. Tanks at a node are compared with
 * the same equations solved for the flows. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto",   "bdf",     "mebdf",    "radau-iia3", "radau-iia5",
                                      "rodas4", "rodas5p", "kvaerno5", "esdirk4"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, MOST_TANKS = 3, DRAWN = 8, TEXT = 2400 };

/* How a pressure drop is written. */
typedef enum drop_form { ABS, IF, CUBE, FORMS } drop_form;

typedef struct network {
    int tanks;
    drop_form form;
    double level[MOST_TANKS], resistance[MOST_TANKS], flow[MOST_TANKS], speed[MOST_TANKS];
    double stop;
} network;

static network drawn(uint64_t *state)
{
    network n = {.tanks = 1 + (int)scatter_below(state, MOST_TANKS)};
    n.form = (drop_form)scatter_below(state, FORMS);
    for (int k = 0; k < n.tanks; k++) {
        n.level[k] = scatter_between(state, 0.5, 2);
        n.resistance[k] = scatter_between(state, 0.3, 3);
        n.flow[k] = scatter_between(state, 0.4, 1.2);
        n.speed[k] = scatter_between(state, 0.5, 3);
    }
    n.stop = scatter_between(state, 2, 6);
    return n;
}

static void write_model(const network *n, char *to)
{
    static const char *const DROP[] = {"%.17g*q[%d]*abs(q[%d])",
                                       "%.17g*(if q[%d] > 0 then q[%d]^2 else -q[%d]^2)",
                                       "%.17g*q[%d]*q[%d]*q[%d]"};
    char *at = to + sprintf(to, "model M Real h[%d](start = {", n->tanks);
    for (int k = 0; k < n->tanks; k++) at += sprintf(at, "%s%.17g", k ? ", " : "", n->level[k]);
    at += sprintf(at,
                  "}, each fixed = true), q[%d](each start = 0.5), p(start = 1);\n"
                  "Real w(start = 0, fixed = true), e; equation der(w) = q[1]; e = w + 2*h[1];\n",
                  n->tanks);
    for (int k = 0, i = 1; k < n->tanks; k++, i++) {
        at += sprintf(at, "h[%d] - p = ", i);
        at += sprintf(at, DROP[n->form], n->resistance[k], i, i, i);
        at += sprintf(at, "; der(h[%d]) = %.17g*sin(%.17g*time) - q[%d];\n", i, n->flow[k],
                      n->speed[k], i);
    }
    strcpy(at, n->tanks == 1 ? "p = 1; end M;" : "0 = sum(q); end M;");
}

/* --- the same solved for the flows --- */

static double through(const network *n, int k, double drop)
{
    double q = pow(fabs(drop) / n->resistance[k], 1. / (n->form == CUBE ? 3 : 2));
    return drop < 0 ? -q : q;
}

/* The pressure of the node between the lowest and the highest level, by bisection. */
static double pressure(const network *n, const double *h)
{
    double low = 1, high = 1;
    if (n->tanks == 1) return 1;
    low = high = h[0];
    for (int k = 1; k < n->tanks; k++) low = fmin(low, h[k]), high = fmax(high, h[k]);
    for (int i = 0; i < 60; i++) {
        double p = (low + high) / 2, sum = 0;
        for (int k = 0; k < n->tanks; k++) sum += through(n, k, h[k] - p);
        *(sum > 0 ? &low : &high) = p;
    }
    return (low + high) / 2;
}

/* The rates of the levels and of w. */
static void rates(const network *n, double t, const double *y, double *rate)
{
    double p = pressure(n, y);
    for (int k = 0; k < n->tanks; k++)
        rate[k] = n->flow[k] * sin(n->speed[k] * t) - through(n, k, y[k] - p);
    rate[n->tanks] = through(n, 0, y[0] - p);
}

/* Levels and w at the end, by the classical method of order 4 in short steps. */
static void solve(const network *n, double *y)
{
    enum { STEPS = 4000, SIZE = MOST_TANKS + 1 };
    static const double weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6}, part[] = {0, 0.5, 0.5, 1};
    double h = n->stop / STEPS, stage[SIZE] = {0}, at[SIZE], sum[SIZE];
    memcpy(y, n->level, n->tanks * sizeof *y);
    y[n->tanks] = 0;
    for (int i = 0; i < STEPS; i++) {
        memset(sum, 0, sizeof sum);
        for (int s = 0; s < 4; s++) {
            for (int k = 0; k <= n->tanks; k++) at[k] = y[k] + part[s] * h * stage[k];
            rates(n, (i + part[s]) * h, at, stage);
            for (int k = 0; k <= n->tanks; k++) sum[k] += weight[s] * stage[k];
        }
        for (int k = 0; k <= n->tanks; k++) y[k] += h * sum[k];
    }
}

/* 100 tolerances: each instant loses something, and the reference has an order of 1.5 there. */
START_TEST(flows_turn_round)
{
    uint64_t state = 1;
    char model[TEXT];
    double y[MOST_TANKS + 1];
    dae_options o = tolerance_of(1e-6);
    o.method = METHODS[_i];
    for (int i = 0; i < DRAWN; i++) {
        network n = drawn(&state);
        write_model(&n, model);
        solve(&n, y);
        double off = fabs(end_of(model, &o, n.stop, "e") - y[n.tanks] - 2 * y[0]);
        ck_assert_msg(off <= 1e-4, "%s: off by %.3g\n%s", o.method, off, model);
    }
}
END_TEST

/* h = cos(t) - 1/2 falls through 0 three times until t = 19: a condition on q counts them. */
START_TEST(conditions_at_such_instants_act)
{
    static const char *const MODEL =
        "model M Real h(start = 0.5, fixed = true), q; Integer n(start = 0, fixed = true);\n"
        "equation h = q*abs(q); der(h) = -sin(time);\n"
        "when q < 0 then n = pre(n) + 1; end when; end M;";
    dae_options o = tolerance_of(1e-6);
    o.method = METHODS[_i];
    ck_assert_double_eq(end_of(MODEL, &o, 19, "n"), 3);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, flows_turn_round, 0, METHODS_COUNT);
    unit_loop(tests, conditions_at_such_instants_act, 0, METHODS_COUNT);
    return unit_run("solve/vertical_tangents", tests);
}
