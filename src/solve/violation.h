/* How far the equations of a C program are met by values and derivatives.
 *
 * An instance of the callbacks of its own: what the engine has linearised stays as it is, so that a
 * solution does not depend on where it is looked at, and the counts are those of the run alone. */
#ifndef SOLVE_VIOLATION_H
#define SOLVE_VIOLATION_H

#include "problem/callbacks.h"

typedef struct violation violation;

/* For equations (borrowed), near t and y (n). DAE_NO_MEMORY, DAE_STOPPED. */
dae_status violation_create(violation **created, const equations *e, double t, const double *y);

typedef struct violations {
    double equation;  /* the worst of all */
    size_t row;       /* where */
    double algebraic; /* the worst of those in which no derivative occurs */
} violations;

/* Raise *worst to those of F(t, y, y') = 0, as problem/miss.h has it, y and y' (n each)
 * being the variables; entries of y' that are NAN do not occur. HUGE_VAL where F has no value;
 * DAE_STOPPED. The Jacobian is evaluated only where by the one before the worst would be raised: by
 * differences it costs much. */
dae_status violation_raise(violation *v, double t, const double *y, const double *yp,
                           violations *worst);

/* How many equations no derivative occurs in. */
size_t violation_algebraic(const violation *v);

/* The callbacks that are asked. */
callbacks *violation_callbacks(violation *v);

void violation_free(violation *v); /* NULL is fine */

#endif
