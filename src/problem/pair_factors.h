/* Matrices and right sides without their rows with two entries, in numbers: see pair_rows.h. */
#ifndef PROBLEM_PAIR_FACTORS_H
#define PROBLEM_PAIR_FACTORS_H

#include "base/workspace.h"
#include "problem/pair_rows.h"

/* Numbers are double, or double complex. */
typedef struct pair_factors {
    pair_rows *rows;
    bool is_complex;
    const void *value;     /* of the matrix that was reduced last */
    pair_row *pair;        /* count: parents first */
    size_t *root;          /* trees */
    void *ratio, *inverse; /* count: -b / a and 1 / a */
    void *weight, *known;  /* n: of each column: its weight, the known part of its unknown */
    void *right;           /* trees, and one more: right side and solution of the reduced system */
    size_t *column;        /* n: of each row, the one that is solved for by it */
} pair_factors;

/* Place the arrays in `space`, or measure; `rows` and `is_complex` are set. */
void pair_factors_carve(pair_factors *f, workspace *space);

/* reduced (nonzeros of the reduced pattern and one more) from the values of the whole one, which
 * are borrowed for the solutions that follow; scale as in pair_rows_choose_roots(). The row of
 * zeros (or with an entry that is no number) that makes the matrix singular, or the number of rows.
 */
size_t pair_factors_reduce(pair_factors *f, const void *value, const double *scale, void *reduced);

/* Of the whole real matrix that was reduced last the sign of the determinant, by that of the
 * reduced one. */
int pair_factors_sign(const pair_factors *f, int reduced);

/* f->right from a right side x (n); and x from the solution in f->right. */
void pair_factors_take(pair_factors *f, const void *x);
void pair_factors_give(pair_factors *f, void *x);

#endif
