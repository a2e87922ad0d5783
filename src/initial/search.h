/* One search for a start, from its guesses. Only the files of initial/ include this header. */
#ifndef INITIAL_SEARCH_H
#define INITIAL_SEARCH_H

#include "base/message.h"
#include "initial/consistent.h"
#include "initial/reduced_start.h"

/* Search from the guesses. tentative: another search follows, so a failure is not explained. */
dae_status initial_search(reduced_start *r, bool tentative, initial_result *result, message *m);

/* Only the first of what it tries: all given values stay, as do those of differentiated variables.
 * DAE_NO_START if they cannot. */
dae_status initial_stay(reduced_start *r, message *m, initial_result *result);

/* Whether a point that meets all rows is one of a solution; mends what is missed there, if it can.
 * DOUBTFUL: round-off hides that, and fewer rows are independent there than beside the guesses. */
typedef enum start_verity { START_SOLVED, START_DOUBTFUL, START_MISSED } start_verity;
start_verity start_verify_rows(reduced_start *r);

/* Whether there is no doubt of it; or would be none if nothing were mended. */
bool start_is_solution(reduced_start *r);
bool start_is_no_doubt(reduced_start *r);

/* flow.c: solve, and note whether corrections may have left Newton's flow. */
dae_status start_solve_watched(reduced_start *r, size_t most_iterations);

/* Follow it from the guesses by short steps; whether that leads to where the rows are met. */
bool start_meets_closely(reduced_start *r, bool (*is_met)(reduced_start *r));

/* Where the solution found last may not be the one that the flow leads to: go to that one, if there
 * is one. false: the rows have no value any more. */
bool start_follow_flow(reduced_start *r, bool (*is_met)(reduced_start *r));

/* Where the rows determine all entries: whether the flow from r->beside is that from the guesses,
 * but for the entries in which the two points differ. If the rows are linear in these, with
 * coefficients that no entry changes, Newton's correction leads to one point from both. */
bool start_flow_is_same(reduced_start *r);

/* guesses.c: move the solution, where it was looked at last, nearer to the guesses, unless it then
 * misses a much larger part of its terms. Returns whether it is the nearest. */
bool start_come_to_guesses(reduced_start *r);

/* Looks for roots of rows with one unknown entry that are nearer to its guess than that in
 * `solution` (s->size), and of rows that have one once these are known. z (s->size) receives the
 * guesses and the values that follow. Returns whether any is nearer. */
bool start_nearest(reduced_start *r, const double *solution, double *z);

/* Searches in several parts at once, which nothing links. */

/* Which parts keep the others from being found at once. */
typedef struct start_verdict {
    size_t parts;
    const size_t *part_of_row, *part_of_entry; /* s->rows, s->size */
    bool *bad;                                 /* parts */
} start_verdict;

/* Mark the parts whose iteration has failed, or whose rows have no value or miss more than
 * `allowed`, where r was solved last. */
void start_verdict_find(reduced_start *r, double allowed, start_verdict *v);

/* The first of what start_stays() tries, or the second where all states are given and the first has
 * no more to hold; only as far as a search in each part by itself would end there. If false, the
 * verdict tells which parts are bad; perhaps none. */
bool start_stays_together(reduced_start *r, start_verdict *v);

/* The same for what initial_search() tries if the given values cannot stay. */
bool initial_search_together(reduced_start *r, start_verdict *v);

#endif
