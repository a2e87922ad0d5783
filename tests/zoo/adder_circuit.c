#include "zoo/adder_circuit.h"

#include "zoo/mosfet.h"

#include <math.h>

static const double resistance = 8e-4, bulk_resistance = 2e-3, gate_capacity = 0.6,
                    junction_capacity = 0.24, saturation = 5e-11, supply = 5, bias = -2.5,
                    load_capacity = 2;

/* The load of a gate, and transistors of three widths. */
static const mosfet models[4] = {{-2.43, 0.2, 1.28, 2.675, 2.675},
                                 {0.2, 0.035, 1.01, 8.74, 8.74},
                                 {0.2, 0.035, 1.01, 17.48, 17.48},
                                 {0.2, 0.035, 1.01, 26.22, 26.22}};

/* What drives a gate: a node (above 0) or an input. */
enum { V1 = -1, V2 = -2, V3 = -3, V4 = -4, CARRY = -5 };

static const struct {
    double delay, top, period; /* between them 5 to rise, and 5 to fall */
} pulses[5] = {{0, 5, 20}, {10, 15, 40}, {30, 35, 80}, {70, 75, 160}, {150, 155, 320}};

/* Slopes at corners are those before, at the start those after it. */
static double pulse(double t, int which, double *slope)
{
    double within = fmod(t, pulses[-which - 1].period) - pulses[-which - 1].delay;
    double top = pulses[-which - 1].top;
    *slope = 0;
    if (within < 0 || (within == 0 && t > 0)) return 0;
    if (within <= 5) return *slope = 1, within;
    if (within <= 5 + top) return 5;
    if (within <= 10 + top) return *slope = -1, 10 + top - within;
    return 0;
}

/* A voltage between two nodes and a constant, node 0 being the ground. */
typedef struct voltage {
    int plus, minus;
    double constant;
} voltage;

static double value_of(const adder_sums *s, voltage v)
{
    if (!s->x) return 0;
    return (v.plus ? s->x[v.plus - 1] : 0) - (v.minus ? s->x[v.minus - 1] : 0) + v.constant;
}

static void add_entry(adder_entries *e, size_t row, size_t column, double value)
{
    e->row[e->count] = (unsigned short)row;
    e->column[e->count] = (unsigned short)column;
    e->value[e->count++] = value;
}

static void add_slope(const adder_sums *s, size_t row, voltage v, double slope)
{
    if (!s->slopes) return;
    if (v.plus) add_entry(s->slopes, row, ADDER_NODES + (size_t)v.plus - 1, slope);
    if (v.minus) add_entry(s->slopes, row, ADDER_NODES + (size_t)v.minus - 1, -slope);
}

/* A current into a node, of which a voltage has the slope. */
static void add_current(const adder_sums *s, int node, double current, voltage v, double slope)
{
    if (node == 0) return;
    if (s->f) s->f[node - 1] += current;
    add_slope(s, (size_t)node - 1, v, slope);
}

static void add_charge(const adder_sums *s, int node, double charge, voltage v, double slope)
{
    if (node == 0) return;
    if (s->g) s->g[node - 1] += charge;
    add_slope(s, ADDER_NODES + (size_t)node - 1, v, -slope);
}

static void resistor(const adder_sums *s, voltage v, double ohm)
{
    if (!s->f && !s->slopes) return;
    add_current(s, v.plus, -value_of(s, v) / ohm, v, -1 / ohm);
    add_current(s, v.minus, value_of(s, v) / ohm, v, 1 / ohm);
}

static void capacitor(const adder_sums *s, voltage v, double capacity)
{
    if (!s->g && !s->slopes) return;
    add_charge(s, v.plus, capacity * value_of(s, v), v, capacity);
    add_charge(s, v.minus, -capacity * value_of(s, v), v, -capacity);
}

/* What leaks from a bulk. */
static void leak(const adder_sums *s, voltage v)
{
    if (!s->f && !s->slopes) return;
    double u = value_of(s, v), current = s->f ? saturation * mosfet_junction(u) : 0;
    double slope = s->slopes ? saturation * mosfet_junction_slope(u) : 0;
    add_current(s, v.plus, current, v, slope);
    add_current(s, v.minus, -current, v, -slope);
}

/* Its charge, in which `by` stands for the voltage. */
static void charge(const adder_sums *s, voltage v, voltage by)
{
    if (!s->g && !s->slopes) return;
    double u = value_of(s, v), w = value_of(s, by), c = junction_capacity * mosfet_capacity(u);
    double slope = s->slopes ? junction_capacity * mosfet_capacity_slope(u) : 0;
    add_charge(s, v.plus, c * w, v, slope * w);
    add_charge(s, v.plus, 0, by, c);
    add_charge(s, v.minus, -c * u, v, -slope * u - c);
}

/* The bulk of a source or drain. */
static void bulk(const adder_sums *s, voltage v, voltage by)
{
    resistor(s, (voltage){v.plus, 0, -bias}, bulk_resistance);
    leak(s, v);
    charge(s, v, by);
}

