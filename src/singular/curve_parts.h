/* What the parts of a curve share: curve_matrix.c linearises the equations at a point, and meets
 * constraints by that; curve.c makes steps. */
#ifndef SINGULAR_CURVE_PARTS_H
#define SINGULAR_CURVE_PARTS_H

#include "method/method.h"
#include "singular/curve.h"

enum { WORK = 64 }; /* columns of LAPACK's blocks */

struct solution_curve {
    problem *problem;
    curve_options options;
    method *pair;
    size_t n, order, size; /* of y; of unknowns without time; with time */
    bool implicit;         /* y' is among the unknowns */
    size_t constraints;
    bool *held;         /* order: whether the row is a constraint */
    size_t *derivative; /* order - n: columns of the derivatives among the unknowns */
    double *scale;      /* size */
    curve_point here, next, within;
    double h, length;           /* the next step; the last one */
    double *row_size;           /* order: sizes of the rows at the point under examination, */
    double *usual;              /* and at `here` */
    double *matrix, *factor;    /* order rows of `size`: scaled; and its factors */
    double *residual, *by_t;    /* n */
    double *yp, *other, *aside; /* n */
    double *tau, *work, *values, *trial, *error; /* order, WORK * size, order, size, size */
    double *stage;                               /* stages x size */
    workspace space;
};

/* The slope at a point, to the side of `along`; NULL: with dt/ds >= 0. */
dae_status curve_find_slope(solution_curve *c, curve_point *p, const double *along);

/* The product of two slopes in scaled unknowns. */
double curve_cosine(const solution_curve *c, const double *a, const double *b);

/* Brings u onto the constraints to round-off. `farthest`: the largest first correction. */
dae_status curve_project(solution_curve *c, double *u, double farthest);

#endif
