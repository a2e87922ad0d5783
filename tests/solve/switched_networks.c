/* Networks of resistors, capacitors, ideal switches and ideal diodes, drawn at random, with loops
 * of capacitors and switches, so that the structure of their equations misleads in some modes. The
 * test solves the nodal equations by itself: implicit Euler with all modes of the diodes tried. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

enum { MOST_NODES = 4, MOST_PARTS = 16, MOST = 12, MODES = 64, TIMES = 8, MOST_MODEL = 6000 };

static const double STOP = 1.5;

/* Away from the instants at which switches act and the source steps. */
static const double LOOKED[TIMES] = {0.1, 0.35, 0.45, 0.55, 0.7, 0.9, 1.1, 1.4};

/* A resistor, a capacitor, a source after a resistor, a switch or a diode, between two nodes; node
 * 0 is the ground. value: resistance, capacitance, or the time at which a switch acts. */
typedef struct part {
    char kind;
    int a, b;
    double value;
} part;

typedef struct network {
    part part[MOST_PARTS];
    int parts, nodes;
    bool steps;  /* the source is 5 t before t = 0.6 and -1 from then on, else 3 sin(4 t) */
    bool closes; /* switches close, else they open */
    char model[MOST_MODEL];
} network;

static double source_at(const network *n, double t)
{
    if (!n->steps) return 3 * sin(4 * t);
    return t < 0.6 ? 5 * t : -1;
}

/* --- drawing --- */

static int draw_below(uint64_t *state, int count)
{
    int k = (int)scatter_between(state, 0, count);
    return k < count ? k : count - 1;
}

static void add_part(network *n, char kind, int a, int b, double value)
{
    ck_assert_int_lt(n->parts, MOST_PARTS);
    n->part[n->parts++] = (part){kind, a, b, value};
}

/* Switches and diodes alone close no loop: their currents would not be determined. */
static bool joins(const network *n, int a, int b)
{
    int group[MOST_NODES + 1];
    for (int k = 0; k <= n->nodes; k++) group[k] = k;
    for (int i = 0; i < n->parts; i++) {
        if (n->part[i].kind != 'S' && n->part[i].kind != 'D') continue;
        int from = group[n->part[i].a], to = group[n->part[i].b];
        for (int k = 0; k <= n->nodes; k++)
            if (group[k] == from) group[k] = to;
    }
    return group[a] != group[b];
}

static void draw_part(network *n, char kind, double value, uint64_t *state)
{
    for (int tries = 0; tries < 20; tries++) {
        int a = draw_below(state, n->nodes + 1), b = draw_below(state, n->nodes + 1);
        bool fits = a != b && (strchr("SD", kind) == NULL || joins(n, a, b));
        if (!fits) continue;
        add_part(n, kind, a, b, value);
        return;
    }
}

static void draw(network *n, bool closes, bool diodes, uint64_t *state)
{
    static const double OHM[] = {1, 2, 5, 10}, FARAD[] = {0.1, 0.2, 0.5, 1}, WHEN[] = {0.4, 0.8};
    *n = (network){.nodes = 2 + draw_below(state, 3), .closes = closes};
    n->steps = draw_below(state, 2);
    for (int k = 1; k <= n->nodes; k++) add_part(n, 'R', k, 0, OHM[draw_below(state, 4)]);
    add_part(n, 'V', 1, 0, draw_below(state, 2) ? 0.1 : 1);
    int capacitors = 1 + draw_below(state, 3), switches = 1 + draw_below(state, 2);
    int rectifying = diodes ? 1 + draw_below(state, 2) : 0;
    for (int k = 0; k < capacitors; k++) draw_part(n, 'C', FARAD[draw_below(state, 4)], state);
    for (int k = 0; k < switches; k++) draw_part(n, 'S', WHEN[draw_below(state, 2)], state);
    for (int k = 0; k < rectifying; k++) draw_part(n, 'D', 0, state);
}

/* --- the model --- */

static void write_part(network *n, char *text, size_t size, int i)
{
    const part *p = &n->part[i];
    char v[40];
    snprintf(v, sizeof v, "(%s%d - %s%d)", p->a ? "v" : "0*v1*", p->a ? p->a : 1,
             p->b ? "v" : "0*v1*", p->b ? p->b : 1);
    switch (p->kind) {
    case 'R': snprintf(text, size, "u%d = %s; u%d = %g*i%d;\n", i, v, i, p->value, i); break;
    case 'C': snprintf(text, size, "u%d = %s; %g*der(u%d) = i%d;\n", i, v, p->value, i, i); break;
    case 'V':
        snprintf(text, size, "u%d = %s; u%d = (%s) + %g*i%d;\n", i, v, i,
                 n->steps ? "if time < 0.6 then 5*time else -1" : "3*sin(4*time)", p->value, i);
        break;
    case 'S':
        snprintf(text, size, "u%d = %s; 0 = if time %s %g then u%d else i%d;\n", i, v,
                 n->closes ? ">=" : "<", p->value, i, i);
        break;
    default:
        snprintf(text, size,
                 "u%d = %s; off%d = s%d < 0; u%d = if off%d then s%d else 0;\n"
                 "i%d = if off%d then 0 else s%d;\n",
                 i, v, i, i, i, i, i, i, i, i);
    }
}

