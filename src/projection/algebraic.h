/* The way to a level of index 1 along its algebraic directions.
 *
 * Of F(t, y, y') = 0 the residual is taken by the null space of E = dF/dy' as far as y goes, and by
 * y' for the rest, so that E y stays, which is what has been integrated: the way along f_z of an
 * equation that does not tell which of its variables are algebraic. With W = dF/dy, K = alpha E + W
 * and a large alpha, P = K^-1 alpha E is but for O(1/alpha) the projector along that null space
 * (Maerz, Acta Numerica 1 (1992), Sec. 2), and of x = -K^-1 c, a step of 1/alpha by the implicit
 * Euler method, y takes (I - P) x and y' alpha P x. No basis of the null space is needed, and E may
 * vary. What is left of c is -W P x - alpha E (I - P) x: of a motion exp(-lambda t) the part
 * 2 alpha lambda / (alpha + lambda)^2, at most 1/2. */
#ifndef PROJECTION_ALGEBRAIC_H
#define PROJECTION_ALGEBRAIC_H

#include "linalg/linear_solver.h"
#include "problem/levels.h"

typedef struct algebraic_way {
    const constraint_level *level; /* borrowed */
    sparse_pattern *pattern;       /* of K */
    size_t *place;                 /* nonzeros of the level: where in K those of its pairs stand */
    double *matrix, *value;        /* K; the level's Jacobian with the columns of y' times alpha */
    double *motion;                /* 2 rows: P x, x */
    double alpha;
    linear_solver *solver;
    arena memory;
} algebraic_way;

/* For a level that has pairs. DAE_NO_MEMORY, DAE_SINGULAR where no numbers make K regular;
 * algebraic_way_clear() frees what there is in any case. */
dae_status algebraic_way_begin(algebraic_way *w, const constraint_level *level);

/* Factor K, of the level's Jacobian (value, in its pattern's order) at z with these nominal sizes.
 * DAE_SINGULAR, DAE_NO_MEMORY. */
dae_status algebraic_way_factor(algebraic_way *w, const double *value, const double *z,
                                const double *nominal);

/* The change (columns) by a residual (rows). */
void algebraic_way_correct(algebraic_way *w, const double *residual, double *change);

void algebraic_way_clear(algebraic_way *w);

#endif
