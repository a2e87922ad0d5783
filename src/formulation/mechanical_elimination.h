/* Formulations q' = S v, v' = a(t, q, v): multipliers are eliminated, and v' is computed from q and
 * v. They differ in how they compute v'.
 *
 * Elimination solves M v' = f + G^T lambda, G v' + gamma = 0 for v' and lambda (Gauss' principle).
 *
 * Udwadia and Kalaba's equations take v' as the least-squares solution of N^T M v' = N^T f,
 * G v' = -gamma, where N N^T is the projection onto the null space of G; M may be semidefinite.
 *
 * Near singular configurations, where steps fail or become short, both leave constraints out
 * (dependent_constraints.h).
 *
 * Penalties apply forces with lambda = -W c, where c = G v' + gamma + 2 xi omega (G v + phi_t) +
 * omega^2 phi and W = alpha over the squares of the lengths of G's rows. Augmented penalties sum up
 * lambda until c is 0. Penalties need no decision on a rank and so pass singular configurations.
 * Near these, however, forces of any penalty are too weak, and a small violation before them grows
 * large after them. So states are projected along M^-1 G^T (Bayo & Ledesma, Nonlinear Dynamics 9
 * (1996) 113). */
#ifndef FORMULATION_MECHANICAL_ELIMINATION_H
#define FORMULATION_MECHANICAL_ELIMINATION_H

#include "formulation/dependent_constraints.h"
#include "formulation/mechanical_formulation_parts.h"
#include "linalg/linear_solver.h"
#include "linalg/min_norm.h"

/* Parameters of penalties. */
enum { PENALTY_ALPHA, PENALTY_XI, PENALTY_OMEGA };

typedef struct elimination {
    mechanical_formulation base;
    size_t nq, nv, constraints;
    dae_status (*accelerate)(struct elimination *c, double t, const double *q, const double *v,
                             double *vp);
    double *lambda;         /* constraints */
    double *force;          /* nv */
    double *level, *pulled; /* constraints */
    formulated_blocks by_y; /* df/dy, where q' = v */
    formulated_levels *levels;
    double *vp, *column; /* nv, nv + constraints */

    /* Udwadia & Kalaba: */
    double *basis, *stacked; /* nv x nv; (nv + constraints) x nv */
    double *right;           /* nv + constraints */
    const sparse_pattern *stack;
    min_norm *least_squares;

    /* Penalties: */
    double alpha;      /* in units of the mass */
    double *weight;    /* constraints: W */
    double *penalised; /* (nv + constraints)^2; its right side is `right` */
    const sparse_pattern *square;
    linear_solver *solver;
} elimination;

/* mechanical_elimination.c: the common part of all. `exact`: v' is that of elimination, and the
 * Jacobian of elimination holds. */
dae_status elimination_create(mechanical_formulation *base, elimination *c, bool exact, message *m);

/* mechanical_elimination.c: returns DAE_SINGULAR and names the velocity that is not determined in
 * the system's bad_row. */
dae_status elimination_name_singular(elimination *c);

/* mechanical_penalty.c: create() of their rows, whose kind is the most rounds of a penalty (int).
 */
dae_status elimination_create_penalty(mechanical_formulation *base, double t,
                                      const mechanical_point *p, message *m);

/* mechanical_penalty.c: observe() of their rows. */
const formulation_parameter *elimination_observe_penalty(mechanical_formulation *base, double t,
                                                         const double *y);

/* mechanical_penalty.c: quality() of their rows. It returns 1 and sets base->away where W is too
 * weak. */
double elimination_look_at_penalty(mechanical_formulation *base, double t, const double *y);

#endif
