/* Bounds of explicit variables as rows of a start.
 *
 * An explicit variable is no unknown of the start: its equation gives it. To hold it at a value is
 * one more condition of the unknowns that give it. */
#ifndef FORMULATION_PROLONGED_BOUNDS_H
#define FORMULATION_PROLONGED_BOUNDS_H

#include "formulation/prolonged_start.h"

typedef struct prolonged_bounds {
    const prolonged_start *s;
    size_t count;
    const uint32_t *id; /* count: explicit variables */
    sym_tape *values;   /* of these */
    sym_matrix *slopes; /* by the unknowns of the start */
    double *input;

    /* Those that are held, and where. */
    size_t held;
    size_t *which;  /* count: the first `held` */
    double *target; /* count: of each variable */

    bool alone; /* the system has no other rows */
    const uint32_t *where;
    double *inner, *own; /* values of nonzeros */
    double *at;          /* count: values evaluated last */
} prolonged_bounds;

/* For these explicit variables (borrowed); nothing is held. Lives in `a`, under its protection and
 * that of the graph's arena. */
prolonged_bounds *prolonged_bounds_create(arena *a, const prolonged_start *s, size_t count,
                                          const uint32_t *id);

/* The system of a start with the held ones as conditions, after its own rows; or of these
 * conditions alone. Its pattern lives in `a`, under its protection. `from`: of b->s, whose guesses,
 * given and fixed values are taken. Valid until the next call. */
start_system prolonged_bounds_system(prolonged_bounds *b, arena *a, const start_system *from,
                                     bool alone);

#endif
