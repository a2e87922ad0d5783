/* Which variables can be the states. */
#ifndef INITIAL_STATES_H
#define INITIAL_STATES_H

#include "problem/start.h"

#include <daedal/status.h>

/* At the consistent point z: entries of z such that fixing them fixes all, those preferred that the
 * author fixed, wanted as states or gave start values. chosen (s->size) takes them, ascending,
 * count how many; known is false, and count 0, where the system is too large for the rank to be
 * found. */
dae_status initial_states(const start_system *s, double t, const double *z, size_t *chosen,
                          size_t *count, bool *known);

#endif
