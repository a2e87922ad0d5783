/* What both parts of the search for modes share. */
#ifndef EVENT_SEARCH_PARTS_H
#define EVENT_SEARCH_PARTS_H

#include "event/settling.h"

/* Of so many relations that contradict each other, all modes are tried. */
enum { SEARCH_MOST_TOGETHER = 12 };

/* The continuous equations in the present modes, and definitions at their solution. *stays: these
 * have stayed. */
dae_status search_solve(settling *e, bool *stays);

/* The same once, from the values that definitions have now. */
dae_status search_solve_once(settling *e, bool *stays);

/* together.c: counts solutions in a row after which Real definitions alone have changed, from the
 * `before` (discrete variables) with which they were found. Where these are more than such
 * variables, no chain of definitions leads to an end: the variables are solved for together with
 * the equations in the present modes, and *stays tells whether that has been found. */
dae_status search_settle_reals(settling *e, const double *before, bool *stays);

/* Gives relations the modes of their values: all of them, or the first one. Returns whether one has
 * changed. */
bool search_turn(switching *s, bool first);

/* Gives relations modes that were kept; the bits say which of some have the other one. */
void search_begin_again(settling *e, size_t from, size_t count, const size_t *which, size_t bits);

/* search_all.c: tries all modes of the relations that so many visited modes differ in. */
dae_status search_all(settling *e, size_t visits);

#endif
