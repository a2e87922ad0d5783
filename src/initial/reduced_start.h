/* The start's system without fixed entries. Only the files of initial/ include this header. */
#ifndef INITIAL_REDUCED_START_H
#define INITIAL_REDUCED_START_H

#include "nonlinear/gauss_newton.h"
#include "problem/start.h"

/* What terms_are_met() and its kin find and try. */
typedef struct start_terms {
    double *row, *size;  /* rows */
    double *round_off;   /* rows: noise, with effects on unknowns and of variables */
    double *derivatives; /* rows: round-off of derivatives of nominal size */
    double *stays;       /* rows: misses that more iterations have not changed, or 0 */
    double *weight;      /* columns */
    double *kept, *best; /* size of the start */
    bool met;            /* nothing was to be mended at `kept` */
} start_terms;

/* Where a slope is not finite, as those of sqrt(x^2 + y^2) and x*sqrt(abs(x)) at 0: the system has
 * no Jacobian; it counts as 0; or it is the one a little beside, and 0 only if that is not finite
 * either. */
typedef enum start_slopes { SLOPES_AS_THEY_ARE, SLOPES_FLAT, SLOPES_BESIDE } start_slopes;

typedef struct reduced_start {
    const start_system *s;
    double t;
    nonlinear_system system;
    gauss_newton *solver;
    size_t *entry;     /* columns: the entry of z */
    uint32_t *nonzero; /* pattern's nonzeros: place in s->pattern */
    double *z;         /* s->size: the point, fixed entries included */
    double *beside;    /* s->size: guesses with fitting derivatives; if `near` */
    bool near;
    bool all_free;                   /* fixed entries are free as well */
    bool missing;                    /* a row had no value somewhere */
    start_slopes slopes;             /* what counts where a slope is not finite */
    bool briefly;                    /* a failure is likely, and another search follows it */
    bool doubtful;                   /* round-off hides whether the point found is a solution */
    bool along_flow;                 /* Newton's flow, of rows that determine all, leads here */
    bool exact_time;                 /* round-off of the time excuses no miss */
    double *row_all;                 /* of all rows of the form */
    double *value_all;               /* s->pattern's nonzeros */
    double *z_beside, *value_beside; /* the same of a point beside, where its slopes count */
    double *x, *guess, *weight, *nominal; /* columns each */
    unsigned char *level;                 /* columns */
    gauss_newton_order order;             /* in which guesses are kept */
    double *violation;                    /* rows: as reduced_start_violation() found them last */

    /* Room for a function that tries something and may go back, or for a search that it makes; not
     * kept by what solves, weighs or looks. */
    double *saved_z;                /* s->size */
    double *saved_x, *saved_weight; /* columns each */
    double *noise, *spread;         /* round-off: of rows, and its effect on columns */
    double *left, *probe, *most;    /* of reduced_start_is_round_off() */
    bool *dust;                     /* s->size: entries that only round-off changed */
    double *aside;                  /* s->size: start_scatter() */
    int scattered;                  /* the seed by which `aside` was filled, from 1; 0: none yet */
    bool each;                      /* no two entries are alike */
    start_terms terms;
    arena memory;
} reduced_start;

/* The first `rows` rows, as a system for the entries that are not fixed, or for all entries. */
dae_status reduced_start_create(reduced_start **created, const start_system *s, double t,
                                size_t rows, bool all_free);

/* Violations up to this count as met: round-off of a well conditioned system and some reserve. */
#define INITIAL_TOLERANCE 1e-9

/* A violation that is known to be round-off may be larger, up to this limit, at which a solution is
 * still recognisable. */
#define INITIAL_ROUND_OFF 0.03

/* Solve, starting from z. */
dae_status reduced_start_solve(reduced_start *r, size_t most_iterations);

/* Move a solution to the one in which guesses change least: first those of states with a start
 * value, then of other states, then other start values, then the rest. Returns whether it is the
 * nearest to rounding. */
bool reduced_start_keep_guesses(reduced_start *r);

/* Weights of changes to use if cheap entries hide rows. ALIKE: nominal sizes. BY_SIZE: nominal
 * sizes or sizes of values, whichever is larger. The other two balance the last Jacobian, so that
 * no entry is small for its row and column. Without that, a multiplier of 1e9 without a nominal
 * size would hide its entries. BALANCED: by largest entries. BY_LOGARITHMS: by logarithms,
 * independent of units and nominal sizes. */
typedef enum start_weights {
    WEIGHTS_ALIKE,
    WEIGHTS_BY_SIZE,
    WEIGHTS_BALANCED,
    WEIGHTS_BY_LOGARITHMS,
    START_WEIGHTS
} start_weights;

void reduced_start_weigh(reduced_start *r, start_weights by);

/* Finds the violation of each row at z, as problem/levels.h defines it; returns the largest, NaN
 * where a row has no finite value. */
double reduced_start_violation(reduced_start *r);

/* Whether rows whose largest violation is `worst` count as met, where they were solved last. */
bool reduced_start_counts_as_met(reduced_start *r, double worst);

/* Go to the point z (s->size). */
void reduced_start_go_to(reduced_start *r, const double *z);

/* Whether the miss of the rows at the point solved last is only round-off: of all values in each
 * row, and its effect on the solution, which is much larger for stiff equations. */
bool reduced_start_is_round_off(reduced_start *r);

/* Whether a row in which nothing is free is missed at z, beyond `allowed` and round-off: it is
 * missed by as much wherever the unknowns are. */
bool reduced_start_misses_for_good(reduced_start *r, double allowed);

void reduced_start_free(reduced_start *r); /* NULL is fine */

/* Directions in which guesses are moved, as numbers between -1 and 1, in r->aside. ALIKE: the same
 * for entries that occur alike, such as those of equal cells, so that cells start alike whatever
 * their number. EACH: another one for each entry, for what is singular where such entries are
 * equal. DAE_NO_MEMORY. */
typedef enum scatter_seed { SCATTER_ALIKE, SCATTER_EACH, SCATTER_SEEDS } scatter_seed;

dae_status start_scatter(reduced_start *r, scatter_seed seed);

/* Whether no two entries are alike; after SCATTER_ALIKE. */
bool start_scatter_is_each(const reduced_start *r);

/* Whether rows look dependent because some entries are cheap to change: the rank is not full. */
bool reduced_start_hides_rows(const reduced_start *r);

/* A value of an entry as a message shows it: without what round-off leaves of 0. */
double start_shown_value(const start_system *s, size_t entry, double value);

#endif
