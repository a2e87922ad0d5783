/* Invariants of equations of C programs: their check, and the levels they make. */
#ifndef PROBLEM_INVARIANTS_H
#define PROBLEM_INVARIANTS_H

#include "base/text.h"
#include "problem/callbacks.h"
#include "problem/levels.h"

#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Checks whether the author's invariant c(t, y) is an invariant, and whether its gradient is right.
 *
 * A projection trusts both. If one is wrong, states are drawn to values of c that the solution
 * leaves, or along wrong directions, and all levels are met nevertheless. Both are checked by
 * differences over short distances: c must not change along the motion (1, y'), and c is
 * differentiated along one direction of y. The second check is one of the gradient of any function,
 * such as a constraint on positions. */

/* The invariants and where their values come from. */
typedef struct invariant_source {
    size_t n, count;                                                       /* y, c */
    dae_status (*value)(void *self, double t, const double *y, double *c); /* c (count) */
    void *self;
    const double *nominal; /* n: typical sizes of y */
} invariant_source;

/* The point, and the error that is allowed, as a part of the terms. */
typedef struct invariant_point {
    double t;
    const double *y;               /* n */
    const sparse_pattern *pattern; /* count x n */
    const double *jacobian;        /* dc/dy, in the order of the pattern */
    double allowed;
} invariant_point;

/* What is wrong: the gradient in row `row` and column `column`; or, if `changes`, the row is no
 * invariant. */
typedef struct invariant_fault {
    bool wrong, changes;
    size_t row, column;
    double given, found; /* the gradient's two values; if `changes`: the terms of the rate, and the
                            rate, per unit of time */
} invariant_fault;

/* Check the gradient; or, with y' = rate (n, else NULL), the invariants, at a state that meets all
 * of them. Points without values are not judged. Returns DAE_OK, DAE_STOPPED or DAE_NO_MEMORY. */
dae_status invariant_check(const invariant_source *s, const invariant_point *p, const double *rate,
                           invariant_fault *fault);

/* The sentence on a fault at a time. It takes the author's names for c, its gradient, and the
 * variable of fault->column. */
void invariant_fault_report(const invariant_fault *f, double t, const char *value,
                            const char *jacobian, const char *variable, text *words);

/* The invariants of an ODE on a manifold as one constraint level: c(t, y) - c(t0, y0) = 0.
 *
 * z is (y, y'); only y is changed. */

typedef struct invariant_levels invariant_levels;

/* For equations with invariants; `c` is borrowed. DAE_NO_MEMORY. */
dae_status invariant_levels_create(invariant_levels **created, callbacks *c);

/* Take the values that are to be kept from the start. */
dae_status invariant_levels_begin(invariant_levels *l, double t, const double *y);

/* Check whether the author's derivatives of the invariants at (t, y) are right; or, `along` the
 * motion, whether the invariants do not change where y meets them. See invariant_check(). */
dae_status invariant_levels_check(invariant_levels *l, double t, const double *y, double allowed,
                                  bool along, invariant_fault *fault);

const constraint_levels *invariant_levels_form(const invariant_levels *l);

void invariant_levels_free(invariant_levels *l); /* NULL is fine */

#endif
