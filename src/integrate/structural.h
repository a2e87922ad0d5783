/* The engine of structural methods: Newmark, HHT, generalized-alpha on constrained mechanical
 * systems q' = S v, M v' = f + G^T lambda, y = (q, v, lambda), without a form of first order. If S
 * is given, the increment of q that the method finds is in units of velocities times h, and q
 * follows it by the implicit midpoint rule.
 *
 * Each step meets the constraints on one level (problem.h): positions, velocities or accelerations;
 * or on all three, in the tangent of the constraints at its end. The unknowns of a step are v' and
 * lambda there. Newton's iteration finds them with the saddle-point systems of mechanical.h.
 *
 * In the tangent, the largest natural frequency of the reduced system at the end of each step and
 * the damping ratio of its mode give the longest stable step: engine.frequency and
 * engine.stable_step. With engine_options.stable_steps no step is longer. */
#ifndef INTEGRATE_STRUCTURAL_H
#define INTEGRATE_STRUCTURAL_H

#include "method/method.h"
#include "stepping/engine.h"

/* As engine_create(). DAE_UNSUPPORTED for problems that are not mechanical systems, for a method
 * whose steps cannot meet constraints on this level, and for systems too large for the tangent. */
dae_status structural_create(engine **created, problem *p, const method *which,
                             const engine_options *options, message *m);

#endif
