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

#include "base/arena.h"
#include "method/method.h"
#include "solve/branch.h"
#include "solve/simulation.h"
#include "stepping/engine.h"

#include <daedal/solver.h>

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

/* Room for its arrays, of j->n. */
void judge_carve(judge *j, workspace *space);

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

/* Raises *worst to the worst row at (t, j->value, j->value_yp), by a scale of `samples` sample
 * changes at first. Statuses of the residual. */
dae_status judge_look_at(judge *j, engine *e, double t, size_t samples, judge_miss *worst);

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

typedef struct crossing {
    size_t count;          /* of blocks; 0: nothing is examined */
    double *before, *most; /* count: the last value that was not 0, the largest so far */
    double *most_t;        /* count: the time of the largest */
    double *slope;         /* count: slope over the last step */
    double *here, *within; /* count: at the end of the step, at a point within */
    double *y, *yp;        /* n each: of the engine, within a step */
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

/* Keeps the determinants of an accepted step. */
void crossing_keep(crossing *x, const engine *e);

/* Another engine continues. */
void crossing_forget(crossing *x);

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
    engine *second;    /* makes the further runs; NULL before the first */
    engine *sound;     /* makes the runs that decide where the second's never agree; NULL before the
                          first */
    method *sound_method;
} growth;

/* Room for points of n unknowns. */
void growth_carve(growth *g, size_t n, workspace *space);

/* Begins to watch at the engine's state. */
void growth_begin(dae_solver *s);

/* Frees the engines of further runs. */
void growth_forget_engines(growth *g);

/* After a step. DAE_UNSTABLE with its message; DAE_STOPPED, DAE_NO_MEMORY. */
dae_status growth_watch(dae_solver *s);

#endif
