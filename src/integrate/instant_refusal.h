/* What methods that solve for y' and algebraic variables at an instant cannot advance, in a
 * sentence. */
#ifndef INTEGRATE_INSTANT_REFUSAL_H
#define INTEGRATE_INSTANT_REFUSAL_H

#include "method/method.h"
#include "stepping/instant.h"

/* Why such a method cannot advance the problem, with the sentence in `m`: for a
 * variable of an index that is too high, or for equations that are not as it needs them, at a point
 * where they have been looked at and factored with this status. */
dae_status instant_refuse_index(const problem *p, const method *which, message *m);
dae_status instant_refuse_rows(const instant *s, const method *which, dae_status factored,
                               message *m);

/* The same for equations whose derivatives vanish at the engine's state; before the others. */
dae_status instant_refuse_vanishing(instant *s, const engine *e, const method *which, message *m);

#endif
