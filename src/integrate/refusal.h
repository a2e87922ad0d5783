/* Sentences about what a method cannot do, shared by engines. */
#ifndef INTEGRATE_REFUSAL_H
#define INTEGRATE_REFUSAL_H

#include "base/message.h"
#include "method/method.h"
#include "method/scheme.h"
#include "problem/problem.h"
#include "stepping/engine.h"
#include "stepping/instant.h"

/* Refuses algebraic variables for a method that cannot advance them. `kind`: which methods, in the
 * plural; `why`: the reason. DAE_UNSUPPORTED with the names of the variables. */
dae_status refusal_of_algebraic(const problem *p, const char *name, const char *kind,
                                const char *why, message *m);

/* The reason for methods that compute y' from y. */
#define REFUSAL_OF_SLOPES "compute derivatives from values, and there is none to compute"

/* The same for equations with a singular dF/dy', which is factored into `slot` at a point. */
dae_status refusal_of_singular(problem *p, size_t slot, double t, const double *y, const double *yp,
                               const char *name, const char *kind, message *m);

/* Refuses a run without fixed step for a method that has no error estimate: DAE_USAGE. `other`: a
 * method that has one. */
dae_status refusal_of_control(const char *name, const char *other, message *m);

/* Notes that the error test of the method treats what has this index so ("leaves out"). */
void refusal_note_uncontrolled(const method *which, const char *treats, int index, message *m);

/* Refuses variables of an index above `most` (1 or 2), with a remedy: DAE_INDEX. */
dae_status refusal_of_index(const problem *p, const char *name, int most, const char *remedy,
                            message *m);

/* Adds a note if the method, with fixed steps, promises nothing on equations of this index. */
dae_status refusal_note_index(const problem *p, const method *which, message *m);

/* The sentences about problems that a method cannot advance if it solves for y' and algebraic
 * variables at an instant. */

/* Why such a method cannot advance the problem, with the sentence in `m`. The first is about a
 * variable of too high an index. The second is about equations without the form that the method
 * needs, at the engine's state, where they have been examined and factored with the status
 * `factored`; and, `at_start`, about those whose derivatives vanish there, which comes first. */
dae_status instant_refuse_index(const problem *p, const method *which, message *m);
dae_status instant_refuse_rows(instant *s, const engine *e, const method *which, bool at_start,
                               dae_status factored, message *m);

/* How stiff a problem appears to an explicit method, found without a further evaluation. */

typedef struct watching {
    double bears; /* largest stable h |lambda|, lambda < 0; 0: the method does not watch */
    const scheme *scheme;
    int twin; /* the stage whose derivative is compared with that of the end */
} watching;

/* Finds what an explicit method bears. Implicit methods are not watched. */
void watching_begin(watching *w, const scheme *s);

/* Sets e->stiffness to h times the largest eigenvalue that a step shows, divided by what the method
 * bears; 0: not known. The eigenvalue is the difference of two derivatives at the same time,
 * divided by the difference of their values, in the norm of the error test. This is a lower bound
 * of the largest eigenvalue, and is near it if the step is at the border of stability. L. F.
 * Shampine (1977); Hairer & Wanner II, Sec. IV.2. The step h begins at e->y and leads to `end` and
 * `end_yp` (n each); yp (stages x n) are the derivatives of its stages. Nothing is done unless the
 * method watches. */
void watching_measure(const watching *w, engine *e, double h, const double *end,
                      const double *end_yp, const double *yp);

#endif
