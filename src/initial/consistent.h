/* Consistent initial values.
 *
 * From start values, of which some are fixed and the others guesses, and from initial equations,
 * values are found that satisfy the equations and what follows from them by differentiation. Fixed
 * values are never changed; guesses that the author gave are changed as little as possible, in the
 * norm that his nominal values define; what he left open is changed freely. Where guesses are held,
 * a solution with these as they are comes before one that is nearer to all guesses. */
#ifndef INITIAL_CONSISTENT_H
#define INITIAL_CONSISTENT_H

#include "base/message.h"
#include "problem/start.h"

typedef struct initial_result {
    size_t free;      /* freedoms that no condition fixed: start values of states were used */
    size_t redundant; /* conditions beyond the degrees of freedom, consistent with the others */
    double residual;  /* the worst violation that is left */
    size_t iterations;
} initial_result;

/* Find z (s->size). Notes name the states whose start values were used, and what is
 * over-determined. Failures: DAE_CONTRADICTION with the fixed values and equations that cannot hold
 * together and the nearest values that could; DAE_NO_START with the worst equations and their
 * residuals. */
dae_status initial_consistent(const start_system *s, double t, double *z, initial_result *result,
                              message *m);

#endif
