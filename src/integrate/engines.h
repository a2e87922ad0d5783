/* Which engine runs a method: the one place that knows all of them. */
#ifndef INTEGRATE_ENGINES_H
#define INTEGRATE_ENGINES_H

#include "method/method.h"
#include "stepping/engine.h"

/* Creates an engine for this method; problem and method are borrowed and must outlive it. DAE_USAGE
 * for a method without error estimate if no fixed step is given, and DAE_UNSUPPORTED for a problem
 * that the method cannot advance, each with the sentence in `m`. DAE_SINGULAR if the iteration
 * matrix is structurally singular. DAE_NO_MEMORY. */
dae_status engine_create(engine **created, problem *p, const method *which,
                         const engine_options *options, message *m);

/* The engine of backward differentiation formulas with variable step and order. */
extern const engine_ops bdf_engine;

/* The engine of modified extended BDF of variable order (J. R. Cash, Comput. Math. Appl. 9 (1983)
 * 645; Cash & Considine, ACM TOMS 18 (1992) 142; on equations of index 1 to 3: Cash, Comput. Math.
 * Appl. 40 (2000) 1165). */
extern const engine_ops mebdf_engine;

/* The engine of half-explicit Runge-Kutta methods, and of explicit ones on the state-space form of
 * equations of index 1: differential variables by explicit stages, derivatives and algebraic
 * variables at each by Newton's iteration, or by one linear system where the problem has it
 * (instant.h, method/half_explicit.h). */

/* DAE_INDEX for variables of index 3, on the state-space form of index 2 as well. */
extern const engine_ops half_explicit_engine;

/* The engine of multistep methods with constant steps: linear ones, implicit and explicit, their
 * one-leg twins and beta-blocked ones (method.h), on F(t, y, y') = 0.
 *
 * Of an implicit one y' follows from the formula, and the equations hold at the new point: what is
 * algebraic needs no history (Hairer & Wanner II, Secs. VI.2 and VII.3; Brenan, Campbell & Petzold
 * 1996, Ch. 3). There is no error estimate. Newton's iteration goes down to round-off. */

/* DAE_UNSUPPORTED where the method cannot advance the equations, DAE_USAGE without a fixed step. */
extern const engine_ops multistep_engine;

/* The engine of Rosenbrock methods: one linear system a stage, with the exact Jacobian of each
 * step, and no iteration. For F(t, y, y') = 0 of index 1; best where F = M y' - f(t, y) with a
 * constant M, which may be singular. Hairer & Wanner, Solving ODEs II, 2nd ed., Secs. IV.7, VI.4
 * and VI.6. */

/* DAE_INDEX for a problem with variables or directions of index 2 or 3. */
extern const engine_ops rosenbrock_engine;

/* The engine of Runge-Kutta methods, of every family: explicit, diagonally implicit, collocation.
 *
 * On F(t, y, y') = 0 the stages solve F(t + c_i h, Y_i, Y_i') = 0 (stages.h). Error estimate,
 * Newton tolerance and predictive step control of the implicit ones as in RADAU5: Hairer & Wanner,
 * Solving ODEs II, 2nd ed., Sec. IV.8; there for M y' = f, here in the residual form. A method of
 * variable order changes between its order levels as RADAU does: Hairer & Wanner, J. Comput. Appl.
 * Math. 111 (1999), Sec. 4. */
extern const engine_ops runge_kutta_engine;

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

/* DAE_UNSUPPORTED for problems that are not mechanical systems, for a method whose steps cannot
 * meet constraints on this level, and for systems too large for the tangent. */
extern const engine_ops structural_engine;

#endif
