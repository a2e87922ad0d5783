/* The driver's parts share this; for solve/, and for analysis/ to look at. */
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "base/message.h"
#include "base/state.h"
#include "event/events.h"
#include "method/method.h"
#include "singular/impasse.h"
#include "solve/judge.h"
#include "solve/method_selection.h"
#include "solve/simulation.h"
#include "stepping/engine.h"

#include <daedal/solver.h>
#include <daedal/status.h>

/* Keeps the steps of a run. */

/* Values within a segment, and their derivatives, of the author's variables. */
typedef struct segment_values {
    size_t points; /* 0: they are not known */
    double end;    /* from the beginning of the step to this time */
    double *value; /* points x 2 n, rows contiguous; NULL: none were taken */
} segment_values;

typedef struct trajectory {
    dense_output *segment;  /* count: one for each step, in the direction of the run */
    segment_values *values; /* count: of those that an event has left in other modes */
    size_t count, capacity;
} trajectory;

/* Keeps a copy of a step's polynomial. DAE_NO_MEMORY. */
dae_status trajectory_keep(trajectory *kept, const dense_output *step);

/* The segment that contains a time; NULL if none does. At an event there are two values: the one
 * after it is found, or, `before`, that of the step that led to it. */
const dense_output *trajectory_find(const trajectory *kept, double t, bool before);

/* Cuts the trajectory at t, a time within it from which the run continues: drops everything later.
 */
void trajectory_cut(trajectory *kept, double t);

void trajectory_clear(trajectory *kept);

/* Before an event at t of a C program, whose functions may have other modes after it: takes the
 * values of the segments in the present modes. DAE_STOPPED, DAE_NO_MEMORY. */
dae_status trajectory_take_values(dae_solver *s, double t);

/* Interpolates those of a segment in other modes than the present ones, into y and yp (n each).
 * False: they are not known. */
bool trajectory_values(const dae_solver *s, const dense_output *step, double t, double *y,
                       double *yp);

/* See base/state.h; n: of the author's variables. */
void trajectory_state(trajectory *kept, size_t n, state_visit *s);

/* Where a solver stands when one of the author's functions is called. */
typedef struct solve_place {
    const char *inside; /* the public function that is at work, or NULL */
    bool between;       /* it has called the receiver of output, or the watch, between steps */
} solve_place;

/* crawl.c: events of one root that leave the solution where it was. */
typedef struct crawl {
    double *y;      /* n: the author's variables before the first of them; the solver's */
    double t;       /* its time */
    size_t count;   /* how many there were */
    size_t root;    /* SIZE_MAX: none */
    signed char to; /* the side to which the first one has crossed it */
} crawl;

enum { EVENT_GAPS = 7 };

struct dae_solver {
    message message;
    dae_options options;
    double *atols, *inner_atols; /* the author's, or NULL: one for all; those of the engine */
    double *largest;     /* the author's variables: the largest |y| at ends of steps so far; 0: not
                            integrated */
    bool reported_unmet; /* a note says that a row does not meet the equations */
    bool reported_instant;  /* that rows hold limits of the values beside them */
    bool reported_small;    /* a note says which variables stay below their tolerance */
    bool reported_noise;    /* a note says that errors are held at the round-off of the equations */
    simulation *simulation; /* NULL after a wrong option */

    method *method; /* the method asked for or chosen; NULL after a wrong option */
    engine *engine;
    method_selection selection; /* where the method is `auto` */
    /* These watch the steps, with their arrays in one block. */
    workspace watches;
    judge judge;
    poles poles; /* of the equations */
    crossing crossing;
    turning turning;
    retreat retreat;
    growth growth;      /* of a run with fixed steps */
    double *constraint; /* success.c: room for the worst violations */

