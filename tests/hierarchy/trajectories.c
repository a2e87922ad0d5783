/* Hierarchical models have the trajectories of their equations written by hand, and so has their
 * flat text, read again. */
#include "texts.h"

#include <math.h>

enum { MOST_NAMES = 4 };

typedef struct pair {
    const char *what, *model, *equations; /* by hand */
    double stop;
    const char *name[MOST_NAMES], *hand[MOST_NAMES];
} pair;

#define GROUNDED "connect(s.n, g.p);\n"

static const pair pairs[] = {
    {"an RC circuit against its exact solution",
     ELECTRICAL "model M Resistor r(R = 2); Capacitor c(C = 0.5); Constant s(V = 10); Ground g;\n"
                "equation connect(s.p, r.p); connect(r.n, c.p); connect(c.n, s.n); " GROUNDED
                "end M;",
     "model H Real v = 10*(1 - exp(-time)), i = -5*exp(-time); end H;",
     3,
     {"c.v", "s.i"},
     {"v", "i"}},
    {"a rectifier bridge",
     ELECTRICAL
     "model Bridge Pin a, b, p, n; Diode d[4](each Is = 1e-5);\n"
     "equation connect(a, d[1].p); connect(b, d[2].p); connect(d[1].n, p); connect(d[2].n, p);\n"
     "connect(n, d[3].p); connect(n, d[4].p); connect(d[3].n, a); connect(d[4].n, b); end Bridge;\n"
     "model M Bridge bridge; Sine s(V = 12, w = 300); Resistor rs(R = 1), load(R = 50);\n"
     "Capacitor c(C = 1e-3); Ground g;\n"
     "equation connect(s.p, rs.p); connect(rs.n, bridge.a); connect(s.n, bridge.b);\n"
     "connect(bridge.p, c.p); connect(bridge.n, c.n); connect(c.p, load.p); connect(c.n, load.n);\n"
     "connect(g.p, bridge.n); end M;",
     "model H Real a, b, u(start = 0, fixed = true), is, i[4];\n"
     "equation i[1] = 1e-5*(exp((a - u)/0.1) - 1) + 1e-4*(a - u); i[2] = 1e-5*(exp((b - u)/0.1) - "
     "1) + 1e-4*(b - u);\n"
     "i[3] = 1e-5*(exp(-a/0.1) - 1) - 1e-4*a; i[4] = 1e-5*(exp(-b/0.1) - 1) - 1e-4*b;\n"
     "a - b = 12*sin(300*time) - is; is + i[3] - i[1] = 0; -is + i[4] - i[2] = 0;\n"
     "1e-3*der(u) = i[1] + i[2] - u/50; end H;",
     0.03,
     {"c.v", "rs.i", "bridge.d[3].i"},
     {"u", "is", "i[3]"}},
    {"a motor with a gear",
     ELECTRICAL ROTATIONAL
     "model Emf extends TwoPin; Flange shaft; parameter Real k = 0.5;\n"
     "equation v = k*der(shaft.phi); shaft.tau = -k*i; end Emf;\n"
     "model Motor Pin p, n; Flange shaft; Resistor r(R = 2); Inductor l(L = 0.1); Emf emf;\n"
     "equation connect(p, r.p); connect(r.n, l.p); connect(l.n, emf.p); connect(emf.n, n);\n"
     "connect(emf.shaft, shaft); end Motor;\n"
     "model M Motor motor; Constant s(V = 24); Ground g; Inertia rotor(J = 0.01), load(J = 2);\n"
     "Gear gear(ratio = 10); Friction f(d = 0.3);\n"
     "equation connect(s.p, motor.p); connect(s.n, motor.n); " GROUNDED
     "connect(motor.shaft, rotor.a); connect(rotor.b, gear.a); connect(gear.b, load.a);\n"
     "connect(load.b, f.a); end M;",
     "model H Real i(start = 0, fixed = true), w(start = 0, fixed = true);\n"
     "Real phi(start = 0, fixed = true);\n"
     "equation 0.1*der(i) = 24 - 2*i - 0.5*10*w; (2 + 100*0.01)*der(w) = 10*0.5*i - 0.3*w;\n"
     "der(phi) = w; end H;",
     2,
     {"motor.l.i", "load.w", "load.phi", "rotor.phi"},
     {"i", "w", "phi", "10*phi"}},
    {"a line of cells against equations of arrays",
     ELECTRICAL
     "model Cell Pin a, b, n; Resistor r; Capacitor c;\n"
     "equation connect(a, r.p); connect(r.n, b); connect(b, c.p); connect(c.n, n); end Cell;\n"
     "model M parameter Integer N = 8; Constant s; Ground g;\n"
     "Cell cell[N](r(R = {0.1*k for k in 1:N}), each c(C = 0.5)); Real mean = sum(cell.c.v)/N;\n"
     "equation connect(s.p, cell[1].a); connect(s.n, g.p);\n"
     "for k in 1:N - 1 loop connect(cell[k].b, cell[k + 1].a); end for;\n"
     "for k in 1:N loop connect(cell[k].n, g.p); end for; end M;",
     "model H parameter Integer N = 8; Real u[N](each start = 0, each fixed = true), i[N + 1];\n"
     "Real mean = sum(u)/N;\n"
     "equation 1 - u[1] = 0.1*i[1]; for k in 2:N loop u[k - 1] - u[k] = 0.1*k*i[k]; end for;\n"
     "i[N + 1] = 0; 0.5*der(u) = i[1:N] - i[2:N + 1]; end H;",
     2,
     {"cell[1].c.v", "cell[8].c.v", "s.i", "mean"},
     {"u[1]", "u[8]", "-i[1]", "mean"}},
    {"connectors in connectors, and conditional components",
     ELECTRICAL
     "connector Plug Pin p[2], n; end Plug;\n"
     "model Load Plug plug; parameter Boolean filtered = false; Resistor r[2](R = {4, 5});\n"
     "Capacitor c(C = 0.1) if filtered;\n"
     "equation connect(plug.p, r.p); for k in 1:2 loop connect(r[k].n, plug.n); end for;\n"
     "connect(plug.p[1], c.p); connect(c.n, plug.n); end Load;\n"
     "model Twice Plug plug; Load a(filtered = true), b;\n"
     "equation connect(a.plug, plug); connect(plug, b.plug); end Twice;\n"
     "model M Twice t; Load l; Constant s[2](V = {6, 2}); Resistor rs(R = 3); Ground g;\n"
     "equation connect(s[1].p, rs.p); connect(rs.n, t.plug.p[1]); connect(s[2].p, t.plug.p[2]);\n"
     "connect(t.plug, l.plug); connect(t.plug.n, g.p);\n"
     "for k in 1:2 loop connect(s[k].n, g.p); end for; end M;",
     /* three resistors of 4 in parallel after 3; three of 5 at 2 V */
     "model H Real v = 6*(4/3)/(3 + 4/3)*(1 - exp(-time/(0.1*3*(4/3)/(3 + 4/3))));\n"
     "Real i = v/4 + 2/5; end H;",
     0.2,
     {"t.a.c.v", "l.r[1].v", "-t.b.plug.n.i", "s[2].i"},
     {"v", "v", "i", "-1.2"}},
    {"modifiers of bases, of components in them, and of types",
     "type Speed = Real(start = 2, fixed = true);\n"
     "model Ohm parameter Real R = 1; Real v, i; equation v = R*i; end Ohm;\n"
     "model Base Speed x; parameter Real k = 1, q[2] = {k, 2*k}; Ohm r(R = k, v = x);\n"
     "equation der(x) = -q[2]*x; end Base;\n"
     "model Middle extends Base(k = 3, x.start = 5); end Middle;\n"
     "model M extends Middle(x(start = 4), r(R = 7)); Base b(q = {0, k}); end M;",
     /* the b of class Base has k = 1; q of b takes the k of M, which is 3 */
     "model H Real x = 4*exp(-6*time), y = 2*exp(-3*time), i = x/7; end H;",
     0.5,
     {"x", "b.x", "b.r.i", "r.i"},
     {"x", "y", "y", "i"}},
};

