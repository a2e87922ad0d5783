/* Keeps the steps of a run. */
#ifndef SOLVE_TRAJECTORY_H
#define SOLVE_TRAJECTORY_H

#include "stepping/dense_output.h"

#include <daedal/status.h>

typedef struct trajectory {
    dense_output *segment; /* count: one for each step, in the direction of the run */
    size_t count, capacity;
} trajectory;

/* Keeps a copy of a step's polynomial. DAE_NO_MEMORY. */
dae_status trajectory_keep(trajectory *kept, const dense_output *step);

/* The segment that contains a time; NULL if none does. At an event there are two values; this finds
 * the one behind it. */
const dense_output *trajectory_find(const trajectory *kept, double t);

/* The segment of the step that led to t, which differs from trajectory_find() at an event. NULL if
 * none does. */
const dense_output *trajectory_before(const trajectory *kept, double t);

/* Cuts the trajectory at t, a time within it from which the run continues: drops everything later.
 */
void trajectory_cut(trajectory *kept, double t);

void trajectory_clear(trajectory *kept);

#endif
