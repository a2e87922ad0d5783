/* Projection of a state at the end of a step onto the last level, along slow motions.
 *
 * Solving the last level for highest derivatives and algebraic variables multiplies an error of the
 * state by the stiffness of its direction. Between steps, or after the shortest change to a
 * constraint, an error of 1e-12 beside a stiffness of 1e6 becomes 1e-6 in a multiplier. Such a
 * direction is practically algebraic: its motion is not integrated but follows from the rest. So
 * the residual that the state's own derivatives leave moves the state along stiff directions, and
 * the derivatives along the others: algebraic.h, with the Jacobian of the last level by all entries
 * of z. The lower levels stay met except for terms of the order of the change times the step; they
 * are met again. */
#ifndef PROJECTION_SLOW_MOTION_H
#define PROJECTION_SLOW_MOTION_H

#include "problem/levels.h"
#include "projection/algebraic.h"

typedef struct slow_motion {
    const constraint_levels *levels; /* borrowed */
    algebraic_way way;
    double *value, *residual, *change, *before; /* nonzeros, rows, size, size */
    double *rounded, *exact;                    /* size, rows */
} slow_motion;

/* For levels that have `whole`. first: another one for the same levels, which outlives it and of
 * which it takes what does not change; NULL: none. DAE_NO_MEMORY, DAE_SINGULAR; slow_motion_clear()
 * frees what exists in any case. */
dae_status slow_motion_begin(slow_motion *m, const constraint_levels *levels,
                             const slow_motion *first);

/* Factor at z, the end of a step h (not 0). */
dae_status slow_motion_factor(slow_motion *m, double t, const double *z, double h);

/* Compute m->change, one correction of z, and *size, its size relative to max(|z_j|, nominal_j). */
dae_status slow_motion_find(slow_motion *m, double t, const double *z, double *size);

/* The size of the correction that rounding of all values and of the time causes at z, measured
 * alike. Beside stiff directions it is far above round-off. 0 if it is not known. */
double slow_motion_round_off(slow_motion *m, double t, const double *z);

/* The same for rounding of the time only, if t is so late that it does far more than rounding of
 * the values; else 0. */
double slow_motion_round_off_of_time(slow_motion *m, double t, const double *z);

void slow_motion_clear(slow_motion *m);

#endif
