/* Whether a start misses rows by a good part of their terms; for the files of initial/ alone.
 *
 * Violations count in nominal sizes. What has none counts as 1: of nanometres in metres without
 * nominal sizes nothing is left that could be missed. Terms are as large as they are. */
#ifndef INITIAL_TERMS_H
#define INITIAL_TERMS_H

#include "initial/reduced_start.h"

/* z meets its rows by their nominal sizes. Where rows are missed by more than a little of their
 * terms, others are sought from the guesses with other weights, and taken where they miss much
 * less. False where a good part is missed all the same, whatever iterations do. */
bool terms_are_met(reduced_start *r);

/* The largest part of its terms that a row misses at z; what is as little as none is alike. */
double terms_missed(reduced_start *r);

/* Whether none misses more than a little of its terms, however small these are beside the nominal
 * sizes of variables, and more than round-off of derivatives of their nominal sizes. */
bool terms_are_met_as_they_are(reduced_start *r);

#endif
