/* Roots of functions of time alone, found before any step: sin(time) > 0.5.
 *
 * Interval arithmetic bounds the function and its derivative over an interval of time (Moore,
 * Interval Analysis, 1966). Where the function excludes 0 there is no root; where its derivative
 * does, there is at most one; other intervals are halved. So no pulse is too short to be seen. */
#ifndef EVENT_TIME_ROOTS_H
#define EVENT_TIME_ROOTS_H

#include "symbolic/node.h"

typedef struct time_roots time_roots;

/* For expressions f (count) of time, cells and numbers. In the graph's arena, under its protection.
 */
time_roots *time_roots_create(sym_graph *g, size_t count, const sym *f);

/* The first time after t in that direction of time at which f[k] is on another side than `sign`,
 * to which 0 belongs if `zero`: 0 counts for the other side where f[k] stays 0 for a while, and not
 * where it touches 0. Infinite: there is none. Where the search becomes long, the time up to which
 * there is none: there it must be asked again. *certain: bounds show that there is no earlier one;
 * else that is what f is at points near to each other. */
double time_roots_next(time_roots *r, size_t k, double t, double direction, signed char sign,
                       bool zero, bool *certain);

/* Whether f[k] is told from 0 at t: by more than the rounding of what it is made of. */
bool time_roots_is_clear(time_roots *r, size_t k, double t);

/* The sign that f[k], which is 0 at t but for rounding, has in that direction of time once it is
 * more than rounding; 0: it is not soon. A zero of a high order hides it for longer than one that
 * is crossed. */
signed char time_roots_sign_behind(time_roots *r, size_t k, double t, double direction);

#endif
