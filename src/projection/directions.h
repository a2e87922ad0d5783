/* The directions in which a state is corrected onto a constraint level.
 *
 * One is the shortest correction, in the metric of the level or relative to max(|z_j|, nominal_j).
 * The other is along the image of f_z, in which multipliers act. It needs no new derivative: the
 * Jacobian of the last level, by highest derivatives and multipliers, contains the leading part of
 * each level's Jacobian (Griewank's lemma). Solving it for the residual, with zeros in all other
 * rows, moves positions or velocities by -M^-1 G' (G M^-1 G')^-1 c: F = B (G B)^-1, B = M^-1 G'
 * (Ascher, Chin & Reich, Numer. Math. 67 (1994) 131). For equations of index 1 as given, the
 * algebraic directions take this role: algebraic.h. */
#ifndef PROJECTION_DIRECTIONS_H
#define PROJECTION_DIRECTIONS_H

#include "linalg/linear_solver.h"
#include "linalg/min_norm.h"
#include "linalg/saddle_point.h"
#include "problem/levels.h"
#include "projection/slow_motion.h"

typedef struct level_work {
    linear_solver *square;    /* of a square last level */
    saddle_point *nearest;    /* of a level that has a metric */
    min_norm *wide;           /* of any other level that is met by a shortest change */
    algebraic_way *algebraic; /* of a level of index 1 */
    bool factored;            /* factors belong to the Jacobian linearised last */
    double *value, *residual, *change, *scale; /* nonzeros, rows, columns, columns */
} level_work;

typedef struct directions {
    const constraint_levels *levels; /* borrowed */
    size_t count;                    /* of levels */
    bool along_fz;
    double step;      /* the step that led to z: see projection_after_step() */
    level_work *work; /* `count`: one for each level */
    slow_motion slow; /* of levels that have `whole` */
    double *unit;  /* levels->size, borrowed: factors by which sizes are multiplied; NULL: ones */
    double *right; /* a right side of the last level, then its solution */
} directions;

/* For these levels. along_fz requires nested or paired levels. first: other directions begun alike,
 * which outlive these and share what does not change with them; NULL: none. DAE_NO_MEMORY,
 * DAE_SINGULAR; directions_clear() frees what exists in any case. */
dae_status directions_begin(directions *d, const constraint_levels *levels, bool along_fz,
                            const directions *first);

/* Later results depend only on the states given then, not on earlier ones: see
 * linear_solver_forget(). */
void directions_forget(directions *d);

/* Evaluate the Jacobians at z. All factorisations are out of date then. */
dae_status directions_linearize(directions *d, double t, const double *z);

/* Factor the matrix that corrects level k, if it is out of date; sizes are those of z. */
dae_status directions_factor(directions *d, size_t k, const double *z);

/* Compute the change of level k's entries for d->work[k].residual. Returns its relative size. */
double directions_correct(directions *d, size_t k);

/* Add that change to z. */
void directions_apply(const directions *d, size_t k, double *z);

/* See projection_weakest(). by_nominal puts the factorisation of the first level out of date. */
double directions_weakest(directions *d, bool by_nominal);

void directions_clear(directions *d); /* the levels may be gone by then */

#endif
