/* Square linear systems: the one seam between those who need a matrix factored and those who
 * factor.
 *
 * create (the pattern is analysed once), factor (a matrix), solve (a right side), rcond, free. The
 * rows behind the seam are a dense one over LAPACK and a sparse one over KLU; which is taken
 * follows from the pattern. Neither allocates in factor or solve, but for a new pivot order in the
 * sparse one, which `reordered` counts. */
#ifndef LINALG_LINEAR_SOLVER_H
#define LINALG_LINEAR_SOLVER_H

#include "linalg/sparse.h"

#include <daedal/status.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct linear_solver_row linear_solver_row;

/* What each solver begins with; to be read by all, and set by linear_solver.c and the back ends. */
typedef struct linear_solver {
    const linear_solver_row *row;
    const char *name; /* "lapack" or "klu" */
    const sparse_pattern *pattern;
    bool is_complex;
    size_t nonzeros;            /* in both factors */
    size_t reordered;           /* new pivot orders since creation */
    double operations;          /* of a factorisation of a sparse matrix, as far as is known */
    const double *column_scale; /* NULL: none */

    /* Where the last factorisation found the matrix singular: a row of zeros or with an entry that
     * is not a number, or a column that depends on others. LINEAR_SOLVER_NOWHERE for the one that
     * is not known. */
    size_t singular_row, singular_column;
} linear_solver;

#define LINEAR_SOLVER_NOWHERE ((size_t)-1)

/* A solver for matrices of this pattern (square; borrowed, must outlive the solver), real or
 * complex. DAE_NO_MEMORY. DAE_SINGULAR where no values could make a matrix of this pattern regular,
 * as far as a cheap test can tell. */
dae_status linear_solver_create(linear_solver **solver, const sparse_pattern *pattern,
                                bool is_complex);

/* The same for real matrices with zeros on the diagonal, as in constrained problems. The order
 * suits any choice of pivots, where the other one assumes diagonal pivots. For a chain with
 * stiffness, its factors have a hundredth of the nonzeros. */
dae_status linear_solver_create_for_any_pivots(linear_solver **solver,
                                               const sparse_pattern *pattern);

/* Another solver for matrices of the pattern of `other`, real or complex. Both share one analysis.
 * DAE_NO_MEMORY. `other` may be freed first. */
dae_status linear_solver_create_like(linear_solver **solver, const linear_solver *other,
                                     bool is_complex);

/* From now on, take diagonal pivots that are at least this part of the largest entry of their
 * column. The factors become sparser and less accurate; the caller makes up for the accuracy. */
void linear_solver_prefer_diagonal(linear_solver *solver, double part);

/* Factor the matrix with these values, in the pattern's order; double or double complex as created.
 * DAE_SINGULAR, DAE_NO_MEMORY. */
dae_status linear_solver_factor(linear_solver *solver, const void *values);

/* Before a factorisation: factor A D in place of A, D = diag(scale) (n entries, > 0, borrowed), and
 * multiply each solution by D, so that it solves A x = b. NULL: D = 1 from now on. Powers of 2 add
 * no round-off. */
void linear_solver_scale_columns(linear_solver *solver, void *values, const double *scale);

/* Solve in place: b (n) becomes the solution. Only after a factorisation that succeeded. */
void linear_solver_solve(linear_solver *solver, void *b);

/* Forget what earlier matrices have taught: the next factorisation chooses its own pivots and
 * depends on its matrix alone. It allocates. */
void linear_solver_forget(linear_solver *solver);

/* An estimate of the reciprocal condition number of the matrix that was factored last. */
double linear_solver_rcond(linear_solver *solver);

/* The sign of the determinant of the real matrix that was factored last: 1 or -1. */
int linear_solver_sign(const linear_solver *solver);

/* Smallest over largest pivot of the last factorisation (of real numbers, where dense): round-off
 * where the matrix is singular, and cheap. */
double linear_solver_least_pivot(linear_solver *solver);

/* The cost of a factorisation and of a solution, in about nanoseconds on a machine of the 2020s,
 * within a factor of two. The costs are made of sizes and counts of operations, never of a clock,
 * so that decisions made by them are the same in every run. Before the first factorisation of a
 * sparse matrix they come from the bounds of the analysis. */
double linear_solver_factor_cost(const linear_solver *solver);
double linear_solver_solve_cost(const linear_solver *solver);
double linear_solver_many_solves_cost(const linear_solver *solver); /* each of many */

void linear_solver_free(linear_solver *solver); /* NULL is fine */

#endif
