#include "zoo/adder_circuit.h"

#include "zoo/mosfet.h"

#include <math.h>
#include <string.h>

static const double conductance = 1 / 8e-4, bulk_conductance = 1 / 2e-3, gate_capacity = 0.6,
                    junction_capacity = 0.24, saturation = 5e-11, supply = 5, bias = -2.5,
                    load_capacity = 2;

/* The load of a gate, and transistors of three widths. */
static const mosfet models[4] = {{-2.43, 0.2, 1.28, 2.675, 2.675},
                                 {0.2, 0.035, 1.01, 8.74, 8.74},
                                 {0.2, 0.035, 1.01, 17.48, 17.48},
                                 {0.2, 0.035, 1.01, 26.22, 26.22}};

/* Nodes of a given voltage, after the ground, which is 0, and those whose voltages are unknown. */
enum { SUPPLY = ADDER_NODES + 1, BIAS, V1, V2, V3, V4, CARRY, ALL_NODES, INPUTS = 5 };

static const struct {
    double delay, top, period; /* between them 5 to rise, and 5 to fall */
} pulses[INPUTS] = {{0, 5, 20}, {10, 15, 40}, {30, 35, 80}, {70, 75, 160}, {150, 155, 320}};

/* Slopes at corners are those before, at the start those after it. */
static double pulse(double t, int which, double *slope)
{
    double within = fmod(t, pulses[which].period) - pulses[which].delay, top = pulses[which].top;
    *slope = 0;
    if (within < 0 || (within == 0 && t > 0)) return 0;
    if (within <= 5) return *slope = 1, within;
    if (within <= 5 + top) return 5;
    if (within <= 10 + top) return *slope = -1, 10 + top - within;
    return 0;
}

/* A transistor and its inner nodes k to k + 3: after the resistors of its source and drain, and
 * the bulks of both. */
typedef struct transistor {
    int k, source, drain, gate;
    int drain_charge; /* stands in the place of the drain in the charge of its bulk */
    const mosfet *model;
} transistor;

enum { TRANSISTORS = 39, OUTPUTS = 3 };

static const int outputs[OUTPUTS] = {49, 130, 148};

/* The transistors of a gate, with nodes counted from its first one; source 0 is the ground. The
 * first is the load. */
typedef struct kind {
    struct {
        int first, source, drain, model;
    } transistor[3];
} kind;

static const kind nor = {{{5, 0, 4, 1}, {9, 0, 4, 1}}};
static const kind and_or = {{{5, 0, 4, 1}, {9, 13, 4, 2}, {14, 0, 13, 2}}};
static const kind nand = {{{5, 9, 4, 2}, {10, 0, 9, 2}}};
static const kind or_and = {{{5, 9, 4, 2}, {10, 0, 9, 2}, {14, 0, 9, 2}}};

static const struct {
    const kind *kind;
    int first, by[3];
} gates[] = {{&nor, 1, {V1, V2}},           {&and_or, 14, {5, V2, V1}},
             {&nor, 32, {18, CARRY}},       {&and_or, 45, {36, CARRY, 18}},
             {&and_or, 63, {5, CARRY, 18}}, {&nor, 81, {V3, V4}},
             {&and_or, 94, {85, V4, V3}},   {&nand, 112, {67, 98}},
             {&or_and, 126, {116, 67, 98}}, {&and_or, 144, {85, 5, 98}}};

static const transistor bridges[] = {{162, 166, 148, 98, 148, &models[3]},
                                     {167, 171, 166, 18, 166, &models[3]},
                                     {172, 0, 171, CARRY, 171, &models[3]}};

/* Of all transistors; the original program, by which the published reference was computed, has a
 * slip in the charge of the second one of a NOR. */
static void list_transistors(bool slip, transistor *next)
{
    for (size_t n = 0; n < sizeof gates / sizeof *gates; n++) {
        const kind *of = gates[n].kind;
        int i = gates[n].first, out = i + 4;
        *next++ = (transistor){i, out, SUPPLY, out, 0, &models[0]};
        for (int k = 0; k < 3 && gates[n].by[k] != 0; k++) {
            int source = of->transistor[k].source, drain = i + of->transistor[k].drain;
            *next++ = (transistor){.k = i + of->transistor[k].first,
                                   .source = source ? i + source : 0,
                                   .drain = drain,
                                   .gate = gates[n].by[k],
                                   .drain_charge = slip && of == &nor && k == 1 ? i + 14 : drain,
                                   .model = &models[of->transistor[k].model]};
        }
    }
    memcpy(next, bridges, sizeof bridges);
}

