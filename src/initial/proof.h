/* Whether fixed values provably contradict the equations, or the search merely found no solution.
 */
#ifndef INITIAL_PROOF_H
#define INITIAL_PROOF_H

#include "initial/reduced_start.h"

/* Call where r->x cannot be improved. A contradiction is proved in two cases. The equations are
 * linear in the free entries; or fixed values and initial equations leave more rows without a
 * matching entry than the equations have by themselves. */
dae_status initial_is_proved(reduced_start *r, bool *proved);

/* The start values that would help most if no start was found. */

/* Find at most `most` entries of z that are author's variables without a start value and in which
 * the rows are not linear, such as a voltage in an exponential. The success of Newton's iteration
 * depends on their guesses. They are those nearest to the given rows, counted by unknowns that rows
 * share. Returns their number, 0 if none is near. */
size_t initial_guesses_wanted(const reduced_start *r, const size_t *row, size_t rows, size_t *entry,
                              size_t most);

#endif
