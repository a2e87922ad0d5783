/* A step in the tangent of the constraints, for structural methods (Urkullu and others, "A new
 * formulation for the direct integration of DAEs on the tangent space", 2023): the method advances
 * alpha = N^T q, where N is an orthonormal basis of the null space of the constraints' gradient at
 * the end of the step, and the state at its start is projected into the same tangent. With
 * particular solutions of minimum norm, which are orthogonal to N, that says
 *
 *   N^T (q_1 - q_0 - h V_0 - h^2 ((1/2 - beta) a_0 + beta a_1)) = 0,
 *   N^T (V_1 - V_0 - h ((1 - gamma) a_0 + gamma a_1)) = 0,       V = v + delta h^2 v'',
 *
 * while (q_1, v_1) meets the constraints on positions and velocities, and v'_1 and lambda_1 are
 * those of the equations of motion there: all levels hold at once. In alpha, which is linear in q,
 * the method is what it is on equations without constraints, with its order and its limit of the
 * step. Nonholonomic constraints are in the second N alone: they leave more positions than
 * velocities. Where q' = S v the first equation is one of ways in units of velocities,
 * structural_move(): N is that of G = [phi_q S; A], on which the forces act, and S N that of the
 * coordinates.
 *
 * delta = 1/12 makes Fox-Goodwin's of order 4 with velocity-dependent forces as well, for
 * v_1, from which they follow, is the velocity itself.
 *
 * Newton's iteration renews N at each point. All is dense. */
#ifndef INTEGRATE_TANGENT_H
#define INTEGRATE_TANGENT_H

#include "integrate/structural_parts.h"

/* DAE_NO_MEMORY; DAE_UNSUPPORTED for more constraints and velocities than dense decompositions are
 * for (linalg/min_norm.h). */
dae_status tangent_create(tangent **created, const structural *e);
void tangent_free(tangent *t); /* NULL is fine */

/* A new start, at e->at: nothing is known but the sizes of what is factored. */
void tangent_start(tangent *t, structural *e);

/* The end of the step of e->h, into e->at. */
dae_status tangent_solve(tangent *t, structural *e);

/* x (nv) loses what is not in the tangent at the end of the step, where the constraints decide: no
 * error of the method is there, but much round-off where constraints are about to lose rank. */
void tangent_keep(tangent *t, double *x);

/* Of the reduced system M_R alpha'' + C_R alpha' + K_R alpha at the end of the last step that was
 * solved: the largest omega with omega^2 an eigenvalue of (K_R, M_R), and the damping ratio of its
 * mode. False where there is none. */
bool tangent_frequency(tangent *t, double *omega, double *ratio);

#endif
