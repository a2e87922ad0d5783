/* What the parts of min_norm.h share; for min_norm*.c alone. */
#ifndef LINALG_MIN_NORM_PARTS_H
#define LINALG_MIN_NORM_PARTS_H

#include "linalg/linear_solver.h"
#include "linalg/min_norm.h"

struct min_norm {
    const sparse_pattern *pattern;
    int rows, columns, rank;
    double *row_scale, *scale; /* rows, columns */

    /* dense: B' P = Q R; where the rank is below the rows, R' = Q2 R2 as well */
    double *qr;     /* columns x rows by columns */
    double *second; /* rows x rank by columns */
    double *tau, *tau2, *work, *vector;
    int *pivot, work_size;

    /* sparse */
    linear_solver *saddle; /* NULL where dense */
    sparse_pattern *saddle_pattern;
    size_t *entry_above, *entry_below, *diagonal; /* where values go in the saddle matrix */
    double *saddle_value, *solution;
    double *scaled;            /* nonzeros: of B */
    double *left;              /* rows: what is left of the right-hand side */
    double *direction, *image; /* MOST_DIRECTIONS x columns, x rows */
    arena memory;
};

#endif
