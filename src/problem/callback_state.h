/* What the parts of callbacks.h share. Only callback*.c and invariant_levels.c include it. */
#ifndef PROBLEM_CALLBACK_STATE_H
#define PROBLEM_CALLBACK_STATE_H

#include "linalg/linear_solver.h"
#include "nonlinear/differences.h"
#include "problem/callbacks.h"

/* Which nonzeros of dF/dy and dF/dy' occur, and how many do. */
typedef struct callback_sight {
    bool *jacobian, *mass;
    size_t jacobians, masses;
} callback_sight;

/* F by y and by y', f by y, and M(t, y) y' by y. */
typedef enum callback_differenced {
    RESIDUAL_BY_Y,
    RESIDUAL_BY_YP,
    RIGHT_SIDE_BY_Y,
    MOMENTUM_BY_Y
} callback_differenced;

struct callbacks {
    problem problem;   /* for the engine; its self is this */
    problem_form form; /* of this instance: NULL for each function that it does not have */
    const equations *e;
    arena memory;

    const sparse_pattern *jacobian_pattern, *mass_pattern; /* of dF/dy and dF/dy' */
    const size_t *jacobian_place; /* for each nonzero of dF/dy: its place in the author's array */
    double *jacobian, *mass;      /* their values as linearised last */
    callback_sight seen,
        seen_now;              /* what occurs, as far as is known; the same near a later start */
    double *look_at, *look_yp; /* n each: a point that is looked at */
    bool looked;               /* the equations have values near the start */
    double *author_jacobian, *author_mass; /* in the author's layouts; NULL: not needed */
    double *added;                         /* jacobian's nonzeros: a second part of it */
    differences *by_y, *by_yp;             /* NULL: not needed */
    double *here;                          /* n: the function's value at the point itself */
    double *yp_nominal; /* n: sizes of y', in the unit of time of the equations */
    double *yp_step;    /* n: increments of y' are relative to these */

    bool has_yp;                /* dF/dy' is constant and regular */
    linear_solver *mass_solver; /* of that dF/dy'; NULL if it is the identity */

    const char *refused; /* the last callback that refused or stopped */
    int code;            /* and what it returned */

    callback_differenced differenced; /* what differences are being taken of, and the point */
    double at_t;
    const double *at_y, *at_yp;
};

/* callback_calls.c: whether one of the author's functions has asked to stop. None is called after
 * that. */
bool callback_is_stopped(callbacks *c);

/* callback_calls.c: call a function of the author's that is given. `second`: see form_call.
 * Another matrix that it computes goes to c->author_mass. */
dae_status callback_call(callbacks *c, const form_call *f, double t, const double *y,
                         const double *second, double *out);

/* callback_calls.c: r (n) = F(t, y, yp). The call is not counted. */
dae_status callback_residual(callbacks *c, double t, const double *y, const double *yp, double *r);

/* callback_calls.c: f (n) = f(t, y), of any form but the residual form. The call is not counted. */
dae_status callback_right_side(callbacks *c, double t, const double *y, double *f);

/* callback_calls.c: M(t, y) of the mass form, in the order of its pattern. */
dae_status callback_mass(callbacks *c, double t, const double *y, double *mass);

/* callback_calls.c: r += M(t, y) x (n each), of a mass form whose M is not constant. */
dae_status callback_add_momentum(callbacks *c, double t, const double *y, const double *x,
                                 double *r);

/* callback_calls.c: whether the author gave the derivative by time, and r (n) = dF/dt. */
bool callback_has_time_derivative(const equations *e);
dae_status callback_time_derivative(void *self, double t, const double *y, const double *yp,
                                    double *r);

/* callback_linearize.c: whether the author gave the Jacobian of his part of F; and all derivatives
 * by y and y', also that of M y' where M is not constant. */
bool callback_has_jacobian(const equations *e);
bool callback_has_matrices(const equations *e);

/* callback_linearize.c: dF/dy and dF/dy' into c->jacobian and c->mass. Differences use this
 * relative increment. */
dae_status callback_linearize(callbacks *c, double t, const double *y, const double *yp,
                              double increment);

/* callback_linearize.c: finds c->yp_step near y, for a residual form without a Jacobian. It is the
 * change of each y'_j that changes its equations as much as their terms amount to, extrapolated
 * from a small part of that change. A y'_j that shows no effect keeps its value. */
void callback_calibrate_yp(callbacks *c, double t, const double *y);

/* callback_linearize.c: allocate what linearising needs, for c->jacobian_pattern and
 * c->mass_pattern. */
void callback_prepare(callbacks *c);

/* callback_look.c: find what occurs by a look at several points. Entries that do not occur are
 * dropped from patterns that are to be detected. Under the protection of c->memory. */
void callback_look(callbacks *c, double t, const double *y, message *m);

/* callback_look.c: whether a look near another point shows the same derivatives in the same
 * equations as the first one. Entries of dF/dy that it shows are added. */
bool callback_looks_alike(callbacks *c, double t, const double *y);

#endif
