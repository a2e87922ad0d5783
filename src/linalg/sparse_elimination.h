/* Elimination of large sparse matrices: their rank and null space. */
#ifndef LINALG_SPARSE_ELIMINATION_H
#define LINALG_SPARSE_ELIMINATION_H

#include "linalg/sparse.h"

#include <stdbool.h>
#include <stdint.h>

/* A row of a matrix: entries at ascending columns. */
typedef struct sparse_row {
    size_t count;
    const uint32_t *column;
    const double *value;
} sparse_row;

/* The columns of a matrix as the rows of its transposed, over the values. In `a`, under its
 * protection. */
sparse_row *sparse_transposed_rows(arena *a, const sparse_pattern *p, const double *value);

/* A vector: its entries other than 0, at ascending places. */
typedef struct sparse_vector {
    size_t count;
    uint32_t *place;
    double *value;
} sparse_vector;

/* Gauss elimination of A (rows x columns), of entries near 1, which is only read: each time by the
 * row with the fewest entries and among those of them that are no smaller than half the largest by
 * the one whose column has the fewest (Markowitz, Management Sci. 3 (1957)). A row of which no more
 * than `tolerance` of its terms is left is none. In `a`, under its protection. */
typedef struct sparse_elimination sparse_elimination;

/* NULL if so many entries fill in that it is given up. */
sparse_elimination *sparse_eliminate(arena *a, size_t rows, const sparse_row *row, size_t columns,
                                     double tolerance);

/* The columns that were solved for: the rank. */
size_t sparse_elimination_rank(const sparse_elimination *e);

/* Whether a column was not: where they have values, all others follow. */
bool sparse_elimination_is_open(const sparse_elimination *e, size_t column);

/* The vector v with A v = 0 that has a 1 at this open column and a 0 at the other ones, without
 * small entries. In the same arena. */
sparse_vector sparse_elimination_vector(sparse_elimination *e, size_t open);

#endif
