/* Whether accepted steps meet the equations.
 *
 * An engine controls what it sees: errors at the ends of steps and at its stages. It does not see a
 * pulse of the input between two stages, or an iteration that has converged to nothing. So the
 * residual is evaluated at points of the step that are fixed, whatever rows are asked for: at its
 * end, and within steps that have grown or are long against the run. A miss is the change of y, in
 * units of the tolerance, that would remove it: |F_i| over the change of F_i that a change of y by
 * the tolerance makes, where y' takes that change over the step. */
#ifndef SOLVE_JUDGE_H
#define SOLVE_JUDGE_H

#include "base/workspace.h"
#include "solve/branch.h"
#include "stepping/engine.h"

/* The worst of several points: in tolerances, in which equation, when. */
typedef struct judge_miss {
    double size;
    size_t row;
    double t;
} judge_miss;

typedef struct judge {
    workspace space;
    size_t n;
    double t, *y, *yp;                  /* n each: where the step began */
    double *value, *value_yp;           /* n each: the point that is looked at */
    double *other_value, *other_yp;     /* n each: a point beside it */
    double *residual, *changed, *scale; /* n each: F there; F beside it; the largest change of F */
    double *far_scale;                  /* n: the same for a change by as much as may be missed */
    double *calm;                       /* n: that at the end of the last step with points within */
    bool within_step;                   /* what is looked at now is one of these */
    double longest;                     /* step so far */
    size_t points;                      /* within the last step that were looked at */
    bool alone;                         /* it is to be that of algebraic variables alone */
    int made_again;                     /* how often the present step was */
    double usual_move;                  /* the last way back that was gone, in tolerances */
    int far;                            /* ends so far from their constraints */
    int ends_left;                      /* for nearer ones, of which the first was at left_end */
    double left_end;
    double turn;            /* how far the way of derivatives from its start to its end is off */
    judge_miss end, within; /* of the last step: at its end, at its points within */
    double moved;           /* by projection at these, what is integrated, in tolerances */
    double climbed;         /* at these, the longest way down an exponential, in tolerances */
    branch branch;          /* that it follows */
    double whole;           /* how long the run is */
} judge;

/* Make room for problems of n unknowns, in whose equations nothing switches where they are smooth,
 * and which are not linear in derivatives where bent; and forget what was before. DAE_NO_MEMORY. */
dae_status judge_begin(judge *j, size_t n, bool smooth, bool bent);

/* Before a step: where it begins. */
void judge_remember(judge *j, const engine *e);

/* After an accepted step of a run that takes `whole`: fill j->end and j->within. DAE_STOPPED. What
 * has no value misses nothing that can be told. */
dae_status judge_look(judge *j, engine *e, double whole);

/* The time of one of j->points within the last step. */
double judge_time(const judge *j, const dense_output *step, size_t point);

/* After that: whether the step misses too much, and has been undone for a shorter one to be tried.
 * False as well where that was done often enough: what misses however short the step is, jumps.
 * Then j->branch.jumps tells whether smooth equations do. */
bool judge_makes_again(judge *j, engine *e);

/* Undo the last step: the engine starts again from where it began, with a shorter one, this part of
 * it. */
#define JUDGE_SHORTER 0.1
void judge_undo(judge *j, engine *e);

/* Whether the way from the end of a step to `y`, which meets the constraints, is so long that the
 * step cannot have followed them: integrated variables are looked at, in
 * tolerances, and against the last step: a penalty never meets its constraints. */
bool judge_moves_far(judge *j, const engine *e, const double *y);

/* After a step from whose end the run cannot continue, because a value is missing there or the
 * constraints are far away or out of reach: whether the step has been undone so that a shorter one
 * is tried. A step that is too long can end on another branch of the algebraic equations, or too
 * far from its own. False after too many attempts. */
bool judge_leaves_end(judge *j, engine *e);

/* After judge_look(): whether the run must not continue from the end of the step. */
bool judge_refuses(const judge *j);

void judge_free(judge *j);

#endif
