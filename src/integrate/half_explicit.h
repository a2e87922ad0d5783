/* The engine of half-explicit Runge-Kutta methods, and of explicit ones on the state-space form of
 * equations of index 1: differential variables by explicit stages, derivatives and algebraic
 * variables at each by Newton's iteration, or by one linear system where the problem has it
 * (instant.h, method/half_explicit.h). */
#ifndef INTEGRATE_HALF_EXPLICIT_H
#define INTEGRATE_HALF_EXPLICIT_H

#include "method/method.h"
#include "stepping/engine.h"

/* As engine_create(), of a half-explicit method, or of an explicit one on the state-space form.
 * DAE_INDEX for variables of index 3, on the state-space form of index 2 as well. */
dae_status half_explicit_create(engine **created, problem *p, const method *which,
                                const engine_options *options, message *m);

#endif
