/* The unit of time of a prolonged system: see problem/time_unit.h. Here a row in which derivatives
 * of orders k and m < k have the coefficients a and b is balanced for T^(k - m) = a / b. */
#ifndef FORMULATION_PROLONGED_TIME_UNIT_H
#define FORMULATION_PROLONGED_TIME_UNIT_H

#include "formulation/prolonged_names.h"
#include "linalg/sparse.h"
#include "structure/prolongation.h"
#include "symbolic/system.h"

/* Find the unit from the Jacobian of rows by the entries of a prolongation. `value` is in the
 * pattern's order; the first p->size columns of the pattern are the entries. Values that are not
 * finite are ignored. Sizes of variables are their nominal values. Returns 1 if no row determines a
 * unit. Takes from `a`, under its protection. */
double prolonged_time_unit_find(arena *a, const sym_system *system, const prolongation *p,
                                const sparse_pattern *pattern, const double *value);

/* Divide the sizes of k-th derivatives by unit^k. If the author has given a size to a derivative
 * under another name, as to w = der(p), only differentiations beyond that name count: w in radians
 * per second already has a unit of time. size: p->size. */
void prolonged_time_unit_scale(const prolongation *p, const prolonged_names *names, double unit,
                               double *size);

/* Convert a Jacobian to that unit of time, in which its rank is judged. An entry by the m-th
 * derivative of an equation differentiated k times is divided by unit^(m-k). `values` may be
 * `scaled`. */
void prolonged_time_unit_scale_system(const prolongation *p, double unit,
                                      const sparse_pattern *pattern, const double *values,
                                      double *scaled); /* f_i^(c_i) by x_j^(d_j) */
void prolonged_time_unit_scale_array(const prolongation *p, double unit,
                                     const sparse_pattern *pattern, const double *values,
                                     double *scaled); /* all rows by all entries */

#endif
