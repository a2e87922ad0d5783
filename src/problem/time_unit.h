/* The unit of time in which equations are of one size.
 *
 * A model in nanoseconds has derivatives of 1e9 where its variables are 1, one in days of 1e-5. How
 * large a change of a derivative is, beside that of a variable, is so a matter of the time that
 * the equations themselves set: in T x' = f(x) it is T. A row in which the derivative has the
 * coefficient a and the variable b balances for T = a / b; the unit is that of most rows, as a
 * power of 1024 s: close to a second nothing changes, and a stiff row or a weak term among others
 * has no say. Of two in the middle the one nearer to a second is taken: the other may be that of a
 * transistor that blocks. */
#ifndef PROBLEM_TIME_UNIT_H
#define PROBLEM_TIME_UNIT_H

#include "linalg/sparse.h"

/* Terms of less than this part of the largest in their row tell no time. */
#define TIME_UNIT_WEAK 1e-8

/* From the decimal logarithms of T (count, which are put in order); those beyond +-20 do not count,
 * and 1 where there are no others. */
double time_unit_of(double *decades, size_t count);

/* From dF/dy' and dF/dy, variables being of the sizes `nominal`. Variables whose derivatives
 * occur tell; where none does, all do, of whose sizes less is known. work: 3 rows. */
double time_unit_of_matrices(const sparse_pattern *mass, const double *mass_value,
                             const sparse_pattern *jacobian, const double *jacobian_value,
                             const double *nominal, double *work);

/* How far beside a time t others are looked at: the unit, as the clock does not tell how fast
 * things change, but so much that its rounding is not felt. */
double time_unit_beside(double unit, double t);

#endif
