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

/* At the consistent point z: which derivatives (s->size; never a variable of the author's) the rows
 * leave open once all variables are known: their values in z are a choice among many. Where the
 * system is too large for the rank to be found, all derivatives count as open. */
dae_status initial_undetermined(const start_system *s, double t, const double *z, bool *open);

#endif
