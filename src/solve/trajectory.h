/* The steps of a run, kept. */
#ifndef SOLVE_TRAJECTORY_H
#define SOLVE_TRAJECTORY_H

#include "stepping/dense_output.h"

#include <daedal/status.h>

typedef struct trajectory {
    dense_output *segment; /* count: one a step, in the direction of the run */
    size_t count, capacity;
} trajectory;

/* Keep a copy of a step's polynomial. DAE_NO_MEMORY. */
dae_status trajectory_keep(trajectory *kept, const dense_output *step);

/* The segment that holds a time, NULL if none does. At an event there are two values: that behind
 * it is found so. */
const dense_output *trajectory_find(const trajectory *kept, double t);

/* The segment of the step that led to t: another one than the above where an event lies there. NULL
 * if none does. */
const dense_output *trajectory_before(const trajectory *kept, double t);

/* The run goes on from t, which lies within: what was after that is dropped. */
void trajectory_cut(trajectory *kept, double t);

void trajectory_clear(trajectory *kept);

#endif
