/* What a method cannot do, in a sentence: what engines share. */
#ifndef INTEGRATE_REFUSAL_H
#define INTEGRATE_REFUSAL_H

#include "base/message.h"
#include "method/method.h"
#include "problem/problem.h"

/* Algebraic variables, for a method that computes y' from y; `kind`: what methods do so, in the
 * plural. DAE_UNSUPPORTED with their names. */
dae_status refusal_of_algebraic(const problem *p, const char *name, const char *kind, message *m);

/* The same of equations with a singular dF/dy', as factored into `slot` at a point. */
dae_status refusal_of_singular(problem *p, size_t slot, double t, const double *y, const double *yp,
                               const char *name, const char *kind, message *m);

/* No fixed step for a method that has no error estimate: DAE_USAGE. */
dae_status refusal_of_control(const char *name, message *m);

/* A note where the method, with fixed steps, promises nothing on equations of this index. */
dae_status refusal_note_index(const problem *p, const method *which, message *m);

#endif
