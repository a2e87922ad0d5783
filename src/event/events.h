/* Events: root functions that are watched along a run, and what happens at a root.
 *
 * A simulation may offer a source of events (simulation.h). After each step the root functions are
 * evaluated at a few points on the polynomial of the step (course.h). Where one may change its
 * sign, its extrema are looked at as well, so that neither two roots within the step nor a tangent
 * root are missed. The first change that counts is located to round-off of the time (bracket.h).
 * Rows up to there are sent, the source makes the state after it, and the engine continues from
 * there.
 *
 * A sign counts from where it is more than rounding. A root function that is 0 at the start or
 * after an event takes its sign from what follows, so that nothing is found twice. */
#ifndef EVENT_EVENTS_H
#define EVENT_EVENTS_H

#include "base/arena.h"
#include "base/text.h"
#include "event/course.h"
#include "stepping/engine.h"

/* What an update has done. */
typedef struct event_outcome {
    double accumulates; /* given: in this time events accumulate; 0: they do not ... */
    double nears;       /* ... and in this time if their gaps go on to shrink as they have done; 0:
                           they have not; */
    double recurrence;  /* ... of which one must have been crossed within this time before */
    bool recurs;  /* given as true; set to false where no root that is crossed has been crossed
                     within `recurrence` before: then events do not accumulate */
    bool rests;   /* then the state after them is one at rest, */
    bool blurred; /* or the next ones cannot be told from rounding */
    const double *blow, *before; /* given to author_events_way.settle(): a blow (dae_event), and the
                                    author's variables before it; blow: NULL: there is none */
    double restitution;          /* of the blow */
    bool ends;                   /* the run ends here */
    bool futile;                 /* of a model: all modes and states are as before */
    size_t attempts;             /* of a model: solutions sought in the modes that were tried */
    bool unchanged;              /* nothing: the step remains valid beyond the event */
    bool moved;                  /* it has given states other values */
    bool switched;               /* of a model: the equations are others */
    bool replaced; /* the equations have been formed anew: the simulation has another problem, and
                     y and y' are not used; its y and yp are the state after the event */
    signed char *stays; /* of each root, set to 1 where it is still 0 in the state that its author
                           wants; to find a consistent one near may give it either sign. NULL where
                           nobody asks */
    const char *reason; /* where it ends: what the equations say of it; NULL: nothing */
} event_outcome;

/* From t_low to t_high, the least and largest values of the engine's unknowns, y and y' (n). */
typedef struct event_box {
    double t_low, t_high;
    const double *y_low, *y_high, *yp_low, *yp_high;
} event_box;

/* Bounds of a root and of its derivative by time; infinite: not known. */
typedef struct event_bounds {
    double low, high, slope_low, slope_high;
} event_bounds;

