/* Jumps of a C program's states by impulses. For callback_events.c. */
#ifndef SOLVE_CALLBACK_IMPULSE_H
#define SOLVE_CALLBACK_IMPULSE_H

#include "solve/callback_simulation.h"

/* Moves the differential variables of `own` (n), which miss constraints of the present equations at
 * t, by the impulses that these cause. settled_yp (n): derivatives, which only say where the
 * equations are looked at. Another status than DAE_OK: that does not determine a jump, and `own` is
 * as it was. */
dae_status callback_impulse(callback_simulation *k, double t, const double *settled_yp,
                            double *own);

#endif
