/* A sparse matrix that is put together from blocks: parts of other matrices, each times a number.
 */
#ifndef FORMULATION_CHART_BLOCKS_H
#define FORMULATION_CHART_BLOCKS_H

#include "linalg/sparse.h"

#include <daedal/forms.h>
#include <stdbool.h>

typedef struct chart_block {
    const sparse_pattern *pattern;
    size_t from, to;    /* the rows of the pattern that are taken, before `to` */
    size_t row, column; /* where the first of them stands, turned or not */
    bool turned;        /* transposed */
    double factor;
    int source; /* which values, for chart_blocks_add() */
} chart_block;

enum { CHART_MOST_BLOCKS = 20 };

typedef struct chart_blocks {
    size_t n; /* rows and columns */
    size_t count;
    chart_block block[CHART_MOST_BLOCKS];
    dae_pattern pattern; /* sparse, by chart_blocks_build() */
    const size_t *where; /* entries, block by block: where each stands */
} chart_blocks;

/* In `a`, under its protection. */
void chart_blocks_build(chart_blocks *b, arena *a);

/* value (in the order of the pattern) += the blocks of that source, whose values are `from`; NULL:
 * ones. */
void chart_blocks_add(const chart_blocks *b, int source, const double *from, double *value);

#endif
