/* Guesses that follow from what is known: where a row has one unknown entry left, and is linear in
 * it, it is solved for that, and then the rows that have one left; for the files of initial/ alone.
 */
#ifndef INITIAL_FORWARD_H
#define INITIAL_FORWARD_H

#include "initial/reduced_start.h"

/* Known are fixed values, and given ones that are differentiated. z (s->size): the guesses, and
 * what follows; DAE_NO_START where nothing does. DAE_NO_MEMORY. */
dae_status start_forward(reduced_start *r, double *z);

#endif
