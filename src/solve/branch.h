/* Detects a step of smooth equations that ends on another branch of their solutions.
 *
 * A solution ends at a fold of the algebraic equations, or at a pole of one of their variables. An
 * iteration may converge to another branch beyond it. A variable then jumps, however short the
 * step, and all equations are met at the end of the step, but not within it. So the driver looks
 * within a step over which a variable changes much more than over the last one. If the step misses
 * the equations there, it is repeated with a tenth of its length, until the change falls with the
 * length or the length reaches round-off. Equations that switch may jump; their steps are not
 * examined. */
#ifndef SOLVE_BRANCH_H
#define SOLVE_BRANCH_H

#include "stepping/engine.h"

typedef struct branch {
    bool bent;      /* the equations are nonlinear in derivatives, which then have branches too */
    bool turns;     /* the suspect change is that of its derivative */
    bool smooth;    /* nothing in the equations switches */
    double *rate;   /* n: changes over the last step, divided by its length */
    size_t suspect; /* the variable whose change is suspect; PROBLEM_NOWHERE: none */
    double before;  /* its value at the start of the step */
    double after;   /* its value at the end of the step */
    bool large; /* the suspect is algebraic or a derivative, and its change is a large part of its
                   size */
    bool jumps; /* the change stays large however short the step is */
} branch;

/* After a step from y0 and y0': sets b->suspect. */
void branch_suspect(branch *b, const engine *e, const double *y0, const double *yp0);

/* After an accepted step: keeps its rates of change. */
void branch_keep(branch *b, const engine *e, const double *y0);

/* Where no step succeeds: the algebraic variable that changed fastest over the last step, relative
 * to its size. The size is at least its nominal, because a variable that starts at 0 grows fast
 * relative to itself. PROBLEM_NOWHERE where no variable would change by its size within a small
 * part of a run of length `whole`. Before a fold or a pole, one does. */
size_t branch_fastest(const branch *b, const engine *e, double whole);

/* Whether the last step can be repeated with `part` of its length, in a run of length `whole`. */
bool branch_can_shorten(const engine *e, double part, double whole);

#endif
