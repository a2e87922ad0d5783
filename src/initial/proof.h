/* Whether what is fixed contradicts the equations, or a search has only not found a solution. */
#ifndef INITIAL_PROOF_H
#define INITIAL_PROOF_H

#include "initial/reduced_start.h"

/* Where r->x cannot be improved: proved where the equations are linear in what is not fixed, or
 * where what is fixed and initial equations leave more rows without an entry of their own than the
 * equations have anyway. */
dae_status initial_is_proved(reduced_start *r, bool *proved);

#endif
