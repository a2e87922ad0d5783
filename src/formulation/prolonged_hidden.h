/* What no projection may decide: directions of index 2 in a derivative array.
 *
 * Along a hidden index-2 direction v, E v = 0 with E = dF/dy', a change of y changes nothing that
 * has been integrated, and the array determines it. A shortest change of y to meet the array would
 * also move the integrated part E y, each step a little. So the array is met first by hidden
 * index-2 directions and derivatives alone, as well as they can; what is left for the projection is
 * the drift of E y. */
#ifndef FORMULATION_PROLONGED_SETTLE_H
#define FORMULATION_PROLONGED_SETTLE_H

#include "linalg/min_norm.h"
#include "problem/levels.h"
#include "problem/problem.h"

typedef struct prolonged_hidden {
    const constraint_levels *levels; /* one, the array */
    const problem *problem;          /* of its hidden index-2 directions */
    size_t hidden_directions,
        columns;             /* hidden index-2 directions, then entries of z that y does not hold */
    size_t *entry;           /* columns: entry of z, of those behind the soft ones */
    size_t *held;            /* problem->n: entry of z that y_k is */
    sparse_pattern *pattern; /* rows x columns, the soft columns full */
    size_t *from;            /* its nonzeros: of the array's Jacobian; of the soft ones none */
    double *value, *array_value, *residual, *size, *change, *scale; /* size: of rows, as residual */
    min_norm *linear;
    double t, *z; /* what is being met */
} prolonged_hidden;

/* For an array whose Jacobian has this pattern and a form that knows its hidden index-2 directions.
 * held: as above. The arrays live in `a`, under its protection; prolonged_hidden_free() frees the
 * rest. NULL without memory. */
prolonged_hidden *prolonged_hidden_create(arena *a, const constraint_levels *levels,
                                          const problem *p, const size_t *held);

/* Bring derivatives and hidden index-2 directions of z in order; z stays where that does not
 * converge. */
dae_status prolonged_hidden_meet(prolonged_hidden *s, double t, double *z);

void prolonged_hidden_free(prolonged_hidden *s); /* NULL is fine */

#endif
