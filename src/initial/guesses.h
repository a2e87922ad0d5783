/* Which start values are wanted most where no start was found; for the files of initial/ alone. */
#ifndef INITIAL_GUESSES_H
#define INITIAL_GUESSES_H

#include "initial/reduced_start.h"

/* Entries of z, `most` at most: variables of the author's that have no start value, and in which
 * the rows are not linear, such as a voltage in an exponential: how far Newton's iteration comes
 * lies in their guesses. Those nearest to these rows, by the unknowns that rows share. 0 where none
 * is near. */
size_t initial_guesses_wanted(const reduced_start *r, const size_t *row, size_t rows, size_t *entry,
                              size_t most);

#endif