    events events;              /* of the simulation's source */
    dae_event event;            /* the last one; zeros: there was none */
    text event_name;            /* its roots */
    signed char *event_crossed; /* as many as its roots, and the same of event_outcome.stays */
    double
        *earlier; /* room for y and y' of an earlier formulation, which may have more of them ... */
    size_t most_earlier;  /* ... than the present one: so many each */
    double *event_before; /* 3 n: the author's variables and their derivatives before it; those of
                             the crawl */
    crawl crawl;
    double event_gap[EVENT_GAPS]; /* the last times between events; infinite: there were fewer */
    int crowded;                  /* how many events in a row have come at once */
    int futile;                   /* how many of them have changed nothing, ... */
    size_t attempts;              /* ... and how many solutions were sought at these */
    int accumulated;              /* how many events in a row have told that events accumulate, */
    double accumulates;           /* and in which time; 0: they do not */
    double nears;                 /* in which time they would, as gaps shrink now; 0: they do not */
    double recurrence;            /* the time of the gaps by which they do */
    int shrinking[2];   /* how often in a row two gaps, or four, have been shorter than as many
                           before */
    bool stands_before; /* the run has failed at the last one, before it was handled */
    bool ends_within;   /* the run has failed, and is left within a step */
    bool at_event;      /* the last step has led to it */
    bool tells_start;   /* it is at the start, and the run has not told it yet */
    bool told_early;    /* a note says that a rest begins before events accumulate */
    bool off_grid;      /* fixed steps: the run stands beside the grid of these since an event */
    double short_step;  /* ... and steps are no longer than this, for want of values; 0: of any */
    dae_event_watch event_watch;
    void *event_user;
    singular_point singular;   /* where the run has failed, if that is known */
    size_t creeping;           /* how many steps have hardly moved time until now */
    engine_counts flat_looked; /* when it was last looked whether steps creep at a flat point */
    double flat_length;        /* the length of steps then */
    bool across_flat;          /* the last step leads across such a point */
    bool told_vertical;        /* that the run goes on past an infinite derivative */
    size_t passed_turns;       /* impasse points on the curve that was followed last */
    size_t turned_root;        /* where equations change at that point: a relation by which, */
    bool turn_stays;           /* and whether it has done so at an event before */
    int orientation;           /* of the curve of solutions at the start of a run; 0: not known */
    bool started;
    double most_left[2];  /* of the weakest constraint so far, by sizes and by nominal sizes */
    double least_left;    /* of the weakest at stages so far */
    size_t formed_steps;  /* steps made when equations were last formed, plus one; 0: never */
    double longest_step;  /* longest step so far, of combined equations */
    int tiny_steps;       /* consecutive steps that are tiny relative to it */
    double left_at_first; /* what is left of the weakest constraint after the first step; 0: there
                             was none */
    bool reported_dependence; /* a note says that hardly anything is left of a constraint */
    bool reported_let_go;     /* a note says that a root that an event has stopped goes on */
    double t_start;
    trajectory kept;

    dae_times times;
    size_t next_time; /* index of the output time that is due */
    double t_output;  /* where output begins; earlier times are skipped */
    double t_row;     /* of the last row; NAN: there was none */
    bool finished;    /* by dae_solver_finish() */
    double *time_list;
    dae_output output;
    void *output_user;
    dae_watch watch;
    void *watch_user;

    dae_stats stats;
    text reasons;

    solve_place place, outer; /* `outer`: before the public function that is at work */
    bool reported_place;
};

/* solver.c: as dae_solver_create() with default options, for dae_describe(): the equations of a
 * model are those that are written. */
dae_solver *solver_to_describe(dae_problem *source);

/* solver.c: whether a public function may begin. It may not, with a note, if a callback of the
 * solver has called it from within another public function. A function that only asks may be called
 * so between steps. solve_leave() is called when it ends, with its status, and returns that. */
bool solve_enter(dae_solver *s, const char *function, bool asks);
dae_status solve_leave(dae_solver *s, dae_status status);

/* options.c: check and copy all options, and copy the tolerances of variables. */
void solve_take_options(dae_solver *s, const dae_options *options);
dae_status solve_keep_atols(dae_solver *s);

/* start.c: as dae_solver_start(), called from within another public function. */
dae_status solve_start(dae_solver *s, double t, const double *start);

/* engine_change.c: the engine for the simulation's problem, at the simulation's start. */
dae_status solve_begin_engine(dae_solver *s, double t);

/* watches.c: prepares what watches the steps of an engine with new equations; frees it; its state.
 */