/* All in the engine's unknowns, y and y' (n). Statuses are those of a problem, or DAE_STOPPED. */
typedef struct event_source_ops {
    /* value (count): the root functions at a point. */
    dae_status (*roots)(void *self, double t, const double *y, const double *yp, double *value);

    /* The same at the state that update() begins with there: one that is brought back to
     * constraints is another one than that of the step. NULL: it never is. */
    dae_status (*met_roots)(void *self, double t, const double *y, const double *yp, double *value);

    /* Whether a root is the same at that state, because it depends on nothing that is moved there.
     * NULL: it is not known. */
    bool (*stays)(const void *self, size_t root);

    /* The roots at the differential variables of a point, with all that follows from them solved
     * for. NULL: it is not known. */
    dae_status (*solved_roots)(void *self, double t, const double *y, const double *yp,
                               double *value);

    /* side (count): the side of 0 on which each root is by the modes, +1 or -1, whatever round-off
     * its value has; 0: it is not watched. closed (count): 0 belongs to that side. NULL: they are
     * on the side of their values. */
    void (*sides)(const void *self, signed char *side, bool *closed);

    /* band (count): values of the roots, where they were evaluated last, up to which a root that
     * stands at 0 after an event cannot be told from 0. It is no event before it goes beyond.
     * edge (count): the distance from 0 at which that event is located, instead of at 0; else 0.
     * NULL without sides(). */
    void (*bands)(void *self, double *band, double *edge);

    /* by (count): how far from 0 errors of a step may take the roots, where bands() was asked last.
     * NULL without bands(). */
    void (*errors)(void *self, double *by);

    /* by (count): how far rounding may move the roots that the equations hold at 0 until the next
     * event, where they were evaluated last; 0: others. NULL: none is held there. */
    void (*equal)(const void *self, double *by);

    /* by (count): how far rounding may have moved the roots where they were evaluated last. NULL:
     * as it moves a number of their size. */
    void (*rounding)(void *self, double *by);

    /* Where the roots were evaluated last and the equations have no value beyond: marks in crossed
     * (count, zeroed) those that are 0 there but for errors of the state, or, closely, but for
     * rounding. scratch: count. Returns whether there is one. NULL: it is not known. */
    bool (*ending)(void *self, bool closely, double *scratch, signed char *crossed);

    /* The first time after t, in this direction of time (+1 or -1), at which there is an event
     * whatever the state is; infinite: there is none. NULL: there never is. */
    double (*next)(void *self, double t, double direction);

    /* At an event, y and y' become the values after it. crossed (count): +1 for a root that rises
     * through 0 in the direction of the run, -1 for one that falls, 0 for the others. `due`: t is
     * the time that next() has given. The modes of the equations may change too. */
    dae_status (*update)(void *self, double t, const signed char *crossed, bool due, double *y,
                         double *yp, event_outcome *outcome);

    /* The last event of a run, as update() with no root crossed. `unchanged`: there is none. NULL:
     * there never is. */
    dae_status (*finish)(void *self, double t, const signed char *crossed, double *y, double *yp,
                         event_outcome *outcome);

    /* Whether points of a step may not show the course of a root between them, of which bounds are
     * known; and these, where the unknowns are in a box. NULL: points show all. */
    bool (*bends)(const void *self, size_t root);
    void (*enclose)(void *self, size_t root, const event_box *box, event_bounds *bounds);

    bool forgets; /* after an event, equations may not be evaluated in the modes before it */

    void (*name)(const void *self, size_t root, text *t); /* appended */

    /* Appends, with commas, what is due at the time that next() has given. NULL: not known. */
    void (*name_due)(void *self, double t, text *to);
} event_source_ops;

typedef struct event_source {
    const event_source_ops *ops;
    void *self;
    size_t count; /* number of root functions */
    const signed char
        *direction; /* count: +1 or -1: only such roots are events; 0: both. NULL: 0 */
} event_source;

/* Where in a step, of x = 0 to 1, a root changes its sign. */
typedef struct event_change {
    signed char to; /* the sign after; 0: it does not change */
    double low, at_low, high, at_high;
    bool from_zero; /* 0 belongs to its side, and it has been there before */
} event_change;

