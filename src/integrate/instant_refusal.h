/* The sentences about problems that a method cannot advance if it solves for y' and algebraic
 * variables at an instant. */
#ifndef INTEGRATE_INSTANT_REFUSAL_H
#define INTEGRATE_INSTANT_REFUSAL_H

#include "method/method.h"
#include "stepping/instant.h"

/* Why such a method cannot advance the problem, with the sentence in `m`. The first is about a
 * variable of too high an index. The second is about equations without the form that the method
 * needs, at a point where they have been examined and factored with the status `factored`. */
dae_status instant_refuse_index(const problem *p, const method *which, message *m);
dae_status instant_refuse_rows(const instant *s, const method *which, dae_status factored,
                               message *m);

/* The same for equations whose derivatives vanish at the engine's state. It takes precedence over
 * instant_refuse_rows(). */
dae_status instant_refuse_vanishing(instant *s, const engine *e, const method *which, message *m);

#endif
