/* Sentences about what a method cannot do, shared by engines. */
#ifndef INTEGRATE_REFUSAL_H
#define INTEGRATE_REFUSAL_H

#include "base/message.h"
#include "method/method.h"
#include "problem/problem.h"

/* Refuses algebraic variables for a method that cannot advance them. `kind`: which methods, in the
 * plural; `why`: the reason. DAE_UNSUPPORTED with the names of the variables. */
dae_status refusal_of_algebraic(const problem *p, const char *name, const char *kind,
                                const char *why, message *m);

/* The reason for methods that compute y' from y. */
#define REFUSAL_OF_SLOPES "compute derivatives from values, and there is none to compute"

/* The same for equations with a singular dF/dy', which is factored into `slot` at a point. */
dae_status refusal_of_singular(problem *p, size_t slot, double t, const double *y, const double *yp,
                               const char *name, const char *kind, message *m);

/* Refuses a run without fixed step for a method that has no error estimate: DAE_USAGE. */
dae_status refusal_of_control(const char *name, message *m);

/* Adds a note if the method, with fixed steps, promises nothing on equations of this index. */
dae_status refusal_note_index(const problem *p, const method *which, message *m);

#endif
