/* NAND gate: three transistors of the model of Shichman and Hodges, capacities that depend on
 * voltages. M(y) y' = f(t, y) with M nonsingular. */
#include "zoo/corners.h"
#include "zoo/entry.h"
#include "zoo/mosfet.h"
#include "zoo/rows.h"

#include <math.h>

enum { N = 14 };
static const double gate_capacity = 0.6e-4, junction_capacity = 2.4e-5, saturation = 1e-14;

typedef struct nand {
    zoo_piece piece;
    double load; /* capacity */
} nand;

static const nand usual_gate = {{.size = sizeof(nand)}, 0.5e-4},
                  other_gate = {{.size = sizeof(nand)}, 1e-4};

static const mosfet depletion = {-2.43, 0.2, 1.28, 5.35e-4, 5.35e-4};
/* the reverse factor is that of the original program */
static const mosfet enhancement = {0.2, 0.035, 1.01, 1.748e-3, 1.748e-4};

/* A voltage: minus or plus two unknowns and a constant, 0 for none. */
typedef struct voltage {
    unsigned char plus, minus;
    double constant;
} voltage;

/* Source and drain are equations. */
typedef struct place {
    const mosfet *model;
    unsigned char source, drain, gate_input; /* 1 or 2: driven by an input; 0: by a node */
    voltage at[MOSFET_VOLTAGES];
} place;

static const place places[3] = {
    {&depletion, 1, 2, 0, {{2, 1, 0}, {5, 1, 0}, {3, 5, 0}, {5, 2, 0}, {4, 0, -5}}},
    {&enhancement, 6, 7, 1, {{7, 6, 0}, {0, 6, 0}, {8, 10, 0}, {0, 7, 0}, {9, 5, 0}}},
    {&enhancement, 11, 12, 2, {{12, 11, 0}, {0, 11, 0}, {13, 0, 0}, {0, 12, 0}, {14, 10, 0}}}};

static double value_of(voltage v, const double *y)
{
    return (v.plus ? y[v.plus - 1] : 0) - (v.minus ? y[v.minus - 1] : 0) + v.constant;
}

/* The inputs: rising and falling over 5 s each; slopes at corners are those before. */
static double input(double t, int which, double *slope)
{
    double period = which == 1 ? 20 : 40, rise = which == 1 ? 5 : 15, within = fmod(t, period);
    double top = rise + 5, fall = period - 5;
    if (within == 0 && t > 0) within = period;
    *slope = within <= rise ? 0 : within <= top ? 1 : within <= fall ? 0 : -1;
    if (within <= rise) return 0;
    return within <= top ? within - rise : within <= fall ? 5 : period - within;
}

/* An input of the gate at t, and its slope. */
static double driven(const nand *g, double t, int which, double *slope)
{
    return zoo_on_piece(&g->piece, input, t, which, slope);
}

/* A current and its slopes by the voltages; 1 where it has none. */
static int drain_current(const nand *g, const place *p, double t, const double *y, double *current,
                         double *by)
{
    double slope, gate = p->gate_input ? driven(g, t, p->gate_input, &slope) : 0;
    double v[MOSFET_VOLTAGES];
    for (int k = 0; k < MOSFET_VOLTAGES; k++) v[k] = value_of(p->at[k], y);
    v[MOSFET_GS] += gate, v[MOSFET_GD] += gate;
    return mosfet_current(p->model, v, current, by);
}

/* Bulk voltages: the equation of the bulk node and that of the node on its other side, 0: none. */
static const struct {
    unsigned char bulk, node;
    double other;
} junctions[6] = {{3, 5, 0}, {4, 0, 5}, {8, 10, 0}, {9, 5, 0}, {13, 0, 0}, {14, 10, 0}};

static double across(int k, const double *y)
{
    double other = junctions[k].node ? y[junctions[k].node - 1] : junctions[k].other;
    return y[junctions[k].bulk - 1] - other;
}

/* Resistors: between two nodes, or a node and a fixed voltage. */
static const struct {
    unsigned char from, to;
    double fixed, resistance;
} resistors[12] = {{1, 5, 0, 4},     {2, 0, 5, 4},     {7, 5, 0, 4},      {6, 10, 0, 4},
                   {12, 10, 0, 4},   {11, 0, 0, 4},    {3, 0, -2.5, 10},  {4, 0, -2.5, 10},
                   {8, 0, -2.5, 10}, {9, 0, -2.5, 10}, {13, 0, -2.5, 10}, {14, 0, -2.5, 10}};

static int f(double t, const double *y, double *into, void *user)
{
    for (int i = 0; i < N; i++) into[i] = 0;
    for (int k = 0; k < 12; k++) {
        double other = resistors[k].to ? y[resistors[k].to - 1] : resistors[k].fixed;
        double flow = (y[resistors[k].from - 1] - other) / resistors[k].resistance;
        into[resistors[k].from - 1] -= flow;
        if (resistors[k].to) into[resistors[k].to - 1] += flow;
    }
    for (int k = 0; k < 6; k++) {
        double flow = saturation * mosfet_junction(across(k, y));
        into[junctions[k].bulk - 1] += flow;
        if (junctions[k].node) into[junctions[k].node - 1] -= flow;
    }
    for (int k = 0; k < 3; k++) {
        const place *p = &places[k];
        double current, by[MOSFET_VOLTAGES], slope = 0;
        if (drain_current(user, p, t, y, &current, by) != 0) return 1;
        if (p->gate_input) (void)driven(user, t, p->gate_input, &slope);
        into[p->source - 1] += gate_capacity * slope - current;
        into[p->drain - 1] += gate_capacity * slope + current;
    }
    return 0;
}

