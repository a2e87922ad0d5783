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
    bool follows; /* algebraic variables are not error-controlled; they follow from others */
    size_t formulation_number; /* which of the simulation's formulations the variables belong to */
    double *coefficient;       /* (degree + 1) x n, rows contiguous: y(t + x h) = sum x^k row k */
} dense_output;

/* Makes the cubic through values and derivatives (n each) at both ends of the step; t and h are
 * set. */
void dense_output_make_hermite(dense_output *d, const double *y, const double *yp,
                               const double *end, const double *end_yp);

/* Evaluates y and y' (n each; NULL: not wanted) at a time. */
void dense_output_evaluate(const dense_output *d, double t, double *y, double *yp);

/* Maps y (n) at a past time to other unknowns. DAE_NOT_EVALUABLE if it has no value there. */
typedef dae_status (*point_map)(void *self, double t, double *y);

#endif
