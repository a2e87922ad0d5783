/* The simplified Newton iteration of all engines: when it has converged, when it will not converge,
 * and with what shorter step it might. Hairer & Wanner, Solving ODEs II, 2nd ed., Sec. IV.8. */
#ifndef INTEGRATE_NEWTON_H
#define INTEGRATE_NEWTON_H

#include <daedal/status.h>

/* Evaluate the equations and correct the unknowns once; `size` is the norm of the correction. */
typedef dae_status (*newton_correction)(void *self, double *size);

enum { NEWTON_MOST_ITERATIONS = 7 };

typedef struct newton {
    double rtol;      /* relative tolerance of which the norm is made */
    double tolerance; /* the size at which a correction counts as converged */
    int more;         /* iterations that are allowed beyond the usual */
    double expected;  /* rate of convergence, until two corrections show one; 0: none */
    double least;     /* smaller rates are not believed: the first corrections may tell nothing */
    double rate;      /* of convergence in the last solution */
    int iterations;   /* of the last solution */
    double suggested; /* after failure: factor for the step; 0: nothing better than 1/2 */
} newton;

/* Sets the tolerance of the iteration to this share of the error that a step may make, but not
 * below round-off. `rtol` is the tolerance of which norms are made. NEWTON_OF_STAGES: the tolerance
 * of RADAU5 for stages (Hairer & Wanner II, Sec. IV.8). */
#define NEWTON_OF_STAGES 0.0
void newton_hold(newton *w, double rtol, double share);

/* Iterates until the remaining error is below the tolerance. DAE_NEWTON, or a status of the
 * correction. */
dae_status newton_solve(newton *w, newton_correction correct, void *self);

/* The same down to round-off, for fixed steps, where no shorter step can be tried instead. */
dae_status newton_solve_exactly(newton *w, newton_correction correct, void *self);

/* If the iteration failed, *factor becomes the factor that it suggests for the step, between 0.1
 * and 0.5. */
void newton_shorten(const newton *w, dae_status status, double *factor);

#endif
