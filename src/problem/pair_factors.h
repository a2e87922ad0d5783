/* The numerical part of pair_rows.h: matrices and right sides reduced by their rows with two
 * entries. */
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