/* The value of "x", "-x" or "2*x" at the end, or of a number. */
static double value_of(dae_problem *p, const double *y, const char *name)
{
    char *end;
    double factor = strtod(name, &end);
    if (end != name) return *end == '*' ? factor * value_of(p, y, end + 1) : factor;
    if (name[0] == '-') return -value_of(p, y, name + 1);
    size_t k = dae_problem_find(p, name);
    ck_assert_msg(k < dae_problem_size(p), "no variable %s", name);
    return y[k];
}

/* The variables of a text at the end of a run; to be freed. */
static double *end_of_run(dae_problem *p, double stop)
{
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-8;
    double *y = calloc(dae_problem_size(p), sizeof *y);
    dae_solver *s = dae_solver_create(p, &options);
    dae_status status = dae_solver_start(s, 0, NULL);
    if (status == DAE_OK) status = dae_solver_run(s, stop);
    ck_assert_msg(status == DAE_OK, "%s", dae_solver_message(s));
    ck_assert_int_eq(dae_solver_at(s, stop, y, NULL), DAE_OK);
    dae_solver_free(s);
    return y;
}

START_TEST(models_are_their_equations)
{
    const pair *c = &pairs[_i];
    dae_problem *model = right_problem(c->model), *hand = right_problem(c->equations);
    double *y = end_of_run(model, c->stop), *x = end_of_run(hand, c->stop);
    for (int k = 0; k < MOST_NAMES && c->name[k]; k++) {
        double is = value_of(model, y, c->name[k]), should = value_of(hand, x, c->hand[k]);
        ck_assert_msg(fabs(is - should) <= 2e-6 * (1 + fabs(should)), "%s: %s is %.12g, not %.12g",
                      c->what, c->name[k], is, should);
    }
    free(x);
    free(y);
    dae_problem_free(hand);
    dae_problem_free(model);
}
END_TEST

