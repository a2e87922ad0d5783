/* Constrained mechanical systems that tests share: as their authors give them, with consistent
 * start values and what is known of their solutions. Data and references: shared tables of
 * multibody benchmarks, computed in quadruple precision and in two formulations each. */
#ifndef ZOO_MECHANICAL_H
#define ZOO_MECHANICAL_H

#include <daedal/forms.h>
#include <math.h>

enum { ZOO_MECHANICAL_MOST = 40 }; /* coordinates, velocities, constraints at most */

#define ZOO_UNKNOWN ((double)NAN)

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
    const double *reference; /* rows of t, then y = (q, v, lambda), or unknown */
    size_t references;       /* rows */
    double stop;             /* of the interval that is looked at */
    size_t dependent;        /* constraints that depend on others */
} zoo_mechanical;

/* In a fixed order; NULL beyond the last. */
const zoo_mechanical *zoo_mechanical_at(size_t i);

/* The one of that name (form.about.name); NULL: there is none. */
const zoo_mechanical *zoo_mechanical_named(const char *name);

/* The pendulum of unit length and mass from rest at an angle whose half has the sine k. */
void zoo_swing(double k, double t, zoo_motion *m);

/* The rows. */
extern const zoo_mechanical zoo_pendulum;        /* a point on a rod, Cartesian */
extern const zoo_mechanical zoo_pendulum_torque; /* and its angle, without inertia: M singular */
extern const zoo_mechanical zoo_driven_pendulum; /* the rod's length is given over time */
extern const zoo_mechanical zoo_double_pendulum; /* stiff joints, absolute coordinates */
extern const zoo_mechanical zoo_free_crank;      /* one degree of freedom, with weight */
extern const zoo_mechanical zoo_driven_crank;    /* none: turned at a given rate */
extern const zoo_mechanical zoo_andrews;         /* seven angles, six loops */
extern const zoo_mechanical zoo_mechanical_car_axis; /* rheonomic, with multipliers that are 0 */
extern const zoo_mechanical zoo_skate;               /* nonholonomic */
extern const zoo_mechanical zoo_rolling_disc;        /* nonholonomic */
extern const zoo_mechanical zoo_top;                 /* quaternions: q' = S v */
extern const zoo_mechanical zoo_platform;        /* on three cranks, one of which is redundant */
extern const zoo_mechanical zoo_andrews_bodies;  /* the same in absolute coordinates */
extern const zoo_mechanical zoo_governor;        /* stiff; its mass depends on q */
extern const zoo_mechanical zoo_double_four_bar; /* with configurations of lower rank on its way */

#endif
