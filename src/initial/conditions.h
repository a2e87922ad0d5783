/* Conditions of a start: missing ones and redundant ones. */
#ifndef INITIAL_CONDITIONS_H
#define INITIAL_CONDITIONS_H

#include "initial/consistent.h"
#include "initial/reduced_start.h"

/* At the start that was found: note the start values that were used because no condition fixes
 * them, and the conditions that take no freedom away. result->free and result->redundant receive
 * their numbers. The rank is found at the start in the sizes of its values, because the weights
 * that keep guesses hide columns. DAE_NO_START if open entries may not be free
 * (start_system.incomplete); DAE_NO_MEMORY. */
dae_status conditions_note(reduced_start *r, message *m, initial_result *result);

#endif
