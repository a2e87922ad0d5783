/* The derivative of a vector function of one variable, of unknown length scale.
 *
 * Central differences at growing distances are extrapolated to 0. Close to 0 round-off dominates,
 * and errors fall with the distance. Farther off, errors rise with the variation of the function.
 * Beyond the function's own length scale they fall again, because quotients of any bounded function
 * do, and they agree on a wrong value. So a row is finished once its errors have risen, and larger
 * distances do not count. */
#ifndef NONLINEAR_DERIVATIVE_OUTWARD_H
#define NONLINEAR_DERIVATIVE_OUTWARD_H

#include "base/arena.h"
#include "nonlinear/derivative_along.h"

#include <stdbool.h>

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
 * Distances without values are skipped until one has a value; after that, one without a value ends
 * the search. */
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
