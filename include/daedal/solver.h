/** A solver computes the trajectory of a problem. */
#ifndef DAEDAL_SOLVER_H
#define DAEDAL_SOLVER_H

#include <daedal/event.h>
#include <daedal/options.h>
#include <daedal/problem.h>
#include <daedal/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A solver handle. Solvers are independent of each other: each may run in a thread of its own. For
 *  a handle that is NULL, each function returns #DAE_USAGE, NULL, or NAN for its time.
 *
 *  Within one of the solver's own callbacks, its time, status, message, notes and statistics may be
 *  read at any time. The receiver of output and the watch of steps may also call dae_solver_at()
 *  and dae_solver_output(). Every other call from there (a start, a run, a step) returns #DAE_USAGE
 *  and has no effect except a note; the function that called the callback continues. The solver
 *  must not be freed there. */
typedef struct dae_solver dae_solver;

/** Create a solver.
 *  @param problem read by this call; need not outlive the solver
 *  @param options NULL: all defaults; copied
 *  @return a handle to be freed by dae_solver_free(); NULL only when memory is exhausted. Some
 *      handles have failed already, with status and message: for a problem that has failed; for a
 *      wrong option, or options that dae_options_default() has not filled (#DAE_USAGE); for a
 *      problem that is NULL (#DAE_NO_MEMORY). */
DAE_API dae_solver *dae_solver_create(dae_problem *problem, const dae_options *options);

/** Find consistent values at a time, from the model's start values and initial equations.
 *  @param t where to start
 *  @param start NULL, or one value per variable; NAN: the start value of the problem. In the
 *      equations of a C program, a variable that has a value neither here nor by dae_problem_set()
 *      is found. A variable whose derivative does not occur is always found. Its value is a guess,
 *      from which the search begins; variables without start values are found by these guesses
 *  @return #DAE_CONTRADICTION, #DAE_NO_START, #DAE_ASSERTION, ... */
DAE_API dae_status dae_solver_start(dae_solver *solver, double t, const double *start);

/** Start from values and derivatives that are known to be consistent, for instance because they
 *  meet hidden constraints that cannot be found from the equations alone. Only for the equations of
 *  a C program. The values are taken unchanged if each equation is met: |F_i| at most `rtol` times
 *  the sum over j of |dF_i/dy_j| max(|y_j|, nominal_j) + |dF_i/dy_j'| max(|y_j'|, nominal_j).
 *  Equations that follow by differentiation are not checked.
 *  @param y one value per variable
 *  @param yp one derivative per variable; that of a variable whose derivative does not occur is
 *      ignored
 *  @return #DAE_NO_START with the equation that is missed most, #DAE_UNSUPPORTED for a model,
 *      #DAE_USAGE for values that are not finite */
DAE_API dae_status dae_solver_start_with(dae_solver *solver, double t, const double *y,
                                         const double *yp);

/** Integrate to a time, forwards or backwards. Starts at 0 if dae_solver_start() was not called.
 *  After a failure, everything before it stays available. With the option `stop_at_events` the run
 *  also returns at each event. */
DAE_API dae_status dae_solver_run(dae_solver *solver, double t_end);

/** End a run that has gone as far as it is to go: in a model, terminal() is true in one last event.
 *  A row that was sent for this time is sent once more, with the values after that event. The run
 *  cannot go on; dae_solver_start() begins another one. A run that terminate() of the model ends
 *  (#DAE_TERMINATED) has been finished in this way.
 *  @return #DAE_USAGE before a start; the run's failure; statuses of an event */
DAE_API dae_status dae_solver_finish(dae_solver *solver);

/** Make one accepted step towards a time, not beyond it. Starts at 0 if dae_solver_start() was not
 *  called. Output that is due is sent as by dae_solver_run(). If the time is `t_limit` already,
 *  nothing else is done. Where no method can continue, the run goes back by up to eight steps and
 *  makes the step there; the time reached is then earlier than before. The error of values within
 *  the step is controlled, so that dae_solver_at() may ask for any of them. */
DAE_API dae_status dae_solver_step(dae_solver *solver, double t_limit);

/** The time that the run has reached. A run that has failed at an event stands there, just before
 * it; nothing after this time is kept. */
