/* Jacobians of the hidden constraints by q and v, on the levels of velocities and accelerations, by
 * coloured differences. Only where q' = v. */
#ifndef FORMULATION_FORMULATED_LEVELS_H
#define FORMULATION_FORMULATED_LEVELS_H

#include "mechanical/mechanical.h"
#include "nonlinear/differences.h"

typedef struct formulated_levels {
    mechanical *m;
    const sparse_pattern *pattern; /* constraints x nv, of all three */
    double *velocity_q;            /* of G v + phi_t, or A v - b, by q */
    double *acceleration_q;        /* of G v' + gamma by q ... */
    double *acceleration_v;        /* ... and by v */
    differences *differences;
    double *here, *level; /* constraints */
    double t;             /* the point at which differences are taken */
    const double *q, *v, *vp;
} formulated_levels;

/* In `a`, under its protection; `m` is borrowed. */
formulated_levels *formulated_levels_create(arena *a, mechanical *m);

/* Jacobians at a point. Afterwards M and G hold values of another point. DAE_NOT_EVALUABLE or
 * DAE_STOPPED. */
dae_status formulated_levels_velocity(formulated_levels *l, double t, const double *q,
                                      const double *v);
dae_status formulated_levels_acceleration(formulated_levels *l, double t, const double *q,
                                          const double *v, const double *vp);

#endif
