/* The engine of Rosenbrock methods: one linear system a stage, with the exact Jacobian of each
 * step, and no iteration. For F = M y' - f(t, y) with a constant M, which may be singular (index
 * 1). Hairer & Wanner, Solving ODEs II, 2nd ed., Secs. IV.7 and VI.4. */
#ifndef INTEGRATE_ROSENBROCK_H
#define INTEGRATE_ROSENBROCK_H

#include "integrate/engine.h"
#include "method/method.h"

/* As engine_create(), of a Rosenbrock method. DAE_UNSUPPORTED for a problem without constant mass,
 * DAE_INDEX for one with variables or directions of index 2 or 3, each with the sentence in `m`. */
dae_status rosenbrock_create(engine **created, problem *p, const method *which,
                             const engine_options *options, message *m);

#endif