/* The circuit at a time: all voltages by nodes, the slopes of the inputs. */
typedef struct circuit {
    transistor transistor[TRANSISTORS];
    double voltage[ALL_NODES], input_slope[INPUTS];
} circuit;

static void set_up(circuit *c, const adder_sums *s)
{
    list_transistors(s->adder->slip, c->transistor);
    memset(c->voltage, 0, sizeof c->voltage);
    if (s->x) memcpy(c->voltage + 1, s->x, ADDER_NODES * sizeof *s->x);
    c->voltage[SUPPLY] = supply;
    c->voltage[BIAS] = bias;
    for (int k = 0; k < INPUTS; k++) {
        double scale = s->adder->high / 5, height;
        height = zoo_on_piece(&s->adder->piece, pulse, s->t, k, &c->input_slope[k]);
        c->voltage[V1 + k] = scale * height;
        c->input_slope[k] *= scale;
    }
}

/* How fast the gate of a transistor is driven from outside, V/s. */
static double driven(const circuit *c, const transistor *p)
{
    return p->gate >= V1 ? c->input_slope[p->gate - V1] : 0;
}

/* What is a charge at a gate; what an input drives is a current. */
static int charged_gate(const transistor *p)
{
    return p->gate >= V1 ? 0 : p->gate;
}

static double across(const double *v, int plus, int minus)
{
    return v[plus] - v[minus];
}

static int channel(const double *v, const transistor *p, double *current, double *slope)
{
    const double at[MOSFET_VOLTAGES] = {[MOSFET_DS] = across(v, p->k + 1, p->k),
                                        [MOSFET_GS] = across(v, p->gate, p->k),
                                        [MOSFET_BS] = across(v, p->k + 2, p->source),
                                        [MOSFET_GD] = across(v, p->gate, p->k + 1),
                                        [MOSFET_BD] = across(v, p->k + 3, p->drain)};
    return mosfet_current(p->model, at, current, slope);
}

static void pass(double *f, int from, int to, double current)
{
    f[from] -= current;
    f[to] += current;
}

static int sum_currents(const circuit *c, double *f)
{
    const double *v = c->voltage;
    for (const transistor *p = c->transistor; p < c->transistor + TRANSISTORS; p++) {
        int bulk[2] = {p->k + 2, p->k + 3}, end[2] = {p->source, p->drain};
        for (int i = 0; i < 2; i++) {
            pass(f, p->k + i, end[i], conductance * across(v, p->k + i, end[i]));
            pass(f, bulk[i], BIAS, bulk_conductance * across(v, bulk[i], BIAS));
            pass(f, end[i], bulk[i], saturation * mosfet_junction(across(v, bulk[i], end[i])));
            f[p->k + i] += gate_capacity * driven(c, p);
        }
        double current;
        if (channel(v, p, &current, NULL) != 0) return 1;
        pass(f, p->k, p->k + 1, current);
    }
    return 0;
}

static void store(double *g, int plus, int minus, double charge)
{
    pass(g, minus, plus, charge);
}

static void sum_charges(const circuit *c, double *g)
{
    const double *v = c->voltage;
    for (const transistor *p = c->transistor; p < c->transistor + TRANSISTORS; p++) {
        int gate = charged_gate(p), bulk[2] = {p->k + 2, p->k + 3};
        int end[2] = {p->source, p->drain}, by[2] = {p->source, p->drain_charge};
        for (int i = 0; i < 2; i++) {
            double u = across(v, bulk[i], end[i]);
            double capacity = junction_capacity * mosfet_capacity(u);
            store(g, p->k + i, gate, gate_capacity * across(v, p->k + i, gate));
            g[bulk[i]] += capacity * across(v, bulk[i], by[i]);
            g[end[i]] -= capacity * u;
        }
    }
    for (int k = 0; k < OUTPUTS; k++) g[outputs[k]] += load_capacity * v[outputs[k]];
}

