/* Matrices whose values an author lays out, read through one pattern by columns; and the other
 * parts of a form that are copied. */
#ifndef PROBLEM_AUTHOR_MATRIX_H
#define PROBLEM_AUTHOR_MATRIX_H

#include "linalg/sparse.h"

#include <daedal/forms.h>

/* A matrix whose values the author lays out. */
typedef struct author_matrix {
    const sparse_pattern *pattern; /* where it may be nonzero */
    const size_t *place;           /* nonzeros: where each stands in the author's array ... */
    size_t length;                 /* ... of so many values */
    bool dense;                    /* he said nothing of zeros */
} author_matrix;

/* How many values an array in the layout of a pattern has. */
size_t author_matrix_length(const dae_pattern *p, size_t rows, size_t columns);

/* Where each entry of a matrix in the layout of `p` stands. All in `a`, under its protection, as
 * below. */
author_matrix author_matrix_read(arena *a, const dae_pattern *p, size_t rows, size_t columns);

/* The nonzeros alone of a matrix that is constant, `from` in the author's layout; their values in
 * the order of the pattern. */
author_matrix author_matrix_constant(arena *a, const dae_pattern *p, size_t rows, size_t columns,
                                     const double *from, const double **value);

/* n x n: ones for the first `ones` unknowns, nothing for the others. */
author_matrix author_matrix_identity(arena *a, size_t n, size_t ones, const double **value);

/* Copies; NULL remains NULL. */
void *author_copy_array(arena *a, const void *from, size_t count, size_t size);
const char *const *author_copy_names(arena *a, const char *const *from, size_t count);
void author_copy_pattern(arena *a, dae_pattern *p, size_t columns);
void author_copy_about(arena *a, dae_about *about, size_t n);

#endif
