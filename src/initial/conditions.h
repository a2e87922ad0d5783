/* Conditions of a start: which are missing, and which are too many. */
#ifndef INITIAL_CONDITIONS_H
#define INITIAL_CONDITIONS_H

#include "initial/consistent.h"
#include "initial/reduced_start.h"

/* At the start that was found: note which start values were used because no condition fixes them,
 * and which conditions take no freedom away; into result->free and result->redundant how many these
 * are. The rank is that of the point found, in its sizes: weights that guesses are kept by hide
 * columns. DAE_NO_START where what is open may not be free (start_system.incomplete);
 * DAE_NO_MEMORY. */
dae_status conditions_note(reduced_start *r, message *m, initial_result *result);

#endif
