/* Solution with the sparse factors of KLU, for callers that solve more often than they factor. Rows
 * of both factors are stored one after another. KLU walks through columns that lie with their
 * indices in one array for each block. This takes half the time. */
#ifndef LINALG_SPARSE_SUBSTITUTION_H
#define LINALG_SPARSE_SUBSTITUTION_H

#include "base/workspace.h"

#include <suitesparse/klu.h>

/* Entries by rows; from[e] is the position of entry e among those of all factors. */
typedef struct factor_rows {
    size_t *start, *from; /* n + 1; one an entry */
    unsigned *column;
    double *value;
} factor_rows;

/* P R A Q = L U + F, where R scales rows and F holds the entries right of the diagonal blocks. From
 * the last block to the first, L y = b - F x and U x = y. */
typedef struct sparse_substitution {
    klu_l_symbolic *symbolic; /* borrowed, as the next */
    klu_l_numeric *numeric;
    size_t n, lower, upper, beside; /* entries of L, U and F, as KLU counts them */
    SuiteSparse_long *start[3], *row[3];
    double *value;         /* of L, then of U, then of F, by columns */
    factor_rows forward;   /* of F and of L, without its diagonal of 1 */
    factor_rows backward;  /* of U, without its diagonal */
    double *scale, *pivot; /* R, in the order of P, and the inverse of the diagonal of U */
    double *x;
    workspace space;
} sparse_substitution;

/* Another pattern of factors, and their values; both are borrowed. DAE_NO_MEMORY. */
dae_status sparse_substitution_make(sparse_substitution *s, klu_l_symbolic *symbolic,
                                    klu_l_numeric *numeric, klu_l_common *common);

/* The values of the same factors have changed. */
void sparse_substitution_take(sparse_substitution *s, klu_l_common *common);

/* b (n) becomes the solution. */
void sparse_substitution_solve(const sparse_substitution *s, double *b);

void sparse_substitution_free(sparse_substitution *s);

#endif
