/* Whether a step has passed a pole of the equations.
 *
 * An equation that divides has no value where its divisor is 0, but at the ends of a step and at
 * its stages the divisor is not 0: a step may pass through. So where a divisor changes its sign
 * over a step, the place is narrowed down on the step's polynomial. If a side of the equation grows
 * as that becomes narrower, it has a pole there, and no solution goes on behind it; sin(x)/x at 0
 * does not grow. */
#ifndef SOLVE_POLES_H
#define SOLVE_POLES_H

#include "base/workspace.h"
#include "solve/course.h"
#include "stepping/engine.h"

typedef struct poles {
    workspace space;
    size_t count;          /* divisors; 0: nothing is looked at */
    double *before, *here; /* count each: where the step began, if not 0 there; where it ended */
    double *y, *yp;        /* of the engine */
    size_t seen;           /* the divisor that had a pole last, from 1; 0: none had */
    double seen_at;        /* when */
    size_t which;          /* the divisor of the last pole, ... */
    bool crossed;          /* ... at which the run ends, as no step is short enough */
} poles;

/* At the engine's state, which counts as where the next step begins. DAE_NO_MEMORY. */
dae_status poles_begin(poles *p, course *c, const engine *e);

/* After an accepted step of a run of length `whole`: whether it has passed a pole. */
bool poles_look(poles *p, course *c, engine *e, double whole);

/* Whether a step that has is still long enough to be made again with this part of its length. */
bool poles_can_shorten(const engine *e, double part, double whole);

/* The step stands. */
void poles_keep(poles *p);

void poles_free(poles *p);

#endif
