/* Null spaces of large sparse matrices, for telling which equations depend on which. */
#ifndef LINALG_NULLSPACE_SPARSE_H
#define LINALG_NULLSPACE_SPARSE_H

#include "base/arena.h"

#include <stdint.h>

/* A row of a matrix: entries at ascending columns. */
typedef struct sparse_row {
    size_t count;
    const uint32_t *column;
    const double *value;
} sparse_row;

/* A vector: its entries other than 0, at ascending places. */
typedef struct sparse_vector {
    size_t count;
    uint32_t *place;
    double *value;
} sparse_vector;

/* Vectors v with A v = 0, each with a 1 where all others have a 0, and without small entries; in
 * all they span the null space. Gauss elimination, each time by the row with the fewest entries and
 * among those of them that are no smaller than half the largest by the one whose column has
 * the fewest (Markowitz, Management Sci. 3 (1957)). A row of which no more than `tolerance` of its
 * terms is left is none. A (rows x columns), of entries near 1, is only read. In `a`, under its
 * protection.
 *
 * Returns the dimension, and in *vector the first `most` vectors at most; SIZE_MAX if so many
 * entries fill in that it is not known. */
size_t nullspace_sparse(arena *a, size_t rows, const sparse_row *row, size_t columns,
                        double tolerance, size_t most, sparse_vector **vector);

#endif