typedef struct events {
    const event_source *source; /* borrowed; NULL: none */
    size_t n, count;            /* the engine's unknowns; root functions */
    signed char *sign;          /* count: the sign of each root where the next step begins; 0: that
                                   is seen from what follows */
    bool *closed;               /* count: 0 belongs to the side of that sign, as in sides() */
    signed char *sign_at_end;   /* count: the same at its end */
    signed char *crossed;       /* count: as in update(), at the event that was found */
    event_change *change;       /* count: in the last step */
    bool *loose;                /* count: a state that meets the equations tells less of it than the
                                   polynomial does, at its last change */
    bool *slow;                 /* count: taken along slow motions in this step, */
    bool *stays;                /* count: surely keeps its sign along them in this step */
    struct contracted *contracted; /* by these factors (contracted.c); NULL: none yet */
    double *left_over;             /* count: how far from 0 it is surely on its other side there */
    double *along, *along_end;     /* count: its values along them where the step begins and ends;
                                      NAN: not known */
    double *tried;                 /* count: if it could not be in a step since the last event, how
                                      long one has to be for that; 0: no such step */
    bool *beyond;                  /* count: on the other side at the end of the last step */
    signed char *kept;  /* count: the sign of each root just before the last event, if that has
                           not crossed it; 0: none */
    double *left;       /* count: the values there, NAN where they are not known */
    double since;       /* the time of the last event, or of the start */
    double *now, t_now; /* count: the values where the next step begins, and the time */
    double *at_end;     /* count: the values at the end of the step */
    double *rounded;    /* count: as in rounding(), at the end of what is looked at */
    double *point;      /* (COURSE_MOST + 1) x count: values at points of the step */
    double *band; /* count: as in bands(), where nothing has gone beyond since the last event; 0:
                     it has */
    double *edge; /* count: the distance from 0 at which a root counts as crossed that has come
                     back from a branch without values beyond its end; 0 for all others */
    bool *beside; /* count: after the last event, or at the start, it is on its side of 0 by more
                     than its band, but by less than errors of a step */
    double *turn_band,
        *turn_edge;         /* count: the same where time turns along the curve of solutions, */
    signed char *turned_to; /* count: and as crossed, for the roots that are 0 there */
    double *equal;          /* count: as in equal(), as long as the roots are so */
    double *slack;          /* count: values after an event that are no more than this stem from
                               the rounding of its time, or from finding a consistent state */
    double *rate;   /* count: how fast each root that was crossed at the last event changed before
                       it; 0: it was not crossed */
    double *began;  /* count: its rate where the last step that was looked at for that began */
    double *extent; /* count: how much it changed in the step that led to the event */
    signed char *held;    /* count: the side to which a root was crossed at an event that has turned
                             it back; 0: it is not there, or has left 0 since */
    signed char *stopped; /* count: the same of an event that has left it no rate */
    signed char *turned;  /* count: as held, of the last event at which it was crossed, wherever it
                             is since */
    double *t_turned;     /* count: the time of that event */
    double *pull;         /* count: how fast its rate changed before it */
    double *leaving;      /* count: the rate after it; 0: it is not held there */
    double *flight;       /* count: the time after which it is back at 0, if it is pulled as before;
                             0: not known */
    unsigned *lows;       /* count: the flights in a row that errors of the state have thrown up */
    double *blur;         /* count: what errors of the state made of it there */
    double *doubt;        /* count: errors of its rate there */
    size_t passed;        /* a root that is held, and has gone on to its side; SIZE_MAX: none */
    size_t let_go;        /* the same of one that is stopped */
    bool again;        /* the last event cannot be told from one before that turned its root back */
    bool thrown;       /* ... because errors throw it up: gaps tell nothing of what follows */
    double t_held;     /* the time of that event */
    double begin, end; /* the part of the last step that is looked at: 0 to 1 */
    bool coarse;      /* its points do not resolve a root function that may change its sign there */
    bool doubtful;    /* ... or any other one */
    int intervals;    /* between its points */
    course_grid grid; /* of the points taken last */
    int hidden;       /* steps since the last event that were made again for fast motions */
    bool quickens;    /* since the last event a root has moved faster in each step */
    bool fresh;       /* nothing has followed yet on the start, or on the last event */
    double low, high; /* the instant of the event: just before, and after it */
    double *at_low, *at_high;                  /* count: the values there */
    double *value, *y, *yp;                    /* scratch */
    double *y_kept;                            /* (n) scratch */
    double *y_low, *y_high, *yp_low, *yp_high; /* (n) scratch */
    workspace space;
    double t_tried; /* where the root functions were evaluated last */
    double next;    /* time of the next event whatever the state is; infinite: there is none */
    bool cut; /* the last step was left at an event: its polynomial holds up to the engine's time */
} events;

/* Room for the events of a source and an engine. DAE_NO_MEMORY. */
dae_status events_make(events *v, const event_source *source, const engine *e);

/* Begins a run at a point of the engine. DAE_NO_MEMORY, or a status of the roots. */
dae_status events_begin(events *v, const event_source *source, const engine *e);

