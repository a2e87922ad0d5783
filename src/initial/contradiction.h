/* Why no consistent start was found. */
#ifndef INITIAL_CONTRADICTION_H
#define INITIAL_CONTRADICTION_H

#include "base/message.h"
#include "initial/reduced_start.h"

/* First try to meet the equations without fixed values, and if need be without initial equations.
 * If that works, lead the fixed values from there to their own by continuation. Success leaves the
 * solution in r->z and returns DAE_OK. Otherwise explain the failure: DAE_CONTRADICTION or
 * DAE_NO_START. `converged`: r->z is a point at which the violations are smallest. `hopeless`: the
 * rows are linear and have no solution, so that none is sought. */
dae_status initial_explain(reduced_start *r, bool converged, bool hopeless, message *m);

/* A damped search ends at a minimum of the violations, which need not be a solution. Undamped
 * Newton iterations can leave it, and so can guesses of other sizes and signs, and roots of rows
 * with one unknown. If true, r->z is a solution, and a note names the given value that has moved
 * most. Otherwise r->z is unchanged. */
bool initial_find_afar(reduced_start *r, message *m);

/* Report that the point found is no solution although its violations are small in nominal sizes.
 * See consistent.h. */
dae_status initial_report_terms(reduced_start *r, message *m);

/* Whether fixed values provably contradict the equations, or the search merely found no solution.
 */

/* Call where r->x cannot be improved. A contradiction is proved in two cases. The equations are
 * linear in the free entries, those at least that miss anything; or fixed values and initial
 * equations leave more rows without a matching entry than the equations have by themselves. */
dae_status initial_is_proved(reduced_start *r, bool *proved);

/* Whether the Jacobian by the free entries is the same at another point. */
dae_status initial_is_linear(reduced_start *r, bool *linear);

/* The same of the rows that are left without those that say what a value is on which nothing else
 * depends, as der(E) = v*i where E occurs nowhere. From whatever point, these lead to the same
 * solutions. The second: and they alone miss anything at r->z, so that no point leads to one. */
dae_status initial_rest_is_linear(reduced_start *r, bool *linear);
dae_status initial_misses_linear(reduced_start *r, bool *misses);

/* The start values that would help most if no start was found. */

/* Find at most `most` entries of z that are author's variables without a start value and in which
 * the rows are not linear, such as a voltage in an exponential. The success of Newton's iteration
 * depends on their guesses. They are those nearest to the given rows, counted by unknowns that rows
 * share. Returns their number, 0 if none is near. */
size_t initial_guesses_wanted(const reduced_start *r, const size_t *row, size_t rows, size_t *entry,
                              size_t most);

/* Guesses that follow from known values. A row with one unknown entry, in which it is linear, is
 * solved for that entry; then the rows that have one unknown entry left, and so on. Only the files
 * of initial/ include this header. */

/* Known values are fixed ones, and given ones that are differentiated. far: a row that is not
 * linear may be solved, too, for the root that is nearest to the guess. z (s->size) receives the
 * guesses and the values that follow. DAE_NO_START if none follows; DAE_NO_MEMORY. */
dae_status start_forward(reduced_start *r, bool far, double *z);

/* Start values that meet the equations. */

/* Whether all given values can stay exactly, together with all differentiated variables, or else
 * alone. These are held, and the other values are solved for. The miss of the rows then must be no
 * more than the effect of round-off. For stiff equations that effect is large: for x' = -L (x - s)
 * + z and a constraint on x' it is L times the round-off of x. If true, r->z holds the solution.
 * Otherwise r->z is unchanged, and r->beside holds a point near a solution, if there is one. */
bool start_stays(reduced_start *r);

/* The first of these alone: all given values together with all differentiated variables. */
bool start_stays_at_once(reduced_start *r);

#endif
