/* The pattern of a sparse matrix, by columns. Values live with whoever computes them. */
#ifndef LINALG_SPARSE_H
#define LINALG_SPARSE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <suitesparse/klu.h>

typedef int sparse_index; /* as KLU has it; more nonzeros than that count as no memory */

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

/* Entries collected for a pattern, one by one, and their places in it (sparse_build()). In `a`,
 * under its protection; there is room for `most`. There are no more of them than a sparse_index
 * counts. */
typedef struct sparse_entries {
    uint32_t *row, *column, *where;
    uint32_t *from;     /* of entries that come from somewhere, such as another matrix */
    size_t count, most; /* most: the room */
} sparse_entries;

#define SPARSE_NOWHERE UINT32_MAX /* `from` of an entry that comes from nowhere */

sparse_entries sparse_entries_take(arena *a, size_t most);
void sparse_entries_add(sparse_entries *e, size_t row, size_t column);
void sparse_entries_add_from(sparse_entries *e, size_t row, size_t column, size_t from);

/* Adds the entries of a pattern, or of its transposed, moved by row and column. */
void sparse_entries_add_all(sparse_entries *e, const sparse_pattern *p, size_t row, size_t column);
void sparse_entries_add_transposed(sparse_entries *e, const sparse_pattern *p, size_t row,
                                   size_t column);

/* Adds the entries of a column of a pattern as entries of column `to`, each from its nonzero. */
void sparse_entries_add_column(sparse_entries *e, const sparse_pattern *p, size_t column,
                               size_t to);

/* The pattern. Rows and columns are given back, places stay. */
sparse_pattern *sparse_entries_build(arena *a, sparse_entries *e, size_t rows, size_t columns);

/* The same; *from: where each nonzero comes from, the last of several entries. All entries are
 * given back. */
sparse_pattern *sparse_entries_build_from(arena *a, sparse_entries *e, size_t rows, size_t columns,
                                          uint32_t **from);

/* The part of a pattern that is kept (nonzeros). *from: the place in `all` of each nonzero. In `a`,
 * under its protection. */
sparse_pattern *sparse_part(arena *a, const sparse_pattern *all, const bool *kept, size_t **from);

/* The parts that nothing links: rows and columns are in one part if a chain of entries leads from
 * one to the other. Parts are counted from 0 in the order of their first columns; row_part (rows)
 * and column_part (columns) receive the numbers, SPARSE_NO_PART for those without an entry. Returns
 * how many parts there are. Room is taken from `a` and given back, under its protection. */
#define SPARSE_NO_PART ((size_t)-1)
size_t sparse_parts(arena *a, const sparse_pattern *p, size_t *row_part, size_t *column_part);

/* The members of each part, ascending: those of part k are from (*first)[k] to before
 * (*first)[k + 1]. part (members): the part of each; SPARSE_NO_PART becomes the first. In `a`,
 * under its protection. */
size_t *sparse_members(arena *a, size_t parts, size_t members, size_t *part, size_t **first);

/* The pattern of a diagonal matrix, n x n. In `a`, under its protection. */
sparse_pattern *sparse_diagonal(arena *a, size_t n);

/* The pattern of all entries. In `a`, under its protection. */
sparse_pattern *sparse_full(arena *a, size_t rows, size_t columns);

/* y = A x; y += A x; y (columns) += factor A^T x. */
void sparse_multiply(const sparse_pattern *p, const double *value, const double *x, double *y);
void sparse_add_product(const sparse_pattern *p, const double *value, const double *x, double *y);
void sparse_add_transposed(const sparse_pattern *p, const double *value, double factor,
                           const double *x, double *y);

/* dense (by columns, with `ld` rows) = the matrix; rows below its own stay as they are. */
void sparse_spread(const sparse_pattern *p, const double *value, size_t ld, double *dense);

/* square (rows) = sum_j (a_ij unit_j)^2 */
void sparse_row_squares(const sparse_pattern *p, const double *value, const double *unit,
                        double *square);

/* Products of sparse matrices whose patterns stay. */

typedef struct sparse_product {
    const sparse_pattern *pattern; /* of A B */
    size_t terms;
    uint32_t *left, *right,
        *where; /* terms: an entry of A, one of B, and where their product goes */
} sparse_product;

/* The product of matrices of these patterns. In `a`, under its protection. */
sparse_product *sparse_product_create(arena *a, const sparse_pattern *left,
                                      const sparse_pattern *right);

/* product = A B, values in the order of their patterns. */
void sparse_product_form(const sparse_product *p, const double *left, const double *right,
                         double *product);

/* Columns of a sparse matrix in groups, so that one difference gives a whole group of columns. */

/* Columns of one colour share no row. */
typedef struct colouring {
    size_t colours;
    const size_t *first;  /* colours + 1: where the columns of each begin in `column` */
    const size_t *column; /* all columns, by colour, ascending within each */
} colouring;

/* Colour the columns of a pattern greedily, in their order: each colour in turn takes every
 * remaining column that fits (Curtis, Powell & Reid, J. Inst. Maths Applics 13 (1974)). A banded
 * matrix gets as many colours as its band is wide. In `a`, under its protection. */
colouring *colouring_create(arena *a, const sparse_pattern *p);

/* Solution with the sparse factors of KLU, for callers that solve more often than they factor. Rows
 * of both factors are stored one after another. KLU walks through columns that lie with their
 * indices in one array for each block. This takes half the time. */

/* Entries by rows. */
typedef struct factor_rows {
    unsigned *start, *column; /* n + 1; one an entry */
    double *value;
} factor_rows;

/* P R A Q = L U + F, where R scales rows and F holds the entries right of the diagonal blocks. From
 * the last block to the first, L y = b - F x and U x = y. */
typedef struct sparse_substitution {
    const klu_symbolic *symbolic; /* borrowed, as the next */
    const klu_numeric *numeric;
    size_t n;
    factor_rows forward;   /* of F and of L, without its diagonal of 1 */
    factor_rows backward;  /* of U, without its diagonal */
    double *scale, *pivot; /* R, in the order of P, and the inverse of the diagonal of U */
    double *x;
    workspace space;
} sparse_substitution;

/* Another pattern of factors, and their values; both are borrowed. DAE_NO_MEMORY. */
dae_status sparse_substitution_make(sparse_substitution *s, const klu_symbolic *symbolic,
                                    const klu_numeric *numeric);

/* The values of the same factors have changed. */
void sparse_substitution_take(sparse_substitution *s);

/* b (n) becomes the solution. */
void sparse_substitution_solve(const sparse_substitution *s, double *b);

void sparse_substitution_free(sparse_substitution *s);

#endif
