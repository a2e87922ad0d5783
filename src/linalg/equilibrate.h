/* Scales of rows and columns that do not depend on the units they are written in.
 *
 * The logarithms of the scaled entries are least in the sense of least squares (Curtis & Reid, J.
 * Inst. Maths Applics 10 (1972)): a row or a column in another unit is scaled to the same numbers.
 * Scaling by largest entries has no such property, as it depends on the entry it begins with. */
#ifndef LINALG_EQUILIBRATE_H
#define LINALG_EQUILIBRATE_H

#include "linalg/sparse.h"

#include <daedal/status.h>

/* row (rows) and column (columns) become powers of 2 for which row_i |a_ij| column_j is near 1.
 * Zeros and values that are not finite do not count. DAE_NO_MEMORY. */
dae_status equilibrate(const sparse_pattern *p, const double *value, double *row, double *column);

#endif
