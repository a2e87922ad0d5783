/* Sparse matrices of expressions, such as Jacobians. */
#ifndef SYMBOLIC_MATRIX_H
#define SYMBOLIC_MATRIX_H

#include "linalg/sparse.h"
#include "symbolic/tape.h"

typedef struct sym_entry {
    size_t row, column;
    sym value;
} sym_entry;

typedef LIST(sym_entry) sym_entries;

typedef struct sym_matrix {
    sparse_pattern *pattern;
    sym_tape *tape;        /* of the entries that are not numbers */
    size_t varying;        /* how many those are */
    size_t *place;         /* varying: place of each among the nonzeros */
    const double *numbers; /* nonzeros: the entries that are numbers, 0 elsewhere */
} sym_matrix;

/* A matrix of the given entries, at most one per place, over inputs as in sym_tape_compile(). In
 * `a`, under its protection. */
sym_matrix *sym_matrix_compile(arena *a, sym_graph *g, size_t rows, size_t columns,
                               const sym_entries *entries, size_t inputs, sym_slot slot,
                               void *context);

/* The column for the partial derivative by a leaf (SYM_TIME or SYM_VARIABLE), or SIZE_MAX to leave
 * it out. */
typedef size_t (*sym_column)(void *context, size_t row, const sym_view *leaf);

/* The partial derivatives of `rows` expressions by the leaves to which `column` assigns a column.
 * In `a`, under its protection. */
sym_entries sym_jacobian_entries(arena *a, sym_graph *g, size_t rows, const sym *f,
                                 sym_column column, void *context);

/* The Jacobian made of these partial derivatives. */
sym_matrix *sym_jacobian(arena *a, sym_graph *g, size_t rows, const sym *f, size_t columns,
                         sym_column column, size_t inputs, sym_slot slot, void *context);

/* Doubles of work space; sym_matrix_prepare() prepares it. */
size_t sym_matrix_work(const sym_matrix *m);
void sym_matrix_prepare(const sym_matrix *m, double *work);

/* All entries, in the pattern's order. */
void sym_matrix_eval(const sym_matrix *m, const double *input, double *value, double *work);

#endif
