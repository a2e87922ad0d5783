/* Least-change corrections for systems of any shape and rank.
 *
 * Given A (rows x columns) and r, find among all dz that minimise |R (A dz + r)| the one for which
 * sum (dz_j / scale_j)^2 is smallest; R makes each row of A diag(scale) a unit vector. Small
 * systems are solved by a complete orthogonal decomposition, which reveals the rank (Golub & Van
 * Loan, Matrix Computations, 4th ed., Sec. 5.5), each part by itself that no row links to others;
 * large sparse ones through the saddle-point system
 *     [ I   B' ] [ x  ]   [  0 ]
 *     [ B  -d I ] [ mu ] = [ -r ],   B = R A diag(scale), d tiny,
 * the preconditioner of iterations for d = 0. Where its pivots are small, rows that depend on
 * others are found by elimination and left out, if the rank is wanted. Where the rows determine all
 * columns, as those of a steady start do, as many of them as there are columns are themselves
 * factored instead. */
#ifndef LINALG_MIN_NORM_H
#define LINALG_MIN_NORM_H

#include "linalg/sparse.h"

#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct min_norm min_norm;

/* How systems are solved. FAST: in the faster way. RANK: the rank is wanted, so all but large ones
 * are decomposed. RANK_OF_PARTS: large ones, too, if their parts are small; then their null space
 * as a whole has no room in memory. */
typedef enum min_norm_way { MIN_NORM_FAST, MIN_NORM_RANK, MIN_NORM_RANK_OF_PARTS } min_norm_way;

/* A solver for matrices of this pattern (borrowed, must outlive it). */
dae_status min_norm_create(min_norm **created, const sparse_pattern *pattern, min_norm_way way);

/* Another solver like `other`, which must outlive it: both share what does not change. */
dae_status min_norm_create_like(min_norm **created, const min_norm *other);

/* The next decomposition depends on its matrix alone: see linear_solver_forget(). */
void min_norm_forget(min_norm *m);

/* Decompose; value in the pattern's order, scale (columns) > 0. A row counts as dependent on others
 * when its remainder is below `tolerance` of the row. DAE_SINGULAR for values that are not finite.
 */
dae_status min_norm_factor(min_norm *m, const double *value, const double *scale, double tolerance);

/* dz (columns) from r (rows). */
void min_norm_solve(min_norm *m, const double *r, double *dz);

/* The rank, or the smaller dimension where the rank is not known: of large systems where it is not
 * wanted, or where elimination fills in too much. */
size_t min_norm_rank(const min_norm *m);
bool min_norm_knows_rank(const min_norm *m);

/* Whether it is decomposed. */
bool min_norm_knows_null_space(const min_norm *m);

/* Which variables can be chosen freely: `columns - rank` column numbers such that fixing these
 * variables fixes all. Where there is a choice, columns of larger `preference` (columns, > 0) are
 * taken. Only where the rank is known. Part by part. DAE_SINGULAR where elimination finds another
 * rank. */
dae_status min_norm_free_columns(min_norm *m, const double *preference, size_t *chosen);

/* Smallest over largest diagonal entry of the triangular factor, over the rank: 1 is perfect. */
double min_norm_margin(const min_norm *m);

/* The length that remains of the weakest independent row after projection on the complement of the
 * other rows, all rows having length 1. Of large systems within a factor of a few units. */
double min_norm_weakest(const min_norm *m);

/* A basis of the null space of A, columns x (columns - rank) by columns; the vectors are
 * orthonormal relative to `scale`. Only where it is known, as for the next function. */
void min_norm_null_space(min_norm *m, double *basis);

/* mu (rows) with A' mu = w (columns) in the least-squares sense, relative to `scale`. Of all such
 * mu, the one for which the sum of squares of mu_i times the length of row i of A is smallest. */
void min_norm_solve_transposed(min_norm *m, const double *w, double *mu);

void min_norm_free(min_norm *m); /* NULL is fine */

/* Null spaces of small dense matrices in echelon form. Messages use them to say which equations
 * depend on which. */

/* Gauss-Jordan elimination with complete pivoting. a (rows x columns, rows contiguous) is
 * overwritten. Entries that remain below `tolerance` count as zero. The vectors v with a v = 0 are
 * written to basis (at most columns x columns, vectors contiguous), each with a 1 where all others
 * have a 0, and small entries set to 0. pivot_of (columns) is work space. Returns how many there
 * are. */
size_t nullspace_echelon(size_t rows, size_t columns, double *a, double tolerance, size_t *pivot_of,
                         double *basis);

#endif
