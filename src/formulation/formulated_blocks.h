/* A sparse matrix assembled from blocks. A block is a part of another matrix times a number. */
#ifndef FORMULATION_FORMULATED_BLOCKS_H
#define FORMULATION_FORMULATED_BLOCKS_H

#include "linalg/sparse.h"

#include <daedal/forms.h>
#include <stdbool.h>

typedef struct formulated_block {
    const sparse_pattern *pattern;
    size_t from, to;    /* rows of the pattern that are used, `to` excluded */
    size_t row, column; /* place of the first of them, transposed or not */
    bool turned;        /* transposed */
    double factor;
    int source; /* which values, for formulated_blocks_add() */
} formulated_block;

enum { FORMULATED_MOST_BLOCKS = 20 };

typedef struct formulated_blocks {
    size_t n; /* rows and columns */
    size_t count;
    formulated_block block[FORMULATED_MOST_BLOCKS];
    dae_pattern pattern; /* sparse, by formulated_blocks_build() */
    const size_t *where; /* entries, block by block: places in the pattern */
} formulated_blocks;

/* In `a`, under its protection. */
void formulated_blocks_build(formulated_blocks *b, arena *a);

/* value (in the order of the pattern) += the blocks of this source, with values `from` (NULL:
 * ones). */
void formulated_blocks_add(const formulated_blocks *b, int source, const double *from,
                           double *value);

#endif
