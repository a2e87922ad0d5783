#include "linalg/sparse_product.h"

#include <string.h>

sparse_product *sparse_product_create(arena *a, const sparse_pattern *left,
                                      const sparse_pattern *right)
{
    sparse_product *p = arena_take(a, sizeof *p);
    for (size_t k = 0; k < right->nonzeros; k++)
        p->terms += (size_t)(left->start[right->row[k] + 1] - left->start[right->row[k]]);
    p->left = arena_array(a, p->terms, sizeof *p->left);
    p->right = arena_array(a, p->terms, sizeof *p->right);
    p->where = arena_array(a, p->terms, sizeof *p->where);
    size_t *row = arena_array(a, p->terms, sizeof *row), term = 0;
    size_t *column = arena_array(a, p->terms, sizeof *column);
    for (size_t j = 0; j < right->columns; j++) {
        for (sparse_index k = right->start[j]; k < right->start[j + 1]; k++) {
            sparse_index between = right->row[k];
            for (sparse_index i = left->start[between]; i < left->start[between + 1]; i++) {
                p->left[term] = (size_t)i;
                p->right[term] = (size_t)k;
                row[term] = (size_t)left->row[i];
                column[term++] = j;
            }
        }
    }
    p->pattern = sparse_build(a, left->rows, right->columns, p->terms, row, column, p->where);
    return p;
}

void sparse_product_form(const sparse_product *p, const double *left, const double *right,
                         double *product)
{
    memset(product, 0, p->pattern->nonzeros * sizeof *product);
    for (size_t k = 0; k < p->terms; k++)
        product[p->where[k]] += left[p->left[k]] * right[p->right[k]];
}
