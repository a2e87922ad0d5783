/* Gaussian elimination of a sparse matrix whose pivots are chosen level by level.
 *
 * Columns of level 0 are eliminated first, as far as the rows determine them; then those of level 1
 * from the rows that are left, and so on. So the rows with pivots of level k contain no column of a
 * lower level: they are what the matrix says of levels k and higher, whatever becomes of the lower
 * ones.
 *
 * An entry counts as zero if it is round-off. Every entry carries the size of the numbers that it
 * is a difference of, and how it changes with the entries of the matrix: its derivatives along
 * drawn changes of these, relative to their sizes. So ranks do not depend on the sizes of rows and
 * columns, and what earlier differences have lost counts. Bounds of these losses would grow from
 * row to row of a long chain, and would count entries as zero that are not (stochastic estimates of
 * round-off: J. Vignes, Math. Comput. Simulation 35 (1993)). */
#ifndef LINALG_STAGED_ELIMINATION_H
#define LINALG_STAGED_ELIMINATION_H

#include "linalg/sparse.h"

#include <daedal/status.h>

enum { ELIMINATION_CHANGES = 2 };

typedef struct elimination_entry {
    size_t column;
    double value, size;                 /* size: of the numbers that `value` is a difference of */
    double change[ELIMINATION_CHANGES]; /* with the entries of the matrix */
} elimination_entry;

typedef LIST(elimination_entry) elimination_row;

/* row[to] -= factor * row[from] */
typedef struct elimination_step {
    size_t from, to;
    double factor;
} elimination_step;

typedef struct staged_elimination {
    size_t rows, columns, levels;
    const unsigned char *level;       /* columns: < levels */
    double *row_scale, *column_scale; /* the matrix is scaled by these */
    elimination_row *row;             /* rows: of pivot rows what they are eliminated with */
    size_t *pivot_row, *pivot_column; /* in their order */
    size_t *first;                    /* levels + 1: where the pivots of each level begin */
    LIST(elimination_step) step;
} staged_elimination;

/* Eliminates; scale (columns, > 0): sizes of their changes, by which the pivots of a row are
 * chosen. In `a`, under its protection. */
staged_elimination *staged_elimination_create(arena *a, const sparse_pattern *p,
                                              const double *value, const unsigned char *level,
                                              size_t levels, const double *scale);

/* The right-hand side (rows) as the rows' operations change it. */
void staged_elimination_apply(const staged_elimination *e, double *b);

#endif
