/* The largest eigenvalue of the dependence of y' on y, dy'/dy, by iterating with it;
 * algebraic variables follow the others. */
#ifndef INTEGRATE_STIFFNESS_H
#define INTEGRATE_STIFFNESS_H

#include "base/workspace.h"
#include "problem/problem.h"

typedef struct stiffness {
    problem *problem;
    bool possible;         /* y' follows from y alone: form->yp or settle */
    double *direction;     /* n: near the eigenvector, kept from one call to the next */
    double *value, *yp[2]; /* n each */
    double grown;          /* by which the last iteration made it longer */
    double radius;  /* the modulus of the eigenvalue, by the last two: those of a complex pair take
                       turns; 0: not known */
    double damping; /* -Re of it, as far as the last iteration tells; to be set beside `grown` */
} stiffness;

/* Place the arrays in `space`, or measure; the problem is borrowed. */
void stiffness_carve(stiffness *s, workspace *space, problem *p);

/* So many iterations at a point, an evaluation of the derivative each and one more, by differences
 * in units of `weight` (n, 1 over tolerances). DAE_NOT_EVALUABLE, or what the problem says. */
dae_status stiffness_iterate(stiffness *s, int iterations, double t, const double *y,
                             const double *weight);

/* After that at the same point: the step that accuracy allows a method of some order there (Hairer,
 * Norsett & Wanner I, Sec. II.4), an evaluation; 0 where it cannot be had. */
double stiffness_accurate_step(stiffness *s, int order, double t, const double *y,
                               const double *weight);

#endif
