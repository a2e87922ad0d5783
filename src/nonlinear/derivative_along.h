/* The derivative of a vector function of one variable, nearly to round-off, where only values are
 * at hand. */
#ifndef NONLINEAR_DERIVATIVE_ALONG_H
#define NONLINEAR_DERIVATIVE_ALONG_H

#include "base/arena.h"
#include "base/state.h"

#include <daedal/status.h>

/* g (rows) at s. */
typedef dae_status (*curve)(void *self, double s, double *g);

typedef struct derivative_along derivative_along;

/* For curves of so many rows. In `a`, under its protection. */
derivative_along *derivative_along_create(arena *a, size_t rows);

/* derivative (rows) = dg/ds at 0, by central differences at distances that shrink from `widest`,
 * extrapolated to 0; of all extrapolations each row takes the one that its neighbours confirm best
 * (Ridders, Adv. Eng. Software 4 (1982)). Distances at which there is no value are passed over;
 * where there is none at any on one side of 0, differences are to the other side.
 * Later calls look only at distances near those that were best in the first. DAE_NOT_EVALUABLE; any
 * other failure of the curve is passed on. */
dae_status derivative_along_find(derivative_along *s, curve g, void *self, double widest,
                                 double *derivative);

/* Which distances the next call looks at, and on which side. */
void derivative_along_state(derivative_along *s, state_visit *to);

#endif
