/* The engine of Rosenbrock methods: one linear system a stage, with the exact Jacobian of each
 * step, and no iteration. For F(t, y, y') = 0 of index 1; best where F = M y' - f(t, y) with a
 * constant M, which may be singular. Hairer & Wanner, Solving ODEs II, 2nd ed., Secs. IV.7, VI.4
 * and VI.6. */
#ifndef INTEGRATE_ROSENBROCK_H
#define INTEGRATE_ROSENBROCK_H

#include "method/method.h"
#include "stepping/engine.h"

/* As engine_create(), of a Rosenbrock method. DAE_INDEX for a problem with variables or directions
 * of index 2 or 3, with the sentence in `m`. */
dae_status rosenbrock_create(engine **created, problem *p, const method *which,
                             const engine_options *options, message *m);

#endif
