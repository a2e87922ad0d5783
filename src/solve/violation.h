/* Measures how far values and derivatives miss the equations of a C program.
 *
 * It has an instance of the callbacks of its own. The engine's linearisation stays untouched, so
 * that a solution does not depend on where it is examined, and the counts are those of the run
 * alone. */
#ifndef SOLVE_VIOLATION_H
#define SOLVE_VIOLATION_H

#include "problem/callbacks.h"

typedef struct violation violation;

/* Creates it for equations (borrowed), near t and y (n). DAE_NO_MEMORY, DAE_STOPPED. */
dae_status violation_create(violation **created, const equations *e, double t, const double *y);

typedef struct violations {
    double equation;  /* the worst miss of all equations */
    size_t row;       /* its row */
    double algebraic; /* the worst miss of equations without derivatives */
} violations;

/* Raises *worst to the misses of F(t, y, y') = 0, as problem/miss.h defines them. y and y' (n each)
 * are the variables; entries of y' that are NAN do not occur. HUGE_VAL where F has no value;
 * DAE_STOPPED. The Jacobian, which differences make expensive, is evaluated only if *worst would be
 * raised by the last one. */
dae_status violation_raise(violation *v, double t, const double *y, const double *yp,
                           violations *worst);

/* The number of equations without derivatives. */
size_t violation_algebraic(const violation *v);

/* The callbacks in use. */
callbacks *violation_callbacks(violation *v);

void violation_free(violation *v); /* NULL is fine */

#endif
