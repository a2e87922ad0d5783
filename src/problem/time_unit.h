/* The unit of time in which the terms of the equations are of similar size.
 *
 * If variables are near 1, a model in nanoseconds has derivatives near 1e9 and one in days near
 * 1e-5. So the size of a derivative's change relative to a variable's change depends on the time
 * scale that the equations themselves set: in T x' = f(x) it is T. A row in which the derivative
 * has the coefficient a and the variable b balances for T = a / b. The unit is the median over the
 * rows, as a power of 1024 s: close to a second nothing changes, and one stiff row or one weak term
 * does not decide. Of two in the middle, the one nearer to a second is taken, because the other may
 * belong to a transistor that blocks. */
#ifndef PROBLEM_TIME_UNIT_H
#define PROBLEM_TIME_UNIT_H

#include "problem/pencil.h"

/* Terms below this part of the largest in their row are ignored. */
#define TIME_UNIT_WEAK 1e-8

/* The unit from the decimal logarithms of T (count, which are sorted in place). Those beyond +-20
 * do not count. 1 if there are no others. */
double time_unit_of(double *decades, size_t count);

/* The unit from dF/dy' and dF/dy, for variables of the sizes `nominal`. Variables whose derivatives
 * occur decide. If there are none, all variables do, though less is known of their sizes. work: 3
 * rows. */
double time_unit_of_matrices(pencil_values mass, pencil_values jacobian, const double *nominal,
                             double *work);

/* The distance from a time t at which other times are looked at. It is the unit of time, since t
 * itself does not tell how fast things change, but at least so much that the rounding of t does not
 * matter. */
double time_unit_beside(double unit, double t);

#endif
