/* The part of y' that F_y' leaves open: its kernel, without a basis of it.
 *
 * (alpha F_y' + F_y)^-1 alpha F_y' v tends, as alpha grows, to the part of v that equations of
 * index 1 determine. The rest is in the kernel of F_y'. */
#ifndef STEPPING_OPEN_YP_H
#define STEPPING_OPEN_YP_H

#include "problem/problem.h"

/* Removes from v (n) what the equations determine of it, with alpha dF/dy' + dF/dy factored in
 * `slot`, a real one, as linearised last; scratch (n). It is removed twice, so that the error is of
 * the order of 1 / alpha^2. */
void open_yp_keep(problem *p, size_t slot, double alpha, double *v, double *scratch);

/* Finds a vector (n) in the kernel with scattered components; 0 up to round-off if F_y' is
 * regular. */
void open_yp_find(problem *p, size_t slot, double alpha, double *v, double *scratch);

/* Whether that vector is more than round-off: in variables whose derivatives occur, or in any. */
bool open_yp_is_any(const problem *p, const double *v, bool dynamic);

#endif
