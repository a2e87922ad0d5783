/* How long a Jacobian and its factors are kept, by what they cost.
 *
 * An old Jacobian makes Newton's iteration slower, and a step that is kept for the sake of its
 * factors is shorter than it could be. Both are accepted until together they have cost as much as a
 * renewal. Then the total cost is at most twice the least possible, whatever happens later (the
 * rule for renting or buying: Karlin, Manasse, Rudolph & Sleator, Algorithmica 3 (1988) 79). The
 * costs are estimates from counts (problem_costs), not times, so that a run repeats bit for bit. */
#ifndef INTEGRATE_REUSE_H
#define INTEGRATE_REUSE_H

#include "method/scheme.h"
#include "problem/problem.h"

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
