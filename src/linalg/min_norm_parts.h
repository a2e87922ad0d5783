/* What the parts of min_norm.h share; for min_norm*.c alone. */
#ifndef LINALG_MIN_NORM_PARTS_H
#define LINALG_MIN_NORM_PARTS_H

#include "linalg/linear_solver.h"
#include "linalg/min_norm.h"

struct min_norm {
    const sparse_pattern *pattern;
    int rows, columns, rank;
    double *row_scale, *scale; /* rows, columns */

    /* dense, of rows and columns with entries: B' P = Q R; of a lower rank than rows R' = Q2 R2 */
    int full_rows, full_columns; /* how many these are, */
    int *row_at, *column_at;     /* which, */
    int *row_from;               /* and, of each row, the how manieth */
    double *qr;                  /* full_columns x full_rows by columns */
    double *second;              /* full_rows x rank by columns */
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