dae_status solve_begin_watches(dae_solver *s);
void solve_free_watches(dae_solver *s);
void solve_watches_state(dae_solver *s, state_visit *v);

/* method_watch.c: what the choice of the method looks at. */
method_view solve_method_view(const dae_solver *s, double t, const double *y);

/* method_watch.c: after each step, decides whether another method suits better, s->selection.next;
 * engine_change.c: before the next one, changes to it. */
void solve_watch_method(dae_solver *s);
dae_status solve_change_engine(dae_solver *s);

/* The same for methods that begin anew at events: where one is announced for the time `next`, and
 * once such an event has been passed. */
void solve_announce_event(dae_solver *s, double next);
void solve_pass_restart(dae_solver *s);

/* engine_change.c: the tolerances for the simulation's problem; and an engine of that method for
 * it, where it was formed anew, which goes on from c->y and c->yp. `first_step`: 0 if it is not
 * known.
 */
dae_status solve_take_tolerances(dae_solver *s);
dae_status solve_form_engine(dae_solver *s, const char *name, double t, double first_step);

/* engine_formed.c: whether the author's explicit method goes on on the state-space form since an
 * event; and its name there, made in `name`, or not. */
bool solve_is_on_state_space(const dae_solver *s);
const char *solve_name_of(const dae_solver *s, bool on_state_space, text *name);

/* The name of the method that continues from t after an event has formed the equations anew; `name`
 * holds it where it is put together. */
const char *solve_method_of_formed(dae_solver *s, double t, text *name);

/* engine_change.c: an engine of that method for a solver whose state is restored; `anew`: for
 * equations that have been formed anew. */
dae_status solve_take_engine(dae_solver *s, const char *name, bool anew);

/* engine_formed.c: continue at t with equations that an event has formed anew, from c->y and c->yp.
 */
dae_status solve_begin_replaced(dae_solver *s, double t);

/* engine_formed.c: continue from another state, at a time of the last step. */
dae_status solve_restart(dae_solver *s, double t, const double *y, const double *yp);

/* The same where the last step tells nothing of the next one. */
dae_status solve_restart_afresh(dae_solver *s, double t, const double *y, const double *yp);

/* engine_formed.c: after each step, makes a new formulation where the present one has degraded.
 * Past points of the engine are carried into it, or the engine starts anew. */
dae_status solve_renew_formulation(dae_solver *s);

/* engine_formed.c: after a step that failed with this status: whether a new formulation has been
 * made with which the step may succeed. */
bool solve_loosens_formulation(dae_solver *s, dae_status status);

/* evaluate.c: the margins of assertions at a time within the last step. False: they have no values
 * there. */
bool solve_take_margins(dae_solver *s, double t, const dense_output *step, double *value);

/* narrow.c: where within the last step relations in assertions turn, so that one may fail between
 * two points: the times just before and just after each turn (SOLVE_MOST_TURNS), in their order.
 * Returns their number. */
enum { SOLVE_MOST_TURNS = 64 };
typedef struct solve_turn {
    double before, behind;
} solve_turn;
size_t solve_find_turns(dae_solver *s, solve_turn *turn);

/* evaluate.c: whether an assertion fails at one of the judged points within the last step, or where
 * one of its relations turns, and when. */
bool solve_fails_within(dae_solver *s, double *t);

/* Bisections with which the instant is found at which values, assertions or warnings change. */
enum { SOLVE_BISECTIONS = 60 };

/* warnings.c: notes all new warnings of a step that did not end at an event, each with its instant;
 * those that hold right after an event. */
dae_status solve_warn_within(dae_solver *s);
dae_status solve_warn_behind(dae_solver *s);

/* evaluate.c: whether a warning that is not noted yet holds at one of the judged points within the
 * last step up to where the engine stands, when first (*t), and after which point without (*before,
 * which is the begin of the step at first). */
bool solve_warns_within(dae_solver *s, double *before, double *t);

/* evaluate.c: notes that hardly anything is left of one of the constraints. */
void solve_report_dependence(dae_solver *s);

