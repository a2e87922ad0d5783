/* The pattern of a sparse matrix, by columns. Values live with whoever computes them. */
#ifndef LINALG_SPARSE_H
#define LINALG_SPARSE_H

#include "base/arena.h"

#include <stddef.h>

typedef long sparse_index; /* as the 64-bit interface of SuiteSparse has it */

typedef struct sparse_pattern {
    size_t rows, columns, nonzeros;
    sparse_index *start; /* columns + 1: where each column begins in `row` */
    sparse_index *row;   /* nonzeros: rows, ascending within a column */
} sparse_pattern;

/* Build a pattern from `entries` positions (row[i], column[i]), of which several may coincide.
 * where[i] becomes the place of entry i among the nonzeros. All in `a`; only under its protection.
 */
sparse_pattern *sparse_build(arena *a, size_t rows, size_t columns, size_t entries,
                             const size_t *row, const size_t *column, size_t *where);

/* The pattern of a diagonal matrix, n x n. In `a`, under its protection. */
sparse_pattern *sparse_diagonal(arena *a, size_t n);

/* The pattern of all entries. In `a`, under its protection. */
sparse_pattern *sparse_full(arena *a, size_t rows, size_t columns);

/* y = A x; y += A x; y (columns) += factor A^T x. */
void sparse_multiply(const sparse_pattern *p, const double *value, const double *x, double *y);
void sparse_add_product(const sparse_pattern *p, const double *value, const double *x, double *y);
void sparse_add_transposed(const sparse_pattern *p, const double *value, double factor,
                           const double *x, double *y);

/* square (rows) = sum_j (a_ij unit_j)^2 */
void sparse_row_squares(const sparse_pattern *p, const double *value, const double *unit,
                        double *square);

/* Products of sparse matrices whose patterns stay. */

typedef struct sparse_product {
    const sparse_pattern *pattern; /* of A B */
    size_t terms;
    size_t *left, *right, *where; /* terms: an entry of A, one of B, and where their product goes */
} sparse_product;

/* The product of matrices of these patterns. In `a`, under its protection. */
sparse_product *sparse_product_create(arena *a, const sparse_pattern *left,
                                      const sparse_pattern *right);

/* product = A B, values in the order of their patterns. */
void sparse_product_form(const sparse_product *p, const double *left, const double *right,
                         double *product);

#endif
