/* How far equations are missed: the one measure that everything uses.
 *
 * A row r is missed by |r| / sum_j |dr/dx_j| max(|x_j|, nominal_j): relative to the terms that it
 * has at the point, or would have at the typical sizes of its variables. A row that depends on
 * nothing is measured by |r|. Formulations, initial values, projections and results all use these
 * functions. */
#ifndef PROBLEM_MISS_H
#define PROBLEM_MISS_H

#include "linalg/sparse.h"

/* terms (rows) += sum_j |A_ij| max(|x_j|, nominal_j), A by its nonzeros; x and nominal have as many
 * entries as A has columns. */
void miss_add_terms(const sparse_pattern *p, const double *value, const double *x,
                    const double *nominal, double *terms);

/* The same for A^T: terms has as many entries as A has columns, x and nominal as A has rows. */
void miss_add_transposed(const sparse_pattern *p, const double *value, const double *x,
                         const double *nominal, double *terms);

/* The same as miss_add_terms(), starting from 0. */
void miss_terms(const sparse_pattern *p, const double *value, const double *x,
                const double *nominal, double *terms);

/* By how much a row with this residual and these terms is missed. */
double miss_of_row(double residual, double terms);

/* *worst becomes `found` if that is larger or NaN. */
void miss_raise(double *worst, double found);

/* The largest miss of the rows; *row (NULL: not wanted) is the first row with it, and is not
 * touched if no row is missed at all. */
double miss_largest(size_t rows, const double *residual, const double *terms, size_t *row);

#endif
