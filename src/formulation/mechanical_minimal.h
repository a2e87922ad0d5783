/* Formulations with as many unknowns as freedoms, where q' = v: alpha = V^T (q - q0) and
 * beta = W^T v. The matrices V and W are fixed until the chart is renewed. Newton's iteration finds
 * q from phi = 0 and alpha; v follows from the velocity level of the constraints and beta. The
 * equations are
 *
 *   alpha' = V^T v,   beta' = W^T v',   v' from M v' = f + G^T lambda, G v' + gamma = 0.
 *
 * All constraint levels are met, so there is no drift. V and W are unit vectors (coordinate
 * partition, Wehage & Haug, J. Mech. Design 104 (1982) 247) or span the null spaces of phi_q and of
 * G at q0: local coordinates in the tangent space (Mani, Haug & Atkinson, J. Mech. Trans. Autom.
 * 107 (1985) 82; Potra & Rheinboldt, Mech. Struct. Mach. 19 (1991) 1). */
#ifndef FORMULATION_MECHANICAL_MINIMAL_H
#define FORMULATION_MECHANICAL_MINIMAL_H

#include "formulation/mechanical_formulation_parts.h"
#include "linalg/min_norm.h"
#include "linalg/rows.h"

#include <daedal/status.h>
#include <stddef.h>

/* Ways to choose as many coordinates as there are freedoms: columns V such that [G; V^T] is
 * regular. */

typedef enum chart_basis_way {
    CHART_BASIS_PARTITION,  /* unit vectors: independent coordinates, found by pivoting */
    CHART_BASIS_QR,         /* the null space of G by orthogonal triangularisation of G^T */
    CHART_BASIS_SVD,        /* by singular values */
    CHART_BASIS_EIGENVALUES /* by the eigenvalues 0 of G^T G */
} chart_basis_way;

/* V (columns x *freedoms, by columns; room for columns x columns) for G (rows x columns, by
 * columns). *freedoms is the wanted number of columns. If it is PROBLEM_NOWHERE, (size_t)-1, it
 * becomes the number of columns minus the rank of G. DAE_NO_MEMORY, DAE_SINGULAR for values that
 * are not finite. */
dae_status chart_basis(chart_basis_way way, size_t rows, size_t columns, const double *g, double *v,
                       size_t *freedoms);

/* Inside the chart each correction of q is smaller than this fraction of the one before. */
#define MINIMAL_SLOWEST 0.5

/* A chart: its point and its columns. */
typedef struct basis {
    double t, *q0;     /* the time; nq */
    double *v, *w;     /* n x positions, n x speeds: columns of alpha and of beta */
    double *along;     /* n x positions: dq/dalpha at the point */
    double *drift;     /* n: dq/dt at the point for fixed alpha */
    double tallest[2]; /* longest columns of dq/dalpha and dv/dbeta at the point */
} basis;

/* [first rows of G; V^T], its decomposition and work space. */
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
    double rate;                 /* slowest reduction of corrections of q at the last point */
    double *level;               /* constraints */
    double *q, *v, *vp, *lambda; /* of the point that is evaluated */
} minimal;

/* mechanical_minimal_point.c: */

/* c->q and c->v from the unknowns, and c->rate. DAE_NOT_EVALUABLE outside the chart. */
dae_status minimal_find_point(minimal *c, const basis *b, double t, const double *y);

/* M and G at a point, G into c->g. */
dae_status minimal_evaluate(minimal *c, double t, const double *q);
void minimal_spread(minimal *c);

/* Decompose [G; V^T] with G as spread last. DAE_SINGULAR if its rank is below n. */
dae_status minimal_factor(minimal *c, stacked *s, const double *v);

#endif
