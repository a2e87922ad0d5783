/* Guesses that follow from known values. A row with one unknown entry, in which it is linear, is
 * solved for that entry; then the rows that have one unknown entry left, and so on. Only the files
 * of initial/ include this header. */
#ifndef INITIAL_FORWARD_H
#define INITIAL_FORWARD_H

#include "initial/reduced_start.h"

/* Known values are fixed ones, and given ones that are differentiated. z (s->size) receives the
 * guesses and the values that follow. DAE_NO_START if none follows; DAE_NO_MEMORY. */
dae_status start_forward(reduced_start *r, double *z);

/* Start values that meet the equations. */

/* Whether all given values can stay exactly, together with all differentiated variables, or else
 * alone. These are held, and the other values are solved for. The miss of the rows then must be no
 * more than the effect of round-off. For stiff equations that effect is large: for x' = -L (x - s)
 * + z and a constraint on x' it is L times the round-off of x. If true, r->z holds the solution.
 * Otherwise r->z is unchanged, and r->beside holds a point near a solution, if there is one. */
bool start_stays(reduced_start *r);

#endif
