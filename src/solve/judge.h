/* Judges whether accepted steps meet the equations.
 *
 * An engine controls what it sees: errors at the ends of steps and at its stages. It does not see a
 * pulse of the input between two stages, or an iteration that has converged to a wrong point. So
 * the residual is evaluated at fixed points of the step, independently of the rows that are asked
 * for: at its end, and within steps that have grown or are long relative to the run. A miss is the
 * change of y, in units of the tolerance, that would remove it. It is |F_i| divided by the change
 * of F_i that a change of y by the tolerance makes, where y' takes that change over the step. */
#ifndef SOLVE_JUDGE_H
#define SOLVE_JUDGE_H

#include "base/workspace.h"
#include "solve/branch.h"
#include "stepping/engine.h"

/* The worst miss of several points: its size in tolerances, its equation, its time. */
typedef struct judge_miss {
    double size;
    size_t row;
    double t;
} judge_miss;

typedef struct judge {
    workspace space;
    size_t n;
    double t, *y, *yp;                  /* n each: where the step began */
    double *value, *value_yp;           /* n each: the point under examination */
    double *other_value, *other_yp;     /* n each: a point beside it */
    double *residual, *changed, *scale; /* n each: F there; F beside it; the largest change of F */
    double *far_scale;                  /* n: the same for a change by the largest allowed miss */
    double *calm;                       /* n: `scale` at the end of the last step */
    bool within_step;                   /* the point under examination lies within the step */
    double longest;                     /* longest step so far */
    size_t points;     /* number of points within the last step that are examined */
    bool alone;        /* changes are those of algebraic variables alone */
    int made_again;    /* repetitions of the present step */
    double usual_move; /* the last accepted projection, in tolerances */
    int far;           /* number of ends rejected as far from their constraints */
    int ends_left;     /* number of steps undone before left_end */
    double left_end;
    double turn; /* how far the way of derivatives over the step misses, in SMALL_TURN of it */
    judge_miss end, within; /* of the last step: at its end, at its points within */
    double moved;   /* tolerances by which projection at these moves an integrated variable */
    double climbed; /* at these, the longest way up an exponential, in tolerances */
    branch branch;  /* the branch of solutions that the run follows */
    double whole;   /* length of the run */
} judge;

/* Allocates for problems of n unknowns and forgets earlier ones. `smooth`: nothing in the equations
 * switches. `bent`: they are nonlinear in derivatives. DAE_NO_MEMORY. */
dae_status judge_begin(judge *j, size_t n, bool smooth, bool bent);

/* Before a step: remembers where it begins. */
void judge_remember(judge *j, const engine *e);

/* After an accepted step of a run of length `whole`: fills j->end and j->within. DAE_STOPPED.
 * Points where the equations have no value count as no miss. */
dae_status judge_look(judge *j, engine *e, double whole);

/* The time of one of j->points within the last step. */
double judge_time(const judge *j, const dense_output *step, size_t point);

/* After judge_look(): whether the step misses too much and has been undone, so that a shorter one
 * is tried. False also after too many repetitions: a miss that stays however short the step is, is
 * a jump. Then j->branch.jumps tells whether smooth equations jump. */
bool judge_makes_again(judge *j, engine *e);

/* Undoes the last step: the engine starts again where it began, with JUDGE_SHORTER times its
 * length. */
#define JUDGE_SHORTER 0.1
void judge_undo(judge *j, engine *e);

/* Whether the end of a step is so far from `y`, which meets the constraints, that the step cannot
 * have followed them. Compares integrated variables, in tolerances and with the last step, because
 * a penalty never meets its constraints. */
bool judge_moves_far(judge *j, const engine *e, const double *y);

/* After a step from whose end the run cannot continue: a value is missing there, or the constraints
 * are far away or out of reach. Returns whether the step has been undone so that a shorter one is
 * tried. A step that is too long can end on another branch of the algebraic equations, or too far
 * from its own. False after too many attempts. */
bool judge_leaves_end(judge *j, engine *e);

/* After judge_look(): whether the run must not continue from the end of the step. */
bool judge_refuses(const judge *j);

void judge_free(judge *j);

#endif
