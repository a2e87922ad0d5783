#include "zoo/mosfet.h"

#include <math.h>

static const double barrier = 0.87, thermal = 25.85, modulation = 0.02;

/* A current and its slopes by drain-source, gate and bulk voltage, of a drain above the source. */
typedef struct flow {
    double value, by_ds, by_gate, by_bulk;
} flow;

static flow channel(const mosfet *m, double beta, double ds, double gate, double bulk)
{
    double root = sqrt(m->phi - bulk);
    double over = gate - m->threshold - m->gamma * (root - sqrt(m->phi));
    double stretch = 1 + modulation * ds;
    flow c = {0};
    if (over <= 0) return c;
    double by_over;
    if (over <= ds) {
        c.value = beta * over * over * stretch;
        c.by_ds = beta * over * over * modulation;
        by_over = 2 * beta * over * stretch;
    } else {
        c.value = beta * ds * (2 * over - ds) * stretch;
        c.by_ds = beta * (2 * over - 2 * ds) * stretch + beta * ds * (2 * over - ds) * modulation;
        by_over = 2 * beta * ds * stretch;
    }
    c.by_gate = by_over;
    c.by_bulk = by_over * m->gamma / (2 * root);
    return c;
}

int mosfet_current(const mosfet *m, const double *voltage, double *current, double *slope)
{
    double ds = voltage[MOSFET_DS];
    if (m->phi - voltage[MOSFET_BS] < 0 || m->phi - voltage[MOSFET_BD] < 0) return 1;
    for (int k = 0; slope && k < MOSFET_VOLTAGES; k++) slope[k] = 0;
    if (ds > 0) {
        flow c = channel(m, m->forward, ds, voltage[MOSFET_GS], voltage[MOSFET_BS]);
        *current = -c.value;
        if (!slope) return 0;
        slope[MOSFET_GS] = -c.by_gate, slope[MOSFET_BS] = -c.by_bulk, slope[MOSFET_DS] = -c.by_ds;
    } else {
        flow c = channel(m, m->reverse, -ds, voltage[MOSFET_GD], voltage[MOSFET_BD]);
        *current = c.value;
        if (!slope) return 0;
        slope[MOSFET_GD] = c.by_gate, slope[MOSFET_BD] = c.by_bulk, slope[MOSFET_DS] = -c.by_ds;
    }
    return 0;
}

double mosfet_capacity(double v)
{
    return v <= 0 ? 1 / sqrt(1 - v / barrier) : 1 + v / (2 * barrier);
}

double mosfet_capacity_slope(double v)
{
    double root = sqrt(1 - v / barrier);
    return v <= 0 ? 1 / (2 * barrier * root * root * root) : 1 / (2 * barrier);
}

double mosfet_junction(double v)
{
    return v <= 0 ? -(exp(v / thermal) - 1) : 0;
}

double mosfet_junction_slope(double v)
{
    return v <= 0 ? -exp(v / thermal) / thermal : 0;
}
