/* Consistent initial values.
 *
 * The input is start values, some fixed and the others guesses, and initial equations. The result
 * satisfies the equations and their differentiated forms. Fixed values never change. Guesses that
 * the author gave change as little as possible, in the norm of the nominal values; other values
 * change freely. If guesses are held (start_system.held), a solution that keeps them is preferred
 * to one that is nearer to all guesses. */
#ifndef INITIAL_CONSISTENT_H
#define INITIAL_CONSISTENT_H

#include "base/message.h"
#include "initial/reduced_start.h"
#include "problem/start.h"

#include <daedal/status.h>

typedef struct initial_result {
    size_t free;      /* freedoms without a condition: start values of states were used */
    size_t redundant; /* conditions beyond the degrees of freedom, consistent with the others */
    double residual;  /* the worst remaining violation */
    size_t iterations;
} initial_result;

/* Find z (s->size). Notes name the states whose start values were used, and redundant conditions.
 * Failures: DAE_CONTRADICTION with the fixed values and equations that cannot hold together and the
 * nearest values that could; DAE_NO_START with the worst equations and their residuals. z is
 * then as it was. */
dae_status initial_consistent(const start_system *s, double t, double *z, initial_result *result,
                              message *m);

/* From guesses near a solution: find z (s->size) in few iterations, with held entries fixed. *rank:
 * of the rows there, by the other entries; 0: it is not known. DAE_NEWTON or another failure, where
 * a search may still find something. */
dae_status initial_near(const start_system *s, double t, double *z, size_t *rank);

/* The same where held entries have errors, so that rows may be missed by as much in nominal sizes:
 * the least squares of them. */
dae_status initial_near_within(const start_system *s, double t, double most, double *z,
                               size_t *rank);

/* Conditions of a start: missing ones and redundant ones. */

/* At the start that was found: note the start values that were used because no condition fixes
 * them, and the conditions that take no freedom away. result->free and result->redundant receive
 * their numbers. The rank is found at the start in the sizes of its values, because the weights
 * that keep guesses hide columns. DAE_NO_START if open entries may not be free
 * (start_system.incomplete); DAE_NO_MEMORY. */
dae_status conditions_note(reduced_start *r, message *m, initial_result *result);

/* Which variables can be the states. */

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

/* Whether a start violates rows by a large part of their terms. Only the files of initial/ include
 * this header.
 *
 * Violations are relative to nominal sizes, which are 1 where not given. If lengths are nanometres,
 * in metres and without nominal sizes, every violation looks small. So violations are also compared
 * with the actual sizes of the terms. */

/* Call when z meets its rows in nominal sizes. If rows miss more than a small part of their terms,
 * other solutions are sought from the guesses with other weights, and taken if they miss much less.
 * Returns false if rows still miss a large part that no iteration reduces. */
bool terms_are_met(reduced_start *r);

/* Whether it has found nothing to mend, and neither the point nor the weights have changed. */
bool terms_were_met(const reduced_start *r);

/* The largest part of its terms that a row misses at z; at least a value that counts as none. */
double terms_missed(reduced_start *r);

/* Rows that nearly depend on others, whatever the weights, count as dependent, because a Jacobian
 * near a multiple root has digits of its own. Where such rows are missed by more than the rounding
 * of their terms, they are solved again with all that is more than the round-off of an elimination.
 * What is found stays if the rows are missed much less, as those of linear equations are, whose
 * coefficients are exact. */
void terms_tell_apart(reduced_start *r);

/* Where rows count as dependent at r->x: whether they are so as much beside it, and there as here
 * by more than round-off independent. Then the equations are badly conditioned, but regular; the
 * solver has that rank from now on, and weights by logarithms. */
bool terms_find_sharp_rank(reduced_start *r);

/* The rank with weights by logarithms at r->x, where rows count as dependent below this part. Both
 * stay. SIZE_MAX: there is none. */
size_t terms_rank_below(reduced_start *r, double dependent);

/* Whether no row misses more than the rounding of its own terms; that is in r->noise. */
bool terms_are_round_off(reduced_start *r);

/* Whether no row misses more of its terms than counts as none. */
bool terms_miss_nothing(reduced_start *r);

/* Whether no row misses more than a small part of its terms, even if the terms are small compared
 * with nominal sizes of variables. Misses up to the round-off of derivatives of nominal size do not
 * count. */
bool terms_are_met_as_they_are(reduced_start *r);

#endif
