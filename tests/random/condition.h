/* What is known of a problem before it is solved, from its equations linearised about the solution,
 * E d' + A d = -delta, in quadruple precision: whether they have the index and the freedom that
 * they were made with, how perturbations grow, and what rounding does to the solution.
 *
 * The derivative array (Kunkel & Mehrmann 2006, Ch. 3) of Taylor coefficients gives, at a time,
 * what determines d and what determines d'; d is followed by the Radau IIA method of two stages, in
 * steps that resolve what grows. */
#ifndef RANDOM_CONDITION_H
#define RANDOM_CONDITION_H

#include "random/system.h"

typedef struct condition {
    const char *fault;          /* NULL: well posed */
    double growth;              /* of perturbations of consistent values, in units of 1 + |y| */
    double effect[SYSTEM_MOST]; /* of rounding, the largest along the solution */
    bool free[SYSTEM_MOST];     /* at the start: values that determine all others */
} condition;

void condition_find(random_system *s, draw *d, condition *c);

#endif
