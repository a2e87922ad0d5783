/* The engine of backward differentiation formulas with variable step and order. */
#ifndef INTEGRATE_BDF_H
#define INTEGRATE_BDF_H

#include "method/method.h"
#include "stepping/engine.h"

/* As engine_create(). */
dae_status bdf_create(engine **created, problem *p, const method *which,
                      const engine_options *options, message *m);

#endif
