/* The engine of multistep methods with constant steps: linear ones, implicit and explicit, their
 * one-leg twins and beta-blocked ones, on F(t, y, y') = 0. */
#ifndef INTEGRATE_MULTISTEP_H
#define INTEGRATE_MULTISTEP_H

#include "integrate/engine.h"

/* The row of engine_create(). */
dae_status multistep_create(engine **created, problem *p, const method *which,
                            const engine_options *options, message *m);

#endif
