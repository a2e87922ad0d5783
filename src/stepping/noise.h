/* The round-off of the equations at hand, as a change of the variables.
 *
 * A voltage that is the difference of two of 300 V is known to 1e-13 V and no better, whatever its
 * own size. Where a tolerance asks for more, no step passes the error test and no iteration
 * converges. The noise is measured: the residual is evaluated once more with each argument changed
 * by less than its own rounding, and the difference is solved for with the matrix of a step. */
#ifndef STEPPING_NOISE_H
#define STEPPING_NOISE_H

#include "base/workspace.h"
#include "stepping/engine.h"

typedef struct noise {
    double *size;                        /* n: what is known of it so far, >= 0 */
    double *y, *yp, *residual, *changed; /* n each */
} noise;

/* Place the arrays in `space`, or measure. */
void noise_carve(noise *w, workspace *space, size_t n);

/* Measure at the engine's present state with the matrix of a step h, and raise w->size (n); in
 * variables of higher index as it counts in norms of such a step. DAE_UNSUPPORTED where no real
 * factorisation is reserved; or a status of the problem. The factors of that slot are lost. */
dae_status noise_measure(noise *w, engine *e, double h);

#endif
