/* Matrices whose values an author lays out, read through one pattern by columns; and copies of the
 * other parts of a form. */
#ifndef PROBLEM_AUTHOR_MATRIX_H
#define PROBLEM_AUTHOR_MATRIX_H

#include "linalg/sparse.h"

#include <daedal/forms.h>

/* A matrix whose values the author lays out. */
typedef struct author_matrix {
    const sparse_pattern *pattern; /* where it may be nonzero */
    const size_t *place;           /* nonzeros: the place of each in the author's array ... */
    size_t length;                 /* ... which has this many values */
    bool dense;                    /* the author gave no zeros */
} author_matrix;

/* How many values an array in the layout of a pattern has. */
size_t author_matrix_length(const dae_pattern *p, size_t rows, size_t columns);

/* The places of all entries of a matrix in the layout of `p`. All in `a`, under its protection, as
 * below. */
author_matrix author_matrix_read(arena *a, const dae_pattern *p, size_t rows, size_t columns);

/* The nonzeros of a constant matrix, `from` in the author's layout; *value: their values in the
 * order of the pattern. */
author_matrix author_matrix_constant(arena *a, const dae_pattern *p, size_t rows, size_t columns,
                                     const double *from, const double **value);

/* n x n: a diagonal of ones for the first `ones` unknowns, no entries for the others. */
author_matrix author_matrix_identity(arena *a, size_t n, size_t ones, const double **value);

/* Copies; NULL remains NULL. */
void *author_copy_array(arena *a, const void *from, size_t count, size_t size);
const char *const *author_copy_names(arena *a, const char *const *from, size_t count);
void author_copy_pattern(arena *a, dae_pattern *p, size_t columns);
void author_copy_about(arena *a, dae_about *about, size_t n);

#endif
