/* Solution of a derivative array for its hidden index-2 directions, before a projection.
 *
 * A hidden index-2 direction v satisfies E v = 0 with E = dF/dy'. A change of y along v changes
 * nothing that has been integrated, and the array determines this change. The shortest change of y
 * that meets the array would also move the integrated part E y, a little in each step. So the array
 * is first met, as well as possible, by changes of hidden index-2 directions and derivatives only.
 * The projection then corrects only the drift of E y. */
#ifndef FORMULATION_PROLONGED_SETTLE_H
#define FORMULATION_PROLONGED_SETTLE_H

#include "linalg/min_norm.h"
#include "problem/levels.h"
#include "problem/problem.h"

typedef struct prolonged_hidden {
    const constraint_levels *levels; /* one level, the array */
    const problem *problem;          /* of its hidden index-2 directions */
    size_t hidden_directions,
        columns;             /* hidden index-2 directions, then entries of z that y does not hold */
    size_t *entry;           /* columns: entry of z, of columns behind the hidden directions */
    size_t *held;            /* problem->n: entry of z that y_k is */
    sparse_pattern *pattern; /* rows x columns; those of hidden directions are full */
    size_t *from; /* nonzeros: place in the array's Jacobian; unused in hidden directions */
    double *value, *array_value, *residual, *size, *change, *scale; /* size: of rows, as residual */
    min_norm *linear;
    double t, *z; /* the point at which the array is being met */
} prolonged_hidden;

/* For an array whose Jacobian has this pattern and a form that knows its hidden index-2 directions.
 * held: see the struct. The arrays live in `a`, under its protection; prolonged_hidden_free() frees
 * the rest. NULL if memory is exhausted. */
prolonged_hidden *prolonged_hidden_create(arena *a, const constraint_levels *levels,
                                          const problem *p, const size_t *held);

/* Correct derivatives and hidden index-2 directions of z so that the array is met. z is unchanged
 * if the iteration does not converge. */
dae_status prolonged_hidden_meet(prolonged_hidden *s, double t, double *z);

void prolonged_hidden_free(prolonged_hidden *s); /* NULL is fine */

#endif