/* evaluate.c: what is left of the weakest one is compared with what the equations from now on leave
 * of it. */
void solve_forget_weakest(dae_solver *s);

/* engine_formed.c: before a step, or after one that failed: *formed tells whether equations have
 * been formed anew. The same method continues with them. */
dae_status solve_form_anew(dae_solver *s, bool failed, bool *formed);

/* Undoes a step that passes a zero of what combined equations divide by: it is made again with a
 * shorter length. Equations are formed anew before the zero; where that has failed, steps pass it.
 */
bool solve_passes_pivot(dae_solver *s);

/* method_watch.c: after a step that failed with this status: whether there is another method to
 * try. */
bool solve_tries_another(dae_solver *s, dae_status status);

/* evaluate.c: raise s->judge.moved to how far, in tolerances, projection moves an integrated
 * variable at the judged points within the last step. An iteration with the Jacobian of an earlier
 * phase may have left algebraic variables far off at stages. Sparse problems are left out.
 * DAE_STOPPED. */
dae_status solve_look_within(dae_solver *s);

/* evaluate.c: compute the author's variables at a time of the last step or of a segment, into the
 * simulation's value and value_yp, projected onto all levels. NULL: at the engine's present state.
 */
dae_status solve_evaluate(dae_solver *s, double t, const dense_output *step);

/* The same for values that are shown: with the rates that option all_derivatives asks for
 * (simulation_shown_yp()). Or ask for rates in the next evaluations, or no more. */
dae_status solve_evaluate_to_show(dae_solver *s, double t, const dense_output *step);
void solve_ask_rates(dae_solver *s, bool asked);

/* The same for a trial: nothing is said where there are none. */
dae_status solve_try_values(dae_solver *s, double t, const dense_output *step);

/* beside.c: after an evaluation that ended as `found`: where equations say nothing at an instant
 * alone, or nothing but rounding, the values are extrapolated from those of the step beside it. */
dae_status solve_pass_instant(dae_solver *s, double t, const dense_output *step, dae_status found);

/* The same at an event at t, within the last step or at its end, with the values before it. If
 * there are none, as where the solution enters sqrt(h) from h > 0, those at `before` are taken. */
dae_status solve_evaluate_before(dae_solver *s, double t, double before);

/* evaluate.c: the same without projection. */
dae_status solve_evaluate_as_it_is(dae_solver *s, double t, const dense_output *step);

/* delayed_steps.c: add the last step to the past that delays need. A status of the evaluation. */
dae_status solve_keep_past(dae_solver *s);

/* delayed_steps.c: the last step is left at an event at t: what is delayed is looked at once more
 * up to there, where it is another piece after. A status of the evaluation. */
dae_status solve_cut_past(dae_solver *s, double t);

/* delayed_steps.c: whether the last step has taken delayed values from within itself that are not
 * those it has found there. *repeats: in place of that, these have been found, and the step is to
 * be made once more with them. */
bool solve_misses_past(dae_solver *s, bool *repeats);

/* evaluate.c: project the engine's state at the end of a step; a failure has no message yet. `far`:
 * the constraints are so far away that the step cannot have followed them. */
dae_status solve_project_step(dae_solver *s, bool *far);

/* output.c: before a run to `t_end`, whether its output can be sent in the order asked for. */
dae_status solve_look_at_times(dae_solver *s, double t_end);

/* output.c: send the output due up to the present time; `within`: a step has led to it. */
dae_status solve_send(dae_solver *s, bool within);

/* output.c: send the output of the last step that is due before a time. */
dae_status solve_send_before(dae_solver *s, double t);

/* output.c: at an event at t that was just noted, where options.event_rows asks for them: a row
 * with the values before it; and then one with those after it, where output is not due there
 * anyway. `left`: the run stands there. */
dae_status solve_send_left(dae_solver *s, double t);
dae_status solve_send_right(dae_solver *s, double t, bool left);

/* pass_event.c: begin the events of a run at its start; free what belongs to them. */
dae_status solve_begin_events(dae_solver *s);
void solve_free_events(dae_solver *s);

/* pass_event.c: find the next announced event. */
dae_status solve_look_ahead(dae_solver *s);

