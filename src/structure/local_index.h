/* Rank and index at a point, from numbers, because structure may mislead. */
#ifndef STRUCTURE_LOCAL_INDEX_H
#define STRUCTURE_LOCAL_INDEX_H

#include "linalg/sparse.h"

#include <daedal/status.h>
#include <stdbool.h>

typedef struct local_rank {
    bool full;       /* the rows are independent */
    bool known;      /* the rank was determined: small systems */
    size_t rank, of; /* of: the number of rows; rank: 0 if it was not determined and the rows are
                        dependent */
    double margin;   /* about the reciprocal condition number after scaling */
} local_rank;

/* Rank of a matrix. Its rows and columns are scaled first, so that units do not matter.
 * DAE_NO_MEMORY, or DAE_NOT_EVALUABLE if values are not finite. */
dae_status structure_local_rank(const sparse_pattern *pattern, const double *value,
                                local_rank *found);

/* The same where entries have no errors but rounding: rows of small matrices depend on others only
 * if an elimination leaves no more of them than round-off. */
dae_status structure_local_rank_of_exact(const sparse_pattern *pattern, const double *value,
                                         local_rank *found);

/* Whether a square matrix is regular beyond doubt, by its sparse factorisation, which is less work.
 */
bool structure_is_clearly_regular(const sparse_pattern *pattern, const double *value);

/* The index of each variable at a point where the system Jacobian is regular: how often equations
 * have to be differentiated until the variable's first derivative is determined.
 *
 * In Pryce's scheme, x_j' is found once the i-th equation has been differentiated c_i + 1 - d_j
 * times. It depends on that equation if (J^-1)_ji is not zero. jacobian: n x n; c, d: offsets.
 * index (n): at least 0; the largest is the differential index of the system. DAE_SINGULAR if J is
 * singular. */
dae_status structure_variable_index(const sparse_pattern *jacobian, const double *value,
                                    const unsigned *c, const unsigned *d, unsigned *index);

/* The differential index at a point (Campbell & Gear, Numer. Math. 72 (1995)): the least k for
 * which the equations differentiated up to k times determine all first derivatives.
 *
 * array, value: the Jacobian of n equations differentiated 0 to `highest` times; row i * (highest +
 * 1) + k is the k-th derivative of equation i. order (columns): the order of the derivative in each
 * column. index: the result, or -1 if there is none up to `highest`. */
dae_status structure_local_index(const sparse_pattern *array, const double *value, size_t n,
                                 unsigned highest, const unsigned *order, int *index);

#endif
