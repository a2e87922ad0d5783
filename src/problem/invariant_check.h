/* Whether what an author says to be an invariant c(t, y) is one, and its gradient its gradient.
 *
 * A projection trusts both: states are drawn to values of c that the solution leaves, or along
 * directions that are none of c, and all levels are met. Both are looked at by differences, from
 * short distances outward: of c along the motion, (1, y'), where it must not change, and of c along
 * one direction of y. */
#ifndef PROBLEM_INVARIANT_CHECK_H
#define PROBLEM_INVARIANT_CHECK_H

#include "base/text.h"

#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Where they come from. */
typedef struct invariant_source {
    size_t n, count;                                                       /* y, c */
    dae_status (*value)(void *self, double t, const double *y, double *c); /* c (count) */
    void *self;
    const double *nominal; /* n: sizes of y */
} invariant_source;

/* Where, and what is off by more than `allowed` of the terms. */
typedef struct invariant_point {
    double t;
    const double *y;        /* n */
    const double *jacobian; /* count x n, by columns: dc/dy */
    double allowed;
} invariant_point;

/* What is wrong: the gradient of row `row` by column `column`, or, of `changes`, the row is no
 * invariant. */
typedef struct invariant_fault {
    bool wrong, changes;
    size_t row, column;
    double given, found; /* of `changes`: its terms and itself, in a unit of time */
} invariant_fault;

/* The gradient, and with y' = rate (n), on a state that meets all of them, the invariants. Where
 * there are no values nothing is said. Besides DAE_OK, DAE_STOPPED and DAE_NO_MEMORY. */
dae_status invariant_check_jacobian(const invariant_source *s, const invariant_point *p,
                                    invariant_fault *fault);
dae_status invariant_check_rate(const invariant_source *s, const invariant_point *p,
                                const double *rate, invariant_fault *fault);

/* The sentence on a fault at a time; the author's names for c, its gradient, and the variable that
 * fault->column is. */
void invariant_fault_report(const invariant_fault *f, double t, const char *value,
                            const char *jacobian, const char *variable, text *words);

#endif
