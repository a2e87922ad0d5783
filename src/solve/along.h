/* A run past impasse points: what its parts share. */
#ifndef SOLVE_ALONG_H
#define SOLVE_ALONG_H

#include "solve/solver.h"

typedef struct along {
    dae_solver *solver;
    solution_curve *curve;
    double end, unit; /* of the run, and its length */
    double way;       /* the direction in which time goes now, +1 or -1 */
    size_t next;      /* output times before this one lie after, those from it on ahead */
    double arc;
    double begun;  /* the time at which the curve begins */
    double turned; /* the time of the last impasse point; NAN: none */
    size_t turns;
    bool ended;
    bool beyond;       /* an error has brought the state past the first impasse point */
    bool hands_over;   /* the run goes on by itself from `here` */
    bool vertical;     /* a derivative is infinite for an instant, behind which the run goes on */
    bool switches;     /* ... at an event, at which time would have turned in the modes before */
    double found;      /* the time of the event that was found */
    double due;        /* the next event whatever the state is, in the way of time */
    signed char *side; /* of each root function: the side of 0 on which it is; 0: not known */
    curve_point point; /* between the ends of a step */
} along;

/* along_events.c: begins to watch for events; looks for the next one whatever the state is, from
 * the present point on in the way of time. */
void along_watch_events(along *a);
void along_look_ahead(along *a);

/* Whether there is an event on the last step up to a part of it, 0 < *part <= 1, and before time
 * passes `border`: *part becomes its place. A status of the root functions. */
dae_status along_find_event(along *a, double border, double *part, bool *found);

/* Append the names of what changes there. */
void along_name_event(along *a, text *to);

#endif
