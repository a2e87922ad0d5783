/* Whether a run passes a point at which solutions cross.
 *
 * The determinant of a block of the system Jacobian is not 0 where the equations determine its
 * unknowns. Where it changes its sign over a step, through 0, other solutions may meet the one that
 * is followed: x^2 = (1 - t)^2 has x = 1 - t and x = t - 1. Steps that are much longer than the
 * surroundings of such a point go on along the smooth continuation, also where solutions do not
 * meet but come close to each other. A note says so. */
#ifndef SOLVE_CROSSING_H
#define SOLVE_CROSSING_H

#include "base/workspace.h"
#include "solve/course.h"
#include "stepping/engine.h"

typedef struct crossing {
    workspace space;
    size_t count;                /* of blocks; 0: nothing is looked at */
    double *before, *most, *now; /* count: the last that was not 0, the largest so far, at the
                                    point that is looked at */
    double *y, *yp;              /* of the engine */
    bool told;                   /* once is enough */
} crossing;

/* At the engine's state. DAE_NO_MEMORY. */
dae_status crossing_begin(crossing *x, course *c, const engine *e);

/* After a step that stands: whether a block has become singular over it, which one, and when. */
bool crossing_look(crossing *x, course *c, engine *e, size_t *which, double *t);

void crossing_free(crossing *x);

#endif
