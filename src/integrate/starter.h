/* The one-step method that makes the first points of a multistep method with fixed steps, with the
 * same steps. */
#ifndef INTEGRATE_STARTER_H
#define INTEGRATE_STARTER_H

#include "method/method.h"
#include "stepping/corrector.h"
#include "stepping/engine.h"

typedef struct starter {
    method *method;
    engine *engine; /* NULL: there is none; of Runge-Kutta methods else */
} starter;

/* Which Radau IIA method starts an implicit method of this order on p. */
const char *starter_name(const problem *p, int order);

/* For the options of `owner`, whose problem is borrowed. Its first factorisation is a real one, and
 * serves a corrector as well. Statuses of engine_create(). */
dae_status starter_create(starter *s, const engine *owner, const char *name, message *m);

/* A step from where `owner` is to t. The result is left in the starter's engine, its polynomial in
 * owner->dense as well; the factors of `q` are lost. On failure its trouble is that of `owner`. */
dae_status starter_step(starter *s, engine *owner, corrector *q, double t);

void starter_free(starter *s);

/* And whose coefficients the polynomial of `owner` has: the starter's, or its `own`. */
void starter_state(starter *s, engine *owner, double *own, state_visit *to);

#endif
