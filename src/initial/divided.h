/* Searches for a start in its parts. Only the files of initial/ include this header. */
#ifndef INITIAL_DIVIDED_H
#define INITIAL_DIVIDED_H

#include "initial/search.h"

/* What a search tries. */
typedef enum effort {
    STAY,      /* whether the given values can stay */
    TENTATIVE, /* all but what explains a failure */
    ALL
} effort;

/* One search; the message of its failure where it has none; and whether a status ends all
 * searches. */
dae_status start_try(reduced_start *r, effort most, initial_result *result, message *m);
dae_status start_fail(message *m, dae_status status);

/* Where the last point has values, but not derivatives by all unknowns, as x*sqrt(abs(x)) at 0:
 * says so, and of which equation. */
dae_status start_fail_without_slope(reduced_start *r, message *m);
bool start_is_final(dae_status status);

/* If nothing links the parts of a system (*many): search in each by itself, as
 * initial_consistent() does. Otherwise nothing is done. */
dae_status start_search_divided(const start_system *s, double t, double *z, initial_result *result,
                                message *m, bool *many);

/* After a search without success: whether fixed values contradict equations that contain nothing
 * else, whatever becomes of the others. Then DAE_CONTRADICTION replaces the failure; otherwise it
 * stays, DAE_NO_START. */
dae_status start_contradicts(const start_system *s, double t, message *m);

/* Find z with as many values of states held as possible, also where they have no start value and
 * the guess is 0: in parts that these values leave, and that have no solution with them, they are
 * released. DAE_NO_START if none can be held. */
dae_status start_hold(const start_system *s, double t, double *z);

#endif
