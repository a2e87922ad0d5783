/* The two bit adding unit as a circuit: 39 transistors after Shichman and Hodges, ten of them the
 * loads of gates. */
#ifndef TESTS_ZOO_ADDER_CIRCUIT_H
#define TESTS_ZOO_ADDER_CIRCUIT_H

#include "zoo/corners.h"

enum { ADDER_NODES = 175, ADDER_ENTRIES = 8192 };

/* Entries of the Jacobian in the order in which the elements give them, and where they go. */
typedef struct adder_entries {
    size_t count;
    unsigned short row[ADDER_ENTRIES], column[ADDER_ENTRIES];
    double value[ADDER_ENTRIES];
} adder_entries;

/* Parameters: whether NOR gates have the slip of the original program, and the high level of the
 * inputs, V. */
typedef struct adder {
    zoo_piece piece;
    bool slip;
    double high;
} adder;

/* What is summed over the elements: currents into f, charges into g, slopes by time into rate, all
 * by nodes from 1, and the entries of (f, y - g) by x; what is NULL is not asked for. */
typedef struct adder_sums {
    double t;
    const double *x; /* NULL: only the places of entries are asked for */
    double *f, *g, *rate;
    adder_entries *slopes;
    const adder *adder;
} adder_sums;

/* Not 0 where a transistor has no current. */
int adder_sum(const adder_sums *s);

#endif
