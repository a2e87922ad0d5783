/* The engine of Runge-Kutta methods, of every family: explicit, diagonally implicit, collocation.
 *
 * On F(t, y, y') = 0 the stages solve F(t + c_i h, Y_i, Y_i') = 0 (stages.h). Error estimate,
 * Newton tolerance and predictive step control of the implicit ones as in RADAU5: Hairer & Wanner,
 * Solving ODEs II, 2nd ed., Sec. IV.8; there for M y' = f, here in the residual form. A method of
 * variable order changes between its order levels as RADAU does: Hairer & Wanner, J. Comput. Appl.
 * Math. 111 (1999), Sec. 4. */
#ifndef INTEGRATE_RUNGE_KUTTA_H
#define INTEGRATE_RUNGE_KUTTA_H

#include "method/method.h"
#include "stepping/engine.h"

/* As engine_create(), of a Runge-Kutta method. */
dae_status runge_kutta_create(engine **created, problem *p, const method *which,
                              const engine_options *options, message *m);

#endif
