/* The constraints of a problem, level by level.
 *
 * A level is a set of equations that determines some entries of a vector z. z holds the unknowns
 * with their derivatives. One level holds the constraints as written, for positions; the next holds
 * their first derivatives, for velocities; and so on. The last level is square and gives the
 * highest derivatives and the algebraic variables. Levels are met in order, and each changes only
 * its own entries. Formulations, initial values and projections read the levels here; none derives
 * its own. */
#ifndef PROBLEM_LEVELS_H
#define PROBLEM_LEVELS_H

#include "base/text.h"
#include "linalg/sparse.h"

#include <daedal/status.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The columns of an entry of y and of its derivative, where y is integrated. */
typedef struct level_pair {
    size_t value, derivative; /* derivative: PAIR_NOWHERE if no derivative occurs */
    bool chained;             /* the derivative is the value of the next pair */
} level_pair;

/* How jumps and impulses balance in differentiated or integrated equations: a row for each
 * row of the last level. Column j * count + b, where j is a column of the last level, is by the
 * jump that the b-th integral of entry j has. An entry that is not known is NAN. */
typedef struct jump_balance {
    size_t count; /* there is no jump in more integrals; at least the number of levels */
    const sparse_pattern *pattern;
    const double *value;
    /* rows: by how much they are missed at the point, where they are integrated more often than
     * differentiated: other than 0 only where they stand for derivatives of missed equations. NAN:
     * not known. */
    const double *missed;
} jump_balance;

/* The last level within a short time eps in which states move: t = t0 + eps s, and entry e of z is
 * the sum of coefficients of eps^q, q >= -weight[e]. The coefficient of eps^q of entry e is at
 * (q + depth) * size + e, for q < depth; the residual of the last level for q <= 0. */
typedef struct fast_equations {
    size_t depth;
    const unsigned *weight; /* size */
    const bool *tells;      /* n: the row is known at eps^0, too */
    const size_t *first;    /* n + 1: the entries of unknown j, by ascending derivatives */
} fast_equations;

#define PAIR_NOWHERE  ((size_t)-1)
#define LEVEL_NOWHERE ((size_t)-1)

typedef struct constraint_level {
    size_t rows, columns;
    const size_t *column;          /* columns: the entries of z that this level determines */
    const sparse_pattern *pattern; /* rows x columns: its Jacobian by those entries */
    /* columns x columns, of a level that determines all entries of z: the matrix in whose norm they
     * change least. NULL: they change least relative to max(|z_j|, nominal_j). */
    const sparse_pattern *metric;
    /* rows, columns: where this level's rows and columns stand in the last level, which is square.
     * This level's Jacobian is then a block of the last level's Jacobian (Griewank's lemma), and
     * the rest of those rows is 0. For the last level these are its own numbers. LEVEL_NOWHERE
     * marks columns outside that block: lower derivatives that a shortest change moves as well.
     * NULL: there is no such last level. */
    const size_t *last_row, *last_column;
    /* `pairs` entries, as many as y has entries and as there are rows plus chained pairs. Present
     * if the level is F(t, y, y') = 0 itself, of index 1. NULL: it is another level. */
    size_t pairs;
    const level_pair *pair;
} constraint_level;