/* step_limit.c: the end of the next step at most: that of the run, the next announced event, or,
 * after an event between fixed steps, the next point of their grid, or one before. */
double solve_limit(dae_solver *s, double t_end);

/* step_limit.c: fixed steps leave their grid at an event at t; go on from the present point with
 * this step, in place of a fixed one; have come one step nearer to their grid. */
void solve_leave_grid(dae_solver *s, double t);
void solve_step_off_grid(dae_solver *s, double step);
void solve_return_to_grid(dae_solver *s);

/* Sends the rows of an event at the start and tells it, once. */
dae_status solve_tell_start_event(dae_solver *s);

/* accumulation.c: counts events that meet, or whose gaps shrink; `before`: the time of the event
 * before the last one. Then fails where events accumulate and nothing rests, or says that they do.
 */
void solve_count_gaps(dae_solver *s, double before);
double solve_accumulates(const dae_solver *s); /* the time in which events may come to rest */
dae_status solve_look_for_accumulation(dae_solver *s, const event_outcome *outcome);
dae_status solve_report_accumulation(dae_solver *s, double rest, const char *name);

/* Notes that the solution rests from t on, `rest` before the instant at which events accumulate, if
 * that is long: what counts the time of the flights that are left out is as inexact. */
void solve_note_early_rest(dae_solver *s, double t, double rest);

/* crawl.c: after an event, and after a step of a run to t_end: fails where a relation is crossed
 * again and again while the solution stays where it is within its tolerances. */
void solve_follow_crawl(dae_solver *s);
dae_status solve_look_for_crawl(dae_solver *s, double t_end);

/* step_limit.c: after a step that failed with this status: whether a shorter one is to be tried in
 * place of a fixed one, as beside the end of a branch. solve_limit() is another one then. */
bool solve_shortens_fixed(dae_solver *s, dae_status status);

/* pass_event.c: handle the events of the last step in their order. *left: the run has left the step
 * at one of them, or goes on from its end with other values; output due there has been sent. */
dae_status solve_pass_events(dae_solver *s, bool *left);

/* pass_event.c: where no step succeeds as the equations have no value beyond: handles an event at
 * the present time that ends the branch which has none, as where `if h > 0 then sqrt(h) else 0` is
 * h = 0. *left: there was one, and the run goes on after it. */
dae_status solve_pass_ending(dae_solver *s, bool *left);

/* pass_event.c: handles the event at a point where time turns and equations change, with the y and
 * the crossed roots that solve_look_for_impasse() has left in s->events. */
dae_status solve_pass_turn(dae_solver *s);

/* pass_event.c: for a run whose message says why it fails within the last step, after `good`. It
 * ends at `good`, with the rows up to there. Where an event before changes the state, the failure
 * is forgotten: *left, as solve_pass_events(). */
dae_status solve_end_within(dae_solver *s, double good, bool *left);

/* output.c: the last row of a run, at the engine's time: what is due there, and where that is
 * nothing, or it was sent and is `changed`, one more. */
dae_status solve_send_end(dae_solver *s, bool changed);

/* pass_event.c: end a run where the model says so: its last event, its last row, DAE_TERMINATED. */
dae_status solve_terminate(dae_solver *s, const char *reason);

/* output.c: send the values evaluated last as a row, `measured` by how well they meet the
 * equations.
 */
dae_status solve_send_values(dae_solver *s, double t, bool measured);

/* output.c: output time k. */
double solve_output_time(const dae_times *times, size_t k);

/* evaluate.c: whether the values evaluated last are all finite and all assertions hold.
 * solve_check() fails with a message, DAE_NOT_EVALUABLE or DAE_ASSERTION; solve_holds() has none.
 */
dae_status solve_check(dae_solver *s, double t);
bool solve_holds(dae_solver *s, double t);

/* evaluate.c: raise the worst violations by the values evaluated last. */
dae_status solve_measure(dae_solver *s, double t);

/* failure.c: stop requests of the author's functions. A public function forgets earlier requests
 * when it begins and heeds them when it ends. A request made in between is the failure, whatever
 * became of the call in which it was made; otherwise solve_heed_stop() returns `status`. */
