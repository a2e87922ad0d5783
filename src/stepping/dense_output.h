/* The solution between the ends of a step: a polynomial in (t - t_0) / h. */
#ifndef INTEGRATE_DENSE_OUTPUT_H
#define INTEGRATE_DENSE_OUTPUT_H

#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dense_output {
    double t, h; /* where the step began, and its length, negative for a step back */
    size_t n;
    int degree;
    bool follows; /* algebraic variables are not controlled, and follow from the others */
    size_t formulation_number; /* which of the simulation's the variables are those of */
    double *coefficient;       /* (degree + 1) x n, rows contiguous: y(t + x h) = sum x^k row k */
} dense_output;

/* The cubic through values and derivatives (n each) at both ends of the step; t, h and n are set.
 */
void dense_output_make_hermite(dense_output *d, const double *y, const double *yp,
                               const double *end, const double *end_yp);

/* y and y' (n each; NULL: not wanted) at a time. */
void dense_output_evaluate(const dense_output *d, double t, double *y, double *yp);

/* y (n) at a time of the past becomes what it is in other unknowns. DAE_NOT_EVALUABLE where it has
 * no value there. */
typedef dae_status (*point_map)(void *self, double t, double *y);

#endif
