/* Formulations with as many unknowns as freedoms, where q' = v: alpha = V^T (q - q0) and
 * beta = W^T v with matrices V and W that are fixed until the chart is renewed. q follows from phi
 * = 0 and alpha by Newton's iteration, v from its level of constraints and beta, and
 *
 *   alpha' = V^T v,   beta' = W^T v',   v' from M v' = f + G^T lambda, G v' + gamma = 0.
 *
 * So constraints are met on all levels, and none drifts. V and W are unit vectors (coordinate
 * partition, Wehage & Haug, J. Mech. Design 104 (1982) 247) or span the null spaces of phi_q and of
 * G at q0: local coordinates in the tangent space (Mani, Haug & Atkinson, J. Mech. Trans. Autom.
 * 107 (1985) 82; Potra & Rheinboldt, Mech. Struct. Mach. 19 (1991) 1). */
#ifndef FORMULATION_MECHANICAL_MINIMAL_H
#define FORMULATION_MECHANICAL_MINIMAL_H

#include "formulation/chart_basis.h"
#include "formulation/formulated_blocks.h"
#include "formulation/mechanical_formulation_rows.h"
#include "linalg/min_norm.h"

/* A correction of q is less than this part of the one before, inside the chart. */
#define MINIMAL_SLOWEST 0.5

/* What one chart is: the point, and its columns. */
typedef struct basis {
    double t, *q0;     /* the instant and nq */
    double *v, *w;     /* n x positions, n x speeds: columns of alpha and of beta */
    double *along;     /* n x positions: dq/dalpha there */
    double *drift;     /* n: dq/dt there where alpha stays */
    double tallest[2]; /* dq/dalpha and dv/dbeta there: their longest columns */
} basis;

/* [G's first rows; V^T], decomposed, and what it takes. */
typedef struct stacked {
    const sparse_pattern *pattern;
    size_t constraints, rows; /* constraints + columns of V */
    double *value, *right;    /* rows x n, rows */
    min_norm *solver;
} stacked;

typedef struct minimal {
    mechanical_formulation base;
    chart_basis_way way;
    size_t n, positions, speeds; /* coordinates; unknowns alpha and beta */
    LIST(basis) charts;
    stacked for_q, for_v;
    double *g;                   /* constraints x n: G, by columns */
    double *room;                /* n x n */
    const double *sizes;         /* n: of velocities */
    double *zero;                /* n */
    double *change;              /* n */
    double rate;                 /* of the corrections of q: the slowest at the last point */
    double *level;               /* constraints */
    double *q, *v, *vp, *lambda; /* of the point that is evaluated */
} minimal;

/* mechanical_minimal_point.c: */

/* c->q and c->v from the unknowns, and c->rate. DAE_NOT_EVALUABLE outside the chart. */
dae_status minimal_find_point(minimal *c, const basis *b, double t, const double *y);

/* M and G at a point, G into c->g. */
dae_status minimal_evaluate(minimal *c, double t, const double *q);
void minimal_spread(minimal *c);

/* Decompose [G; V^T], G as spread last. DAE_SINGULAR where it does not determine all. */
dae_status minimal_factor(minimal *c, stacked *s, const double *v);

double minimal_product(size_t n, const double *a, const double *b);

#endif
