/* Products of sparse matrices whose patterns stay. */
#ifndef LINALG_SPARSE_PRODUCT_H
#define LINALG_SPARSE_PRODUCT_H

#include "linalg/sparse.h"

typedef struct sparse_product {
    const sparse_pattern *pattern; /* of A B */
    size_t terms;
    size_t *left, *right, *where; /* terms: an entry of A, one of B, and where their product goes */
} sparse_product;

/* A B for matrices of these patterns. In `a`, under its protection. */
sparse_product *sparse_product_create(arena *a, const sparse_pattern *left,
                                      const sparse_pattern *right);

/* product = A B, values in the order of their patterns. */
void sparse_product_form(const sparse_product *p, const double *left, const double *right,
                         double *product);

#endif
