/* Detects a step that has passed a pole of the equations.
 *
 * An equation that divides has no value where its divisor is 0. But a step may pass through that
 * place, because the divisor is not 0 at the ends of the step and at its stages. So where a divisor
 * changes its sign over a step, the place is narrowed down on the polynomial of the step. If a side
 * of the equation grows as the interval shrinks, the equation has a pole there, and no solution
 * continues beyond it; sin(x)/x at 0 does not grow.
 *
 * Within its absolute tolerance of 0 a divisor may bounce. Each step then errs by at most a
 * tolerance and ends on the side where it began, though it passed 0 by the slopes at both ends.
 * Such a step is examined along the slope at its start. A run also must not continue from a pole,
 * by another method, on the side from which it came.
 *
 * A pole and a zero may be so close, as in s/(s + K), that a step and its halvings pass both. Where
 * a divisor of one variable has changed its sign, its side is therefore examined along that
 * variable alone. A variable within its tolerances beyond such a pole may come back, but must not
 * move further. */
#ifndef SOLVE_POLES_H
#define SOLVE_POLES_H

#include "base/workspace.h"
#include "solve/simulation.h"
#include "stepping/engine.h"

typedef struct poles {
    workspace space;
    size_t count;             /* number of divisors; 0: nothing is examined */
    double *before, *here;    /* count each: at the start of the step, if not 0 there; at its end */
    double *aside;            /* count: beside one of these points */
    double *largest;          /* count: the largest so far */
    double *y, *yp;           /* the engine's, at a point of the step */
    size_t n;                 /* the engine's unknowns */
    double *end[2], *last[2]; /* n each, y and y': the end of the step before projection, and the
                                 end of the one before */
    double end_t, last_t;
    size_t seen;         /* the divisor that last had a pole, counted from 1; 0: none had */
    double seen_at;      /* when */
    size_t which;        /* the divisor of the last pole */
    bool crossed;        /* the run ends at that pole, because no step is short enough */
    size_t met;          /* the divisor of the first such pole, counted from 1 */
    double met_at, side; /* the time of that pole, and the divisor before it */
    size_t doubted; /* a divisor, counted from 1, that is beyond a pole by no more than an error */
    double doubted_at; /* the value of its variable at that pole */
    bool by;           /* the last step has passed that pole */
} poles;

/* Begins at the engine's state, which counts as the start of the next step. DAE_NO_MEMORY. */
dae_status poles_begin(poles *p, simulation *c, const engine *e);

/* After an accepted step of a run of length `whole`: whether it has passed a pole. */
bool poles_look(poles *p, simulation *c, engine *e, const simulation_point *begun, double whole);

/* Whether a step that has passed a pole can be repeated with `part` of its length. If not, the run
 * ends there, unless another method finds no pole. */
bool poles_can_shorten(poles *p, const engine *e, double part, double whole);

/* Keeps the end of an accepted step. */
void poles_keep(poles *p);

void poles_free(poles *p);

#endif
