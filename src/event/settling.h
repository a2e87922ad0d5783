/* What the parts of settling an event share. */
#ifndef EVENT_SETTLING_H
#define EVENT_SETTLING_H

#include "event/switching.h"

/* What settles an event. */
typedef struct settling {
    switching *s;
    double t, *z;
    switching_resolve resolve;
    void *self;
    message *m;
    switching_result *result;
    message tried;     /* of the equations in the modes tried last */
    switching *from_s; /* where the search for modes begins: each trial starts there, with ... */
    double *from_z;    /* ... what is in from_s->before */
} settling;

/* Gives relation k a mode. */
void settling_hold(switching *s, size_t k, bool is);

/* Whether relation k has a value that its mode excludes, by the last switching_look(). at_zero: a
 * value of exactly 0 counts as it stands. */
bool settling_contradicts(const switching *s, size_t k, bool at_zero);

/* Appends relations as their author wrote them, with commas and an "and". */
void settling_name(const settling *e, size_t count, const size_t *which, text *t);

/* search.c: finds modes and values that belong together, for the present values of the states.
 * Statuses of `resolve`; DAE_EVENT with a message if there are none. */
dae_status settling_find_modes(settling *e);

#endif
