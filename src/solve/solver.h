/* The driver's parts share this; for solve/, and for analysis/ to look at. */
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "base/message.h"
#include "method/method.h"
#include "solve/crossing.h"
#include "solve/events.h"
#include "solve/judge.h"
#include "solve/method_selection.h"
#include "solve/poles.h"
#include "solve/retreat.h"
#include "solve/simulation.h"
#include "solve/trajectory.h"
#include "solve/turning.h"
#include "stepping/engine.h"

#include <daedal/solver.h>

/* Where a solver stands when one of the author's functions is called. */
typedef struct solve_place {
    const char *inside; /* the public function that is at work, or NULL */
    bool between;       /* it has called the receiver of output, or the watch, between steps */
} solve_place;

struct dae_solver {
    message message;
    dae_options options;
    double *atols, *inner_atols; /* the author's, or NULL: one for all; those of the engine */
    double *largest;             /* the author's: |y| at ends of steps so far, 0: not integrated */
    bool reported_unmet;         /* that a row does not meet the equations */
    bool reported_small;         /* which of them stay below their tolerance */
    bool reported_noise;         /* that errors are held at the round-off of the equations */
    simulation *simulation;      /* NULL after a wrong option */

    method *method; /* that was asked for, or chosen; NULL after a wrong option */
    engine *engine;
    method_selection selection; /* where the method is `auto` */
    judge judge;                /* of its steps */
    poles poles;                /* of the equations */
    crossing crossing;
    turning turning;
    retreat retreat;
    events events;      /* of the simulation's source */
    double *constraint; /* success.c: of each level, the worst so far */
    bool started;
    double most_left[2];      /* of the weakest constraint so far, by sizes and by nominal sizes */
    double least_left;        /* of the weakest at stages so far */
    size_t formed_steps;      /* made when equations were formed anew, and one more; 0: never */
    double longest_step;      /* of combined equations */
    int tiny_steps;           /* in a row, beside that */
    double left_at_first;     /* of the weakest after the first step; 0: there was none */
    bool reported_dependence; /* that of one hardly anything is left */
    double t_start;
    trajectory kept;
    struct growth *growth; /* of a run with fixed steps, or NULL */

    dae_times times;
    size_t next_time; /* of the output that is due */
    double t_output;  /* where output begins: times before it are passed over */
    double *time_list;
    dae_output output;
    void *output_user;
    dae_watch watch;
    void *watch_user;

    dae_stats stats;
    text reasons;

    solve_place place;
    bool reported_place;
};

/* solver.c: whether a public function may begin. One that a callback of the solver has called from
 * within another may not, with a note, unless it only asks and that is between steps. Then *outer
 * is where the solver stood, for solve_leave() to go back to. */
bool solve_enter(dae_solver *s, const char *function, bool asks, solve_place *outer);
void solve_leave(dae_solver *s, const solve_place *outer);

/* options.c: take the options over, all of them checked, and copy the tolerances of variables. */
void solve_take_options(dae_solver *s, const dae_options *options);
dae_status solve_keep_atols(dae_solver *s);

/* start.c: as dae_solver_start(), from within another. */
dae_status solve_start(dae_solver *s, double t, const double *start);

/* engine_change.c: the engine for the simulation's problem, at the simulation's start. */
dae_status solve_begin_engine(dae_solver *s, double t);

/* engine_change.c: after each step, whether another method suits better; before the next one, go
 * on with the one that does, s->selection.next. */
void solve_watch_method(dae_solver *s);
dae_status solve_change_engine(dae_solver *s);

/* engine_change.c: the engine of another method at the present state, without a word, for one whose
 * state is restored. */
dae_status solve_take_engine(dae_solver *s, const char *name);

/* engine_change.c: go on from another state, at a time of the last step. */
dae_status solve_restart(dae_solver *s, double t, const double *y, const double *yp);

/* engine_change.c: after each step, a new formulation where the present one has degraded: past
 * points of the engine are carried into it, or the engine is started anew. */
dae_status solve_renew_formulation(dae_solver *s);

/* engine_change.c: after a step that failed so, whether a new formulation has been made that may go
 * on.
 */
bool solve_loosens_formulation(dae_solver *s, dae_status status);

/* evaluate.c: whether an assertion fails at one of the points within the last step that are looked
 * at, and when. */
bool solve_fails_within(dae_solver *s, double *t);

/* evaluate.c: a note where hardly anything is left of one of the constraints. */
void solve_report_dependence(dae_solver *s);

/* engine_change.c: before a step, or after one that failed, whether equations have been formed
 * anew; the same method goes on with them. */
dae_status solve_form_anew(dae_solver *s, bool failed, bool *formed);

/* engine_change.c: after a step that failed so, whether another method is left to be tried. */
bool solve_tries_another(dae_solver *s, dae_status status);

/* evaluate.c: raise s->judge.moved to how far projection moves what is integrated at the points
 * within the last step that were looked at, in tolerances: an iteration with the Jacobian of other
 * phases may have left algebraic variables far off at stages. Not of sparse problems. DAE_STOPPED.
 */
dae_status solve_look_within(dae_solver *s);

/* evaluate.c: the author's variables at a time of the last step or of a segment, into the
 * simulation's value and value_yp, met on all levels; NULL: at the engine's present state. */
dae_status solve_evaluate(dae_solver *s, double t, const dense_output *step);

/* evaluate.c: project the state of the engine that a step has reached; a failure has no message
 * yet. `far`: the constraints are so far away that the step cannot have followed them. */
dae_status solve_project_step(dae_solver *s, bool *far);

/* output.c: before a run to `t_end`, whether its output can be sent in the order asked for. */
dae_status solve_look_at_times(dae_solver *s, double t_end);

/* output.c: send what is due up to the present time; `within`: a step has led to it. */
dae_status solve_send(dae_solver *s, bool within);

/* output.c: send what is due of the last step before a time. */
dae_status solve_send_before(dae_solver *s, double t);

/* evaluate.c: of the values evaluated last: whether all are finite and all assertions hold; with
 * the message, DAE_NOT_EVALUABLE or DAE_ASSERTION, or without. */
dae_status solve_check(dae_solver *s, double t);
bool solve_holds(dae_solver *s, double t);

/* evaluate.c: the worst violations by the values evaluated last. */
dae_status solve_measure(dae_solver *s, double t);

/* failure.c: between a public function's beginning, which forgets an earlier request, and its end,
 * one of the author's functions may have asked to stop. Then that is the failure, whatever became
 * of the call in which it was asked; `status` otherwise. */
void solve_forget_stop(dae_solver *s);
dae_status solve_heed_stop(dae_solver *s, dae_status status);
/* small_variables.c: keep what variables have been at the ends of steps; at the end of a run, note
 * which of them were never as large as their absolute tolerance. */
dae_status solve_begin_sizes(dae_solver *s);
void solve_keep_sizes(dae_solver *s);
void solve_note_small(dae_solver *s);

/* small_variables.c: after a step, note where errors are held at far more than the tolerance. */
void solve_note_noise(dae_solver *s);

/* failure.c: why a step failed, in the author's names. */
dae_status solve_explain_step(dae_solver *s, dae_status status);
dae_status solve_explain_missing(dae_solver *s, double t, size_t variable);
dae_status solve_explain_point(dae_solver *s, double t, dae_status status);

/* Append which variables the equations do not determine at the state that was projected last, at t;
 * false: that is not known. */
bool solve_report_undetermined(const dae_solver *s, double t, text *reported);

/* Project the end of the last step, for the above. */
void solve_look_at_end(dae_solver *s);

#endif
