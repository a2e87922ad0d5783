/* Guesses that follow from what is known: where a row has one unknown entry left, and is linear in
 * it, it is solved for that, and then the rows that have one left; for the files of initial/ alone.
 */
#ifndef INITIAL_FORWARD_H
#define INITIAL_FORWARD_H

#include "initial/reduced_start.h"

/* Known are fixed values, and given ones that are differentiated. z (s->size): the guesses, and
 * what follows; DAE_NO_START where nothing does. DAE_NO_MEMORY. */
dae_status start_forward(reduced_start *r, double *z);

/* Start values that meet the equations. */

/* Whether all that the author gave can stay to the last bit, and what is differentiated as well,
 * or else the former alone: with that held, values of the rest are found, and what the rows then
 * miss is no more than what round-off makes of them. Among stiff equations that is much: of
 * x' = -L (x - s) + z and a constraint on x' it is L times the round-off of x. True leaves the
 * solution in r->z; else r->z is as it was, and r->beside a point that comes near, if there is one.
 */
bool start_stays(reduced_start *r);

#endif
