/* Start values that meet the equations. */
#ifndef INITIAL_STAY_H
#define INITIAL_STAY_H

#include "initial/reduced_start.h"

/* Whether all that the author gave can stay to the last bit, and what is differentiated as well,
 * or else the former alone: with that held, values of the rest are found, and what the rows then
 * miss is no more than what round-off makes of them. Among stiff equations that is much: of
 * x' = -L (x - s) + z and a constraint on x' it is L times the round-off of x. True leaves the
 * solution in r->z; else r->z is as it was, and r->beside a point that comes near, if there is one.
 */
bool start_stays(reduced_start *r);

#endif
