/* Progress on a terminal, and Ctrl-C. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

typedef struct progress {
    double start, stop;
    bool shown; /* to be shown at all */
    int last;   /* per cent that were shown last */
} progress;

/* Begin; shown only where standard error is a terminal and `rows` (NULL: none) do not go to one.
 * Ctrl-C and SIGTERM are caught from here on: a second one ends the program at once. */
void progress_begin(progress *p, double start, double stop, bool quiet, FILE *rows);

/* Whether Ctrl-C or SIGTERM has come: a step may hold very many rows. */
bool progress_interrupted(void);

/* A dae_watch: shows the progress, and asks to stop after Ctrl-C. */
int progress_watch(double t, void *self);

/* Take the line away, and let Ctrl-C be. */
void progress_end(progress *p);

#endif
