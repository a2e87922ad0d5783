/* How stiff a problem appears to an explicit method, found without a further evaluation. */
#ifndef INTEGRATE_WATCHING_H
#define INTEGRATE_WATCHING_H

#include "method/scheme.h"
#include "stepping/engine.h"

typedef struct watching {
    double bears; /* largest stable h |lambda|, lambda < 0; 0: the method does not watch */
    int twin;     /* the stage whose derivative is compared with that of the end */
} watching;

/* Finds what an explicit method bears. Implicit methods are not watched. */
void watching_begin(watching *w, const scheme *s);

/* A step that begins at e->y. */
typedef struct watching_step {
    double h;
    const double *end, *end_yp, *weight; /* n each */
    const double *yp;                    /* stages x n */
} watching_step;

/* Sets e->stiffness to h times the largest eigenvalue that a step shows, divided by what the method
 * bears; 0: not known. The eigenvalue is the difference of two derivatives at the same time,
 * divided by the difference of their values, in the norm of the error test. This is a lower bound
 * of the largest eigenvalue, and is near it if the step is at the border of stability. L. F.
 * Shampine (1977); Hairer & Wanner II, Sec. IV.2. */
void watching_measure(const watching *w, const scheme *s, engine *e, const watching_step *step);

#endif
