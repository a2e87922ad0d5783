/* What relations of time keep of the searches for their roots. A comparison with many carriers is
 * many such relations, of which each event changes one; if all were sought anew at each event, that
 * would cost as the square of their number. */
#ifndef EVENT_KEPT_ROOTS_H
#define EVENT_KEPT_ROOTS_H

#include "base/state.h"

#include <stdbool.h>

/* What is known of a curved relation of time, while no leaf of it has another value: its next root
 * until that has come, and whether it is told from 0 at one instant. */
typedef struct kept_root {
    bool known;            /* the root was sought: */
    double behind, found;  /* after this time; infinite: there is none */
    signed char sign;      /* with the relation on this side, */
    bool zero;             /* ... to which 0 belongs, */
    signed char direction; /* ... in this direction of time, */
    size_t leaves, *leaf;  /* and these: a relation, or after all relations a cell */
    double *was;           /* leaves: with these values of modes and cells */
    bool looked;           /* it was looked at whether it is told from 0 */
    double looked_at;      /* ... at this time; */
    bool clear;            /* it is; */
    double left_in; /* where not, its sign in this direction of time was looked at; 0: it was not */
    signed char leaves_to; /* ... and is this one */
    double *seen;          /* leaves: with these values */
} kept_root;

/* For roots of `count` relations. What is known of an instant is scratch. */
void kept_roots_state(kept_root *root, size_t count, state_visit *s);

#endif
