/* What the numbers say at a point, where structure may mislead. */
#ifndef STRUCTURE_LOCAL_INDEX_H
#define STRUCTURE_LOCAL_INDEX_H

#include "linalg/sparse.h"

#include <daedal/status.h>
#include <stdbool.h>

typedef struct local_rank {
    bool full;       /* the rows are independent */
    bool known;      /* the rank was determined: small systems */
    size_t rank, of; /* rank: 0 where it was not and the rows are dependent; of so many rows */
    double margin; /* how far from singular: about the reciprocal condition number after scaling */
} local_rank;

/* Rank of a matrix, rows and columns scaled first so that units do not matter. DAE_NO_MEMORY, or
 * DAE_NOT_EVALUABLE for values that are not finite. */
dae_status structure_local_rank(const sparse_pattern *pattern, const double *value,
                                local_rank *found);

/* The index of each variable at a point where the system Jacobian is regular: how often equations
 * have to be differentiated until its first derivative is determined.
 *
 * x_j' is found in Pryce's scheme where the i-th equation stands differentiated c_i + 1 - d_j
 * times; it depends on that equation if (J^-1)_ji is not zero. jacobian: n x n; c, d: offsets.
 * index (n): at least 0; the differential index of the system is the largest. DAE_SINGULAR where J
 * is. */
dae_status structure_variable_index(const sparse_pattern *jacobian, const double *value,
                                    const unsigned *c, const unsigned *d, unsigned *index);

/* The differential index at a point (Campbell & Gear, Numer. Math. 72 (1995)): the least k such
 * that the equations differentiated up to k times determine all first derivatives.
 *
 * array, value: the Jacobian of n equations differentiated 0 to `highest` times, row i * (highest +
 * 1) + k for the k-th derivative of equation i. order (columns): which derivative of its unknown
 * each column is. index: found, or -1 where none up to `highest` is. */
dae_status structure_local_index(const sparse_pattern *array, const double *value, size_t n,
                                 unsigned highest, const unsigned *order, int *index);

#endif