static int sum_rates(const circuit *c, double *rate)
{
    for (const transistor *p = c->transistor; p < c->transistor + TRANSISTORS; p++) {
        double current, by[MOSFET_VOLTAGES];
        if (channel(c->voltage, p, &current, by) != 0) return 1;
        pass(rate, p->k, p->k + 1, (by[MOSFET_GS] + by[MOSFET_GD]) * driven(c, p));
    }
    return 0;
}

static bool is_unknown(int node)
{
    return node >= 1 && node <= ADDER_NODES;
}

/* The slope of row `row` by the voltage between two nodes. */
static void add_gradient(adder_entries *e, int row, int plus, int minus, double slope)
{
    int node[2] = {plus, minus};
    for (int k = 0; k < 2; k++) {
        if (!is_unknown(node[k])) continue;
        e->row[e->count] = (unsigned short)row;
        e->column[e->count] = (unsigned short)(ADDER_NODES + node[k] - 1);
        e->value[e->count++] = k == 0 ? slope : -slope;
    }
}

/* Of a current between two nodes. */
static void add_flow_slope(adder_entries *e, int from, int to, int plus, int minus, double slope)
{
    if (is_unknown(from)) add_gradient(e, from - 1, plus, minus, -slope);
    if (is_unknown(to)) add_gradient(e, to - 1, plus, minus, slope);
}

/* Of a charge at a node, which enters y - g. */
static void add_charge_slope(adder_entries *e, int node, int plus, int minus, double slope)
{
    if (is_unknown(node)) add_gradient(e, ADDER_NODES + node - 1, plus, minus, -slope);
}

/* Of what ends at the source (0) or the drain (1) of a transistor. */
static void add_end_slopes(const double *v, const transistor *p, int i, adder_entries *e)
{
    int inner = p->k + i, bulk = p->k + 2 + i, end = i == 0 ? p->source : p->drain;
    int by = i == 0 ? p->source : p->drain_charge, gate = charged_gate(p);
    double u = across(v, bulk, end), w = across(v, bulk, by);
    double capacity = junction_capacity * mosfet_capacity(u);
    double rise = junction_capacity * mosfet_capacity_slope(u);
    add_flow_slope(e, inner, end, inner, end, conductance);
    add_flow_slope(e, bulk, BIAS, bulk, BIAS, bulk_conductance);
    add_flow_slope(e, end, bulk, bulk, end, saturation * mosfet_junction_slope(u));
    add_charge_slope(e, inner, inner, gate, gate_capacity);
    add_charge_slope(e, gate, inner, gate, -gate_capacity);
    add_charge_slope(e, bulk, bulk, end, rise * w);
    add_charge_slope(e, bulk, bulk, by, capacity);
    add_charge_slope(e, end, bulk, end, -rise * u - capacity);
}

static int sum_slopes(const circuit *c, adder_entries *e)
{
    for (const transistor *p = c->transistor; p < c->transistor + TRANSISTORS; p++) {
        const int plus[MOSFET_VOLTAGES] = {p->k + 1, p->gate, p->k + 2, p->gate, p->k + 3};
        const int minus[MOSFET_VOLTAGES] = {p->k, p->k, p->source, p->k + 1, p->drain};
        double current, by[MOSFET_VOLTAGES];
        for (int i = 0; i < 2; i++) add_end_slopes(c->voltage, p, i, e);
        if (channel(c->voltage, p, &current, by) != 0) return 1;
        for (int k = 0; k < MOSFET_VOLTAGES; k++)
            add_flow_slope(e, p->k, p->k + 1, plus[k], minus[k], by[k]);
    }
    for (int k = 0; k < OUTPUTS; k++) add_charge_slope(e, outputs[k], outputs[k], 0, load_capacity);
    return 0;
}

int adder_sum(const adder_sums *s)
{
    circuit c;
    double sum[ALL_NODES];
    int answer = 0;
    double *const wanted[] = {s->f, s->g, s->rate};
    set_up(&c, s);
    for (int k = 0; k < 3; k++) {
        if (!wanted[k]) continue;
        memset(sum, 0, sizeof sum);
        if (k == 0 && sum_currents(&c, sum) != 0) answer = 1;
        if (k == 1) sum_charges(&c, sum);
        if (k == 2 && sum_rates(&c, sum) != 0) answer = 1;
        memcpy(wanted[k], sum + 1, ADDER_NODES * sizeof *sum);
    }
    if (s->slopes && sum_slopes(&c, s->slopes) != 0) answer = 1;
    return answer;
}
