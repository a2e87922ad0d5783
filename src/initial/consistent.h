/* Consistent initial values.
 *
 * The input is start values, some fixed and the others guesses, and initial equations. The result
 * satisfies the equations and their differentiated forms. Fixed values never change. Guesses that
 * the author gave change as little as possible, in the norm of the nominal values; other values
 * change freely. If guesses are held (start_system.held), a solution that keeps them is preferred
 * to one that is nearer to all guesses. */
#ifndef INITIAL_CONSISTENT_H
#define INITIAL_CONSISTENT_H

#include "base/message.h"
#include "problem/start.h"

typedef struct initial_result {
    size_t free;      /* freedoms without a condition: start values of states were used */
    size_t redundant; /* conditions beyond the degrees of freedom, consistent with the others */
    double residual;  /* the worst remaining violation */
    size_t iterations;
} initial_result;

/* Find z (s->size). Notes name the states whose start values were used, and redundant conditions.
 * Failures: DAE_CONTRADICTION with the fixed values and equations that cannot hold together and the
 * nearest values that could; DAE_NO_START with the worst equations and their residuals. */
dae_status initial_consistent(const start_system *s, double t, double *z, initial_result *result,
                              message *m);

#endif
