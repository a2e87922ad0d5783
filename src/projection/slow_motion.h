/* Projection of a state at the end of a step onto the last level, along slow motions.
 *
 * Solving the last level for highest derivatives and algebraic variables multiplies an error of the
 * state by the stiffness of its direction: between steps, or after the shortest change to a
 * constraint, 1e-12 beside 1e6 is 1e-6 of a multiplier. Such a direction is as good as algebraic:
 * it is not what is integrated there, but follows. So the residual that the state's own derivatives
 * leave moves the state along such directions, and the derivatives along the others: algebraic.h,
 * by the Jacobian of the last level by all entries of z. That keeps what the levels before have
 * met, but for terms of the order of the change times the step: they are met again. */
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

/* For levels that have `whole`. DAE_NO_MEMORY, DAE_SINGULAR; slow_motion_clear() frees what there
 * is in any case. */
dae_status slow_motion_begin(slow_motion *m, const constraint_levels *levels);

/* Factor at z, which a step h (not 0) has led to. */
dae_status slow_motion_factor(slow_motion *m, double t, const double *z, double h);

/* m->change: what corrects z once; how far that moves it, relative to max(|z_j|, nominal_j). */
dae_status slow_motion_find(slow_motion *m, double t, const double *z, double *size);

/* How large a correction the rounding of all values and of the time makes at z, in the same terms:
 * beside stiff directions far more than round-off. 0 where that is not known. */
double slow_motion_round_off(slow_motion *m, double t, const double *z);

/* The same of the time alone, where it is so late that its rounding does far more than that of the
 * values; else 0. */
double slow_motion_round_off_of_time(slow_motion *m, double t, const double *z);

/* The next factorisation depends on its matrix alone: see linear_solver_forget(). */
void slow_motion_forget(slow_motion *m);

void slow_motion_clear(slow_motion *m);

#endif
