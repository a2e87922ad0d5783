/* The simplified Newton iteration of all engines: when it has converged, when it will not converge,
 * and with what shorter step it might. Hairer & Wanner, Solving ODEs II, 2nd ed., Sec. IV.8. */
#ifndef STEPPING_NEWTON_H
#define STEPPING_NEWTON_H

#include "method/scheme.h"
#include "problem/problem.h"
#include "stepping/engine.h"

#include <daedal/status.h>

/* Why an attempt failed: the variable and the equation that a message names. */

/* Takes the cause and the equation or variable of the problem's last failure. */
void failure_of_problem(step_failure *failure, const problem *p, dae_status cause);

/* Finds the variable whose weighted x is the largest, over so many stages (n each). */
void failure_find_variable(step_failure *failure, size_t n, int stages, const double *x,
                           const double *weight);

/* Newton's iteration has failed: finds the variable whose weighted correction is the largest, and
 * among the equations with that variable the one with the largest residual, over so many stages (n
 * each). residual NULL: it has no value. */
void failure_of_newton(step_failure *failure, const problem *p, int stages,
                       const double *correction, const double *weight, const double *residual);

/* Evaluate the equations and correct the unknowns once; `size` is the norm of the correction. */
typedef dae_status (*newton_correction)(void *self, double *size);

enum { NEWTON_MOST_ITERATIONS = 7 };

typedef struct newton {
    bool exactly; /* down to round-off, as with fixed steps, where no shorter step can be tried */
    double rtol;  /* relative tolerance of which the norm is made */
    double tolerance;  /* the size at which a correction counts as converged */
    int more;          /* iterations that are allowed beyond the usual */
    double expected;   /* rate of convergence, until two corrections show one; 0: none */
    double least;      /* smaller rates are not believed: the first corrections may tell nothing */
    double rate;       /* of convergence in the last solution */
    int iterations;    /* of the last solution */
    double suggested;  /* after failure: factor for the step; 0: nothing better than 1/2 */
    size_t *count;     /* of all iterations, borrowed. NULL: they are not counted */
    const bool *noisy; /* tolerances are held above a noise that is there everywhere; borrowed.
                        * NULL: it is not known */
} newton;

/* Sets the tolerance of the iteration to this share of the error that a step may make, but not
 * below round-off. `rtol` is the tolerance of which norms are made. NEWTON_OF_STAGES: the tolerance
 * of RADAU5 for stages (Hairer & Wanner II, Sec. IV.8). */
#define NEWTON_OF_STAGES 0.0
void newton_hold(newton *w, double rtol, double share);

/* Iterates until the remaining error is below the tolerance, or only round-off is left. DAE_NEWTON,
 * or a status of the correction. */
dae_status newton_solve(newton *w, newton_correction correct, void *self);

/* All but what is borrowed. */
void newton_state(newton *w, state_visit *s);

/* If the iteration failed, *factor becomes the factor that it suggests for the step, between 0.1
 * and 0.5. */
void newton_shorten(const newton *w, dae_status status, double *factor);

/* How long a Jacobian and its factors are kept, by what they cost.
 *
 * An old Jacobian makes Newton's iteration slower, and a step that is kept for the sake of its
 * factors is shorter than it could be. Both are accepted until together they have cost as much as a
 * renewal. Then the total cost is at most twice the least possible, whatever happens later (the
 * rule for renting or buying: Karlin, Manasse, Rudolph & Sleator, Algorithmica 3 (1988) 79). The
 * costs are estimates from counts (problem_costs), not times, so that a run repeats bit for bit. */

typedef struct reuse {
    double jacobian, factors; /* costs: of a Jacobian, of all factors of a step, */
    double iteration;         /* of one iteration of all blocks */
    int least_iterations;     /* of the last step with the Jacobian at its start */
    double best_rate;         /* of convergence in that step; infinite: not known */
    double lost, forgone;     /* extra costs so far of the present Jacobian and factors */
} reuse;

/* Estimates the costs for a scheme whose blocks are factored, and begins with nothing lost. */
void reuse_estimate(reuse *r, const problem *p, const scheme *s);

/* After a step with so many iterations that converged at this rate: whether the Jacobian serves for
 * the next step. `fresh`: it is that of the start of the step. */
bool reuse_keeps_jacobian(reuse *r, int iterations, double rate, bool fresh);

/* After a step with so many iterations: the growth, >= 1, up to which the next step should keep its
 * length for the sake of the factors. The second function notes that a step was kept though it
 * could have grown by `declined` (1: it could not). New factors begin with nothing forgone. */
double reuse_kept_growth(const reuse *r, int iterations);
void reuse_note_growth(reuse *r, double declined, int iterations);

#endif
