/* Rows with two entries, a x_j + b x_k = r: so y_j' = y_k enters every linear system.
 *
 * Each makes one of its unknowns a multiple of the other plus something known, and is solved by
 * itself. Unknowns that hang together by such rows, a tree, become one column of a smaller matrix,
 * the sum of theirs, each times its weight; adding columns makes no entries that elimination would
 * not make. All are expressed by the root of the tree, the one among them of the largest weight, so
 * that no weight is above 1: what pivoting does. Nothing is asked of the values; they may be others
 * in every matrix. */
#ifndef PROBLEM_PAIR_ROWS_H
#define PROBLEM_PAIR_ROWS_H

#include "linalg/sparse.h"

#include <stdbool.h>

/* One such row: x_child = (r - b x_parent) / a. */
typedef struct pair_row {
    size_t row, child, parent;
    size_t at_child, at_parent; /* where a and b stand among the nonzeros */
} pair_row;

/* The size of a weight, part * 2^power: a product along a tree may be larger than a double. */
typedef struct pair_size {
    double part;
    long power;
} pair_size;

typedef struct pair_rows {
    const sparse_pattern *whole;   /* n x n */
    size_t count;                  /* rows that are not kept; with none what follows is NULL */
    const sparse_pattern *reduced; /* a row for each that is kept, a column for each tree */
    pair_row *pair;                /* count: tree by tree, parents first, from some root */
    size_t *first;                 /* trees + 1: where the pairs of each tree begin */
    size_t *top;                   /* trees: that root; of most, the only column */
    size_t *above;                 /* n: the pair whose child a column is; `count`: none */
    size_t *kept;                  /* trees: the rows that are kept */
    size_t *place;   /* n: of each row among those kept; the number of trees: not kept */
    size_t *where;   /* whole's nonzeros: place in the reduced ones; their number: not kept */
    pair_size *size; /* n: for choosing roots */
} pair_rows;

/* Find them. In `a`, under its protection; the pattern is borrowed. */
pair_rows *pair_rows_find(arena *a, const sparse_pattern *whole);

/* Choose the roots for these values (of `whole`, double or double complex), the columns being
 * counted in units of `scale` (n, NULL: 1): root (trees), and ordered (count): the pairs, tree by
 * tree as before, parents first. Allocates nothing. */
void pair_rows_choose_roots(pair_rows *r, const void *value, bool is_complex, const double *scale,
                            size_t *root, pair_row *ordered);

#endif
