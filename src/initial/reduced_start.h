/* The start's system without what is fixed; for the files of initial/ alone. */
#ifndef INITIAL_REDUCED_START_H
#define INITIAL_REDUCED_START_H

#include "nonlinear/gauss_newton.h"
#include "problem/start.h"

typedef struct reduced_start {
    const start_system *s;
    double t;
    nonlinear_system system;
    gauss_newton *solver;
    size_t *entry;   /* columns: the entry of z */
    size_t *nonzero; /* pattern's nonzeros: place in s->pattern */
    double *z;       /* s->size: the point, fixed entries included */
    double *beside;  /* s->size: all guesses, with derivatives that come near; where `near` */
    bool near;
    bool missing;                         /* somewhere a row had no value */
    bool exact_time;                      /* its round-off excuses no miss */
    double *row_all;                      /* of all rows of the form */
    double *value_all;                    /* s->pattern's nonzeros */
    double *x, *guess, *weight, *nominal; /* columns each */
    arena memory;
} reduced_start;

/* The rows from 0 to `rows` for the entries that are not fixed, or for all of them. */
dae_status reduced_start_create(reduced_start **created, const start_system *s, double t,
                                size_t rows, bool all_free);

/* Violations up to this count as met: round-off of a well conditioned system and some reserve. */
#define INITIAL_TOLERANCE 1e-9

/* What is known to be round-off may be more, but that a solution is there is to be seen. */
#define INITIAL_ROUND_OFF 0.03

/* Solve from z as it stands. */
dae_status reduced_start_solve(reduced_start *r, size_t most_iterations);

/* Make what the author gave no start value for cheap enough to change, by the solver's Jacobian: a
 * change of its weight outweighs those of nominal size of all given values in its equations. Not so
 * cheap that beside it rows look as if they depended on others: the rank, where it is known, stays
 * what it was where the solver looked last. */
void reduced_start_reweigh(reduced_start *r);

/* What changes count by where cheap ones hide rows: by nominal sizes, by those of the values as
 * well, or so that no entry of the Jacobian that was looked at last is small for its row and column
 * (a multiplier of 1e9 without nominal counts for nothing in any other), by largest entries or by
 * logarithms, on which neither units nor nominal sizes have any bearing. */
typedef enum start_weights {
    WEIGHTS_ALIKE,
    WEIGHTS_BY_SIZE,
    WEIGHTS_BALANCED,
    WEIGHTS_BY_LOGARITHMS,
    START_WEIGHTS
} start_weights;

void reduced_start_weigh(reduced_start *r, start_weights by);

/* The violation of each row at z, as problem/miss.h defines it; returns the largest, NaN
 * where a row has no finite value. */
double reduced_start_violation(reduced_start *r, double *violation);

/* Whether what the rows miss at the point solved last is no more than round-off: that of all values
 * in each row, and what it makes of the solution, which among stiff equations is much more. */
bool reduced_start_is_round_off(reduced_start *r);

void reduced_start_free(reduced_start *r); /* NULL is fine */

/* Whether rows seem to depend on others beside what is cheap to change, as fewer count than could.
 */
bool reduced_start_hides_rows(const reduced_start *r);

#endif
