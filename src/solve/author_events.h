/* The events of a C program: its root functions, the times it announces, and what it does at them
 * (dae_about). */
#ifndef SOLVE_AUTHOR_EVENTS_H
#define SOLVE_AUTHOR_EVENTS_H

#include "base/arena.h"
#include "event/events.h"
#include "solve/simulation.h"

/* How a simulation knows the author's variables. */
typedef struct author_events_way {
    /* The author's variables and derivatives (n each; NAN where none occurs) at a point of the
     * engine within the last step, not projected. */
    dae_status (*state)(simulation *c, double t, const double *y, const double *yp, double *own,
                        double *own_yp);

    /* The engine's y and y' after an event, at which the author's variables are `own` (n). In
     * place of them the simulation may have another problem, and the outcome says so. Failures with
     * a message about it; the simulation then is as before. `own` becomes other values where
     * impulses have moved differential variables. */
    dae_status (*settle)(simulation *c, double t, double *own, double *y, double *yp,
                         event_outcome *outcome);
    bool takes_blows; /* settle() knows what a blow is (dae_event.blow) */

    /* Whether differential variable j has the author's value after an event: constraints may not
     * move it. */
    bool (*stays)(const simulation *c, size_t j);

    /* Solves for algebraic variables and derivatives of the author's (n each) beside a state that
     * is known. NULL: the evaluation of rows has done that. */
    dae_status (*solve)(simulation *c, double t, double *own, double *own_yp);
} author_events_way;

typedef struct author_events {
    event_source source;
    simulation *simulation;
    const dae_about *about;
    const author_events_way *way;
    void *user;
    double *before, *before_yp, *behind; /* n each: the author's variables at an event */
    double *settled, *settled_yp;        /* n each: as they are found after it */
    double *at_before, *at_behind;       /* count each: root functions there ... */
    double *moves;                       /* ... and what errors of the state do to them */
    text name;                           /* of the roots that are crossed */
    bool told_not_taken;                 /* a note says that a callback's values do not count */
} author_events;

/* The events of `c`, whose problem has n variables; NULL where there are none. In `memory`, under
 * its protection. `about` and `way` are borrowed. */
author_events *author_events_create(arena *memory, simulation *c, const dae_about *about,
                                    const author_events_way *way, size_t n, void *user);

/* Whether variable j that was found to be `is` after an event has moved from the value `set` there
 * by more than errors of a state. */
bool author_events_moved(const simulation *c, size_t j, double set, double is);

void author_events_free(author_events *a); /* what it has outside the arena; NULL is fine */

#endif
