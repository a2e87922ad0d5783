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

#endif
