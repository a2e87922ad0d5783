/* The transistor model of Shichman and Hodges, as the two circuits of the Test Set have it. */
#ifndef TESTS_ZOO_MOSFET_H
#define TESTS_ZOO_MOSFET_H

/* The current factors from drain to source and back. */
typedef struct mosfet {
    double threshold, gamma, phi, forward, reverse;
} mosfet;

/* Drain-source, gate-source, bulk-source, gate-drain and bulk-drain voltage. */
enum { MOSFET_DS, MOSFET_GS, MOSFET_BS, MOSFET_GD, MOSFET_BD, MOSFET_VOLTAGES };

/* The current from drain to source with its sign turned, and its slopes by the voltages,
 * which may be NULL. Returns 1 where a bulk voltage has no root. */
int mosfet_current(const mosfet *m, const double *voltage, double *current, double *slope);

/* Between bulk and source or drain: the capacity at a voltage over that at 0, and its slope; the
 * current over the saturation current, and its slope. */
double mosfet_capacity(double v);
double mosfet_capacity_slope(double v);
double mosfet_junction(double v);
double mosfet_junction_slope(double v);

#endif
