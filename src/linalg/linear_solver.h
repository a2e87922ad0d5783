/* Square linear systems: the one seam between those who need a matrix factored and those who
 * factor.
 *
 * create (the pattern is analysed once), factor (a matrix), solve (a right side), rcond, free. The
 * rows behind the seam are a dense one over LAPACK and a sparse one over KLU; which is taken
 * follows from the pattern. Neither allocates in factor or solve, but for a new pivot order in the
 * sparse one, which linear_solver_reordered() counts. */
#ifndef LINALG_LINEAR_SOLVER_H
#define LINALG_LINEAR_SOLVER_H

#include "linalg/sparse.h"

#include <daedal/status.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct linear_solver linear_solver;

/* A solver for matrices of this pattern (square; borrowed, must outlive the solver), real or
 * complex. DAE_NO_MEMORY, or DAE_SINGULAR where no numbers could make the pattern regular, as far
 * as little work finds that out. */
dae_status linear_solver_create(linear_solver **solver, const sparse_pattern *pattern,
                                bool is_complex);

/* The same for real matrices with zeros on the diagonal, as those of constrained problems are: the
 * order suits whatever pivots are taken, where the other one counts on diagonal ones. The factors
 * of a chain with stiffness have a hundredth of the nonzeros. */
dae_status linear_solver_create_for_any_pivots(linear_solver **solver,
                                               const sparse_pattern *pattern);

/* One more for matrices of the pattern of `other`, real or complex, which shares its analysis: one
 * does for all. DAE_NO_MEMORY. `other` may be freed before it. */
dae_status linear_solver_create_like(linear_solver **solver, const linear_solver *other,
                                     bool is_complex);

/* From now on take pivots from the diagonal if they are at least this part of their column's
 * largest entry: sparser factors, at a loss of accuracy that the caller makes good. */
void linear_solver_prefer_diagonal(linear_solver *solver, double part);

/* Factor the matrix with these values, in the pattern's order; double or double complex as created.
 * DAE_SINGULAR, DAE_NO_MEMORY. */
dae_status linear_solver_factor(linear_solver *solver, const void *values);

/* Before a factorisation: make A D of the values of A, D = diag(scale) (n entries, > 0, borrowed),
 * and have each solution with A D multiplied by D, so that it is one with A. NULL: D = 1, from now
 * on. Powers of 2 add no round-off. */
void linear_solver_scale_columns(linear_solver *solver, void *values, const double *scale);

/* Where the last factorisation found the matrix singular: a row of zeros or with an entry that is
 * no number, or a column that depends on others; LINEAR_SOLVER_NOWHERE for the one that is not
 * known. */
#define LINEAR_SOLVER_NOWHERE ((size_t)-1)
size_t linear_solver_singular_row(const linear_solver *solver);
size_t linear_solver_singular_column(const linear_solver *solver);

/* Solve in place: b (n) becomes the solution. Only after a factorisation that succeeded. */
void linear_solver_solve(linear_solver *solver, void *b);

/* Forget what earlier matrices have taught: the next factorisation looks for its own pivots, and
 * depends on its matrix alone. It allocates. */
void linear_solver_forget(linear_solver *solver);

/* An estimate of the reciprocal condition number of the matrix that was factored last. */
double linear_solver_rcond(linear_solver *solver);

/* The sign of the determinant of the real matrix that was factored last: 1 or -1. */
int linear_solver_sign(const linear_solver *solver);

/* Smallest over largest pivot of the last factorisation (of real numbers, where dense): round-off
 * where the matrix is singular, and cheap. */
double linear_solver_least_pivot(linear_solver *solver);

/* What a factorisation and a solution cost, in about nanoseconds of a machine of the 2020s, good to
 * a factor of two. They are made of sizes and counts of operations, never of a clock: what is
 * decided by them is decided alike in every run. Before the first factorisation of a sparse matrix
 * the analysis' bounds are taken. */
double linear_solver_factor_cost(const linear_solver *solver);
double linear_solver_solve_cost(const linear_solver *solver);
double linear_solver_many_solves_cost(const linear_solver *solver); /* each of many */

size_t linear_solver_nonzeros(const linear_solver *solver);  /* in both factors */
size_t linear_solver_reordered(const linear_solver *solver); /* new pivot orders since creation */
const char *linear_solver_name(const linear_solver *solver); /* "lapack" or "klu" */
void linear_solver_free(linear_solver *solver);              /* NULL is fine */

#endif
