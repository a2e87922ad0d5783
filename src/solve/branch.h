/* Whether a step of smooth equations has come to another branch of their solutions.
 *
 * Behind a fold of the algebraic equations, or a pole of one of their variables, no solution goes
 * on. An iteration may converge to another branch there: a variable jumps, in a step however short,
 * and all equations are met where the step ends. Between its ends they are not. So a step over
 * which a variable changes much more than over the last one is looked at within; one that misses
 * there is made again with a tenth of its length, until the change falls with the step or the step
 * reaches round-off. Equations that switch may jump, and are not looked at so. */
#ifndef SOLVE_BRANCH_H
#define SOLVE_BRANCH_H

#include "stepping/engine.h"

typedef struct branch {
    bool bent;      /* they are not linear in derivatives, which have branches as well */
    bool turns;     /* it is the derivative of the suspect whose change is to be looked at */
    bool smooth;    /* nothing in the equations switches */
    double *rate;   /* n: changes over the last step by its length */
    size_t suspect; /* the variable whose change is to be looked at; PROBLEM_NOWHERE */
    double before;  /* what that was where the step began, ... */
    double after;   /* ... and where it ended */
    bool large;     /* it is algebraic or a derivative, and the change a large part of its size */
    bool jumps;     /* it does so however short the step */
} branch;

/* After a step from y0 and y0': fill b->suspect. */
void branch_suspect(branch *b, const engine *e, const double *y0, const double *yp0);

/* After a step that stands. */
void branch_keep(branch *b, const engine *e, const double *y0);

/* Where no step goes on: the algebraic variable that changed fastest over the last one, for its
 * size, which is its nominal at least (what starts at 0 grows fast for what it is); PROBLEM_NOWHERE
 * where none would change by its size within a small part of a run of length `whole`. Before a fold
 * or a pole one does. */
size_t branch_fastest(const branch *b, const engine *e, double whole);

/* Whether a step of this length can be made again with `part` of it, in a run of length `whole`. */
bool branch_can_shorten(const engine *e, double part, double whole);

#endif
