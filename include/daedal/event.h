/** An event of a run: an instant at which a root function changes its sign, or that was announced.
 */
#ifndef DAEDAL_EVENT_H
#define DAEDAL_EVENT_H

#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is known of an event. Arrays are owned by the solver, and valid until it makes another
 * step.
 *
 *  In the `event` callback of dae_about, y may be changed, and `changed` and `stop` tell the solver
 *  what to do. Elsewhere y is NULL: dae_solver_at() gives the values after the event. */
typedef struct dae_event {
    double t;                   /**< its time, known to round-off */
    bool due;                   /**< it was announced: by `next_event`, or by a model */
    size_t roots;               /**< number of root functions */
    const signed char *crossed; /**< (roots) +1 for a root that rises through 0 in the direction of
                                     the run, -1 for one that falls, 0 for the others */
    const char *name;           /**< names of the roots that were crossed, and in a model of what
                                     was announced, as sample(0, 0.1), separated by commas; ""
                                     where there is none */
    size_t n;                   /**< number of the author's variables */
    const double *y_before, *yp_before; /**< (n) values and derivatives just before; derivatives
                                           that do not occur in the equations are NAN */
    double *y;    /**< (n) comes as y_before; the callback may change it: values after the event */
    bool changed; /**< set by the callback where it has changed y, or a mode on which the equations
                       depend: algebraic variables and derivatives are then found anew. Without it
                       y does not count */
    bool stop;    /**< set by the callback: the run ends here, with #DAE_STOPPED */
    const double *blow; /**< set by the callback of a mechanical system, else NULL: a direction w
                           (as many as there are velocities) of a blow. After the event velocities
                           v meet w.v = -restitution w.v_before and the constraints, by impulses
                           along w and along these: M (v - v_0) = w l + G^T L, with v_0 as in y. The
                           array must stay until the callback is called again */
    double restitution; /**< of that blow, 0 to 1: the part of the speed along w that is thrown
                           back; others are refused with #DAE_USAGE */
} dae_event;

/** Called at each event of a run, once what follows from it has been done: 0 to continue, else
 *  #DAE_STOPPED. */
typedef int (*dae_event_watch)(const dae_event *event, void *user);

#ifdef __cplusplus
}
#endif
#endif
