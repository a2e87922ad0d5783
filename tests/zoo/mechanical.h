/* Constrained mechanical systems that tests share: as their authors give them, with consistent
 * start values and what is known of their solutions. Data and references: shared tables of
 * multibody benchmarks, computed in quadruple precision and in two formulations each. */
#ifndef ZOO_MECHANICAL_H
#define ZOO_MECHANICAL_H

#include <daedal/forms.h>

enum { ZOO_MECHANICAL_MOST = 40 }; /* coordinates, velocities, constraints at most */

/* q, v, v' and lambda at a time. */
typedef struct zoo_motion {
    double q[ZOO_MECHANICAL_MOST], v[ZOO_MECHANICAL_MOST];
    double vp[ZOO_MECHANICAL_MOST], lambda[ZOO_MECHANICAL_MOST];
} zoo_motion;

typedef struct zoo_mechanical {
    dae_mechanical_form form;
    void (*start)(double *q, double *v); /* consistent, at t = 0 */
    /* the exact solution; NULL: none in closed form. That of redundant constraints says nothing of
     * lambda. */
    void (*exact)(double t, zoo_motion *m);
    double stop;      /* of the interval that is looked at */
    size_t dependent; /* constraints that depend on others */
} zoo_mechanical;

/* In a fixed order; NULL beyond the last. */
const zoo_mechanical *zoo_mechanical_at(size_t i);

/* The one of that name (form.about.name); NULL: there is none. */
const zoo_mechanical *zoo_mechanical_named(const char *name);

/* The rows. */
extern const zoo_mechanical zoo_pendulum;          /* a point on a rod, Cartesian */
extern const zoo_mechanical zoo_pendulum_torque;   /* with an angle of no inertia: M is singular */
extern const zoo_mechanical zoo_rheonomic;         /* a rod whose length is given over time */

#endif
