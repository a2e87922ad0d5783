/* A start far from the guesses, where none is found near them. */
#ifndef INITIAL_AFAR_H
#define INITIAL_AFAR_H

#include "base/message.h"
#include "initial/reduced_start.h"

/* A damped search ends where violations are least, which may be on the wrong side of an extremum.
 * Newton's iteration without damping leaves it; so do guesses of other sizes and signs. `found`:
 * r->z is a solution, and a note names the given value that has moved most; else r->z is as it was.
 */
dae_status initial_from_afar(reduced_start *r, double *violation, bool *found, message *m);

#endif
