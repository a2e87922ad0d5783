/* The system of a start whose evaluation can be stopped. The watch is called before each
 * evaluation. Once it asks for an end, or an equation does, every further evaluation fails with
 * DAE_STOPPED. */
#ifndef SOLVE_WATCHED_START_H
#define SOLVE_WATCHED_START_H

#include "problem/start.h"

#include <daedal/solver.h>

typedef struct watched_start {
    start_system system; /* the system to solve in place of `plain` */
    const start_system *plain;
    dae_watch watch; /* NULL: there is no watch */
    void *user;
    bool *reported; /* as in simulation.h; NULL: nothing is shared */
    bool stopped;   /* a stop was asked for, by the watch or an equation */
} watched_start;

/* `w` must stay at its address while its system is in use. */
void watched_start_begin(watched_start *w, const start_system *plain, dae_watch watch, void *user);

#endif
