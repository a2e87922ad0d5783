/* Equations of a C program at work, for one solver: its callbacks behind the seam of problem.h.
 *
 * Jacobians come from the author's callbacks or from coloured differences. Constant matrices are
 * evaluated once. An entry occurs if the author's patterns allow it and a look at several points
 * beside the start has shown it. The look is needed because a dense pattern says nothing, and
 * algebraic variables have to be recognised. */
#ifndef PROBLEM_CALLBACKS_H
#define PROBLEM_CALLBACKS_H

#include "problem/equations.h"
#include "problem/levels.h"
#include "problem/problem.h"
#include "problem/start.h"

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

/* Whether a look near t and y shows derivatives only where they are known to occur. Entries of
 * dF/dy that it shows are added. What an engine has begun with the equations stays valid. False
 * where the look cannot tell. */
bool callbacks_stay(callbacks *c, double t, const double *y);

/* What an engine integrates; owned by the instance. `time_derivative` is NULL if the author gave
 * none. `yp` is NULL if dF/dy' is singular or not constant. */
problem *callbacks_problem(callbacks *c);

/* Whether y_j' is known to occur in row i. The second function sets row[i] (n) = true for each row
 * i in which y_j or y_j' is known to occur; `self` is a callbacks. */
bool callbacks_yp_occurs(const callbacks *c, size_t i, size_t j);
void callbacks_mark_rows(const void *self, size_t j, bool *row);

/* Compare the Jacobian with differences of the equations in one direction, if the author gave the
 * Jacobian or its pattern. Note where they are far apart, or which variable the pattern leaves out.
 * Returns false where it is the author's Jacobian that is wrong. Made once, at the start. */
bool callbacks_check_jacobian(callbacks *c, double t, const double *y, const double *yp,
                              message *m);

/* The name of the callback that refused or stopped last ("f", "jacobian", ...), and what it
 * returned. NULL and 0: none did; a value was not finite. */
const char *callbacks_refused(const callbacks *c, int *code);

void callbacks_free(callbacks *c); /* NULL is fine */

/* The constraints among the equations of a C program, of index 2 at most, as two levels.
 *
 * A constraint is an equation in which neither a derivative nor an algebraic variable occurs: g(t,
 * y) = 0 for the differential variables. Its derivative along (1, y'), together with the other
 * equations, gives y' and the algebraic variables: the hidden constraint g_y f = 0 determines the
 * multipliers. z is (y, y'). Both levels at once are the system of the start. */

typedef struct callback_levels callback_levels;

/* The levels of the equations after `c`, which is borrowed and which the levels linearise.
 * at_once: all equations and the derivatives of the algebraic ones form one level, in which y' and
 * algebraic variables change much more freely than differentiated variables. DAE_NO_MEMORY. */
dae_status callback_levels_create(callback_levels **created, callbacks *c, bool at_once);

/* NULL: there are no constraints. */
const constraint_levels *callback_levels_form(const callback_levels *l);

void callback_levels_free(callback_levels *l); /* NULL is fine */

/* The system that the start of a C program's equations solves.
 *
 * z is (y, y'). The rows are F(t, y, y') = 0, then the first derivatives of algebraic rows, in
 * which no y' occurs. Algebraic rows without algebraic variables are always differentiated; if the
 * author says that a variable has index 2 or more, all algebraic rows are. The derivatives are
 * taken along (1, y'). The hidden constraints of index 2 follow from them; those of index 3, which
 * need y'', do not. */

typedef struct callback_start callback_start;

/* start (n): start values; NAN, or NULL for all: to be found. Values of variables whose derivatives
 * occur are held as far as the equations allow. Values of algebraic variables follow from the
 * others, and only say where the search begins. yp (n): guesses of y'; NULL: 0. They are copied;
 * `c` is borrowed, and the search linearises it. DAE_NO_MEMORY. */
dae_status callback_start_create(callback_start **created, callbacks *c, const double *start,
                                 const double *yp);

const start_system *callback_start_system(const callback_start *b);

/* The rows of F that are differentiated, in the order of their derivatives; `count`: how many. */
const size_t *callback_start_hidden(const callback_start *b, size_t *count);

void callback_start_free(callback_start *b); /* NULL is fine */

#endif
