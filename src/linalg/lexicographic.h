/* Changes that meet linear equations and are least in an order of precedence.
 *
 * Given A (rows x columns) and r, a level and a scale for each column: of all dz with A dz = -r,
 * those for which the sum of ((dz_j - wish_j) / scale_j)^2 over the columns of the highest level is
 * smallest; of these, those for which it is smallest over the next level; and so on (lexicographic
 * least squares). The result is that of weights whose ratio between levels is infinite, without
 * their loss of digits, and depends neither on the sizes of rows nor on scales of lower levels.
 * Where rows contradict each other, some of them are met. */
#ifndef LINALG_LEXICOGRAPHIC_H
#define LINALG_LEXICOGRAPHIC_H

#include "linalg/sparse.h"

#include <daedal/status.h>

typedef struct lexicographic lexicographic;

/* Decompose; value in the pattern's order, level (columns) < levels, scale (columns) > 0. The
 * pattern and the levels are borrowed. DAE_SINGULAR for values that are not finite. */
dae_status lexicographic_create(lexicographic **created, const sparse_pattern *pattern,
                                const double *value, const unsigned char *level, size_t levels,
                                const double *scale);

/* dz (columns) from r (rows); dz holds the wish before. */
void lexicographic_solve(lexicographic *l, const double *r, double *dz);

/* How many rows do not follow from others. */
size_t lexicographic_rank(const lexicographic *l);

/* How many columns of levels below the highest the rows determine. */
size_t lexicographic_lower_rank(const lexicographic *l);

void lexicographic_free(lexicographic *l); /* NULL is fine */

#endif
