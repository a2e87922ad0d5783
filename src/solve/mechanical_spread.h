/* What tolerances of positions and velocities make of the multipliers that follow from them. In
 * error tests of formulations without multipliers these do not count: of a stiff damper c v a
 * reaction is off by c times what v is. */
#ifndef SOLVE_MECHANICAL_SPREAD_H
#define SOLVE_MECHANICAL_SPREAD_H

#include "formulation/mechanical_formulation.h"

typedef struct mechanical_spreading {
    mechanical *system;
    double t;
    const mechanical_point *from; /* the start; kept */
    const double *nominal;        /* nq + nv: sizes */
    const double *atol; /* nq + nv, and as many as there are multipliers: absolute tolerances */
    double rtol;
    size_t multipliers;
    /* Multipliers at a point, those of an author, say. NULL: the point's. */
    dae_status (*look)(void *self, double t, const mechanical_point *p, double *multiplier);
    void *self;
} mechanical_spreading;

/* How many of its tolerances the worst multiplier moves where positions and velocities move by
 * theirs along the constraints, and by round-off, at the start and beside it; *worst: which it is.
 * 0 where the multipliers are not unique, or nothing is known. */
double mechanical_spread(const mechanical_spreading *given, size_t *worst);

#endif
