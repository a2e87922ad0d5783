/* The equations of a C program whose index is 2 or 3, reduced to index 1 with the same unknowns.
 *
 * Of the derivative array (callback_array.h) what holds no derivative of y gives all constraints,
 * hidden ones included: Z2^T (array) = 0 with Z2^T (array)_(y', y'', ...) = 0. With as many of the
 * equations as given as are left, Z1^T F(t, y, y') = 0, they are a system of index 1 with the same
 * solutions (Kunkel & Mehrmann, Differential-Algebraic Equations, 2006, Sec. 3.4 and 6.2; the codes
 * GELDA and GENDA). So every method keeps its order in all variables, and no step sees the powers
 * of 1/h by which the error of an index 3 grows. */
#ifndef PROBLEM_CALLBACK_REDUCED_H
#define PROBLEM_CALLBACK_REDUCED_H

#include "problem/callbacks.h"

typedef struct callback_reduced callback_reduced;

/* The largest system that is reduced: work grows with the cube of three times its size. */
enum { CALLBACK_REDUCED_LARGEST = 40 };

/* What is known of a start value, from what moves first to what moves last. */
enum { CALLBACK_OPEN, CALLBACK_GIVEN, CALLBACK_HELD };

/* Reduce the equations at work (borrowed) near (y, y') (n each), which become consistent on all
 * levels; y moves least, and what is held (n) more than others only where these cannot meet a
 * constraint. Where differences leave out more than rtol, a state is not evaluable. NULL and
 * DAE_OK: their index is 1 or 0, or no index up to 3 is found with ranks that are beyond doubt;
 * then y and y' stay. DAE_NO_MEMORY, and what a callback ends the run with. */
dae_status callback_reduced_create(callback_reduced **created, callbacks *c, double t, double rtol,
                                   const unsigned char *held, double *y, double *yp);

problem *callback_reduced_problem(callback_reduced *r);
int callback_reduced_index(const callback_reduced *r);

/* Whether the residual asked for last had no value because differences resolve too little there. */
bool callback_reduced_unresolved(const callback_reduced *r);

/* y and y' (n each) of a step h come to meet the reduced equations at t, y along algebraic
 * directions and others that are as fast: errors of an algebraic variable between steps are larger
 * than at their ends. They stay where that finds nothing. What steps go on with stays as it is. */
dae_status callback_reduced_meet(callback_reduced *r, double t, double h, double *y, double *yp);

/* At the end of a step: where the rank of the derivative array leaves out too much at t, y (n), the
 * next residual has no value, so that the equations are linearised, and the rank is found anew. */
dae_status callback_reduced_look(callback_reduced *r, double t, const double *y);

void callback_reduced_free(callback_reduced *r); /* NULL is fine */

#endif