/* The flat text needs no flattening, and gives the same numbers. */
START_TEST(flat_texts_are_read_again)
{
    const pair *c = &pairs[_i];
    dae_problem *model = right_problem(c->model);
    dae_problem *flat = right_problem(dae_problem_flat(model));
    ck_assert_str_eq(dae_problem_flat(flat), dae_problem_flat(model));
    ck_assert_uint_eq(dae_problem_size(flat), dae_problem_size(model));
    double *y = end_of_run(model, c->stop), *x = end_of_run(flat, c->stop);
    ck_assert_mem_eq(x, y, dae_problem_size(flat) * sizeof *x);
    free(x);
    free(y);
    dae_problem_free(flat);
    dae_problem_free(model);
}
END_TEST

/* --- drawn networks --- */

enum { NODES = 7, RESISTORS = 14, PARTS = 3 };

/* Resistors between nodes, each in a part; node 0 is ground, node 1 has a source of 1 V. */
typedef struct network {
    int from[RESISTORS], to[RESISTORS], part[RESISTORS];
    double ohms[RESISTORS];
} network;

static void draw_network(uint64_t *state, network *n)
{
    for (int k = 0; k < RESISTORS; k++) {
        n->from[k] = k < NODES - 1 ? k + 1 : (int)scatter_below(state, NODES);
        n->to[k] = k < NODES - 1 ? (int)scatter_below(state, (size_t)k + 1)
                                 : (n->from[k] + 1 + (int)scatter_below(state, NODES - 1)) % NODES;
        n->part[k] = (int)scatter_below(state, PARTS);
        n->ohms[k] = scatter_between(state, 0.5, 5);
    }
}

