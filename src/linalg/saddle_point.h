/* Linear systems [H, -G'; G, 0] (x, lambda) = (r, s): least changes, forces and their multipliers.
 *
 * H (n x n) may be singular or indefinite as long as it is regular on the null space of G (m x n),
 * and rows of G may depend on others: then G x = s is met in the least-squares sense, and lambda is
 * the shortest, both relative to the lengths of the rows. Small systems with a symmetric, definite
 * H are factored by Cholesky's method. Where H falls into small blocks, as the mass of bodies does,
 * its inverse leaves a system for lambda alone; other regular systems are factored as a whole,
 * dense or sparse; those of lower rank by the null-space method on a rank-revealing QR
 * decomposition of G' (Benzi, Golub & Liesen, Acta Numerica 14 (2005), Sec. 5 and 6). Solutions are
 * refined. */
#ifndef LINALG_SADDLE_POINT_H
#define LINALG_SADDLE_POINT_H

#include "linalg/sparse.h"

#include <daedal/status.h>
#include <stdbool.h>

typedef struct saddle_point saddle_point;

/* Rows of G whose remainder is below this part of them depend on others. Rows of a mechanism with
 * loops depend on each other only on the manifold of the constraints; their remainder beside it may
 * reach this size. */
#define SADDLE_POINT_DEPENDENT 1e-7

/* A solver for matrices of these patterns. `scale` holds typical sizes of the unknowns x (n, > 0).
 * All are borrowed and must outlive it. DAE_NO_MEMORY. */
dae_status saddle_point_create(saddle_point **created, const sparse_pattern *h,
                               const sparse_pattern *g, const double *scale);

/* Factor; values in the order of the patterns. The same values are not factored twice. DAE_SINGULAR
 * where H is singular on the null space of G, or a value is not finite; DAE_NO_MEMORY. */
dae_status saddle_point_factor(saddle_point *p, const double *h, const double *g);

/* (r, s), n + m, becomes (x, lambda). */
void saddle_point_solve(saddle_point *p, double *x);

/* The same without refinement where all pivots are good. The result is accurate to round-off in the
 * terms of G H^-1 r and G H^-1 G' lambda, which may cancel in G x. For results that are corrected
 * again or enter sums with tolerances. */
void saddle_point_solve_once(saddle_point *p, double *x);

size_t saddle_point_rank(const saddle_point *p);         /* of G, as factored last */
bool saddle_point_knows_rank(const saddle_point *p);     /* false: rows depend on others in a system
                                                            so large that they are not counted */
size_t saddle_point_factored(const saddle_point *p);     /* factorisations since creation */
size_t saddle_point_undetermined(const saddle_point *p); /* after DAE_SINGULAR: an x left open */

/* Of the whole matrix: nonzeros in its factors, and what factors it. */
size_t saddle_point_nonzeros(const saddle_point *p);
const char *saddle_point_name(const saddle_point *p);

void saddle_point_free(saddle_point *p); /* NULL is fine */

#endif
