/* Equations of a C program at work, for one solver: its callbacks behind the seam of problem.h.
 *
 * Jacobians come from the author's callbacks or from coloured differences. Constant matrices are
 * evaluated once. An entry occurs if the author's patterns allow it and a look at several points
 * beside the start has shown it. The look is needed because a dense pattern says nothing, and
 * algebraic variables have to be recognised. */
#ifndef PROBLEM_CALLBACKS_H
#define PROBLEM_CALLBACKS_H

#include "problem/equations.h"
#include "problem/problem.h"

typedef struct callbacks callbacks;

/* Make an instance of `e` (borrowed). A look at the equations near t and y shows what occurs in
 * them (y: n; NAN, or NULL for all: not known). If the equations have no value there, that remains
 * unknown. DAE_NO_MEMORY, with its sentence in `m`; `m` takes notes as well. */
dae_status callbacks_create(callbacks **created, const equations *e, double t, const double *y,
                            message *m);

/* For another start near t and y. True: a look there shows derivatives where the first look showed
 * them. Then patterns and analyses stay valid, and everything else is as after callbacks_create().
 * False: another instance has to be made. */
bool callbacks_begin_again(callbacks *c, double t, const double *y);

/* What an engine integrates; owned by the instance. `time_derivative` is NULL if the author gave
 * none. `yp` is NULL if dF/dy' is singular or not constant. */
problem *callbacks_problem(callbacks *c);

/* Whether y_j' is known to occur in row i. The second function sets row[i] (n) = true for each row
 * i in which y_j or y_j' is known to occur; `self` is a callbacks. */
bool callbacks_yp_occurs(const callbacks *c, size_t i, size_t j);
void callbacks_mark_rows(const void *self, size_t j, bool *row);

/* Compare the Jacobian with differences of the equations in one direction, if the author gave the
 * Jacobian or its pattern. Note where they are far apart, or which variable the pattern leaves out.
 * This is a remark, never a failure, and is made once, at the start. */
void callbacks_check_jacobian(callbacks *c, double t, const double *y, const double *yp,
                              message *m);

/* The name of the callback that refused or stopped last ("f", "jacobian", ...), and what it
 * returned. NULL and 0: none did; a value was not finite. */
const char *callbacks_refused(const callbacks *c, int *code);

void callbacks_free(callbacks *c); /* NULL is fine */

#endif
