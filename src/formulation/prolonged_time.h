/* Prolonged equations and time: the look beside an instant, its unit. */
#ifndef FORMULATION_PROLONGED_TIME_H
#define FORMULATION_PROLONGED_TIME_H

#include "formulation/prolonged_form.h"
#include "formulation/prolonged_start.h"
#include "linalg/sparse.h"
#include "structure/prolongation.h"
#include "symbolic/system.h"

/* Derivatives of a form's rows where they are not finite although the rows are. This happens where
 * the argument of a root becomes 0. It also happens beyond, if the root is guarded as in
 * sqrt(max(h, 0)), whose derivative there is 0 times infinity. */

/* Replace entries of a matrix that are not finite by differences of the form's rows at `input`. The
 * matrix has the rows of the form; its columns are the derivatives entry[j], ascending, or for NULL
 * all of them, as in f->jacobian. The smaller of the two one-sided differences counts, because
 * nothing changes after a guard. Returns false where rows have no value at the point or on one
 * side of it: where the domain of a root ends. */
bool prolonged_beside_fill(const prolonged_form *f, double *input, const sparse_pattern *p,
                           const size_t *entry, double *jacobian_value);

/* The same for derivatives by time. */
bool prolonged_beside_fill_time(const prolonged_form *f, double *input, const sparse_pattern *p,
                                double *jacobian_value);

/* The unit of time of a prolonged system: see problem/time_unit.h. Here a row in which derivatives
 * of orders k and m < k have the coefficients a and b is balanced for T^(k - m) = a / b. */

/* Find the unit from the Jacobian of rows by the entries of a prolongation. `value` is in the
 * pattern's order; the first p->size columns of the pattern are the entries. Values that are not
 * finite are ignored. Sizes of variables are their nominal values. Returns 1 if no row determines a
 * unit. of_unknown (p->n) receives the units of the parts that no row of the pattern links, each
 * for its unknowns. Takes from `a`, under its protection. */
double prolonged_time_unit_find(arena *a, const sym_system *system, const prolongation *p,
                                const sparse_pattern *pattern, const double *value,
                                double *of_unknown);

/* Divide the sizes of k-th derivatives by unit^k. If the author has given a size to a derivative
 * under another name, as to w = der(p), only differentiations beyond that name count: w in radians
 * per second already has a unit of time. size: p->size. */
void prolonged_time_unit_scale(const prolongation *p, const prolonged_names *names, double unit,
                               double *size);

/* The same with a unit for each unknown (p->n). */
void prolonged_time_unit_scale_each(const prolongation *p, const prolonged_names *names,
                                    const double *unit, double *size);

/* How often the equations of a Jacobian's rows, and the unknowns of its columns, are
 * differentiated.
 */
typedef struct prolonged_orders {
    const uint32_t *row, *column;
} prolonged_orders;

/* Convert a Jacobian to that unit of time, in which its rank is judged. An entry by the m-th
 * derivative of an equation differentiated k times is divided by unit^(m-k). `values` may be
 * `scaled`. */
void prolonged_time_unit_scale_jacobian(const prolonged_orders *o, double unit,
                                        const sparse_pattern *pattern, const double *values,
                                        double *scaled);

#endif
