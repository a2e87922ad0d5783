/* Discrete Real variables that the start is found with in turn (start_turns.c), where they are
 * defined by what the equations give by them, as d = pre(d) + 2 q with q = 3 d + b in
 * `when initial()`.
 *
 * To take what is defined is the fixed-point iteration d = G(d), which ends in a circle only where
 * G contracts. So the next values are those at which the misses G(d) - d of the last turns, taken
 * as linear between them, are smallest (Anderson, J. ACM 12 (1965) 547). For n variables of a
 * linear G, as the equations of one mode mostly give it, these are the solution after n + 1 turns
 * (Walker & Ni, SIAM J. Numer. Anal. 49 (2011) 1715). */
#ifndef SOLVE_START_REALS_H
#define SOLVE_START_REALS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct start_reals start_reals;

/* For so many variables. NULL: memory is exhausted. */
start_reals *start_reals_create(size_t count);
void start_reals_free(start_reals *r); /* NULL is fine */

/* G is another one from here on. */
void start_reals_forget(start_reals *r);

/* Notes what is defined where d was taken (count each). Whether they are the same but for rounding.
 */
bool start_reals_note(start_reals *r, const double *taken, const double *defined);

/* The next values (count), after the last note. */
void start_reals_next(const start_reals *r, double *value);

#endif
