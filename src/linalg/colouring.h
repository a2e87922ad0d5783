/* Columns of a sparse matrix in groups, so that one difference gives a whole group of columns. */
#ifndef LINALG_COLOURING_H
#define LINALG_COLOURING_H

#include "linalg/sparse.h"

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

#endif
