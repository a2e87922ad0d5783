/* The inside of a step in the tangent, for its own files. */
#ifndef INTEGRATE_TANGENT_PARTS_H
#define INTEGRATE_TANGENT_PARTS_H

#include "integrate/tangent.h"
#include "linalg/min_norm.h"

struct tangent {
    workspace space;
    min_norm *rows; /* of the constraints' gradient; NULL without constraints */
    size_t nv, constraints, freedoms;
    double *ones;  /* nv */
    double *basis; /* nv x freedoms, by columns, as what follows: N */
    double *turn;  /* nv x freedoms: how velocities turn with alpha, at rest in the tangent */

    /* The reduced equations at the last point, alpha'' = ... + by_q alpha + by_v alpha'; freedoms x
     * freedoms. */
    double *by_q, *by_v;
    bool known;

    double *matrix; /* 2 freedoms x 2 freedoms */
    int *pivot;
    double *unknown;             /* 2 freedoms: changes of N^T a and of alpha' */
    double *miss_q, *miss_v;     /* freedoms: by how much the method's equations are missed */
    double *normal;              /* freedoms: what the normal corrections change in alpha'' */
    double *normal_q, *normal_v; /* nv: those corrections */
    double *jerk_start, *jerk;   /* nv */

    /* Room of tangent_linear.c. */
    double *moved_q, *moved_v, *level, *before, *after, *right, *part, *rest, *saved_vp;
    double *eigen; /* of the frequencies: 3 freedoms^2 + 10 freedoms */
};

/* At (t, q, v) with v' and lambda: N, `turn`, by_q and by_v, and the normal corrections with their
 * effect. Evaluates all that it wants. */
dae_status tangent_linearize(tangent *t, structural *e);

/* r (freedoms) = N^T x */
void tangent_reduce(const tangent *t, const double *x, double *r);

#endif
