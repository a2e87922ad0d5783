/* How long a Jacobian and its factors serve, by what they cost.
 *
 * An old Jacobian makes Newton's iteration slower, and a step that is kept for the sake of its
 * factors is shorter than it could be. Both are borne until what they have cost together is what
 * renewal costs: whatever comes, that is at most twice the least (the rule for renting or buying:
 * Karlin, Manasse, Rudolph & Sleator, Algorithmica 3 (1988) 79). The costs are estimates from
 * counts (problem_costs), not times: a run repeats bit for bit. */
#ifndef INTEGRATE_REUSE_H
#define INTEGRATE_REUSE_H

#include "method/scheme.h"
#include "problem/problem.h"

typedef struct reuse {
    double jacobian, factors; /* costs: of a Jacobian, of all factors of a step, */
    double iteration;         /* of one iteration of all blocks */
    int least_iterations;     /* of the last step with the Jacobian of its beginning */
    double best_rate;         /* of convergence with that; infinite: not known */
    double lost, forgone;     /* what the present Jacobian and factors have cost by their age */
} reuse;

/* The costs, for a scheme whose blocks are factored; nothing is lost yet. */
void reuse_estimate(reuse *r, const problem *p, const scheme *s);

/* After a step of so many iterations that converged at this rate, `fresh` with the Jacobian of its
 * beginning: whether the Jacobian serves for the next step. */
bool reuse_keeps_jacobian(reuse *r, int iterations, double rate, bool fresh);

/* The growth, >= 1, up to which the step after one of so many iterations is better left as long as
 * that, with its factors; and that it was left so though it might have grown (1: it might not). New
 * factors begin with nothing forgone. */
double reuse_kept_growth(const reuse *r, int iterations);
void reuse_note_growth(reuse *r, double declined, int iterations);

#endif
