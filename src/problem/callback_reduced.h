/* The equations of a C program whose index is 2 or 3, reduced to index 1 with the same unknowns.
 *
 * The rows of the derivative array (callback_array.h) that contain no derivative of y give all
 * constraints, hidden ones included: Z2^T (array) = 0, where Z2^T (array)_(y', y'', ...) = 0.
 * Together with as many combinations of the given equations as are still needed, Z1^T F(t, y, y') =
 * 0, they are a system of index 1 with the same solutions (Kunkel & Mehrmann,
 * Differential-Algebraic Equations, 2006, Sec. 3.4 and 6.2; the codes GELDA and GENDA). So every
 * method keeps its order in all variables, and no step sees the powers of 1/h by which the error of
 * index 3 grows. */
#ifndef PROBLEM_CALLBACK_REDUCED_H
#define PROBLEM_CALLBACK_REDUCED_H

#include "problem/callbacks.h"

typedef struct callback_reduced callback_reduced;

/* The largest system that is reduced: work grows with the cube of three times its size. */
enum { CALLBACK_REDUCED_LARGEST = 40 };

/* What is known of a start value, in the order in which values are changed: open ones first. */
enum { CALLBACK_OPEN, CALLBACK_GIVEN, CALLBACK_HELD };

/* Reduce the equations at work (borrowed) near (y, y') (n each), which become consistent on all
 * levels. y moves least. What is held (n) moves only where the other entries cannot meet a
 * constraint. A state at which differences leave out more than rtol is not evaluable. NULL and
 * DAE_OK: the index is 1 or 0, or no index up to 3 is found with ranks that are beyond doubt; then
 * y and y' stay. DAE_NO_MEMORY, and what a callback ends the run with. */
dae_status callback_reduced_create(callback_reduced **created, callbacks *c, double t, double rtol,
                                   const unsigned char *held, double *y, double *yp);

problem *callback_reduced_problem(callback_reduced *r);
int callback_reduced_index(const callback_reduced *r);

/* Whether the last residual had no value because differences resolve too little there. */
bool callback_reduced_unresolved(const callback_reduced *r);

/* Move y and y' (n each) within a step h onto the reduced equations at t, along algebraic
 * directions and others that are as fast: between steps, errors of an algebraic variable are larger
 * than at their ends. y and y' stay where this fails. The state from which the next step continues
 * stays as it is. */
dae_status callback_reduced_meet(callback_reduced *r, double t, double h, double *y, double *yp);

/* At the end of a step: if the rank of the derivative array leaves out too much at t, y (n), the
 * next residual has no value. The engine then linearises anew, which finds the rank anew. */
dae_status callback_reduced_look(callback_reduced *r, double t, const double *y);

void callback_reduced_free(callback_reduced *r); /* NULL is fine */

#endif
