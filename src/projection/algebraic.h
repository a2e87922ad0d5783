/* The way to F(t, y, y') = 0 of index 1 along its algebraic directions.
 *
 * With E = dF/dy' and W = dF/dy a residual is taken by y along the null space of E, and by y' as to
 * the rest, so that E y, which has been integrated, stays. Neither is a basis of the null space
 * wanted nor its dimension: with K = alpha E + W, P = K^-1 alpha E has the eigenvalue p = 0 there,
 * and p = alpha / (alpha + lambda) for a motion exp(-lambda t), which is about 1 where 1/alpha is
 * short. Of x = -K^-1 F, a step of 1/alpha by the implicit Euler method, y takes (I - P) (I + 2 P)
 * x and y' alpha P (3 I - 2 P) x. Their residual is F but for its sign, as (1 - p)^2 (1 + 2 p) +
 * p^2 (3 - 2 p) = 1, so the iteration is Newton's. Slow motions stay in y, and what decays within
 * 1/alpha is treated as if it were algebraic. */
#ifndef PROJECTION_ALGEBRAIC_H
#define PROJECTION_ALGEBRAIC_H

#include "problem/levels.h"
#include "problem/pencil.h"

typedef struct algebraic_way {
    const constraint_level *level;   /* borrowed */
    sparse_pattern *mass, *jacobian; /* E and W, pairs x pairs; behind F the rows y_k' = y_(k+1) */
    size_t *mass_from, *jacobian_from;   /* their nonzeros: of the level's Jacobian, or nowhere */
    double *mass_value, *jacobian_value; /* of those nowhere 1 and -1 */
    double *step, *moved, *moved_twice;  /* pairs: x, P x, P (I - P) x */
    double alpha;
    pencil *k;
    arena memory;
} algebraic_way;

/* For a level that has pairs. DAE_NO_MEMORY, DAE_SINGULAR where no numbers make K regular;
 * algebraic_way_clear() frees what there is in any case. */
dae_status algebraic_way_begin(algebraic_way *w, const constraint_level *level);

/* Factor K of the level's Jacobian (value, in its pattern's order) for a state that a step h (not
 * 0) has led to. DAE_SINGULAR, DAE_NO_MEMORY. */
dae_status algebraic_way_factor(algebraic_way *w, const double *value, double h);

/* The change (columns) by a residual (rows). */
void algebraic_way_correct(algebraic_way *w, const double *residual, double *change);

void algebraic_way_clear(algebraic_way *w);

#endif
