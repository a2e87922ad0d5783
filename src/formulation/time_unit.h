/* The unit of time in which the equations of a model are of one size.
 *
 * A model in nanoseconds has derivatives of 1e9 where its variables are 1, one in days of 1e-5. How
 * large a change of a derivative is, beside that of a variable, is so a matter of the time that
 * the equations themselves set: in T der(x) = f(x) it is T. A row in which derivatives of the
 * orders k and m < k have the coefficients a and b balances for T^(k-m) = a / b; the unit is that
 * of most rows, as a power of 1000 s: close to a second nothing changes, and a stiff row or a weak
 * term among others has no say. */
#ifndef FORMULATION_TIME_UNIT_H
#define FORMULATION_TIME_UNIT_H

#include "linalg/sparse.h"
#include "structure/prolongation.h"
#include "symbolic/system.h"

/* From the Jacobian of rows by the entries of a prolongation: `value` in the pattern's order, whose
 * first p->size columns are the entries; values that are not finite are left out. Sizes of
 * variables are their nominal ones. 1 where no row tells. Takes from `a`, under its protection. */
double time_unit_find(arena *a, const sym_system *system, const prolongation *p,
                      const sparse_pattern *pattern, const double *value);

/* Divide the sizes of k-th derivatives by unit^k. size: p->size. */
void time_unit_scale(const prolongation *p, double unit, double *size);

/* A Jacobian with time in that unit, in which its rank is to be judged: an entry by the m-th
 * derivative of an equation differentiated k times is divided by unit^(m-k). `values` may be
 * `scaled`. */
void time_unit_scale_system(const prolongation *p, double unit, const sparse_pattern *pattern,
                            const double *values, double *scaled); /* f_i^(c_i) by x_j^(d_j) */
void time_unit_scale_array(const prolongation *p, double unit, const sparse_pattern *pattern,
                           const double *values, double *scaled); /* all rows by all entries */

#endif