/* Whether there is an event on the polynomial of the last step. *t becomes the earliest time known
 * to lie after the first one. A status of the roots. */
dae_status events_look(events *v, engine *e, double *t, bool *found);

/* Of an event source that knows its sides, and each event of which leaves the step: whether the
 * last step is surely left at an event, as a root is on its other side at the end. Marks such
 * roots. */
bool events_leave_step(events *v, engine *e);

/* The same before time t of that step: what lies after t is then no part of the run. */
bool events_leave_before(events *v, engine *e, double t);

/* Goes on with the same step after an event at which nothing has changed. */
dae_status events_look_on(events *v, engine *e, double *t, bool *found);

/* The root functions at a time of the last step: DAE_OK where they have values. */
dae_status events_try(events *v, engine *e, double t);

/* Where the equations have no value beyond the engine's state: whether roots are 0 there but for
 * its errors, as the branch that has no value may end there. They are crossed then. */
bool events_find_ending(events *v, engine *e, bool closely);

/* The time just before the event that was found at t, where all roots have their signs of before; t
 * itself for an event that was not located. */
double events_just_before(const events *v, double t);

/* The time up to which the events of the last step have been found. */
double events_found_until(const events *v, const engine *e);

/* Asks for the next event after t, whatever the state is. DAE_USAGE where the source gives none
 * that is later, with its message. */
dae_status events_look_ahead(events *v, const engine *e, double t);

/* Whether that event is at t: two times within their round-off are one instant. */
bool events_are_due(const events *v, double t);

/* The end of a run, or the next such event before it: no step goes beyond. An event at the instant
 * of the end is at the end. */
double events_limit(events *v, const engine *e, double t_end);

/* Handles the events at t: the one that was found, and the one that is due there. v->y and v->yp
 * become the state after them. Of the outcome, `stays` comes as it is wanted, zeroed, and
 * `accumulates` as it is. */
dae_status events_update(events *v, engine *e, double t, event_outcome *outcome);

/* Leaves the step at an event at t, where v->y and v->yp are the state after it. A status of the
 * roots. */
dae_status events_leave(events *v, const engine *e, double t);

/* The roots of which stays (count) is set take their signs from what follows on the event. */
void events_keep_open(events *v, const signed char *stays);

/* At an event that has moved states, looks for roots that were crossed and whose rates after it do
 * not lead to the side to which they were crossed. Where one that was turned back goes there all
 * the same, nothing more is told from rounding: v->passed. One that was stopped may go there:
 * v->let_go. v->y and v->yp are the state after the event. A status of the roots. */
dae_status events_hold(events *v, const engine *e, double t, const event_outcome *outcome);

/* Whether the first step after an event does not show that a root leaves 0 with the rate with which
 * the event has turned it back: the step is too long, the more so for a method of low order. */
bool events_hide_flight(events *v, engine *e);

/* Whether a root changes its sign in the last step, from `begin` on, while the equations move it
 * the other way there, as where a step of order 1 goes over the top of a flight: to turn its rate
 * back would let it pass. */
bool events_cross_against(events *v, engine *e, const engine_point *begin);

/* Whether the first step after an event, from `begin` on, or a later one where one has done so,
 * does not show that a root comes to 0, or leaves it: a step over a fast motion ends where that
 * could rest, and what switches on the way is passed by. */
bool events_hide_roots(events *v, engine *e, const engine_point *begin);

/* Whether there are such roots since the last event. */
bool events_hold_some(const events *v);

/* All is at rest since the last event: it has turned none back. */
void events_forget_flights(events *v);

/* Append the names of the roots that were crossed, and of what is due at t, with commas; of the
 * roots alone (crossed: count); one name. What is named already is not named again. */
void events_name(const events *v, double t, text *to);
void event_name_crossed(const event_source *source, const signed char *crossed, text *t);
void event_name_add(const char *one, text *to);

void events_state(events *v, state_visit *s); /* see base/state.h */
void events_free(events *v);

#endif
