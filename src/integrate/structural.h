/* The engine of structural methods: Newmark, HHT, generalized-alpha on constrained mechanical
 * systems q' = S v, M v' = f + G^T lambda, y = (q, v, lambda), without a form of first order. Where
 * S is given, what the method adds to q is a way in units of velocities, and q goes it by the
 * implicit midpoint rule.
 *
 * Constraints are met by each step on one level (problem.h): positions, velocities or
 * accelerations; or on all three, in the tangent of the constraints at its end. Unknowns of a step
 * are v' and lambda there, by Newton's iteration on the saddle-point systems of mechanical.h.
 *
 * In the tangent the largest natural frequency of the reduced system at the end of each step and
 * the damping ratio of its mode say how long steps are stable: engine.frequency and
 * engine.stable_step, and with engine_options.stable_steps none is longer. */
#ifndef INTEGRATE_STRUCTURAL_H
#define INTEGRATE_STRUCTURAL_H

#include "method/method.h"
#include "stepping/engine.h"

/* As engine_create() has it. DAE_UNSUPPORTED for problems that are no mechanical systems, for a
 * method whose steps cannot reach the level of the constraints, and for systems that are too large
 * for the tangent. */
dae_status structural_create(engine **created, problem *p, const method *which,
                             const engine_options *options, message *m);

#endif
