/* The derivative of a vector function of one variable, nearly to round-off, from values alone. */
#ifndef NONLINEAR_DERIVATIVE_ALONG_H
#define NONLINEAR_DERIVATIVE_ALONG_H

#include "base/arena.h"
#include "base/state.h"

#include <daedal/status.h>

/* Evaluate g (rows) at s. */
typedef dae_status (*curve)(void *self, double s, double *g);

typedef struct derivative_along derivative_along;

/* For curves of so many rows. In `a`, under its protection. */
derivative_along *derivative_along_create(arena *a, size_t rows);

/* derivative (rows) = dg/ds at 0, by central differences at distances that shrink from `widest`,
 * extrapolated to 0. Each row takes the extrapolation that its neighbours confirm best (Ridders,
 * Adv. Eng. Software 4 (1982)). Distances without a value are skipped. If one side of 0 has no
 * values at all, differences are taken to the other side. Later calls use only distances near those
 * that were best in the first. DAE_NOT_EVALUABLE; any other failure of the curve is passed on. */
dae_status derivative_along_find(derivative_along *s, curve g, void *self, double widest,
                                 double *derivative);

/* Which distances the next call looks at, and on which side. */
void derivative_along_state(derivative_along *s, state_visit *to);

#endif
