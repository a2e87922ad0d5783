/* The simplified Newton iteration of all engines: when it has converged, when it will not, and what
 * shorter step might. Hairer & Wanner, Solving ODEs II, 2nd ed., Sec. IV.8. */
#ifndef INTEGRATE_NEWTON_H
#define INTEGRATE_NEWTON_H

#include <daedal/status.h>

/* Evaluate the equations and correct the unknowns once; `size` is the norm of the correction. */
typedef dae_status (*newton_correction)(void *self, double *size);

enum { NEWTON_MOST_ITERATIONS = 7 };

typedef struct newton {
    double rtol;      /* relative tolerance that the norm is made of */
    double tolerance; /* the size at which a correction counts as converged */
    int more;         /* iterations that are allowed beyond the usual */
    double expected;  /* rate of convergence, before two corrections tell it; 0: nothing is */
    double least;   /* a rate is not believed to be less: the first corrections may tell nothing */
    double rate;    /* of convergence in the last solution */
    int iterations; /* of the last solution */
    double suggested; /* after failure: factor for the step, 0 if nothing better than one half */
} newton;

/* Hold what the iteration leaves at this share of the error that a step may make, where norms are
 * made of a tolerance `rtol`: not below round-off. NEWTON_OF_STAGES: as RADAU5 holds stages (Hairer
 * & Wanner II, Sec. IV.8). */
#define NEWTON_OF_STAGES 0.0
void newton_hold(newton *w, double rtol, double share);

/* Iterate until what is left is below the tolerance. DAE_NEWTON, or what the correction returns. */
dae_status newton_solve(newton *w, newton_correction correct, void *self);

/* The same down to round-off, for fixed steps: there is no shorter one to try instead. */
dae_status newton_solve_exactly(newton *w, newton_correction correct, void *self);

/* Where the iteration failed, the factor that it suggests for the step, between 0.1 and 0.5. */
void newton_shorten(const newton *w, dae_status status, double *factor);

#endif