DAE_API double dae_solver_time(const dae_solver *solver);

/** Values and derivatives of the author's variables at a time.
 *  @param t within the last step, or any time since the start where `keep_trajectory` is set
 *  @param y one value per variable
 *  @param yp NULL, or the derivatives: NAN for a variable whose derivative does not occur in the
 *      model. With the option `all_derivatives` a model's solver finds these as well, along the
 *      solution from the equations differentiated once more. NAN are then those of discrete
 *      variables, and those that the equations do not determine
 *  @return #DAE_USAGE for a time that is not available (the solver stays usable). */
DAE_API dae_status dae_solver_at(dae_solver *solver, double t, double *y, double *yp);

/** The same, but at an event the values before it: dae_solver_at() gives those after it. They are
 *  available for the event that was passed last, and for earlier ones where `keep_trajectory` is
 *  set. At other times both functions give the same. */
DAE_API dae_status dae_solver_at_left(dae_solver *solver, double t, double *y, double *yp);

/** The event that was passed last since the start; NULL: there was none. With the option
 *  `stop_at_events`, dae_solver_run() returns #DAE_OK at each event: the run stands at an event
 *  where its `t` is dae_solver_time().
 *  @return owned by the solver, valid until its next step */
DAE_API const dae_event *dae_solver_event(const dae_solver *solver);

/** Watch each event; NULL ends it. */
DAE_API void dae_solver_watch_events(dae_solver *solver, dae_event_watch watch, void *user);

/** Receives output; y and yp as in dae_solver_at(), valid during the call.
 *  @return 0 to continue; positive: stop, #DAE_STOPPED; negative: failed, #DAE_OUTPUT_FAILED */
typedef int (*dae_output)(double t, const double *y, const double *yp, void *user);

/** The times at which output is wanted: `at`, ascending in the direction of the run. Where `at` is
 *  NULL: `count` equally spaced times from `first` to `last`, both included. A single one is
 *  possible only where `first` and `last` are equal. */
typedef struct dae_times {
    const double *at; /**< as many as `count`, copied; or NULL */
    size_t count;
    double first, last;
} dae_times;

/** Send output to a callback during dae_solver_run(), in constant memory. Times before the start,
 *  or before the time that has been reached when this is called, are skipped. The first
 *  dae_solver_run() sends the start itself. NULL times switch output off. A run returns #DAE_USAGE
 *  before it begins if output times on its way are listed against its direction.
 *  @return #DAE_USAGE for times that are not finite or change direction, for one time whose first
 *      and last differ, and for times without a receiver */
DAE_API dae_status dae_solver_output(dae_solver *solver, const dae_times *times, dae_output output,
                                     void *user);

/** Called after each accepted step, with its end: 0 to continue, else #DAE_STOPPED. For showing
 *  progress, and for stopping a run from outside. */
typedef int (*dae_watch)(double t, void *user);

/** Watch each step; NULL ends it. */
DAE_API void dae_solver_watch(dae_solver *solver, dae_watch watch, void *user);

/** Watch the search for consistent values at the start, and that for the modes of a model after an
 *  event. The watch is called often, with the time of the start or of the event; NULL ends it. */
DAE_API void dae_solver_watch_start(dae_solver *solver, dae_watch watch, void *user);

/** The cost of a run and how well it went; counts since the start. */
typedef struct dae_stats {
#define X(type, name, meaning) type name;
#include <daedal/stats.def>
#undef X
} dae_stats;

/** Statistics so far; owned by the solver, updated by this call. */
DAE_API const dae_stats *dae_solver_stats(dae_solver *solver);

/** The first failure of this handle, or #DAE_OK; its message ("" where there is none); remarks that
 *  are not failures, one per line. Strings are owned by the solver. */
DAE_API dae_status dae_solver_status(const dae_solver *solver);
DAE_API const char *dae_solver_message(const dae_solver *solver);
DAE_API const char *dae_solver_notes(const dae_solver *solver);

/** Free the handle; NULL is fine. */
DAE_API void dae_solver_free(dae_solver *solver);

#ifdef __cplusplus
}
#endif
#endif
