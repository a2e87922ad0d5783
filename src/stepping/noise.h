/* The round-off of the equations at the present state, as a change of the variables.
 *
 * A voltage that is the difference of two voltages of 300 V is known to 1e-13 V at best, whatever
 * its own size. If a tolerance asks for more, no step passes the error test and no iteration
 * converges. The noise is measured: the residual is evaluated once more with each argument changed
 * by less than its own rounding, and the linear system with the matrix of a step is solved for the
 * difference. */
#ifndef STEPPING_NOISE_H
#define STEPPING_NOISE_H

#include "base/workspace.h"
#include "stepping/engine.h"

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

#endif
