/* The system of a start whose evaluation can be stopped: before each evaluation the watch is asked,
 * and when it wants an end, or an equation does, every further evaluation fails with DAE_STOPPED.
 */
#ifndef SOLVE_WATCHED_START_H
#define SOLVE_WATCHED_START_H

#include "problem/start.h"

#include <daedal/solver.h>

typedef struct watched_start {
    start_system system; /* what is to be solved instead of `plain` */
    const start_system *plain;
    dae_watch watch; /* NULL: nobody watches */
    void *user;
    bool *reported; /* as that of a simulation; NULL: nothing is shared */
    bool stopped;   /* whoever wanted it */
} watched_start;

/* `w` must stay where it is as long as its system is in use. */
void watched_start_begin(watched_start *w, const start_system *plain, dae_watch watch, void *user);

#endif
