/* Reactions as the author writes them, B lambda, and as the form writes them, G^T mu.
 *
 * Both are the same forces. With independent constraints the forces determine lambda and mu = T
 * lambda. Otherwise each is the shortest vector that gives these forces. */
#ifndef FORMULATION_MECHANISM_REACTIONS_H
#define FORMULATION_MECHANISM_REACTIONS_H

#include "formulation/mechanism_form.h"
#include "linalg/saddle_point.h"

typedef struct mechanism_reactions {
    mechanism_form *form;
    saddle_point *by_direction, *by_gradient; /* least squares with B, and with G^T */
    double *direction, *gradient;             /* values of B^T and G */
    sparse_pattern *unit;                     /* n x n */
    double *weight;                           /* n: its values, 1 / size^2 */
    double *size, *force_weight;              /* n each: the same for B, whose rows are forces */
    double *right;                            /* n + m */
} mechanism_reactions;

/* Create for a form, in its system's arena, under its protection. The factors are outside the
 * arena: mechanism_reactions_factors() makes them and may return DAE_NO_MEMORY. */
mechanism_reactions *mechanism_reactions_create(mechanism_form *f);
dae_status mechanism_reactions_factors(mechanism_reactions *r);

/* Call when the form's nominal sizes have changed. mass: its values at a point, in pattern order.
 */
void mechanism_reactions_take_sizes(mechanism_reactions *r, const double *mass);

/* lambda (m) from mu (m) at (t, q). DAE_NOT_EVALUABLE, DAE_NO_MEMORY. */
dae_status mechanism_reactions_of_author(mechanism_reactions *r, double t, const double *q,
                                         const double *mu, double *lambda);

/* share (m x m): |T_kl| by columns: the part of mu_k that lambda_l = 1 causes. DAE_NOT_EVALUABLE,
 * DAE_NO_MEMORY. */
dae_status mechanism_reactions_shares(mechanism_reactions *r, double t, const double *q,
                                      double *share);

void mechanism_reactions_free(mechanism_reactions *r); /* what is outside the arena; NULL is fine */

#endif
