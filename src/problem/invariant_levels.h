/* The invariants of an ODE on a manifold as one constraint level: c(t, y) - c(t0, y0) = 0.
 *
 * z is (y, y'); only y is changed. */
#ifndef PROBLEM_INVARIANT_LEVELS_H
#define PROBLEM_INVARIANT_LEVELS_H

#include "problem/callbacks.h"
#include "problem/invariant_check.h"
#include "problem/levels.h"

typedef struct invariant_levels invariant_levels;

/* For equations with invariants; `c` is borrowed. DAE_NO_MEMORY. */
dae_status invariant_levels_create(invariant_levels **created, callbacks *c);

/* Take the values that are to be kept from the start. */
dae_status invariant_levels_begin(invariant_levels *l, double t, const double *y);

/* Check whether the author's derivatives of the invariants at (t, y) are right, and whether the
 * invariants do not change along the motion where y meets them. See invariant_check.h. */
dae_status invariant_levels_check_jacobian(invariant_levels *l, double t, const double *y,
                                           double allowed, invariant_fault *fault);
dae_status invariant_levels_check_rate(invariant_levels *l, double t, const double *y,
                                       double allowed, invariant_fault *fault);

const constraint_levels *invariant_levels_form(const invariant_levels *l);

void invariant_levels_free(invariant_levels *l); /* NULL is fine */

#endif
