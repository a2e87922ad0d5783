/* The largest eigenvalue of dy'/dy, where y' depends on y with algebraic variables following the
 * others. It is found by power iteration. */
#ifndef INTEGRATE_STIFFNESS_H
#define INTEGRATE_STIFFNESS_H

#include "base/workspace.h"
#include "problem/problem.h"

typedef struct stiffness {
    problem *problem;
    bool possible;         /* y' follows from y alone: form->yp or form->solve_algebraic */
    double *direction;     /* n: near the eigenvector, kept from one call to the next */
    double *value, *yp[2]; /* n each */
    double grown;          /* factor by which the last iteration made it longer */
    double radius;  /* modulus of the eigenvalue, by the last two iterations, because those of a
                     * complex pair alternate; 0: not known */
    double damping; /* minus its real part, by the last iteration; to be compared with `grown` */
} stiffness;

/* Place the arrays in `space`, or measure; the problem is borrowed. */
void stiffness_carve(stiffness *s, workspace *space, problem *p);

/* Makes so many iterations at a point, with one evaluation of the derivative each and one more, by
 * differences in units of `weight` (n, 1 over tolerances). DAE_NOT_EVALUABLE, or a status of the
 * problem. */
dae_status stiffness_iterate(stiffness *s, int iterations, double t, const double *y,
                             const double *weight);

/* After that, at the same point: the step that accuracy allows a method of this order (Hairer,
 * Norsett & Wanner I, Sec. II.4), with one evaluation; 0 if it cannot be found. */
double stiffness_accurate_step(stiffness *s, int order, double t, const double *y,
                               const double *weight);

#endif
