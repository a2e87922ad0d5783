/* How much the multipliers move where positions and velocities, from which they are computed, move
 * by their tolerances. Error tests of formulations without multipliers do not count this: with a
 * stiff damper c v, a reaction is off by c times the error of v. */
#ifndef SOLVE_MECHANICAL_SPREAD_H
#define SOLVE_MECHANICAL_SPREAD_H

#include "formulation/mechanical_formulation.h"

typedef struct mechanical_spreading {
    mechanical *system;
    double t;
    const mechanical_point *from; /* the start; kept */
    const double *nominal;        /* nq + nv: sizes */
    const double *atol;           /* nq + nv + multipliers: absolute tolerances */
    double rtol;
    size_t multipliers;
    /* Computes the multipliers of interest at a point, such as an author's. NULL: the point's own.
     */
    dae_status (*look)(void *self, double t, const mechanical_point *p, double *multiplier);
    void *self;
} mechanical_spreading;

/* The largest number of tolerances by which a multiplier moves where positions and velocities move
 * by their tolerances along the constraints, and by round-off, at the start and beside it. *worst:
 * that multiplier. 0 where the multipliers are not unique or nothing is known. */
double mechanical_spread(const mechanical_spreading *given, size_t *worst);

#endif
