/* Derivatives by differences: Jacobians, along a line, and outward from an instant. */
#ifndef NONLINEAR_DIFFERENCES_H
#define NONLINEAR_DIFFERENCES_H

#include "base/arena.h"
#include "base/state.h"
#include "linalg/sparse.h"

#include <daedal/status.h>
#include <stdbool.h>

/* Jacobians of vector functions by coloured forward differences. */

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

/* The derivative of a vector function of one variable, nearly to round-off, from values alone. */

/* Evaluate g (rows) at s. */
typedef dae_status (*curve)(void *self, double s, double *g);

typedef struct derivative_along derivative_along;

/* For curves of so many rows. In `a`, under its protection. */
derivative_along *derivative_along_create(arena *a, size_t rows);

/* derivative (rows) = dg/ds at 0, by central differences at distances that shrink from `widest`,
 * extrapolated to 0. Each row takes the extrapolation that its neighbours confirm best (Ridders,
 * Adv. Eng. Software 4 (1982)). Distances without a value are skipped. If one side of 0 has no
 * values at all, differences are taken to the other side. Later calls use only distances near those
 * that were best in the first. DAE_NOT_EVALUABLE; any other failure of the curve is passed on. */
dae_status derivative_along_find(derivative_along *s, curve g, void *self, double widest,
                                 double *derivative);

/* Which distances the next call looks at, and on which side. */
void derivative_along_state(derivative_along *s, state_visit *to);

/* The derivative of a vector function of one variable, of unknown length scale.
 *
 * Central differences at growing distances are extrapolated to 0. Close to 0 round-off dominates,
 * and errors fall with the distance. Farther off, errors rise with the variation of the function.
 * Beyond the function's own length scale they fall again, because quotients of any bounded function
 * do, and they agree on a wrong value. So a row is finished once its errors have risen, and larger
 * distances do not count. */

typedef struct derivative_outward {
    /* Of each row: its derivative at 0; the error that it may have; how much of that is round-off
     * of the values; and the longest distance at which errors were hardly larger. The last is
     * needed beside exact zeros, as at rest at the time 0, where the shortest distance may be as
     * good as any. */
    double *derivative, *error, *noise, *distance;
    bool *risen; /* whether its errors rose farther off */
    struct derivative_outward_room *room;
} derivative_outward;

/* For curves of at most so many rows. In `a`, under its protection. */
derivative_outward *derivative_outward_create(arena *a, size_t rows);

/* The range in which distances are tried. */
typedef struct derivative_range {
    size_t rows;
    double least, most;  /* distances: the first one, and the upper limit */
    const double *noise; /* rows: round-off of the values, in addition to that of their own sizes */
    double argument;     /* round-off of the argument */
} derivative_range;

/* DAE_NOT_EVALUABLE if there is no value at all; any other failure of the curve is passed on.
 * A distance without values ends the search. If already the first one has none on one side of 0,
 * differences are taken between 0 and the other side. */
dae_status derivative_outward_find(derivative_outward *s, curve g, void *self,
                                   const derivative_range *range);

/* Whether the value found for a row is its derivative: its error is small relative to it, or, where
 * it is 0, near round-off. Neither holds if all distances exceed the length scale of g. */
bool derivative_outward_settled(const derivative_outward *s, size_t row);

/* The row in which the derivative found differs most from the given one, in parts of `size`, if
 * that is more than `allowed` and the difference is far larger than its error; `rows` if there is
 * none. */
size_t derivative_outward_denies(const derivative_outward *s, size_t rows, const double *given,
                                 const double *size, double allowed);

#endif
