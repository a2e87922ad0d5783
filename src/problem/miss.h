/* How far equations are missed: the one measure everywhere.
 *
 * A row r is missed by |r| / sum_j |dr/dx_j| max(|x_j|, nominal_j): relative to the terms that it
 * has at the point, or would have at the typical sizes of its variables. A row that depends on
 * nothing is measured as it is. Formulations, initial values, projections and results ask here, and
 * none sums on its own. */
#ifndef PROBLEM_MISS_H
#define PROBLEM_MISS_H

#include "linalg/sparse.h"

/* terms (rows) += sum_j |A_ij| max(|x_j|, nominal_j), A by its nonzeros; x and nominal have as many
 * entries as A has columns. */
void miss_add_terms(const sparse_pattern *p, const double *value, const double *x,
                    const double *nominal, double *terms);

/* The same of A^T: terms has as many entries as A has columns, x and nominal as rows. */
void miss_add_transposed(const sparse_pattern *p, const double *value, const double *x,
                         const double *nominal, double *terms);

/* The same, from nothing. */
void miss_terms(const sparse_pattern *p, const double *value, const double *x,
                const double *nominal, double *terms);

/* By how much a row with this residual and these terms is missed. */
double miss_of_row(double residual, double terms);

/* *worst becomes what is found, where that is more or no number. */
void miss_raise(double *worst, double found);

/* The most that one of so many rows is missed by; *row (NULL: not wanted) is the first such row,
 * and stays where no row is missed at all. */
double miss_largest(size_t rows, const double *residual, const double *terms, size_t *row);

#endif
