/* The way to a level from far off.
 *
 * Across an exponential, as of a diode, a correction from where it is flat goes much too far, and
 * comes back by one unit of the argument an iteration; from above a root or a logarithm it leaves
 * where these have values. So a correction is taken as far as the next one, with the same factors,
 * is shorter (Deuflhard, Newton Methods for Nonlinear Problems, 2004, Sec. 3.3: the natural
 * monotonicity test). */
#ifndef PROJECTION_DAMPED_H
#define PROJECTION_DAMPED_H

#include "projection/directions.h"

typedef struct damped {
    double *from, *base, *step; /* levels->size each; from: the caller's */
} damped;

/* Bring z (levels->size) so near to level k that corrections without damping converge at once, in
 * so many iterations at most: from above an exponential each makes one unit of its argument.
 * DAE_CONSTRAINT where that is not found; z is then overwritten. Others are the statuses of the
 * levels. */
dae_status damped_meet(damped *w, directions *d, size_t k, double t, double *z, int most);

#endif
