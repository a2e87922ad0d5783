/* Reactions as their author writes them, B lambda, and as the form has them, G^T mu.
 *
 * Both are the same forces. With independent constraints lambda and mu = T lambda follow from them;
 * else each is the shortest that gives them. */
#ifndef FORMULATION_MECHANISM_REACTIONS_H
#define FORMULATION_MECHANISM_REACTIONS_H

#include "formulation/mechanism_form.h"
#include "linalg/saddle_point.h"

typedef struct mechanism_reactions {
    mechanism_form *form;
    saddle_point *by_direction, *by_gradient; /* least squares with B, and with G^T */
    double *direction, *gradient;             /* values of B^T and G */
    sparse_pattern *unit;                     /* n x n */
    double *weight;                           /* n: its values, 1 over squares of sizes */
    double *size, *force_weight;              /* n each: the same for B, whose rows are forces */
    double *right;                            /* n + m */
} mechanism_reactions;

/* For a form; in its system's arena, under its protection, but for the factors: DAE_NO_MEMORY where
 * there is no room for those. */
mechanism_reactions *mechanism_reactions_create(mechanism_form *f);
dae_status mechanism_reactions_factors(mechanism_reactions *r);

/* The form's nominal sizes have changed; the mass at a point, by its pattern. */
void mechanism_reactions_take_sizes(mechanism_reactions *r, const double *mass);

/* lambda (m) from mu (m) at (t, q). DAE_NOT_EVALUABLE, DAE_NO_MEMORY. */
dae_status mechanism_reactions_of_author(mechanism_reactions *r, double t, const double *q,
                                         const double *mu, double *lambda);

/* share (m x m): |T_kl| by columns, that is, how much of mu_k is made by lambda_l = 1.
 * DAE_NOT_EVALUABLE, DAE_NO_MEMORY. */
dae_status mechanism_reactions_shares(mechanism_reactions *r, double t, const double *q,
                                      double *share);

void mechanism_reactions_free(mechanism_reactions *r); /* what is not in the arena; NULL is fine */

#endif
