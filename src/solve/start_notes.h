/* Notes on what a start has made of the given values. */
#ifndef SOLVE_START_NOTES_H
#define SOLVE_START_NOTES_H

#include "base/message.h"
#include "problem/start.h"

typedef struct start_notes {
    size_t n;                              /* number of variables */
    const bool *counts;                    /* n: variables whose change is noted */
    const double *given, *found, *nominal; /* n; given NAN: to be found */
    const char *const *variable;           /* n: names */
    message *message;
} start_notes;

/* Notes the given values that have changed. Values of algebraic variables are only guesses. */
void start_note_changes(const start_notes *s);

/* Notes the variables that were to be found but that nothing determines. `system` are the systems
 * that the start solved one after the other (`count`). Each begins with its variables, from where
 * those of the last one ended. DAE_NO_MEMORY. */
dae_status start_note_open(const start_notes *s, const start_system *const *system, size_t count,
                           double t);

#endif