/* The equations of its nodes. */
static void write_equations(const network *n, text *t)
{
    text_format(t, "model H Real u[%d]; equation u[1] = 0; u[2] = 1;\n", NODES);
    for (int node = 2; node < NODES; node++) {
        for (int k = 0; k < RESISTORS; k++)
            if (n->from[k] == node || n->to[k] == node)
                text_format(t, "+ (u[%d] - u[%d])/%.17g ", node + 1,
                            (n->from[k] == node ? n->to[k] : n->from[k]) + 1, n->ohms[k]);
        text_add(t, "= 0;\n");
    }
    text_add(t, "end H;");
}

/* The same in parts, each with a pin for each node. Some connections are made twice, and in both
 * directions; pins of a node are joined by the part itself, or outside of it. */
static void write_parts(const network *n, uint64_t *state, text *t)
{
    text_add(t, ELECTRICAL);
    for (int part = 0; part < PARTS; part++) {
        text_format(t, "model Part%d Pin pin[%d]; Resistor open[%d];\n", part, NODES, NODES);
        for (int k = 0; k < RESISTORS; k++)
            if (n->part[k] == part) text_format(t, "Resistor r%d(R = %.17g);\n", k, n->ohms[k]);
        text_add(t, "equation\n"); /* each pin of a part is determined from within */
        text_format(t, "for k in 1:%d loop connect(open[k].p, pin[k]); end for;\n", NODES);
        for (int k = 0; k < RESISTORS; k++) {
            if (n->part[k] != part) continue;
            text_format(t, "connect(r%d.p, pin[%d]); connect(pin[%d], r%d.n);\n", k, n->from[k] + 1,
                        n->to[k] + 1, k);
            int other = k; /* one that begins at the same node */
            for (int m = 0; m < k; m++)
                if (n->part[m] == part && n->from[m] == n->from[k]) other = m;
            if (scatter(state) > 0) text_format(t, "connect(r%d.p, r%d.p);\n", k, other);
        }
        text_format(t, "end Part%d;\n", part);
    }
    text_add(t, "model M Part0 a; Part1 b; Part2 c; Constant s(V = 1); Ground g;\nequation\n");
    text_add(t, scatter(state) > 0 ? "connect(a.pin, b.pin);" : "connect(b.pin, a.pin);");
    text_add(t, scatter(state) > 0 ? "connect(a.pin, c.pin);" : "connect(c.pin, b.pin);");
    text_add(t, "connect(s.n, g.p); connect(g.p, c.pin[1]); connect(s.p, b.pin[2]); end M;");
}

START_TEST(networks_in_parts_are_networks)
{
    uint64_t state = 18 + (uint64_t)_i;
    network n;
    text whole = {0}, parts = {0};
    draw_network(&state, &n);
    write_equations(&n, &whole);
    write_parts(&n, &state, &parts);
    dae_problem *model = right_problem(text_string(&parts));
    dae_problem *hand = right_problem(text_string(&whole));
    double *y = end_of_run(model, 1e-3), *x = end_of_run(hand, 1e-3);
    for (int node = 0; node < NODES; node++) {
        char inside[32], node_name[32];
        (void)snprintf(inside, sizeof inside, "%c.pin[%d].v", "abc"[node % 3], node + 1);
        (void)snprintf(node_name, sizeof node_name, "u[%d]", node + 1);
        double is = value_of(model, y, inside), should = value_of(hand, x, node_name);
        ck_assert_msg(fabs(is - should) < 1e-10, "draw %d: %s is %.12g, not %.12g", _i, inside, is,
                      should);
    }
    free(x);
    free(y);
    dae_problem_free(hand);
    dae_problem_free(model);
    text_free(&whole);
    text_free(&parts);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("trajectories");
    int count = sizeof pairs / sizeof *pairs;
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, models_are_their_equations, 0, count);
    tcase_add_loop_test(tests, flat_texts_are_read_again, 0, count);
    unit_loop(tests, networks_in_parts_are_networks, 0, 9);
    return unit_run("hierarchy/trajectories", tests);
}
