/* What F_y' leaves open of y': its kernel, without a basis of it.
 *
 * (alpha F_y' + F_y)^-1 alpha F_y' v tends, as alpha grows, to the part of v that is determined
 * where equations of index 1 hold; the rest is in the kernel of F_y'. */
#ifndef STEPPING_OPEN_YP_H
#define STEPPING_OPEN_YP_H

#include "problem/problem.h"

/* v (n) less what the equations determine of it, with alpha dF/dy' + dF/dy factored in `slot`, a
 * real one, as linearised last; scratch (n). Taken away twice, so that 1 / alpha counts squared. */
void open_yp_keep(problem *p, size_t slot, double alpha, double *v, double *scratch);

/* A vector (n) in the kernel, scattered over it; 0 up to round-off where F_y' is regular. */
void open_yp_find(problem *p, size_t slot, double alpha, double *v, double *scratch);

/* Whether that vector is no round-off: in variables whose derivatives occur, or in any. */
bool open_yp_is_any(const problem *p, const double *v, bool dynamic);

#endif
