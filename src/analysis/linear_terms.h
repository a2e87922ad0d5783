/* The matrices of the author's equations at the point at which a solver stands. */
#ifndef ANALYSIS_LINEAR_TERMS_H
#define ANALYSIS_LINEAR_TERMS_H

#include "analysis/descriptor.h"
#include "solve/solver.h"
#include "symbolic/system.h"

#define LINEAR_NO_ROW SIZE_MAX

typedef struct linear_terms {
    size_t n, shown;          /* unknowns; those that are the author's variables come first */
    const char *const *name;  /* n */
    const double *y, *yp;     /* n: the point; NAN for derivatives that do not occur */
    double *nominal;          /* n */
    double *E, *A;            /* n x n, rows contiguous: dF/dy' and -dF/dy */
    size_t *alone;            /* n: the row that contains this variable alone; LINEAR_NO_ROW */
    double rounding;          /* how far the entries may be off, relative */
    bool constant;            /* they are the same everywhere */
    const sym_system *system; /* of a model, in its present mode; NULL: a C program */
} linear_terms;

/* Fill the terms from the values that were evaluated last. All in `a`, under its protection.
 * Statuses with their message in `m`. */
dae_status linear_terms_take(dae_solver *s, arena *a, message *m, linear_terms *to);

/* Notes where an equation of a model has a kink, or stands on the border between two branches, at
 * the point: its derivative there is that of one side, or a value between. */
dae_status linear_terms_note_kinks(dae_solver *s, message *m);

#endif
