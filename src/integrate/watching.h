/* How stiff a problem shows itself to an explicit method, without a further evaluation. */
#ifndef INTEGRATE_WATCHING_H
#define INTEGRATE_WATCHING_H

#include "method/scheme.h"
#include "stepping/engine.h"

typedef struct watching {
    double bears; /* h lambda on the negative real axis; 0: the method does not watch */
    int twin;     /* the stage whose derivative is compared with that of the end */
} watching;

/* What an explicit method bears; of an implicit one nothing is watched. */
void watching_begin(watching *w, const scheme *s);

/* A step from e->y at its beginning. */
typedef struct watching_step {
    double h;
    const double *end, *end_yp, *weight; /* n each */
    const double *yp;                    /* stages x n */
} watching_step;

/* e->stiffness: h times the largest eigenvalue that a step showed, over what the method bears; 0:
 * not known. It is the difference of two derivatives at the same time over that of their values, in
 * the norm of the error test: a bound from below of that eigenvalue, near it where the step is at
 * the border of stability. L. F. Shampine (1977); Hairer & Wanner II, Sec. IV.2. */
void watching_measure(const watching *w, const scheme *s, engine *e, const watching_step *step);

#endif
