/* Corrections towards F(t, y, y') = 0 of index 1, along its algebraic directions.
 *
 * Let E = dF/dy' and W = dF/dy. y removes a residual along the null space of E, and y' removes the
 * rest, so that E y, which has been integrated, stays. Neither a basis nor the dimension of the
 * null space is needed. With K = alpha E + W, the matrix P = K^-1 alpha E has the eigenvalue p = 0
 * on the null space. For a motion exp(-lambda t) it has p = alpha / (alpha + lambda), which is
 * about 1 where 1/alpha is short. Let x = -K^-1 F, a step of 1/alpha by the implicit Euler method.
 * y changes by (I - P) (I + 2 P) x, and y' by alpha P (3 I - 2 P) x. Together they cancel F,
 * because (1 - p)^2 (1 + 2 p) + p^2 (3 - 2 p) = 1, so the iteration is Newton's. Slow motions stay
 * in y. Whatever decays within 1/alpha is treated as algebraic. */
#ifndef PROJECTION_ALGEBRAIC_H
#define PROJECTION_ALGEBRAIC_H

#include "problem/levels.h"
#include "problem/pencil.h"

/* Finds what equations no longer determine at a point, within rounding: for messages. */

/* Append "the equations no longer determine va and vb there, by ..." if the last level's Jacobian
 * at z, each row relative to its largest term there, is singular up to round-off. False: it is not,
 * or that is not known. Equations of more than some hundred unknowns are not analysed. */
bool levels_report_undetermined(const constraint_levels *l, double t, const double *z,
                                text *reported);

/* Whether an equation of the last level contains none of its unknowns at z, exactly and not only up
 * to rounding. */
bool levels_lose_row(const constraint_levels *l, double t, const double *z);

typedef struct algebraic_way {
    const constraint_level *level;   /* borrowed */
    sparse_pattern *mass, *jacobian; /* E and W, pairs x pairs: F, then rows y_k' = y_(k+1) */
    uint32_t *mass_from,
        *jacobian_from; /* their nonzeros: place in the level's Jacobian, or none */
    double *mass_value, *jacobian_value; /* where there is none: 1 in E, -1 in W */
    double *step, *moved, *moved_twice;  /* pairs: x, P x, P (I - P) x */
    double alpha;
    pencil *k;
    size_t slot; /* of the pencil; 0: the pencil and the patterns are its own */
    arena memory;
} algebraic_way;

/* For a level that has pairs. DAE_NO_MEMORY, or DAE_SINGULAR if K is structurally singular.
 * algebraic_way_clear() frees what exists in any case. */
dae_status algebraic_way_begin(algebraic_way *w, const constraint_level *level);

/* A second one for the same level, with patterns and the analysis of the first, which must outlive
 * it. DAE_NO_MEMORY. */
dae_status algebraic_way_begin_beside(algebraic_way *w, const algebraic_way *first);

/* Factor K, from the level's Jacobian (value, in its pattern's order), for a state at the end of a
 * step h (not 0). DAE_SINGULAR, DAE_NO_MEMORY. */
dae_status algebraic_way_factor(algebraic_way *w, const double *value, double h);

/* The change (columns) that corrects a residual (rows). */
void algebraic_way_correct(algebraic_way *w, const double *residual, double *change);

/* The next factorisation depends on its matrix alone: see linear_solver_forget(). */
void algebraic_way_forget(algebraic_way *w);

void algebraic_way_clear(algebraic_way *w);

#endif