/* A current by the voltage between two nodes, as it enters an equation. */
static void add_gradient(double *dy, size_t equation, voltage v, double slope)
{
    if (v.plus) *zoo_dense(dy, N, equation, v.plus) += slope;
    if (v.minus) *zoo_dense(dy, N, equation, v.minus) -= slope;
}

static int add_channel(const nand *g, const place *p, double t, const double *y, double *dy)
{
    double current, by[MOSFET_VOLTAGES];
    if (drain_current(g, p, t, y, &current, by) != 0) return 1;
    for (int k = 0; k < MOSFET_VOLTAGES; k++) {
        add_gradient(dy, p->source, p->at[k], -by[k]);
        add_gradient(dy, p->drain, p->at[k], by[k]);
    }
    return 0;
}

static int f_y(double t, const double *y, double *dy, void *user)
{
    for (int k = 0; k < 12; k++) {
        voltage v = {resistors[k].from, resistors[k].to, 0};
        add_gradient(dy, v.plus, v, -1 / resistors[k].resistance);
        if (v.minus) add_gradient(dy, v.minus, v, 1 / resistors[k].resistance);
    }
    for (int k = 0; k < 6; k++) {
        voltage v = {junctions[k].bulk, junctions[k].node, 0};
        double slope = saturation * mosfet_junction_slope(across(k, y));
        add_gradient(dy, v.plus, v, slope);
        if (v.minus) add_gradient(dy, v.minus, v, -slope);
    }
    for (int k = 0; k < 3; k++)
        if (add_channel(user, &places[k], t, y, dy) != 0) return 1;
    return 0;
}

static int f_t(double t, const double *y, double *dt, void *user)
{
    for (int i = 0; i < N; i++) dt[i] = 0;
    for (int k = 1; k < 3; k++) {
        double current, by[MOSFET_VOLTAGES], slope;
        if (drain_current(user, &places[k], t, y, &current, by) != 0) return 1;
        (void)driven(user, t, places[k].gate_input, &slope);
        dt[places[k].source - 1] -= (by[MOSFET_GS] + by[MOSFET_GD]) * slope;
        dt[places[k].drain - 1] += (by[MOSFET_GS] + by[MOSFET_GD]) * slope;
    }
    return 0;
}

static void add_capacity(double *m, size_t i, size_t j, double value)
{
    *zoo_dense(m, N, i, i) += value;
    if (j == 0) return;
    *zoo_dense(m, N, j, j) += value;
    *zoo_dense(m, N, i, j) -= value;
    *zoo_dense(m, N, j, i) -= value;
}

static int mass(double t, const double *y, double *m, void *user)
{
    double load = ((const nand *)user)->load;
    (void)t;
    static const unsigned char gates[6][2] = {{1, 5}, {2, 5}, {6, 0}, {7, 0}, {11, 0}, {12, 0}};
    for (int k = 0; k < 6; k++) add_capacity(m, gates[k][0], gates[k][1], gate_capacity);
    for (int k = 0; k < 6; k++)
        add_capacity(m, junctions[k].bulk, junctions[k].node,
                     junction_capacity * mosfet_capacity(across(k, y)));
    add_capacity(m, 5, 0, load);
    add_capacity(m, 10, 0, load);
    return 0;
}

/* Of the currents into the junctions, whose capacities alone depend on voltages. */
static int mass_y(double t, const double *y, const double *w, double *dy, void *user)
{
    (void)t, (void)user;
    for (int k = 0; k < 6; k++) {
        voltage v = {junctions[k].bulk, junctions[k].node, 0};
        double rise = w[v.plus - 1] - (v.minus ? w[v.minus - 1] : 0);
        double slope = junction_capacity * mosfet_capacity_slope(across(k, y)) * rise;
        add_gradient(dy, v.plus, v, slope);
        if (v.minus) add_gradient(dy, v.minus, v, -slope);
    }
    return 0;
}

static void start(double *y, double *yp)
{
    static const double y0[N] = {5,    5,    -2.5,    -2.5, 5,       3.62385, 5,
                                 -2.5, -2.5, 3.62385, 0,    3.62385, -2.5,    -2.5};
    for (int i = 0; i < N; i++) y[i] = y0[i], yp[i] = 0;
}

static const zoo_form form = {
    .kind = ZOO_MASS,
    .as.mass = {.n = N,
                .f = f,
                .f_y = f_y,
                .f_t = f_t,
                .mass = mass,
                .mass_y = mass_y,
                .about = {.name = "NAND gate", .user = (void *)&usual_gate}}};

static const double reference[] = {
    0.4971088699385777e+1,  0.4999752103929311e+1,  -0.2499998781491227e+1, -0.2499999999999975e+1,
    0.4970837023296724e+1,  -0.2091214032073855e+0, 0.4970593243278363e+1,  -0.2500077409198803e+1,
    -0.2499998781491227e+1, -0.2090289583878100e+0, -0.2399999999966269e-3, -0.2091214032073855e+0,
    -0.2499999999999991e+1, -0.2500077409198803e+1};

const zoo_ivp zoo_nand_gate = {.name = "NAND gate",
                               .form = &form,
                               .start = start,
                               .t_end = 80,
                               .restart_every = 5,
                               .reference = reference,
                               .counted = N,
                               .mixed = true,
                               .digits = 9,
                               .other = &other_gate};
