/* The unit of time of a prolonged system: see problem/time_unit.h. Here a row in which derivatives
 * of the orders k and m < k have the coefficients a and b balances for T^(k - m) = a / b. */
#ifndef FORMULATION_PROLONGED_TIME_UNIT_H
#define FORMULATION_PROLONGED_TIME_UNIT_H

#include "formulation/prolonged_names.h"
#include "linalg/sparse.h"
#include "structure/prolongation.h"
#include "symbolic/system.h"

/* From the Jacobian of rows by the entries of a prolongation: `value` in the pattern's order, whose
 * first p->size columns are the entries; values that are not finite are left out. Sizes of
 * variables are their nominal ones. 1 where no row tells. Takes from `a`, under its protection. */
double prolonged_time_unit_find(arena *a, const sym_system *system, const prolongation *p,
                                const sparse_pattern *pattern, const double *value);

/* Divide the sizes of k-th derivatives by unit^k, of one that its author has sized by another name,
 * as w = der(p), by as many powers as it is differentiated in that: w in radians per second has its
 * unit of time already. size: p->size. */
void prolonged_time_unit_scale(const prolongation *p, const prolonged_names *names, double unit,
                               double *size);

/* A Jacobian with time in that unit, in which its rank is to be judged: an entry by the m-th
 * derivative of an equation differentiated k times is divided by unit^(m-k). `values` may be
 * `scaled`. */
void prolonged_time_unit_scale_system(const prolongation *p, double unit,
                                      const sparse_pattern *pattern, const double *values,
                                      double *scaled); /* f_i^(c_i) by x_j^(d_j) */
void prolonged_time_unit_scale_array(const prolongation *p, double unit,
                                     const sparse_pattern *pattern, const double *values,
                                     double *scaled); /* all rows by all entries */

#endif
