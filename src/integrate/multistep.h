/* The engine of multistep methods with constant steps: linear ones, implicit and explicit, their
 * one-leg twins and beta-blocked ones (method.h), on F(t, y, y') = 0.
 *
 * Of an implicit one y' follows from the formula, and the equations hold at the new point: what is
 * algebraic needs no history (Hairer & Wanner II, Secs. VI.2 and VII.3; Brenan, Campbell & Petzold
 * 1996, Ch. 3). There is no error estimate. Newton's iteration goes down to round-off. */
#ifndef INTEGRATE_MULTISTEP_H
#define INTEGRATE_MULTISTEP_H

#include "method/method.h"
#include "stepping/engine.h"

/* As engine_create(), of a method with constant steps. DAE_UNSUPPORTED where the method cannot
 * advance the equations, DAE_USAGE without a fixed step, each with its sentence in `m`. */
dae_status multistep_create(engine **created, problem *p, const method *which,
                            const engine_options *options, message *m);

#endif
