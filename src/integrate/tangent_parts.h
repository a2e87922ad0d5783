/* Internals of a step in the tangent, for its own files. */
#ifndef INTEGRATE_TANGENT_PARTS_H
#define INTEGRATE_TANGENT_PARTS_H

#include "integrate/tangent.h"
#include "linalg/min_norm.h"

struct tangent {
    workspace space;
    min_norm *rows; /* the constraints' gradient; NULL without constraints */
    min_norm *held; /* the rows on positions alone; NULL if there are no others */
    size_t nq, nv, holonomic, constraints;
    size_t freedoms; /* degrees of freedom of velocities */
    size_t places;   /* of positions: more than freedoms with nonholonomic constraints */
    double *weight;  /* nv: 1 / square of nominal velocities; in this norm N is orthonormal */
    double *basis;   /* nv x places, by columns, as the next: N; columns of velocities first */
    double *turn;    /* nv x places: change of velocities with positions, for motion in the
                      * tangent */
    double *values;  /* of the gradient, without the rows of nonholonomic constraints */

    /* The reduced equations at the last point, N^T v' = ... + by_q alpha + by_v alpha', with the N
     * of positions. places x places, places x freedoms. */
    double *by_q, *by_v;
    bool known;

    double unit;    /* of the sizes of corrections: 1, or a part of the tolerances */
    double *matrix; /* places + freedoms, square */
    int *pivot;
    double *unknown;             /* changes of N^T a (places) and of alpha' (freedoms) */
    double *miss_q, *miss_v;     /* the residuals of the method's equations */
    double *normal;              /* places: the change of N^T v' by the normal corrections */
    double *normal_q, *normal_v; /* nv: those corrections */
    double *jerk_start, *jerk;   /* nv */

    /* Scratch of tangent_linear.c. */
    double *way, *moved_q; /* nq */
    double *moved_v, *level, *before, *after, *right, *part, *rest, *saved_vp;
    double *eigen; /* scratch for frequencies: 3 freedoms^2 + 10 freedoms */
};

/* Finds, at (t, q, v) with v' and lambda: N, `turn`, by_q and by_v, and the normal corrections with
 * their effect. Makes all evaluations that it needs. */
dae_status tangent_linearize(tangent *t, structural *e);

/* r (count) = N^T W x, N being the first columns of the basis and W the weights. */
void tangent_reduce(const tangent *t, size_t count, const double *x, double *r);

#endif