void solve_forget_stop(dae_solver *s);
dae_status solve_heed_stop(dae_solver *s, dae_status status);
/* small_variables.c: keep the largest size of each variable at the ends of steps; at the end of a
 * run, note which variables were never as large as their absolute tolerance. */
dae_status solve_begin_sizes(dae_solver *s);
void solve_forget_unseen_sizes(dae_solver *s); /* as equations are formed, before the others */
void solve_keep_sizes(dae_solver *s);
void solve_note_small(dae_solver *s);

/* small_variables.c: after a step, note where errors are held at far more than the tolerance. */
void solve_note_noise(dae_solver *s);

/* failure.c: begin the message of a run that stops at t; whether another formulation or method may
 * do better after this status of a step. */
void solve_begin_failure(dae_solver *s, dae_status status, double t);
bool solve_is_of_equations(dae_status status);

/* failure.c: whether a state has no values, or none on the constraints. */
bool solve_is_of_state(dae_status status);

/* failure.c: report why a step failed, in the author's names. */
dae_status solve_explain_step(dae_solver *s, dae_status status);
dae_status solve_explain_missing(dae_solver *s, double t, size_t variable);
dae_status solve_explain_point(dae_solver *s, double t, dae_status status);

/* leap.c: whether a leap over a point at which solutions cross has been made, from one of the
 * points kept before it, and the engine goes on after it. */
bool solve_leaps(dae_solver *s);

/* Fails where a run rests on a solution that is not determined. */
dae_status solve_report_rest(dae_solver *s);

/* flat_step.c: in a model with laws that are flat at a point, as q*abs(q) is at 0, after a step
 * towards t_end has failed with a status, or, with DAE_OK, before one, where steps creep: whether a
 * step of the implicit Euler method has been made across such a point, which the engine goes on
 * from. DAE_STOPPED, DAE_NO_MEMORY. */
dae_status solve_step_across_flat(dae_solver *s, dae_status status, double t_end, bool *made);

/* impasse_look.c: after a step that failed with this status, look whether the solution comes to a
 * point where its derivative becomes infinite: s->singular. Append to the message what it is;
 * false: nothing is known. */
void solve_look_for_impasse(dae_solver *s, dae_status status);
bool solve_report_impasse(dae_solver *s);

/* Whether the last step, in which an event was found at t, has passed a point at which time turns
 * and equations change, as h = q*abs(q) do at q = 0: s->singular. States before the event are then
 * beyond those that lead to it. */
bool solve_passes_turn(dae_solver *s, double t);

/* along.c, where option singular asks for it: before a run. Whether the run goes on past the
 * impasse point at which it has failed. Then follow the curve of solutions until it comes to t_end,
 * or back to the start time, and send rows along it; *goes_on: or until a run as any other goes on
 * from there, to an event. The failure is forgotten then; statuses with their message. */
void solve_begin_along(dae_solver *s, double t_end);
bool solve_passes_impasse(const dae_solver *s);
dae_status solve_pass_impasse(dae_solver *s, double t_end, bool *goes_on);

/* along.c: past an impasse point there is an event, to which no steps lead. */
dae_status solve_report_event_at_impasse(dae_solver *s);

/* driver.c: ask the watch of the run, at the engine's time. */
dae_status solve_call_watch(dae_solver *s);

/* failure.c: append which variables the equations do not determine at the state projected last, at
 * t; false: that is not known. */
bool solve_report_undetermined(const dae_solver *s, double t, text *reported);

/* evaluate.c: project the end of the last step, for solve_report_undetermined(). */
void solve_look_at_end(dae_solver *s);

/* What a run's future depends on: see base/state.h. */

/* The state of a solver between two runs. It is restored into a solver for the same equations with
 * the same options that was started with the same values and has not run; that one goes on bit for
 * bit as the one that was saved. Messages, reasons and the options themselves are not part of it.
 * Saving makes factors anew (pencil_state()); restoring forms once more what equations the run has
 * formed anew. `s->status`: DAE_NO_MEMORY. */
void solve_state(dae_solver *solver, state_visit *s);

#endif
