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

/* solved_rounding.c: where a relation that is nearly 0 contradicts its mode, looks what rounding
 * makes of all of them in the solution that was found last. */
dae_status search_look_at_rounding(settling *e);

/* decided.c: marks the relations that are 0 in the solution found last, in modes in which the
 * equations are met only because 0 does not count as it stands: `decided`. */
dae_status search_look_at_decided(settling *e);

/* together.c: counts solutions in a row after which Real definitions alone have changed, from the
 * `before` (discrete variables) with which they were found. Where these are more than such
 * variables, no chain of definitions leads to an end: the variables are solved for together with
 * the equations in the present modes, and *stays tells whether that has been found. */
dae_status search_settle_reals(settling *e, const double *before, bool *stays);

/* Gives relations the modes of their values: all of them, or the first one of parts in `singly`
 * (parts; NULL: there are none). Marks the parts in which one has changed, and returns whether one
 * has. */
bool search_turn(settling *e, const bool *singly);

/* Whether the solution found last has moved states of the parts whose modes are sought. */
bool search_has_jumped(const settling *e);

/* Keeps the present modes as a visit, by its number. */
void search_keep_modes(const switching *s, size_t at);

/* Seeks modes by the values of relations, from the present ones on, which become the first visit.
 * *visits: their number. Only DAE_STOPPED and DAE_NO_MEMORY are statuses, and those of what follows
 * on a solution that was found. */
dae_status search_by_values(settling *e, size_t *visits, bool *found);

/* search_in_parts.c: tries all modes of the relations in which so many visited modes differ, in
 * each part of the model by itself. */
dae_status search_in_parts(settling *e, size_t visits);

/* Gives relations modes that were kept; the bits say which of some have the other one. */
void search_begin_again(settling *e, size_t from, size_t count, const size_t *which, size_t bits);

/* search_all.c: tries all modes of the relations that so many visited modes differ in. */
dae_status search_all(settling *e, size_t visits);

/* motion_differs.c: the variables that are differentiated, and their rates, of the solution found
 * last, into motion (search_motion_room()); and whether those of another one differ from it by more
 * than the tolerance. */
size_t search_motion_room(const settling *e);
void search_take_motion(const settling *e, double *motion);
bool search_motion_differs(const settling *e, const double *motion);

#endif