static void append(network *n, const char *text)
{
    ck_assert_uint_lt(strlen(n->model) + strlen(text) + 1, sizeof n->model);
    strcat(n->model, text);
}

static void write_model(network *n)
{
    char text[400];
    n->model[0] = '\0';
    append(n, "model M\n");
    for (int k = 1; k <= n->nodes; k++)
        snprintf(text, sizeof text, "Real v%d;\n", k), append(n, text);
    for (int i = 0; i < n->parts; i++) {
        snprintf(text, sizeof text, "Real u%d, i%d;\n", i, i), append(n, text);
        if (n->part[i].kind != 'D') continue;
        snprintf(text, sizeof text, "Real s%d; Boolean off%d(start = true);\n", i, i);
        append(n, text);
    }
    append(n, "equation\n");
    for (int i = 0; i < n->parts; i++) write_part(n, text, sizeof text, i), append(n, text);
    for (int k = 1; k <= n->nodes; k++) {
        append(n, "0 = 0");
        for (int i = 0; i < n->parts; i++) {
            int sign = (n->part[i].a == k) - (n->part[i].b == k);
            snprintf(text, sizeof text, " %s i%d", sign > 0 ? "+" : "-", i);
            if (sign) append(n, text);
        }
        append(n, ";\n");
    }
    append(n, "end M;");
}

/* --- implicit Euler --- */

typedef struct euler {
    const network *n;
    int size, diodes;
    double h;
    double held[MOST][MOST];           /* the capacitors' part, over h */
    double inverse[MODES][MOST][MOST]; /* by the modes of switches and diodes */
    int known[MODES];                  /* 1; -1: it is singular; 0: not known */
    double x[MOST];                    /* node voltages, then currents of V, S and D */
    int row_of[MOST_PARTS], last;      /* modes of the diodes in the last step */
} euler;

static void stamp(double m[MOST][MOST], int a, int b, double by)
{
    if (a) m[a - 1][a - 1] += by;
    if (b) m[b - 1][b - 1] += by;
    if (a && b) m[a - 1][b - 1] -= by, m[b - 1][a - 1] -= by;
}

/* The inverse of m; false: it is singular. */
static bool invert(int size, double m[MOST][MOST], double inverse[MOST][MOST])
{
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) inverse[i][j] = i == j;
    for (int k = 0; k < size; k++) {
        int at = k;
        for (int i = k; i < size; i++)
            if (fabs(m[i][k]) > fabs(m[at][k])) at = i;
        if (fabs(m[at][k]) < 1e-9) return false;
        for (int j = 0; j < size; j++) {
            double had = m[k][j], other = inverse[k][j];
            m[k][j] = m[at][j], m[at][j] = had;
            inverse[k][j] = inverse[at][j], inverse[at][j] = other;
        }
        double pivot = m[k][k];
        for (int j = 0; j < size; j++) m[k][j] /= pivot, inverse[k][j] /= pivot;
        for (int i = 0; i < size; i++) {
            double times = m[i][k];
            if (i == k || times == 0) continue;
            for (int j = 0; j < size; j++)
                m[i][j] -= times * m[k][j], inverse[i][j] -= times * inverse[k][j];
        }
    }
    return true;
}

/* The matrix in these modes: a bit of each switch and diode, set where it conducts. */
static bool form(euler *e, int modes)
{
    double m[MOST][MOST] = {{0}};
    const network *n = e->n;
    int bit = 0;
    memcpy(m, e->held, sizeof m);
    for (int i = 0; i < n->parts; i++) {
        const part *p = &n->part[i];
        int row = e->row_of[i];
        if (p->kind == 'R') stamp(m, p->a, p->b, 1 / p->value);
        if (row < 0) continue;
        if (p->a) m[p->a - 1][row] += 1;
        if (p->b) m[p->b - 1][row] -= 1;
        bool conducts = p->kind == 'V' || (modes >> bit & 1);
        bit += p->kind != 'V';
        if (conducts && p->a) m[row][p->a - 1] += 1;
        if (conducts && p->b) m[row][p->b - 1] -= 1;
        if (p->kind == 'V') m[row][row] -= p->value;
        if (!conducts) m[row][row] += 1;
    }
    return invert(e->size, m, e->inverse[modes]);
}

