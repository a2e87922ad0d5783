/* Which variables can be the states. */
#ifndef INITIAL_STATES_H
#define INITIAL_STATES_H

#include "problem/start.h"

#include <daedal/status.h>

/* At the consistent point z: choose entries of z such that fixing them determines all. Entries that
 * the author fixed, selected as states or gave start values are preferred. chosen (s->size)
 * receives them in ascending order, *count their number. *known is false, and *count 0, if the
 * system is too large to find the rank. */
dae_status initial_states(const start_system *s, double t, const double *z, size_t *chosen,
                          size_t *count, bool *known);

/* At the consistent point z: mark the derivatives (open: s->size; never a variable of the author)
 * that the rows do not determine once all variables are known. Their values in z are one choice
 * among many. If the system is too large to find the rank, all derivatives count as open. */
dae_status initial_undetermined(const start_system *s, double t, const double *z, bool *open);

#endif
