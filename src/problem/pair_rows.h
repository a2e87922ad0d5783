/* Rows with two entries, a x_j + b x_k = r. For example, y_j' = y_k enters every linear system in
 * this form.
 *
 * Each such row expresses one of its unknowns as a multiple of the other plus a known part, and is
 * solved by itself. Unknowns connected by such rows form a tree. A tree becomes one column of a
 * smaller matrix: the sum of its columns, each times its weight. Adding columns creates no entries
 * that elimination would not create. All unknowns of a tree are expressed by its root, the one of
 * the largest weight, so that no weight is above 1, as with pivoting. The pattern alone decides on
 * the rows; the values may differ in every matrix. */
#ifndef PROBLEM_PAIR_ROWS_H
#define PROBLEM_PAIR_ROWS_H

#include "base/arena.h"
#include "linalg/sparse.h"

#include <stdbool.h>
#include <stdint.h>

/* One such row: x_child = (r - b x_parent) / a. */
typedef struct pair_row {
    uint32_t row, child, parent;
    uint32_t at_child, at_parent; /* places of a and b among the nonzeros */
} pair_row;

/* The size of a weight, part * 2^power: a product along a tree may be larger than a double. */
typedef struct pair_size {
    double part;
    long power;
} pair_size;

typedef struct pair_rows {
    const sparse_pattern *whole;   /* n x n */
    size_t count;                  /* rows that are not kept; if 0, everything below is NULL */
    const sparse_pattern *reduced; /* a row for each kept row, a column for each tree */
    pair_row *pair;                /* count: tree by tree, parents first, from some root */
    uint32_t *first;               /* trees + 1: where the pairs of each tree begin */
    uint32_t *top;                 /* trees: that root; most trees are a single column */
    uint32_t *above;               /* n: the pair whose child the column is; `count`: none */
    uint32_t *kept;                /* trees: the rows that are kept */
    uint32_t *place; /* n: place of each row among those kept; the number of trees: not kept */
    uint32_t *where; /* whole's nonzeros: place in the reduced ones; their number: not kept */
    pair_size *size; /* n: for choosing roots */
} pair_rows;

/* Find the pair rows, none where they are few beside the rest. In `a`, under its protection; the
 * pattern is borrowed. */
pair_rows *pair_rows_find(arena *a, const sparse_pattern *whole);

/* Choose the roots for these values (of `whole`, double or double complex), the columns counted in
 * units of `scale` (n, NULL: 1). root (trees): the roots. ordered (count): the pairs, tree by tree
 * as before, parents first. Allocates nothing. */
void pair_rows_choose_roots(pair_rows *r, const void *value, bool is_complex, const double *scale,
                            size_t *root, pair_row *ordered);

/* The numerical part of pair_rows.h: matrices and right sides reduced by their rows with two
 * entries. */

/* Numbers are double, or double complex. */
typedef struct pair_factors {
    pair_rows *rows;
    bool is_complex;
    const void *value;     /* of the matrix that was reduced last */
    pair_row *pair;        /* count: parents first */
    size_t *root;          /* trees */
    void *ratio, *inverse; /* count: -b / a and 1 / a */
    void *weight, *known;  /* n, by column: its weight, and the known part of its unknown */
    void *right;           /* trees + 1: right side and solution of the reduced system */
    size_t *column;        /* n: for each row, the column that it solves for */
} pair_factors;

/* Place the arrays in `space`, or measure their size; `rows` and `is_complex` are set. */
void pair_factors_carve(pair_factors *f, workspace *space);

/* Compute reduced (nonzeros of the reduced pattern + 1) from the values of the whole matrix, which
 * are borrowed for the solutions that follow; scale as in pair_rows_choose_roots(). Returns the row
 * of zeros, or with an entry that is not finite, that makes the matrix singular; else the number of
 * rows. */
size_t pair_factors_reduce(pair_factors *f, const void *value, const double *scale, void *reduced);

/* The sign of the determinant of the whole real matrix that was reduced last, given the sign of the
 * reduced one. */
int pair_factors_sign(const pair_factors *f, int reduced);

/* Set f->right from a right side x (n); set x from the solution in f->right. */
void pair_factors_take(pair_factors *f, const void *x);
void pair_factors_give(pair_factors *f, void *x);

#endif
