/* Scales for which the entries of alpha B + A are of similar size. */
#ifndef PROBLEM_PENCIL_SCALES_H
#define PROBLEM_PENCIL_SCALES_H

#include "linalg/sparse.h"

/* A matrix (n x n): its pattern and values. */
typedef struct pencil_values {
    const sparse_pattern *pattern;
    const double *value;
} pencil_values;

/* Factors for which row_i |a_ij| column_j and row_i alpha |b_ij| column_j are near 1: the least
 * squares of the logarithms of all nonzeros (Curtis & Reid, On the automatic scaling of matrices
 * for Gaussian elimination, 1972), solved to a few sweeps. They follow the units in which
 * equations, variables and time are written. */
typedef struct pencil_scales {
    double *row, *column; /* n each: powers of 2, which add no round-off */
    double alpha;
    struct pencil_logarithms *logarithms;
} pencil_scales;

/* For matrices B and A, with the best alpha. In `memory`, under its protection. */
pencil_scales pencil_scales_find(arena *memory, pencil_values b, pencil_values a);

/* The same matrices with this alpha > 0. */
void pencil_scales_at(pencil_scales *s, double alpha);

#endif
