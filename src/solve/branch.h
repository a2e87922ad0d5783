/* Whether a step stays on its solution: on its branch, across no pole, no fold. */
#ifndef SOLVE_BRANCH_H
#define SOLVE_BRANCH_H

#include "base/arena.h"
#include "solve/simulation.h"
#include "stepping/engine.h"

#include <daedal/solver.h>
#include <stddef.h>

/* Detects a step of smooth equations that ends on another branch of their solutions.
 *
 * A solution ends at a fold of the algebraic equations, or at a pole of one of their variables. An
 * iteration may converge to another branch beyond it. A variable then jumps, however short the
 * step, and all equations are met at the end of the step, but not within it. So the driver looks
 * within a step over which a variable changes much more than over the last one. If the step misses
 * the equations there, it is repeated with a tenth of its length, until the change falls with the
 * length or the length reaches round-off. Equations that switch may jump; their steps are not
 * examined. */

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

/* judge.c: where no step succeeds, the algebraic variable that changed fastest over the last step,
 * relative to its size. The size is at least its nominal, because a variable that starts at 0 grows
 * fast relative to itself. PROBLEM_NOWHERE where no variable would change by its size within a
 * small part of a run of length `whole`. Before a fold or a pole, one does. */
size_t branch_fastest(const branch *b, const engine *e, double whole);

/* Detects a step that has passed a pole of the equations.
 *
 * An equation that divides has no value where its divisor is 0. But a step may pass through that
 * place, because the divisor is not 0 at the ends of the step and at its stages. So where a divisor
 * changes its sign over a step, the place is narrowed down on the polynomial of the step. If a side
 * of the equation grows as the interval shrinks, the equation has a pole there, and no solution
 * continues beyond it; sin(x)/x at 0 does not grow.
 *
 * Within its absolute tolerance of 0 a divisor may bounce. Each step then errs by at most a
 * tolerance and ends on the side where it began, though it passed 0 by the slopes at both ends.
 * Such a step is examined along the slope at its start. A run also must not continue from a pole,
 * by another method, on the side from which it came.
 *
 * A pole and a zero may be so close, as in s/(s + K), that a step and its halvings pass both. Where
 * a divisor of one variable has changed its sign, its side is therefore examined along that
 * variable alone. A variable within its tolerances beyond such a pole may come back, but must not
 * move further. */

typedef struct poles {
    size_t count;          /* number of divisors; 0: nothing is examined */
    double *before, *here; /* count each: at the start of the step, if not 0 there; at its end */
    double *aside;         /* count: beside one of these points */
    double *largest;       /* count: the largest so far */
    double *y, *yp;        /* the engine's, at a point of the step */
    engine_point end[2];   /* ends before projection: of the last accepted step, */
    bool last;             /* which is end[last], and of the present one */
    size_t seen;           /* the divisor that last had a pole, counted from 1; 0: none had */
    double seen_at;        /* when */
    size_t which;          /* the divisor of the last pole */
    bool crossed;          /* the run ends at that pole, because no step is short enough */
    size_t met;            /* the divisor of the first such pole, counted from 1 */
    double met_at, side;   /* the time of that pole, and the divisor before it */
    size_t doubted; /* a divisor, counted from 1, that is beyond a pole by no more than an error */
    double doubted_at; /* the value of its variable at that pole */
    bool by;           /* the last step has passed that pole */
} poles;

/* Room for points of n unknowns; begins at the engine's state, which counts as the start of the
 * next step. */
void poles_carve(poles *p, size_t n, workspace *space);
void poles_begin(poles *p, simulation *c, const engine *e);

/* After an accepted step of a run of length `whole`: whether it has passed a pole. */
bool poles_look(poles *p, simulation *c, engine *e, const engine_point *begun, double whole);

/* Whether a step that has passed a pole can be repeated with `part` of its length. If not, the run
 * ends there, unless another method finds no pole. */
bool poles_can_shorten(poles *p, const engine *e, double part, double whole);

/* Keeps the end of an accepted step. */
void poles_keep(poles *p);

/* Detects equations of a C program that became singular within a run that continued.
 *
 * The determinant of c F_y' + F_y, with c large, is not 0 where the equations determine y' and the
 * algebraic variables, and it keeps its sign along a solution. A simplified Newton iteration
 * converges where the determinant has the sign of the matrix in use. A step that goes over to
 * another solution needs a new matrix sooner or later. The sign of factors costs nothing, so it is
 * read from those of each step. Where it has changed, a note says so; by then the run may have
 * followed another solution for some steps. judge.h does more for models, whose determinants are
 * cheap. */

typedef struct turning {
    int sign;         /* sign of the factors of the last step; 0: not known yet */
    int sure;         /* sign of c F_y' + F_y with a large c */
    double direction; /* direction of the run at that time */
    size_t jacobians; /* Jacobians evaluated up to the last look */
    double t;         /* when the sign was last seen unchanged */
    size_t looks;     /* looks at ends of runs */
    bool reported;    /* the user was told; once is enough */
} turning;

/* After a step of a run to t_end: notes a change of the sign. DAE_STOPPED, DAE_NO_MEMORY. */
dae_status turning_look(dae_solver *s, double t_end);

#endif
