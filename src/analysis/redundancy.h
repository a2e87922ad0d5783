/* Constraints of a mechanism that depend on the others, not only where the mechanism stands. */
#ifndef ANALYSIS_REDUNDANCY_H
#define ANALYSIS_REDUNDANCY_H

#include "base/message.h"
#include "solve/solver.h"

typedef struct redundancy {
    size_t constraints; /* how many depend on the others */
    size_t freedom;     /* velocities that the constraints leave */
} redundancy;

/* Constraints that depend on the others at the point of a solver and at states beside it that meet
 * all constraints. None for what is not followed as a mechanism of a model, and where they cannot
 * be counted. DAE_NO_MEMORY, with its sentence in `m`. */
dae_status redundancy_find(const dae_solver *s, message *m, redundancy *found);

#endif