static double across(const euler *e, const part *p, const double *x)
{
    (void)e;
    return (p->a ? x[p->a - 1] : 0) - (p->b ? x[p->b - 1] : 0);
}

/* Whether the diodes conduct forward and block backward. */
static bool agrees(const euler *e, int modes, const double *x)
{
    int bit = 0;
    for (int i = 0; i < e->n->parts; i++) {
        const part *p = &e->n->part[i];
        if (p->kind != 'S' && p->kind != 'D') continue;
        bool conducts = modes >> bit++ & 1;
        if (p->kind != 'D') continue;
        if (conducts ? x[e->row_of[i]] < -1e-9 : across(e, p, x) > 1e-9) return false;
    }
    return true;
}

/* The bits of the diodes in `modes` that the bits of `which` set, and those of switches at t. */
static int modes_at(const euler *e, int which, double t)
{
    int modes = 0, bit = 0, diode = 0;
    for (int i = 0; i < e->n->parts; i++) {
        const part *p = &e->n->part[i];
        if (p->kind == 'S') modes |= ((t > p->value) == e->n->closes) << bit++;
        if (p->kind == 'D') modes |= (which >> diode++ & 1) << bit++;
    }
    return modes;
}

/* One step to t; false: no modes of the diodes fit. */
static bool take_step(euler *e, double t)
{
    double right[MOST] = {0}, x[MOST];
    for (int i = 0; i < e->size; i++)
        for (int j = 0; j < e->size; j++) right[i] += e->held[i][j] * e->x[j];
    for (int i = 0; i < e->n->parts; i++)
        if (e->n->part[i].kind == 'V') right[e->row_of[i]] = source_at(e->n, t - e->h / 2);
    for (int k = -1; k < 1 << e->diodes; k++) {
        int which = k < 0 ? e->last : k, modes = modes_at(e, which, t - e->h / 2);
        if (!e->known[modes]) e->known[modes] = form(e, modes) ? 1 : -1;
        if (e->known[modes] < 0) continue;
        for (int i = 0; i < e->size; i++) {
            x[i] = 0;
            for (int j = 0; j < e->size; j++) x[i] += e->inverse[modes][i][j] * right[j];
        }
        if (!agrees(e, modes, x)) continue;
        memcpy(e->x, x, sizeof x);
        e->last = which;
        return true;
    }
    return false;
}

/* Node voltages at LOOKED; false: the network is not determined. */
static bool follow(const network *n, int steps, double found[TIMES][MOST_NODES])
{
    static euler e;
    memset(&e, 0, sizeof e);
    e.n = n, e.h = STOP / steps, e.size = n->nodes;
    for (int i = 0; i < n->parts; i++) {
        const part *p = &n->part[i];
        e.row_of[i] = strchr("VSD", p->kind) ? e.size++ : -1;
        e.diodes += p->kind == 'D';
        if (p->kind == 'C') stamp(e.held, p->a, p->b, p->value / e.h);
    }
    ck_assert_int_le(e.size, MOST);
    for (int k = 1, at = 0; k <= steps && at < TIMES; k++) {
        if (!take_step(&e, k * e.h)) return false;
        if (k * e.h < LOOKED[at] - e.h / 2) continue;
        memcpy(found[at++], e.x, MOST_NODES * sizeof **found);
    }
    return true;
}

/* --- both --- */

/* The numbers of steps of implicit Euler, which is off by a few times the step, times rates of 1/s,
 * where a diode acts within one. */
enum { COARSE = 3000, FINE = 12000, ERRORS = 20 };

/* Returns whether the network is determined; it then has the voltages of the test, but for the
 * error that a finer step of implicit Euler shows. */
static bool compare(network *n)
{
    double coarse[TIMES][MOST_NODES], fine[TIMES][MOST_NODES], y[64];
    if (!follow(n, COARSE, coarse) || !follow(n, FINE, fine)) return false;
    write_model(n);
    dae_options options = tolerance_of(1e-7);
    options.keep_trajectory = true;
    dae_solver *s = solver_of(n->model, &options);
    dae_status status = dae_solver_start(s, 0, NULL);
    if (status == DAE_OK) status = dae_solver_run(s, STOP);
    ck_assert_msg(status == DAE_OK, "%s\n%s", dae_solver_message(s), n->model);
    for (int i = 0; i < TIMES; i++) {
        is_ok(s, dae_solver_at(s, LOOKED[i], y, NULL));
        for (int k = 0; k < n->nodes; k++) {
            double off = fabs(y[k] - fine[i][k]), known = fabs(coarse[i][k] - fine[i][k]);
            ck_assert_msg(off <= ERRORS * STOP / FINE + 2 * known,
                          "v%d(%g) = %.9g, not %.9g (by %.1e)\n%s", k + 1, LOOKED[i], y[k],
                          fine[i][k], known, n->model);
        }
    }
    dae_solver_free(s);
    return true;
}

