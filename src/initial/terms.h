/* Whether a start violates rows by a large part of their terms. Only the files of initial/ include
 * this header.
 *
 * Violations are relative to nominal sizes, which are 1 where not given. If lengths are nanometres,
 * in metres and without nominal sizes, every violation looks small. So violations are also compared
 * with the actual sizes of the terms. */
#ifndef INITIAL_TERMS_H
#define INITIAL_TERMS_H

#include "initial/reduced_start.h"

/* Call when z meets its rows in nominal sizes. If rows miss more than a small part of their terms,
 * other solutions are sought from the guesses with other weights, and taken if they miss much less.
 * Returns false if rows still miss a large part that no iteration reduces. */
bool terms_are_met(reduced_start *r);

/* The largest part of its terms that a row misses at z; at least a value that counts as none. */
double terms_missed(reduced_start *r);

/* Whether no row misses more than a small part of its terms, even if the terms are small compared
 * with nominal sizes of variables. Misses up to the round-off of derivatives of nominal size do not
 * count. */
bool terms_are_met_as_they_are(reduced_start *r);

#endif
