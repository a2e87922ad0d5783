/** A solver: from a problem to its trajectory. */
#ifndef DAEDAL_SOLVER_H
#define DAEDAL_SOLVER_H

#include <daedal/options.h>
#include <daedal/problem.h>
#include <daedal/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A solver handle. Two solvers never meet: each may run in a thread of its own. Of a handle that
 * is NULL each function returns #DAE_USAGE, NULL, or NAN for its time.
 *
 * From within one of the solver's own callbacks, its time, status, message, notes and statistics
 * may be read at any time, and from the receiver of output and the watch of steps
 * dae_solver_at() and dae_solver_output() may be called as well. All else there (a start, a run, a
 * step) returns #DAE_USAGE, has no effect but a note, and what called the callback goes on; and
 * the solver must not be freed. */
typedef struct dae_solver dae_solver;

/** Make a solver.
 *  @param problem  looked at now; need not outlive the solver
 *  @param options  NULL: all defaults; copied
 *  @return a handle to be freed by dae_solver_free(); NULL only when memory is out. A problem that
 * has failed, an option that is wrong and options that dae_options_default() has not filled
 * (#DAE_USAGE), and a problem that is NULL (#DAE_NO_MEMORY) give a handle with that status and
 * message. */
DAE_API dae_solver *dae_solver_create(dae_problem *problem, const dae_options *options);

/** Find consistent values at a time, from the model's start values and initial equations.
 *  @param t      where to start
 *  @param start  NULL, or one value a variable; NAN: the start value that the problem has. In the
 *      equations of a C program a variable that has none here nor by dae_problem_set() is found. A
 *      variable whose derivative does not occur is always found: its value is a guess, from which
 *      the search begins, and by which those are found that have no start value
 *  @return #DAE_CONTRADICTION, #DAE_NO_START, #DAE_ASSERTION, ... */
DAE_API dae_status dae_solver_start(dae_solver *solver, double t, const double *start);

/** Start from values and derivatives that are known to be consistent, such as hidden constraints
 *  determine that are not found from the equations alone. Only for the equations of a C program.
 *  They are taken as they are if each equation is met: |F_i| at most `rtol` times the sum over j of
 *  |dF_i/dy_j| max(|y_j|, nominal_j) + |dF_i/dy_j'| max(|y_j'|, nominal_j). What follows from the
 *  equations by differentiation is not looked at.
 *  @param y   one value a variable
 *  @param yp  one derivative a variable; that of a variable whose derivative does not occur is not
 *             looked at
 *  @return #DAE_NO_START with the equation that is missed most, #DAE_UNSUPPORTED for a model,
 *          #DAE_USAGE for values that are not finite */
DAE_API dae_status dae_solver_start_with(dae_solver *solver, double t, const double *y,
                                         const double *yp);

/** Integrate to a time, forwards or backwards; starts at 0 if dae_solver_start() was not called.
 *  After a failure everything up to it can still be asked for. */
DAE_API dae_status dae_solver_run(dae_solver *solver, double t_end);

/** One accepted step towards a time, not beyond it; starts at 0 if dae_solver_start() was not
 *  called. Output that is due is sent as by dae_solver_run(); at `t_limit` already, nothing else is
 *  done. Where no method can continue, the run goes back by up to eight steps and the step is made
 *  there: the time that is reached is then earlier than before. The error of values within the
 *  step is controlled, so that dae_solver_at() may ask for
 *  any. */
DAE_API dae_status dae_solver_step(dae_solver *solver, double t_limit);

/** The time that has been reached. */
DAE_API double dae_solver_time(const dae_solver *solver);

/** Values and derivatives of the author's variables at a time.
 *  @param t   within the last step, or any time since the start where `keep_trajectory` is set
 *  @param y   one value a variable
 *  @param yp  NULL, or the derivatives: NAN for a variable whose derivative the model does not hold
 *  @return #DAE_USAGE for a time that is not at hand (the solver stays usable). */
DAE_API dae_status dae_solver_at(dae_solver *solver, double t, double *y, double *yp);

/** Receives output; y and yp as in dae_solver_at(), valid during the call.
 *  @return 0 to go on; positive: stop, #DAE_STOPPED; negative: failed, #DAE_OUTPUT_FAILED */
typedef int (*dae_output)(double t, const double *y, const double *yp, void *user);

/** The times at which output is wanted: `at` (ascending in the direction of the run), or where that
 * is NULL `count` times from `first` to `last` in equal distances, both included; a single one only
 * where these are equal. */
typedef struct dae_times {
    const double *at; /**< count, copied; or NULL */
    size_t count;
    double first, last;
} dae_times;

/** Send output to a callback during dae_solver_run(), in constant memory. Times before the start,
 * or before the time that has been reached when this is called, are passed over; the start itself
 * is sent by the first dae_solver_run(). NULL times switch output off. A run on whose way times lie
 * in the other order than it goes returns #DAE_USAGE before it begins.
 *  @return #DAE_USAGE for times that are not finite, or go forth and back, one time from a first to
 *          another last, and no receiver of them */
DAE_API dae_status dae_solver_output(dae_solver *solver, const dae_times *times, dae_output output,
                                     void *user);

/** Called after each accepted step with its end: 0 to go on, else #DAE_STOPPED. For progress,
 * and for stopping a run from outside. */
typedef int (*dae_watch)(double t, void *user);

/** Have each step watched; NULL ends it. */
DAE_API void dae_solver_watch(dae_solver *solver, dae_watch watch, void *user);

/** Have the search for consistent values at the start watched, which is asked often, with the time
 * of the start; NULL ends it. */
DAE_API void dae_solver_watch_start(dae_solver *solver, dae_watch watch, void *user);

/** What a run has cost and how well it went; counts since the start. */
typedef struct dae_stats {
#define X(type, name, meaning) type name;
#include <daedal/stats.def>
#undef X
} dae_stats;

/** Statistics so far; owned by the solver, brought up to date by this call. */
DAE_API const dae_stats *dae_solver_stats(dae_solver *solver);

/** The first failure of this handle, or #DAE_OK; its message ("" where there is none); remarks that
 * are no failures, one a line. Strings are owned by the solver. */
DAE_API dae_status dae_solver_status(const dae_solver *solver);
DAE_API const char *dae_solver_message(const dae_solver *solver);
DAE_API const char *dae_solver_notes(const dae_solver *solver);

/** Free the handle; NULL is fine. */
DAE_API void dae_solver_free(dae_solver *solver);

#ifdef __cplusplus
}
#endif
#endif
