/* Equations of a C program at work, for one solver: its callbacks behind the seam of problem.h.
 *
 * Jacobians come from the author's callbacks or from coloured differences; constant matrices are
 * evaluated once. What occurs where is what the author's patterns allow and a look at several
 * points beside the start has shown: a dense pattern says nothing, and an algebraic variable is to
 * be known as one. */
#ifndef PROBLEM_CALLBACKS_H
#define PROBLEM_CALLBACKS_H

#include "problem/equations.h"
#include "problem/problem.h"

typedef struct callbacks callbacks;

/* Make an instance of `e` (borrowed). The equations are looked at near t and y (n; NAN, or NULL for
 * all: not known), for what occurs in them; where they have no value there, that remains unknown.
 * DAE_NO_MEMORY, with its sentence in `m`, which takes notes as well. */
dae_status callbacks_create(callbacks **created, const equations *e, double t, const double *y,
                            message *m);

/* For one more start near t and y: true where a look there shows derivatives where the first one
 * has shown them; then patterns and analyses serve on, and everything else is as after
 * callbacks_create(). False: another instance is to be made. */
bool callbacks_begin_again(callbacks *c, double t, const double *y);

/* What an engine integrates; owned by the instance. `time_derivative` is NULL where the author gave
 * none, and `yp` where dF/dy' is singular or not constant. */
problem *callbacks_problem(callbacks *c);

/* Whether y_j' occurs in row i, as far as is known; row[i] (n) = true for each row i in which y_j
 * or y_j' does, of a callbacks. */
bool callbacks_yp_occurs(const callbacks *c, size_t i, size_t j);
void callbacks_mark_rows(const void *self, size_t j, bool *row);

/* Compare the Jacobian, if the author gave it or its pattern, with differences of the equations in
 * one direction, and note where they are far apart, or which variable the pattern leaves out; a
 * remark, never a failure. Once, at the start. */
void callbacks_check_jacobian(callbacks *c, double t, const double *y, const double *yp,
                              message *m);

/* The name of the callback that refused or stopped last ("f", "jacobian", ...) and what it
 * returned; NULL and 0: none did, a value was not finite. */
const char *callbacks_refused(const callbacks *c, int *code);

void callbacks_free(callbacks *c); /* NULL is fine */

#endif