/* From drain to source; 1 where it has no current. */
static int channel(const adder_sums *s, const mosfet *model, int source, int drain,
                   const voltage *at, double gate_slope)
{
    double v[MOSFET_VOLTAGES], by[MOSFET_VOLTAGES] = {0}, current = 0;
    if (!s->f && !s->rate && !s->slopes) return 0;
    for (int k = 0; k < MOSFET_VOLTAGES; k++) v[k] = value_of(s, at[k]);
    if (s->x && mosfet_current(model, v, &current, by) != 0) return 1;
    if (s->f) s->f[source - 1] -= current, s->f[drain - 1] += current;
    for (int k = 0; k < MOSFET_VOLTAGES; k++) {
        add_slope(s, (size_t)source - 1, at[k], -by[k]);
        add_slope(s, (size_t)drain - 1, at[k], by[k]);
    }
    if (s->rate) {
        s->rate[source - 1] -= (by[MOSFET_GS] + by[MOSFET_GD]) * gate_slope;
        s->rate[drain - 1] += (by[MOSFET_GS] + by[MOSFET_GD]) * gate_slope;
    }
    return 0;
}

/* The load of the gate whose nodes begin at i. */
static int load(const adder_sums *s, int i)
{
    int out = i + 4;
    const voltage at[] = {
        {i + 1, i, 0}, {out, i, 0}, {i + 2, out, 0}, {out, i + 1, 0}, {i + 3, 0, -supply}};
    resistor(s, (voltage){i, out, 0}, resistance);
    resistor(s, (voltage){i + 1, 0, -supply}, resistance);
    capacitor(s, (voltage){i, out, 0}, gate_capacity);
    capacitor(s, (voltage){i + 1, out, 0}, gate_capacity);
    bulk(s, at[MOSFET_BS], at[MOSFET_BS]);
    bulk(s, at[MOSFET_BD], (voltage){i + 3, 0, 0}); /* as in the original program */
    return channel(s, &models[0], i, i + 1, at, 0);
}

static double input(const adder_sums *s, int which, double *slope)
{
    double height = pulse(s->t, which, slope), scale = s->adder->high / 5;
    *slope *= scale;
    return scale * height;
}

/* The nodes k to k + 3 of a transistor between the nodes source and drain. `drain_charge` stands
 * in the place of the drain in the charge of its bulk. */
static int transistor(const adder_sums *s, int k, int source, int drain, int model, int gate,
                      int drain_charge)
{
    double slope = 0, driven = gate < 0 ? input(s, gate, &slope) : 0;
    int node = gate > 0 ? gate : 0;
    const voltage at[] = {{k + 1, k, 0},
                          {node, k, driven},
                          {k + 2, source, 0},
                          {node, k + 1, driven},
                          {k + 3, drain, 0}};
    resistor(s, (voltage){k, source, 0}, resistance);
    resistor(s, (voltage){k + 1, drain, 0}, resistance);
    for (int end = 0; end < 2; end++) { /* what an input drives is a current, not a charge */
        capacitor(s, (voltage){k + end, node, 0}, gate_capacity);
        if (s->f) s->f[k + end - 1] += gate_capacity * slope;
    }
    bulk(s, at[MOSFET_BS], at[MOSFET_BS]);
    bulk(s, at[MOSFET_BD], (voltage){k + 3, drain_charge, 0});
    return channel(s, &models[model], k, k + 1, at, slope);
}

/* Its transistors, with nodes counted from the first one of the gate; gate 0: none. */
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

/* A gate. In the original program, by which the published reference was computed, the charge of the
 * second transistor of a NOR has a slip. */
static int gate(const adder_sums *s, const kind *of, int i, const int *by)
{
    int answer = load(s, i);
    for (int k = 0; k < 3 && by[k] != 0 && answer == 0; k++) {
        int source = of->transistor[k].source, drain = i + of->transistor[k].drain;
        answer = transistor(s, i + of->transistor[k].first, source ? i + source : 0, drain,
                            of->transistor[k].model, by[k],
                            s->adder->slip && of == &nor && k == 1 ? i + 14 : drain);
    }
    return answer;
}

int adder_sum(const adder_sums *s)
{
    for (size_t i = 0; i < ADDER_NODES; i++) {
        if (s->f) s->f[i] = 0;
        if (s->g) s->g[i] = 0;
        if (s->rate) s->rate[i] = 0;
    }
    int answer = 0;
    for (size_t k = 0; k < sizeof gates / sizeof *gates && answer == 0; k++)
        answer = gate(s, gates[k].kind, gates[k].first, gates[k].by);
    if (answer == 0) answer = transistor(s, 162, 166, 148, 3, 98, 148);
    if (answer == 0) answer = transistor(s, 167, 171, 166, 3, 18, 166);
    if (answer == 0) answer = transistor(s, 172, 0, 171, 3, CARRY, 171);
    static const int outputs[] = {49, 130, 148};
    for (int k = 0; k < 3; k++) capacitor(s, (voltage){outputs[k], 0, 0}, load_capacity);
    return answer;
}
