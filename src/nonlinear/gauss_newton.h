/* Nonlinear systems of any shape, by damped Gauss-Newton corrections of least change.
 *
 * The damping is error-oriented (Deuflhard, Newton Methods for Nonlinear Problems, 2004, Sec. 2.1.4
 * and 4.4): a step is shortened until the next simplified correction gets shorter. It is invariant
 * under scaling of the equations, so that badly scaled models need no treatment. Parts that no row
 * links are damped, and end, each by itself: a system of parts takes the iterates of its parts. */
#ifndef NONLINEAR_GAUSS_NEWTON_H
#define NONLINEAR_GAUSS_NEWTON_H

#include "linalg/lexicographic.h"
#include "linalg/min_norm.h"

typedef struct nonlinear_system {
    size_t rows, columns;
    const sparse_pattern *pattern;
    dae_status (*value)(void *self, const double *x, double *r);        /* rows */
    dae_status (*jacobian)(void *self, const double *x, double *value); /* as in the pattern */
    /* The round-off that each row may have at the x evaluated last. NULL: not known. */
    dae_status (*noise)(void *self, const double *x, double *noise);
    void *self;
    bool rows_apart; /* value() fills in all rows that have values, whatever it returns */
} nonlinear_system;

/* The iteration of columns that rows link to each other. */
typedef struct gauss_newton_part {
    size_t columns;
    bool ended;              /* its x stays, with this status ... */
    dae_status status;       /* ... or the status to come */
    double step, last;       /* lengths of the correction and of the one before */
    int stalls;              /* corrections that were not shorter than the ones before */
    double lambda;           /* fraction of the last damped step; 0: there was none ... */
    double size, next;       /* ... its length, and that of the simplified correction after it */
    double shortest;         /* fraction that is tried */
    bool polished;           /* only round-off is left, which no test can judge */
    bool sought;             /* a fraction that helps is still to be found */
    bool changed, valueless; /* the fraction was changed; rows have no value with it */
    double length;           /* what was measured last */
} gauss_newton_part;

/* Least changes in an order of precedence: see linalg/lexicographic.h. */
typedef struct gauss_newton_order {
    size_t levels;
    const unsigned char *level; /* columns: the highest level changes least */
    const double *scale;        /* columns */
} gauss_newton_order;

typedef struct gauss_newton {
    const nonlinear_system *system;
    min_norm *linear;
    double *residual, *value;               /* rows, nonzeros: at the last point */
    double *noise, *probe, *met;            /* rows each */
    double *step, *next, *trial, *previous; /* columns each */
    double *tangent, *nearer;               /* columns each: of gauss_newton_approach() */
    const gauss_newton_order *order;        /* NULL: changes are least in the sum of all */
    lexicographic *ordered;                 /* NULL: gn->linear makes the corrections */
    bool depends;         /* rows depend on others in it: gn->linear is of the same matrix */
    double longest_first; /* > 0: the first trial moves no variable by more than this part of its
                             size, but for one that it shows to move along a straight line */
    bool closely;         /* steps are so short that the way is that of Newton's flow */
    bool watched;         /* it is looked for whether they leave it ... */
    bool strayed;         /* ... and they may have done so in the last iteration */
    double dependent;     /* the remainder below which a row depends on others; may be set */
    size_t iterations;
    size_t parts;
    gauss_newton_part *part;
    size_t *row_part, *column_part; /* sparse_parts() */
    arena memory;
} gauss_newton;

dae_status gauss_newton_create(gauss_newton **created, const nonlinear_system *system);

/* Solve from x (columns), which becomes the solution, or the best point found. Corrections minimise
 * sum (dx_j / weight_j)^2; their length is judged relative to max(|x_j|, nominal_j). DAE_OK: the
 * corrections are zero up to round-off, or up to the effect of the rows' round-off. A system
 * without a solution may end in the same way, at a least-squares point: check the residual.
 * DAE_NEWTON: no convergence. DAE_NOT_EVALUABLE: no finite residual near x. */
dae_status gauss_newton_solve(gauss_newton *gn, double *x, const double *weight,
                              const double *nominal, size_t most_iterations);

/* The same with corrections that are least in this order, which is borrowed. NULL: as before. */
void gauss_newton_prefer(gauss_newton *gn, const gauss_newton_order *order);

/* Whether the last iteration failed in the part of this column. */
bool gauss_newton_failed(const gauss_newton *gn, size_t column);

typedef enum approach_end {
    APPROACH_NEAREST, /* to rounding */
    APPROACH_ON_THE_WAY,
    APPROACH_STUCK /* no part of the way leads to a nearer solution, or it ends where the rows
                      determine less of what matters less */
} approach_end;

/* Move a solution, along the solutions, to the one nearest to `from` in the same norm or order, in
 * at most most_sweeps sweeps. Each sweep goes to the nearest point of the tangent and back to a
 * solution, as far as that comes nearer. x is a solution after each sweep. */
approach_end gauss_newton_approach(gauss_newton *gn, double *x, const double *from,
                                   const double *weight, const double *nominal, size_t most_sweeps);

/* Evaluate residual and Jacobian at x and decompose: gn->residual, gn->value and gn->linear then
 * belong to x. */
dae_status gauss_newton_look(gauss_newton *gn, const double *x, const double *weight);

/* The effect of row errors up to `noise` (rows, not gn->noise + rows) on the solution of the
 * decomposition: spread (columns) holds the largest changes over some choices of their signs. */
void gauss_newton_spread(gauss_newton *gn, const double *noise, double *spread);

void gauss_newton_free(gauss_newton *gn); /* NULL is fine */

#endif
