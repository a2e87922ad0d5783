/* The constraints of a problem, level by level.
 *
 * A level is a set of equations for some of the entries of a vector z that holds the unknowns with
 * their derivatives: the constraints as written for positions, their first derivatives for
 * velocities, and so on; the last level is square and gives highest derivatives and algebraic
 * variables. Levels are met in order, each changing its own entries alone. Formulations, initial
 * values and projections read them here, and none derives its own. */
#ifndef PROBLEM_LEVELS_H
#define PROBLEM_LEVELS_H

#include "base/text.h"
#include "linalg/sparse.h"

#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Columns of an entry of y and of its derivative, where in y that is integrated. */
typedef struct level_pair {
    size_t value, derivative; /* derivative: PAIR_NOWHERE where no derivative occurs */
    bool chained;             /* the derivative is the value of the next pair */
} level_pair;

#define PAIR_NOWHERE  ((size_t)-1)
#define LEVEL_NOWHERE ((size_t)-1)

typedef struct constraint_level {
    size_t rows, columns;
    const size_t *column;          /* columns: the entries of z that this level determines */
    const sparse_pattern *pattern; /* rows x columns: its Jacobian by those entries */
    /* columns x columns, where the level determines all entries of z: the matrix in whose norm they
     * change least. NULL: they change least relative to max(|z_j|, nominal_j). */
    const sparse_pattern *metric;
    /* rows, columns: where they stand in the last level, which is square, and of whose Jacobian
     * this level's is then a part (Griewank's lemma), with zeros in its rows beside it; of the last
     * level their own numbers. Columns behind that part are LEVEL_NOWHERE: lower derivatives that
     * a shortest change moves as well. NULL: there is no such last level. */
    const size_t *last_row, *last_column;
    /* pairs, as many as y has entries and rows + chained ones: of a level that is F(t, y, y') = 0
     * itself, of index 1. NULL: it is another one. */
    size_t pairs;
    const level_pair *pair;
} constraint_level;

typedef struct constraint_levels_form {
    /* c (rows of that level) */
    dae_status (*value)(void *self, size_t level, double t, const double *z, double *c);

    /* Evaluate the Jacobians of all levels at a point, then hand one out, in its pattern's order.
     */
    dae_status (*linearize)(void *self, double t, const double *z);
    void (*jacobian)(void *self, size_t level, double *value);

    /* Of a level that has one, the metric at the point linearised last, in its pattern's order. */
    const double *(*metric)(void *self, size_t level);

    /* Before the levels are met: bring in order what their meeting is not to decide. NULL: nothing.
     */
    dae_status (*solve_hidden)(void *self, double t, double *z);

    /* The Jacobian of levels->whole at a point, in its pattern's order. */
    dae_status (*whole_jacobian)(void *self, double t, const double *z, double *value);

    void (*name_row)(void *self, size_t level, size_t row, text *t);

    /* An entry of z. NULL: not known. */
    void (*name_entry)(void *self, size_t entry, text *t);
} constraint_levels_form;

typedef struct constraint_levels constraint_levels;

struct constraint_levels {
    const constraint_levels_form *form;
    void *self;
    size_t size; /* of z */
    size_t count;
    const constraint_level *level; /* count */
    /* The rows of the last level by all entries of z, with pairs: what is integrated, of index 1.
     * NULL: that is not known. */
    const constraint_level *whole;
    /* The rows of all levels as one, by all entries of z: for shortest changes that meet them all
     * at once. NULL: there is none, as where there is no `whole`. */
    const constraint_levels *together;
    const double *nominal; /* size: typical sizes of the entries of z */
    double accuracy; /* relative, of the Jacobians: by it rows are told to be dependent; 0: exact */
    double met;      /* a level that is missed by no more is not corrected: see miss.h; 0: that is
                        told by corrections alone */
};

/* Whether the Jacobians of all levels are parts of that of the last, which is square. */
bool constraint_levels_nested(const constraint_levels *l);

/* Whether there is but one level, of index 1, whose pairs are known. */
bool constraint_levels_paired(const constraint_levels *l);

#endif
