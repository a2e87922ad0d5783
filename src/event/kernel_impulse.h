/* Impulses in equations that are integrated as they are given, as those of C programs and of models
 * whose structure misleads. */
#ifndef EVENT_KERNEL_IMPULSE_H
#define EVENT_KERNEL_IMPULSE_H

#include "problem/problem.h"

/* Moves the differential variables in y (n), which miss constraints of the problem at t, by the
 * impulses that these cause. yp (n) only says where the equations are looked at, as do the
 * algebraic variables in y. strength (n): of the impulses of y; NULL: nobody asks. Another status
 * than DAE_OK: that does not determine a jump, and y is as it was. */
dae_status kernel_impulse(problem *p, double t, const double *yp, double *y, double *strength);

#endif