static void compare_many(uint64_t state, bool closes, bool diodes)
{
    enum { MANY = 60 };
    static network n;
    int compared = 0, determined = 0;
    for (int k = 0; k < MANY; k++) {
        draw(&n, closes, diodes, &state);
        if (!is_sampled("networks", (size_t)k, 4)) continue;
        compared++;
        determined += compare(&n);
    }
    ck_assert_int_gt(determined, compared * 2 / 3);
}

START_TEST(switches_close)
{
    compare_many(41, true, false);
}
END_TEST

START_TEST(switches_open_beside_diodes)
{
    compare_many(43, false, true);
}
END_TEST

/* Charges that are shared as a switch closes take the ways that diodes leave them. */
START_TEST(switches_close_beside_diodes)
{
    compare_many(47, true, true);
}
END_TEST

/* --- networks of known solution --- */

static double value_at(const char *model, double stop, const char *name)
{
    dae_options options = tolerance_of(1e-9);
    return end_of(model, &options, stop, name);
}

/* The node between two capacitors in parallel is written by two currents, so that the structure
 * misleads. The source is after a resistor: u does not jump, and 1.2 u' = (3 - u)/0.1. */
START_TEST(a_switch_beside_parallel_capacitors)
{
    static const char MODEL[] =
        "model M Real v1, v2, u1(start = 1), u2, i0, i1, i2, i3; equation v1 = 3 + 0.1*i0;"
        "u1 = v1 - v2; u2 = v1 - v2; der(u1) = i1; 0.2*der(u2) = i2;"
        "0 = if time >= 0.4 then v2 else i3; 0 = i0 + i1 + i2; 0 = -i1 - i2 + i3; end M;";
    ck_assert_double_eq_tol(value_at(MODEL, 0.5, "u1"), 3 - 2 * exp(-0.1 / 0.12), 1e-6);
}
END_TEST

/* A source of 1 A charges two capacitors of 1 F, one of them through a diode, to 1.25 V each. At t
 * = 0.5 a switch joins the first one to an empty third one, and both have 0.625 V: the diode does
 * not let the second one give charge back. Where the first one is two in parallel, the structure
 * misleads. */
START_TEST(a_diode_keeps_its_charge)
{
    static const char *const DIODE[] = {
        "ua - u1 = if s > 0 then 0 else s; id = if s > 0 then s else 0;",
        "ua - u1 = s*(if on then 0 else 1); id = s*(if on then 1 else 0);",
        "if on then ua = u1; else id = 0; end if; s = id + ua - u1;"};
    static const char *const FIRST[] = {"der(ua) = i;",
                                        "0.75*der(ua) = i - ib; ub = ua; 0.25*der(ub) = ib;"};
    for (size_t k = 0; k < 2 * sizeof DIODE / sizeof *DIODE; k++) {
        char model[600];
        snprintf(model, sizeof model,
                 "model M Real ua(start = 1, fixed = true), u1(start = 1), i, id, is, s%s;\n"
                 "Real u3(start = 0, fixed = true); Boolean closed = time > 0.5, on = s > 0;\n"
                 "equation i = 1 - id - is; %s der(u1) = id; der(u3) = is; %s\n"
                 "if closed then ua = u3; else is = 0; end if; end M;",
                 k % 2 ? ", ub, ib" : "", FIRST[k % 2], DIODE[k / 2]);
        ck_assert_double_eq_tol(value_at(model, 1, "u1"), 1.25, 1e-7);
        ck_assert_double_eq_tol(value_at(model, 1, "ua"), 0.625 + 0.25, 1e-7);
    }
}
END_TEST

/* One capacitor is shorted, the other one hangs free from t = 0.4 on: all stays 0. */
START_TEST(a_capacitor_that_hangs_free)
{
    static const char MODEL[] =
        "model M Real v3, v4, v2, u1, u2, i1, i2, i3, i4; equation u1 = v3 - v2; der(u1) = i1;"
        "u2 = v3 - v4; der(u2) = i2; 0 = if time < 0.8 then v3 - v4 else i3;"
        "0 = if time < 0.4 then v2 else i4; 0 = i1 - i4; 0 = i2 + i3;"
        "0 = v3/5 + i1 + i2 + i3; end M;";
    ck_assert_double_eq_tol(value_at(MODEL, 1.5, "v3"), 0, 1e-12);
    ck_assert_double_eq_tol(value_at(MODEL, 1.5, "v2"), 0, 1e-12);
}
END_TEST

UNIT_MAIN("solve/switched_networks", 120, switches_close, switches_open_beside_diodes,
          switches_close_beside_diodes, a_switch_beside_parallel_capacitors,
          a_diode_keeps_its_charge, a_capacitor_that_hangs_free)
