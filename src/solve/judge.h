/* What watches the steps of a run: whether they meet the equations, stay on their branch, pass no
 * pole and no crossing of solutions, and grow only as a solution does; and the points to go back
 * to. */
#ifndef SOLVE_JUDGE_H
#define SOLVE_JUDGE_H

#include "base/arena.h"
#include "event/events.h"
#include "solve/simulation.h"
#include "stepping/engine.h"

#include <daedal/solver.h>

/* Detects a step of smooth equations that ends on another branch of their solutions.
 *
 * A solution ends at a fold of the algebraic equations, or at a pole of one of their variables. An
 * iteration may converge to another branch beyond it. A variable then jumps, however short the
 * step, and all equations are met at the end of the step, but not within it. So the driver looks
 * within a step over which a variable changes much more than over the last one. If the step misses
 * the equations there, it is repeated with a tenth of its length, until the change falls with the
 * length or the length reaches round-off. Equations that switch may jump; their steps are not
 * examined, but for those of combinations whose relations are held between events. */

typedef struct branch {
    bool bent;      /* the equations are nonlinear in derivatives, which then have branches too */
    bool turns;     /* the suspect change is that of its derivative */
    bool smooth;    /* nothing in the equations switches within a step */
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

/* Judges whether accepted steps meet the equations.
 *
 * An engine controls what it sees: errors at the ends of steps and at its stages. It does not see a
 * pulse of the input between two stages, or an iteration that has converged to a wrong point. So
 * the residual is evaluated at fixed points of the step, independently of the rows that are asked
 * for: at its end, and within steps that have grown or are long relative to the run. A miss is the
 * change of y, in units of the tolerance, that would remove it. It is |F_i| divided by the change
 * of F_i that a change of y by the tolerance makes, where y' takes that change over the step. */

/* The worst miss of several points: its size in tolerances, its equation, its time. */
typedef struct judge_miss {
    double size;
    size_t row;
    double t;
} judge_miss;

typedef struct judge {
    size_t n;
    engine_point begun;                 /* where the step began */
    double *value, *value_yp;           /* n each: the point under examination */
    double *other_value, *other_yp;     /* n each: a point beside it */
    double *residual, *changed, *scale; /* n each: F there; F beside it; the largest change of F */
    double *far_scale;                  /* n: the same for a change by the largest allowed miss */
    double *known, *least;              /* n each: the last `scale` of an end, for the step
                                           known_step; the lesser of it and the one before */
    double *matrix_y, *reach, *removed; /* n each: where the matrix of the last step was new; how
                                           far from there it has been seen to serve; the largest
                                           residual of each row that it has removed */
    double known_step, matrix_t, reach_t;
    int unseen;        /* ends in a row that were not examined */
    bool within_step;  /* the point under examination lies within the step */
    double longest;    /* longest step so far */
    size_t points;     /* number of points within the last step that are examined */
    bool alone;        /* changes are those of algebraic variables alone */
    int made_again;    /* repetitions of the present step */
    double usual_move; /* the last accepted projection, in tolerances */
    int far;           /* number of ends rejected as far from their constraints */
    int ends_left;     /* number of steps undone before left_end */
    double left_end;
    double turn; /* how far the way of derivatives over the step misses, in SMALL_TURN of it */
    judge_miss end, within; /* of the last step: at its end, at its points within */
    bool refused;           /* the run must not continue from its end */
    double moved;   /* tolerances by which projection at these moves an integrated variable */
    double climbed; /* at these, the longest way up an exponential, in tolerances */
    branch branch;  /* the branch of solutions that the run follows */
    double whole;   /* length of the run */
} judge;

/* Room for its arrays, of j->n. */
void judge_carve(judge *j, workspace *space);

/* After an accepted step of a run of length `whole`: fills j->end and j->within. DAE_STOPPED.
 * A point at which the equations have no value counts as no miss. The run leaves a step at an event
 * of v: points after that are not looked at. */
dae_status judge_look(judge *j, engine *e, events *v, double whole);

/* The time of one of j->points within the last step. */
double judge_time(const judge *j, const dense_output *step, size_t point);

/* After judge_look(): whether the step misses too much and has been undone, so that a shorter one
 * is tried. False also after too many repetitions: a miss that stays however short the step is, is
 * a jump. Then j->branch.jumps tells whether smooth equations jump, and j->refused whether the run
 * must end. */
bool judge_makes_again(judge *j, engine *e);

/* Undoes the last step: the engine starts again where it began, with JUDGE_SHORTER times its
 * length. */
#define JUDGE_SHORTER 0.1
void judge_undo(judge *j, engine *e);

/* The same for a step that is to be made once more at the same length. */
void judge_repeat(judge *j, engine *e);

/* Whether the end of a step is so far from `y`, which meets the constraints, that the step cannot
 * have followed them. Compares integrated variables, in tolerances and with the last step, because
 * a penalty never meets its constraints. */
bool judge_moves_far(judge *j, const engine *e, const double *y);

/* After a step from whose end the run cannot continue: a value is missing there, or the constraints
 * are far away or out of reach. Returns whether the step has been undone so that a shorter one is
 * tried. A step that is too long can end on another branch of the algebraic equations, or too far
 * from its own. False after too many attempts. */
bool judge_leaves_end(judge *j, engine *e);

/* What the parts of the judge share: judge.c, judge_miss.c. */

/* Tighter relative tolerances are judged as this one, because round-off shows below it. */
#define JUDGE_TIGHTEST 1e-11

/* The largest allowed miss within a step, in tolerances. */
#define JUDGE_MOST_WITHIN 30.0

/* The number of sample changes by about the tolerance. In a single one, the terms of a row may
 * cancel. */
enum { JUDGE_SAMPLES = 2 };

/* Makes a point beside the one under examination, into j->other_value and j->other_yp. */
void judge_step_aside(judge *j, const engine *e, double tolerances, size_t sample);

/* Raises scale (n) to how much each row changes at the point beside the one under examination.
 * Statuses of the residual. */
dae_status judge_raise_scale(judge *j, engine *e, double t, double *scale);

/* Examines the end of a step, into j->end and j->within, unless the iteration that found it has
 * seen enough (judge_end.c).
 *
 * The residual there and a change beside it are two evaluations, as many as the step takes. But an
 * iteration of two corrections has evaluated it twice itself, and shows in each row what a
 * correction by its matrix leaves. Where it does not, the matrix has been seen to serve in steps
 * before, up to some distance from its point. So few ends have to be examined. An iteration that
 * seems to converge because its matrix is far too steep, as that of a diode which has begun to
 * block, leaves in its rows what they miss. */
dae_status judge_look_at_end(judge *j, engine *e);

/* Whether a variable may have jumped over the last step. */
static inline bool judge_suspects(const judge *j)
{
    return j->branch.suspect != PROBLEM_NOWHERE;
}

/* Of a point at (t, j->value, j->value_yp) that has no value, or none beside it: raises *worst
 * where there is none within JUDGE_MOST_WITHIN tolerances. DAE_NOT_EVALUABLE, or DAE_STOPPED. */
dae_status judge_look_beside(judge *j, engine *e, double t, judge_miss *worst);

/* Fills j->scale with what a change of y by one tolerance makes of each row at (t, value,
 * value_yp). */
dae_status judge_find_scale(judge *j, engine *e, double t);

/* Raises *worst to the worst row at (t, j->value, j->value_yp), where the residual is j->residual,
 * by a scale of `samples` sample changes at first. Statuses of the residual. */
dae_status judge_compare(judge *j, engine *e, double t, size_t samples, judge_miss *worst);

/* The same by all rows together, after each row by itself; *rows is the worst of those. */
dae_status judge_look_at_all(judge *j, engine *e, double t, const judge_miss *rows,
                             judge_miss *worst);

/* Detects a point at which solutions cross.
 *
 * The determinant of a block of the system Jacobian is not 0 where the equations determine the
 * block's unknowns. Where it changes its sign through 0 over a step, other solutions may meet the
 * one that is followed: x^2 = (1 - t)^2 has x = 1 - t and x = t - 1. Steps much longer than the
 * neighbourhood of such a point continue along the smooth continuation. They do so even where
 * solutions only come close to each other, as those of x^2 = (1 - t)^2 + 1e-6. So a step that
 * passes such a point is repeated with shorter and shorter lengths. Where solutions only come
 * close, the run then stays on its own side. Where they meet, no step is short enough. Then the
 * first of these steps is taken as it was, and a note says so. */

typedef enum crossing_place {
    CROSSING_AWAY,   /* far from any known point */
    CROSSING_NEAR,   /* near a point that shorter steps are to avoid */
    CROSSING_PASSING /* passing a point, because no step is short enough */
} crossing_place;

/* A point before such a point, from which leap.c may lead over it. */
typedef struct leap_point {
    engine_point at;
    size_t which, formulation_number; /* the block, and the formulation of the unknowns */
    double left, reach;               /* its determinant, and the time to its zero by its slope */
} leap_point;

enum { LEAP_POINTS = 8 };

typedef struct crossing {
    size_t count;          /* of blocks; 0: nothing is examined */
    double *before, *most; /* count: the last value that was not 0, the largest so far */
    double *most_t;        /* count: the time of the largest */
    double *slope;         /* count: slope over the last step */
    double *here, *within; /* count: at the end of the step, at a point within */
    engine_point aside;    /* of the engine, within a step */
    bool found;            /* the last step passes such a point, */
    size_t which;          /* of block `which`, */
    double t;              /* at time t */
    bool reported;         /* the user was told; once is enough */

    crossing_place place; /* applies while steps begin before `until` */
    double length, until; /* of the first step that passed: its length; its start plus twice that */
    double left;          /* the determinant at the start of that step */
    int attempts;         /* repetitions of the step so far */
    dense_output step;    /* the first step that passed; its coefficients are owned */
    bool holds;           /* the run can continue from the end of that step */
    engine_point end;     /* that end */

    leap_point leap[LEAP_POINTS]; /* from far to near, */
    size_t leaps, since;          /* how many; steps since the first */
    bool leapt;                   /* leaps from all of them have been tried */
    double limit;                 /* no step leads beyond it */
} crossing;

/* Room for points of n unknowns; begins at the engine's state. */
void crossing_carve(crossing *x, size_t n, workspace *space);
void crossing_begin(crossing *x, simulation *c, const engine *e);

/* After a step that `j` has judged and whose end has been projected. Sets x->found, x->which and
 * x->t where the step passes such a point. Returns whether the step may have gone over to another
 * solution there, as seen at its end or at one of the judged points within it. */
bool crossing_look(crossing *x, simulation *c, engine *e, const judge *j);

/* Whether a step that passes such a point is to be undone and repeated with a shorter length.
 * `holds`: the run could continue from its end. */
bool crossing_makes_again(crossing *x, engine *e, const judge *j, bool holds);

/* Where no step is short enough, the engine takes the first step that passed after all. False where
 * its unknowns have changed since. */
bool crossing_takes_first(crossing *x, simulation *c, engine *e);

/* Keeps the determinants of an accepted step, and points to leap from. */
void crossing_keep(crossing *x, const simulation *c, const engine *e);

/* Whether steps on the way to such a point have become so many, or the determinant so small, that
 * a leap is to be tried. */
bool crossing_wants_leap(const crossing *x);

/* Whether a determinant that fell evenly to nothing has stayed there, far beyond its zero. */
bool crossing_rests(const crossing *x, simulation *c, const engine *e);

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
    engine_point at;       /* the engine's, at a point of the step */
    engine_point end[2];   /* ends before projection: of the last accepted step, */
    bool last;             /* which is end[last], and of the present one */
    bool looked;           /* end[!last] is that of the present step */
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

/* The last points of a run. Where no method can continue, the run goes back to one of them: an
 * accepted step may have passed the point up to which a method could. */

enum { RETREAT_POINTS = 8 };

typedef struct retreat {
    size_t count; /* points kept since the last retreat */
    int backs;    /* how often the run went back */
    engine_point point[RETREAT_POINTS];
    size_t formulation_number[RETREAT_POINTS];
} retreat;

/* method_watch.c: keeps the engine's state before a step in that formulation. */
void retreat_keep(retreat *r, const engine *e, size_t formulation_number);

/* Checks whether the results of a run meet the equations as written. */

/* After a start has been measured: DAE_NO_START where it misses an equation as written. */
dae_status success_look_at_start(dae_solver *s);

/* After a step that led to t_end, and after each step where combinations of equations are
 * integrated. DAE_ERROR_TEST with its message where a variable has a pole there, as far as the
 * tolerance can tell. DAE_MISSED where equations are grossly missed; not with fixed steps, nor with
 * projection none. */
dae_status success_look(dae_solver *s, double t_end);

/* Tells unstable fixed steps from solutions that grow.
 *
 * Nothing estimates the error of a fixed step, and an unstable step meets its equations at its end.
 * But a solution that grows does so with shorter steps too; an unstable run does not. So where a
 * variable has grown far beyond its earlier size, the few steps in which it grew are repeated with
 * half their length, from the same state and by the same method, which starts anew there. They are
 * then repeated with a quarter, and so on, until such runs agree. Where they never do, as with a
 * method that is unstable however short the step, an implicit method that is stable decides. */

enum { GROWTH_RECENT = 16 };

typedef struct growth_point {
    engine_point at;
    size_t steps; /* steps made until then */
    double times; /* the largest size of a variable, relative to its level */
} growth_point;

typedef struct growth {
    bool watches;        /* false: there is error control, or the engine cannot lend its problem */
    size_t formulations; /* changes of the formulation until the watch began */
    double *level;       /* n: the size up to which a variable has not grown */
    growth_point recent[GROWTH_RECENT]; /* a ring, one a step; `newest` is the last one in */
    int newest, count;
    growth_point calm; /* the last state at which no variable was above its level */
} growth;

/* Room for points of n unknowns. */
void growth_carve(growth *g, size_t n, workspace *space);

/* Begins to watch at the engine's state. */
void growth_begin(dae_solver *s);

/* After a step. DAE_UNSTABLE with its message; DAE_STOPPED, DAE_NO_MEMORY. */
dae_status growth_watch(dae_solver *s);

#endif
