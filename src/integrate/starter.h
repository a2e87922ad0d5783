/* The one-step method that makes the first points of a multistep method with fixed steps, with the
 * same steps. */
#ifndef INTEGRATE_STARTER_H
#define INTEGRATE_STARTER_H

#include "method/method.h"
#include "stepping/corrector.h"
#include "stepping/engine.h"

typedef struct starter {
    method *method;
    engine *engine; /* of Runge-Kutta methods; NULL: there is no starter */
} starter;

/* The name of the Radau IIA method that starts an implicit method of this order on p. */
const char *starter_name(const problem *p, int order);

/* Creates a starter with the options of `owner`, whose problem is borrowed. Its first factorisation
 * is a real one, which a corrector can use as well. Statuses of engine_create(). */
dae_status starter_create(starter *s, const engine *owner, const char *name, message *m);

/* Makes a step from the owner's point to t. The result is left in the starter's engine; its
 * polynomial is in owner->dense as well. The factors of `q` are lost. A failure is recorded in
 * owner->failure. */
dae_status starter_step(starter *s, engine *owner, corrector *q, double t);

void starter_free(starter *s);

/* And whose coefficients the polynomial of `owner` has: the starter's, or its `own`. */
void starter_state(starter *s, engine *owner, double *own, state_visit *to);

#endif
