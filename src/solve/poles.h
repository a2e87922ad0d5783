/* Whether a step has passed a pole of the equations.
 *
 * An equation that divides has no value where its divisor is 0, but at the ends of a step and at
 * its stages the divisor is not 0: a step may pass through. So where a divisor changes its sign
 * over a step, the place is narrowed down on the step's polynomial. If a side of the equation grows
 * as that becomes narrower, it has a pole there, and no solution goes on behind it; sin(x)/x at 0
 * does not grow.
 *
 * Within its absolute tolerance of 0 a divisor may bounce: each step errs by no more than a
 * tolerance, and its end is on the side that it began on, though by the slopes at both ends it
 * passed 0. Such a step is looked at along the slope where it began. Nor does a run go on from a
 * pole, by another method, on the side on which it came.
 *
 * A pole and a zero may be so close, as those of s/(s + K), that a step and its halvings pass both.
 * Where a divisor of one variable has changed its sign its side is looked at along that variable
 * alone. Beyond such a pole by its tolerances a variable may come back, but it must not go on. */
#ifndef SOLVE_POLES_H
#define SOLVE_POLES_H

#include "base/workspace.h"
#include "solve/simulation.h"
#include "stepping/engine.h"

typedef struct poles {
    workspace space;
    size_t count;             /* divisors; 0: nothing is looked at */
    double *before, *here;    /* count each: where the step began, if not 0 there; where it ended */
    double *aside;            /* count: beside one of these points */
    double *largest;          /* count: so far */
    double *y, *yp;           /* of the engine */
    size_t n;                 /* its unknowns */
    double *end[2], *last[2]; /* n each, y and y': where the step ended, before it was projected,
                                 and the one before */
    double end_t, last_t;
    size_t seen;         /* the divisor that had a pole last, from 1; 0: none had */
    double seen_at;      /* when */
    size_t which;        /* the divisor of the last pole, ... */
    bool crossed;        /* ... at which the run ends, as no step is short enough */
    size_t met;          /* the divisor of the first such pole, from 1, ... */
    double met_at, side; /* ... when, and its value before */
    size_t doubted;      /* a divisor, from 1, that is beyond a pole by no more than an error ... */
    double doubted_at;   /* ... at this value of its variable */
    bool by;             /* the last step has passed by that one */
} poles;

/* At the engine's state, which counts as where the next step begins. DAE_NO_MEMORY. */
dae_status poles_begin(poles *p, simulation *c, const engine *e);

/* After an accepted step of a run of length `whole`: whether it has passed a pole. */
bool poles_look(poles *p, simulation *c, engine *e, const simulation_point *begun, double whole);

/* Whether a step that has is still long enough to be made again with this part of its length; else
 * the run ends there, unless another method finds that there is no pole. */
bool poles_can_shorten(poles *p, const engine *e, double part, double whole);

/* The step stands. */
void poles_keep(poles *p);

void poles_free(poles *p);

#endif
