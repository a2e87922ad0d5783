/* Ways from a state to a constraint level: the correction that a residual asks for.
 *
 * The shortest one, in the metric of the level or relative to max(|z_j|, nominal_j), or the one
 * along the image of f_z, in which multipliers act. For the latter no new derivative is needed: the
 * Jacobian of the last level, by highest derivatives and multipliers, is the leading part of each
 * level's (Griewank's lemma), and solving it for the residual, with zeros in all other rows, moves
 * positions or velocities by -M^-1 G' (G M^-1 G')^-1 c: F = B (G B)^-1, B = M^-1 G' (Ascher, Chin &
 * Reich, Numer. Math. 67 (1994) 131). Of equations of index 1 as given algebraic directions have
 * that part: algebraic.h.
 */
#ifndef PROJECTION_DIRECTIONS_H
#define PROJECTION_DIRECTIONS_H

#include "linalg/linear_solver.h"
#include "linalg/min_norm.h"
#include "linalg/saddle_point.h"
#include "problem/levels.h"
#include "projection/algebraic.h"

typedef struct level_work {
    linear_solver *square;    /* of the last level, where it is square */
    saddle_point *nearest;    /* of one that has a metric */
    min_norm *wide;           /* of any other that is to be met by a shortest change */
    algebraic_way *algebraic; /* of one of index 1 */
    bool factored;            /* with the Jacobian linearised last */
    double *value, *residual, *change, *scale; /* nonzeros, rows, columns, columns */
} level_work;

typedef struct directions {
    const constraint_levels *levels; /* borrowed */
    size_t count;                    /* of levels */
    bool along_fz;
    double step;      /* that z comes from: see projection_after_step() */
    level_work *work; /* a level each */
    double *unit;     /* levels->size, borrowed: factors of sizes; NULL: ones */
    double *right;    /* of the last level: a right side, then its solution */
} directions;

/* For these levels. along_fz: only where they are nested or paired. DAE_NO_MEMORY, DAE_SINGULAR;
 * directions_clear() frees what there is in any case. */
dae_status directions_begin(directions *d, const constraint_levels *levels, bool along_fz);

/* What follows depends on the states that are given alone, not on those before: see
 * linear_solver_forget(). */
void directions_forget(directions *d);

/* Evaluate the Jacobians at z; no factorisation is up to date then. */
dae_status directions_linearize(directions *d, double t, const double *z);

/* Factor what corrects level k, if that is not up to date; sizes are those of z. */
dae_status directions_factor(directions *d, size_t k, const double *z);

/* The change of level k's entries by d->work[k].residual; its relative size. */
double directions_correct(directions *d, size_t k);

/* No change, of the size 0. */
double directions_stay(directions *d, size_t k);

/* Add that change to z. */
void directions_apply(const directions *d, size_t k, double *z);

/* See projection_weakest(). By nominal sizes no factorisation of the first level is up to date. */
double directions_weakest(directions *d, bool by_nominal);

void directions_clear(directions *d); /* the levels may be gone by then */

#endif