typedef struct constraint_levels_form {
    /* c (rows of that level) = the level's residual */
    dae_status (*value)(void *self, size_t level, double t, const double *z, double *c);

    /* Evaluate the Jacobians of all levels at a point; then hand out one, in its pattern's
     * order. */
    dae_status (*linearize)(void *self, double t, const double *z);
    void (*jacobian)(void *self, size_t level, double *value);

    /* The metric of a level that has one, at the point linearised last, in its pattern's order. */
    const double *(*metric)(void *self, size_t level);

    /* Before the levels are met: settle what meeting them must not decide. accuracy: of z, relative
     * to max(|z_j|, nominal_j); 0: not known. NULL: nothing to do. */
    dae_status (*solve_hidden)(void *self, double t, double *z, double accuracy);

    /* The Jacobian of levels->whole at a point, in its pattern's order. */
    dae_status (*whole_jacobian)(void *self, double t, const double *z, double *value);

    /* The balance of jumps in the b-th integrals of the last level's equations at a point, 0 < b <
     * jump_balance.count (event/deep_impulse.h). It is valid until the next such call. The first
     * call forms it: DAE_NO_MEMORY. NULL: it is not known. */
    dae_status (*balance)(void *self, size_t b, double t, const double *z, jump_balance *found);

    /* The expansions of the last level (n rows) where row i is forced by eps^-forced[i], and has an
     * effect on those columns for which moves[i * n + j]. DAE_SINGULAR: there are none;
     * DAE_NO_MEMORY. *found is valid until the next such call. NULL: none are known. */
    dae_status (*fast_equations)(void *self, const unsigned *forced, const bool *moves,
                                 const fast_equations **found);

    /* row (n): the coefficients of eps^(power - depth) of the last level, 0 <= power <= depth; z
     * says which pieces of expressions hold. */
    void (*fast_rows)(void *self, size_t power, double t, double s, const double *z,
                      const double *coefficient, double *row);

    void (*name_row)(void *self, size_t level, size_t row, text *t);

    /* The name of an entry of z. NULL: not known. */
    void (*name_entry)(void *self, size_t entry, text *t);
} constraint_levels_form;

typedef struct constraint_levels constraint_levels;

struct constraint_levels {
    const constraint_levels_form *form;
    void *self;
    size_t size; /* of z */
    size_t count;
    const constraint_level *level; /* count */
    /* The rows of the last level by all entries of z, with pairs: the system that is integrated, of
     * index 1. NULL: not known. */
    const constraint_level *whole;
    /* The rows of all levels as one level, by all entries of z: for shortest changes that meet all
     * levels at once. NULL: there is none, for example if there is no `whole`. */
    const constraint_levels *together;
    const double *nominal; /* size: typical sizes of the entries of z */
    double accuracy; /* relative accuracy of the Jacobians, for telling dependent rows; 0: exact */
    double met; /* a level that is missed by no more is not corrected: see levels.h; 0: only the
                   sizes of the corrections decide */
};

/* Whether the Jacobians of all levels are blocks of the last level's, which is square. */
bool constraint_levels_nested(const constraint_levels *l);

/* Whether there is only one level, of index 1, with known pairs. */
bool constraint_levels_paired(const constraint_levels *l);

/* How far equations are missed: the one measure that everything uses.
 *
 * A row r is missed by |r| / sum_j |dr/dx_j| max(|x_j|, nominal_j): relative to the terms that it
 * has at the point, or would have at the typical sizes of its variables. A row that depends on
 * nothing is measured by |r|. Formulations, initial values, projections and results all use these
 * functions. */

/* max(|x|, nominal), and `nominal` where x is not a number: fmax() is a call. */
static inline double miss_size(double x, double nominal)
{
    return fabs(x) > nominal ? fabs(x) : nominal;
}

/* terms (rows) += sum_j |A_ij| max(|x_j|, nominal_j), A by its nonzeros; x and nominal (NULL:
 * zeros) have as many entries as A has columns. */
void miss_add_terms(const sparse_pattern *p, const double *value, const double *x,
                    const double *nominal, double *terms);

/* The same for A^T: terms has as many entries as A has columns, x and nominal as A has rows. */
void miss_add_transposed(const sparse_pattern *p, const double *value, const double *x,
                         const double *nominal, double *terms);

/* The same as miss_add_terms(), starting from 0. */
void miss_terms(const sparse_pattern *p, const double *value, const double *x,
                const double *nominal, double *terms);

/* The same for a level, of which `value` is the Jacobian: z and nominal have all entries, not those
 * of its columns alone. */
void miss_level_terms(const constraint_level *level, const double *value, const double *z,
                      const double *nominal, double *terms);

/* By how much a row with this residual and these terms is missed. */
double miss_of_row(double residual, double terms);

/* *worst becomes `found` if that is larger or NaN. */
void miss_raise(double *worst, double found);

/* The largest miss of the rows; *row (NULL: not wanted) is the first row with it, and is not
 * touched if no row is missed at all. */
double miss_largest(size_t rows, const double *residual, const double *terms, size_t *row);

#endif
