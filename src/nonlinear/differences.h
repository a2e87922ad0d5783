/* Jacobians of vector functions by coloured forward differences. */
#ifndef NONLINEAR_DIFFERENCES_H
#define NONLINEAR_DIFFERENCES_H

#include "linalg/colouring.h"

#include <daedal/status.h>

/* A vector function of a vector. If values are not finite, or after DAE_NOT_EVALUABLE, another
 * increment is tried; any other failure is passed on. */
typedef struct vector_function {
    dae_status (*value)(void *self, const double *x, double *f);
    void *self;
} vector_function;

typedef struct differences {
    const sparse_pattern *pattern; /* rows x columns: where the Jacobian may be nonzero */
    colouring *colouring;
    double *moved;              /* columns: the displaced point */
    double *there;              /* rows: the function there */
    size_t bad_row, bad_column; /* after DAE_NOT_EVALUABLE: where no increment gave a value */
} differences;

/* For functions of one pattern (borrowed). In `a`, under its protection. */
differences *differences_create(arena *a, const sparse_pattern *pattern);

/* Increments relative to max(|x_j|, nominal_j). FINE balances truncation with round-off (Dennis &
 * Schnabel, Numerical Methods for Unconstrained Optimization, 1983, Sec. 5.4). COARSE is far above
 * round-off and serves to find the zeros of a Jacobian. */
#define DIFFERENCES_FINE   0x1p-26
#define DIFFERENCES_COARSE 0x1p-7

/* value (nonzeros, in the pattern's order) = df/dx at x (columns); `here` (rows) is f(x). One
 * evaluation per colour. Where the function has no value, the opposite and smaller increments are
 * tried. Allocates nothing. */
dae_status differences_jacobian(differences *d, vector_function f, const double *x,
                                const double *nominal, const double *here, double increment,
                                double *value);

#endif
