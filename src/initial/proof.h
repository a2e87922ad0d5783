/* Whether what is fixed contradicts the equations, or a search has only not found a solution. */
#ifndef INITIAL_PROOF_H
#define INITIAL_PROOF_H

#include "initial/reduced_start.h"

/* Where r->x cannot be improved: proved where the equations are linear in what is not fixed, or
 * where what is fixed and initial equations leave more rows without an entry of their own than the
 * equations have anyway. */
dae_status initial_is_proved(reduced_start *r, bool *proved);

/* Which start values are wanted most where no start was found; for the files of initial/ alone. */

/* Entries of z, `most` at most: variables of the author's that have no start value, and in which
 * the rows are not linear, such as a voltage in an exponential: how far Newton's iteration comes
 * lies in their guesses. Those nearest to these rows, by the unknowns that rows share. 0 where none
 * is near. */
size_t initial_guesses_wanted(const reduced_start *r, const size_t *row, size_t rows, size_t *entry,
                              size_t most);

#endif
