/* The inside of a step in the tangent, for its own files. */
#ifndef INTEGRATE_TANGENT_PARTS_H
#define INTEGRATE_TANGENT_PARTS_H

#include "integrate/tangent.h"
#include "linalg/min_norm.h"

struct tangent {
    workspace space;
    min_norm *rows; /* of the constraints' gradient; NULL without constraints */
    min_norm *held; /* of those on positions alone; NULL where there are no others */
    size_t nq, nv, holonomic, constraints;
    size_t freedoms; /* of velocities */
    size_t places;   /* of positions: as many, and those that nonholonomic constraints leave */
    double *weight;  /* nv: 1 over squares of nominal velocities, by which N is orthonormal */
    double *basis;   /* nv x places, by columns, as what follows: N of velocities first */
    double *turn;    /* nv x places: how velocities turn with positions, at rest in the tangent */
    double *values;  /* of the gradient, without the rows of nonholonomic constraints */

    /* The reduced equations at the last point, N^T v' = ... + by_q alpha + by_v alpha', N of
     * positions; places x places, places x freedoms. */
    double *by_q, *by_v;
    bool known;

    double unit;    /* of what corrections are told in: 1, or a part of the tolerances */
    double *matrix; /* places + freedoms, square */
    int *pivot;
    double *unknown;             /* changes of N^T a (places) and of alpha' (freedoms) */
    double *miss_q, *miss_v;     /* by how much the method's equations are missed */
    double *normal;              /* places: what the normal corrections change in N^T v' */
    double *normal_q, *normal_v; /* nv: those corrections */
    double *jerk_start, *jerk;   /* nv */

    /* Room of tangent_linear.c. */
    double *way, *moved_q; /* nq */
    double *moved_v, *level, *before, *after, *right, *part, *rest, *saved_vp;
    double *eigen; /* of the frequencies: 3 freedoms^2 + 10 freedoms */
};

/* At (t, q, v) with v' and lambda: N, `turn`, by_q and by_v, and the normal corrections with their
 * effect. Evaluates all that it wants. */
dae_status tangent_linearize(tangent *t, structural *e);

/* r (count) = N^T W x, N being the first columns of the basis and W the weights. */
void tangent_reduce(const tangent *t, size_t count, const double *x, double *r);

#endif
