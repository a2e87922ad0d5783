/* The round-off of the equations at the present state, as a change of the variables.
 *
 * A voltage that is the difference of two voltages of 300 V is known to 1e-13 V at best, whatever
 * its own size. If a tolerance asks for more, no step passes the error test and no iteration
 * converges. The noise is measured: the residual is evaluated once more with each argument changed
 * by less than its own rounding, and the linear system with the matrix of a step is solved for the
 * difference. */
#ifndef STEPPING_NOISE_H
#define STEPPING_NOISE_H

#include "base/arena.h"
#include "stepping/engine.h"

#include <stdbool.h>

typedef struct noise {
    double *size;                        /* n: the largest noise found so far, >= 0 */
    double *y, *yp, *residual, *changed; /* n each */
} noise;

/* Place the arrays in `space`, or measure. */
void noise_carve(noise *w, workspace *space, size_t n);

/* Measures at the engine's present state with the matrix of a step h, and raises w->size (n). In
 * variables of higher index it is scaled as in the norms of such a step. DAE_UNSUPPORTED if no real
 * factorisation is reserved; or a status of the problem. The factors of that slot are lost. */
dae_status noise_measure(noise *w, engine *e, double h);

/* Whether round-off decides how long steps are. */

/* Steps that have become short because of the error are tried again at several times their length.
 * The error of a method rises at least with the square of the step. That of round-off rises at most
 * in proportion, for instance where a longer step continues values of index 2 or 3 that hold the
 * round-off of shorter steps. Controllers that predict from the last steps cannot see this: if the
 * error does not fall, they only take shorter steps. */
typedef struct round_off {
    double longest;       /* longest step since errors last rose with the step; 0: none */
    double before, error; /* step before the trial, its error; 0: no trial is under way */
    int wait;             /* steps to the next trial */
    int seen;             /* trials that showed round-off, less those that showed the opposite */
    int behind;           /* weighted looks back that showed round-off, less the others */
} round_off;

/* To be called after a step h > 0 with this error (1 is the limit, below it the step is accepted),
 * of an estimate of this order. Returns the length of the next step if that is to be a trial, else
 * 0. Steps below `least` count as short. `cut`: the step ended at the end of an interval. */
double round_off_follow(round_off *r, double h, double error, int order, double least, bool cut);

/* The same without trials, for a method that looks back after each accepted step. `second` and
 * `third` are the sizes of the second and third differences of the last points, 1 being the limit
 * of the error; both are 0 after steps of an order above 1. Where steps are short because of an
 * error and resolve the solution, differences fall with their order. Those of round-off do not, and
 * keep the order low. Where round-off comes and goes, the steps in between prevail. */
void round_off_look_back(round_off *r, double second, double third);

/* Whether round-off has been seen so often that continuing is of no use. */
bool round_off_rules(const round_off *r);

#endif
