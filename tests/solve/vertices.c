/* Networks of diodes at rest: all relations are 0 at the start, in all modes, and only in some of
 * them does the solution go on. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

/* Resistors lead from each node to one before it, so that no potential floats. Diodes of 1e-3 Ohm
 * and 1e-6 S: with them the network is monotone, and its solution unique. */
enum { NODES = 5, MOST_DIODES = 5, TEXT = 4000 };

typedef struct network {
    char equation[TEXT], declared[TEXT], into[NODES][500];
    size_t branches, diodes;
    unsigned seed;
} network;

static double draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

static void append(char *to, size_t room, const char *what)
{
    ck_assert(strlen(to) + strlen(what) < room);
    strcat(to, what);
}

/* A branch between two nodes: its law in terms of the voltage v and the current i of that number.
 */
static void add(network *n, size_t a, size_t b, const char *law)
{
    char text[400];
    size_t k = n->branches++;
    (void)snprintf(text, sizeof text, "v%zu = e%zu - e%zu; %s\n", k, a, b, law);
    append(n->equation, TEXT, text);
    (void)snprintf(text, sizeof text, "Real v%zu, i%zu;\n", k, k);
    append(n->declared, TEXT, text);
    (void)snprintf(text, sizeof text, " - i%zu", k);
    append(n->into[a], sizeof n->into[a], text);
    (void)snprintf(text, sizeof text, " + i%zu", k);
    append(n->into[b], sizeof n->into[b], text);
}

static void two_nodes(network *n, size_t nodes, size_t *a, size_t *b)
{
    *a = (size_t)(draw(&n->seed) * (double)nodes);
    *b = (*a + 1 + (size_t)(draw(&n->seed) * (double)(nodes - 1))) % nodes;
}

static void add_diode(network *n, size_t a, size_t b)
{
    char law[300];
    size_t k = n->branches, d = n->diodes++;
    (void)snprintf(law, sizeof law,
                   "o%zu = s%zu < 0; v%zu = if o%zu then s%zu else 1e-3*s%zu;\n"
                   " i%zu = if o%zu then 1e-6*s%zu else s%zu;",
                   d, d, k, d, d, d, k, d, d, d);
    add(n, a, b, law);
    (void)snprintf(law, sizeof law, "Real s%zu; Boolean o%zu;\n", d, d);
    append(n->declared, TEXT, law);
}

/* Writes the model of a drawn network. */
static void write_network(network *n, unsigned seed, char *model, size_t room)
{
    static const char *const source[] = {"sin(300*time)", "100*time", "1e4*time^2",
                                         "(1 - cos(300*time))"};
    char law[300];
    bool joined[NODES][NODES] = {{false}};
    *n = (network){.seed = seed};
    size_t nodes = 3 + (size_t)(draw(&n->seed) * 3), a, b;
    for (size_t k = 1; k < nodes; k++) {
        (void)snprintf(law, sizeof law, "v%zu = %.6g*i%zu;", n->branches,
                       pow(10, 1 + 3 * draw(&n->seed)), n->branches);
        add(n, (size_t)(draw(&n->seed) * (double)k), k, law);
    }
    two_nodes(n, nodes, &a, &b);
    (void)snprintf(law, sizeof law, "v%zu = %.6g*i%zu - %g*%s;", n->branches,
                   pow(10, 2 * draw(&n->seed) - 1), n->branches, pow(10, floor(3 * draw(&n->seed))),
                   source[(size_t)(4 * draw(&n->seed))]);
    add(n, a, b, law);
    for (size_t k = 0; k < MOST_DIODES; k++) {
        two_nodes(n, nodes, &a, &b);
        if (!joined[a][b]) add_diode(n, a, b);
        joined[a][b] = joined[b][a] = true;
    }
    for (size_t k = (size_t)(2.5 * draw(&n->seed)); k > 0; k--) {
        two_nodes(n, nodes, &a, &b);
        (void)snprintf(law, sizeof law, "u%zu = v%zu; %.6g*der(u%zu) = i%zu;", n->branches,
                       n->branches, pow(10, 2 * draw(&n->seed) - 5), n->branches, n->branches);
        add(n, a, b, law);
        (void)snprintf(law, sizeof law, "Real u%zu(start = 0, fixed = true);\n", n->branches - 1);
        append(n->declared, TEXT, law);
    }
    (void)snprintf(model, room, "model Network\n%s", n->declared);
    for (size_t k = 0; k < nodes; k++) {
        (void)snprintf(law, sizeof law, "Real e%zu;\n", k);
        append(model, room, law);
    }
    append(model, room, "equation\ne0 = 0;\n");
    append(model, room, n->equation);
    for (size_t k = 1; k < nodes; k++) {
        append(model, room, "0 =");
        append(model, room, n->into[k]);
        append(model, room, ";\n");
    }
    append(model, room, "end Network;\n");
}

/* Runs and compares: potentials of the nodes, and a few events for each diode. */
static void runs_like(const char *model, const char *method, double tolerance, size_t diodes,
                      double *value, bool first)
{
    enum { TIMES = 5 };
    dae_options o = tolerance_of(tolerance);
    double y[100];
    o.method = method;
    o.max_steps = 20000;
    dae_solver *s = solver_of(model, &o);
    dae_problem *read = problem_of(model);
    ck_assert(dae_problem_size(read) <= 100);
    is_ok(s, dae_solver_start(s, 0, NULL));
    for (size_t i = 0; i < TIMES; i++) {
        double t = 0.004 * (double)(i + 1);
        is_ok(s, dae_solver_run(s, t));
        is_ok(s, dae_solver_at(s, t, y, NULL));
        for (size_t k = 1; k < NODES; k++) {
            char name[8];
            (void)snprintf(name, sizeof name, "e%zu", k);
            size_t at = dae_problem_find(read, name);
            if (at == (size_t)-1) continue;
            double *is = value + i * NODES + k;
            if (first) *is = y[at];
            ck_assert_msg(fabs(y[at] - *is) < 1e-3 * (1 + fabs(*is)),
                          "%s: %s is %g, not %g at %g\n%s", method, name, y[at], *is, t, model);
        }
    }
    size_t events = dae_solver_stats(s)->events;
    ck_assert_msg(events <= 12 * diodes, "%s: %zu events\n%s", method, events, model);
    dae_problem_free(read);
    dae_solver_free(s);
}

START_TEST(networks_leave_rest)
{
    static char model[3 * TEXT];
    double value[5 * NODES];
    network n;
    for (unsigned k = 0; k < 8; k++) {
        write_network(&n, 100u * (unsigned)_i + k, model, sizeof model);
        runs_like(model, "radau-iia5", 1e-8, n.diodes, value, true);
        runs_like(model, "auto", 1e-6, n.diodes, value, false);
        runs_like(model, "bdf", 1e-6, n.diodes, value, false);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, networks_leave_rest, 0, 8);
    return unit_run("solve/vertices", tests);
}
