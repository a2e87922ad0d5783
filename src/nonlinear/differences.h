/* Jacobians of vector functions by coloured forward differences. */
#ifndef NONLINEAR_DIFFERENCES_H
#define NONLINEAR_DIFFERENCES_H

#include "linalg/colouring.h"

#include <daedal/status.h>

/* A vector function of a vector. Values that are not finite, and DAE_NOT_EVALUABLE, are answered
 * with another increment; any other failure is passed on. */
typedef struct vector_function {
    dae_status (*value)(void *self, const double *x, double *f);
    void *self;
} vector_function;

typedef struct differences {
    const sparse_pattern *pattern; /* rows x columns: where the Jacobian may be nonzero */
    colouring *colouring;
    double *moved;              /* columns: the point beside */
    double *there;              /* rows: the function there */
    size_t bad_row, bad_column; /* after DAE_NOT_EVALUABLE: where no increment gave a value */
} differences;

/* For functions of one pattern (borrowed). In `a`, under its protection. */
differences *differences_create(arena *a, const sparse_pattern *pattern);

/* Increments, relative to max(|x_j|, nominal_j), that balance truncation with round-off (Dennis &
 * Schnabel, Numerical Methods for Unconstrained Optimization, 1983, Sec. 5.4); and those with which
 * the zeros of a Jacobian are looked for, far above round-off. */
#define DIFFERENCES_FINE   0x1p-26
#define DIFFERENCES_COARSE 0x1p-7

/* value (nonzeros, in the pattern's order) = df/dx at x (columns), `here` (rows) being f(x). One
 * evaluation a colour, more where the function has no value: then the increment is taken the other
 * way, and smaller. Allocates nothing. */
dae_status differences_jacobian(differences *d, vector_function f, const double *x,
                                const double *nominal, const double *here, double increment,
                                double *value);

#endif
