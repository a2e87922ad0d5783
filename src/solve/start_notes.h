/* What a start has made of the values that were given for it, in notes. */
#ifndef SOLVE_START_NOTES_H
#define SOLVE_START_NOTES_H

#include "base/message.h"
#include "problem/start.h"

typedef struct start_notes {
    size_t n;                              /* variables */
    const bool *counts;                    /* n: those whose change is told */
    const double *given, *found, *nominal; /* n; given NAN: to be found */
    const char *const *variable;           /* n: names */
    message *message;
} start_notes;

/* Those that were given and have changed. Values of algebraic variables are no more than guesses.
 */
void start_note_changes(const start_notes *s);

/* Of those that were to be found the ones that nothing determines, by the systems that the start
 * solved one after the other (`count`), whose entries are first the variables from where the last
 * one's ended. DAE_NO_MEMORY. */
dae_status start_note_open(const start_notes *s, const start_system *const *system, size_t count,
                           double t);

#endif
