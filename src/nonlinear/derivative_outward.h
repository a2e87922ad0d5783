/* The derivative of a vector function of one variable that varies in nobody knows what lengths.
 *
 * Central differences at distances that grow, extrapolated to 0. Close to 0 there is round-off, and
 * errors fall with the distance; farther off they rise with what the function does. Beyond its own
 * length they fall again, as quotients of all that is bounded do, and agree on a wrong value: so a
 * row is left where its errors have risen, and what is farther off has no say. */
#ifndef NONLINEAR_DERIVATIVE_OUTWARD_H
#define NONLINEAR_DERIVATIVE_OUTWARD_H

#include "base/arena.h"
#include "nonlinear/derivative_along.h"

#include <stdbool.h>

typedef struct derivative_outward {
    /* Of each row: its derivative at 0, what its error may be, how much of that is round-off of
     * the values, and the longest distance at which errors were hardly more: beside exact zeros,
     * as at rest at the time 0, the shortest of all may be as good as any. */
    double *derivative, *error, *noise, *distance;
    bool *risen; /* whether its errors rose farther off */
    struct derivative_outward_room *room;
} derivative_outward;

/* For curves of at most so many rows. In `a`, under its protection. */
derivative_outward *derivative_outward_create(arena *a, size_t rows);

/* What is looked at. */
typedef struct derivative_range {
    size_t rows;
    double least, most;  /* distances: the first, and no one beyond the other */
    const double *noise; /* rows: round-off of the values, beside that of their own sizes */
    double argument;     /* round-off of the argument */
} derivative_range;

/* DAE_NOT_EVALUABLE where there is no value; any other failure of the curve is passed on. Distances
 * without values are passed over until there was one, and end the look then. */
dae_status derivative_outward_find(derivative_outward *s, curve g, void *self,
                                   const derivative_range *range);

/* Whether what was found of a row is its derivative: the error is small beside it, or not far from
 * round-off, where it is 0. Neither holds where all distances are longer than what g varies in. */
bool derivative_outward_settled(const derivative_outward *s, size_t row);

/* Of so many rows the one in which what was found is off what is given most, in parts of `size`,
 * where that is more than `allowed` and known far better than that; `rows` where there is none. */
size_t derivative_outward_denies(const derivative_outward *s, size_t rows, const double *given,
                                 const double *size, double allowed);

#endif
