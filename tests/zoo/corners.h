/* Circuits that piecewise linear inputs drive, with the corners of these as announced events. */
#ifndef TESTS_ZOO_CORNERS_H
#define TESTS_ZOO_CORNERS_H

#include "zoo/zoo.h"

/* Where inputs are linear; the first member of what a form with `restart_every` has as `user`. */
typedef struct zoo_piece {
    size_t size;               /* bytes of the whole of `user` */
    double every, end, middle; /* the mode: inputs follow the line of the piece between multiples of
                                  `every` with this middle, at all times up to `end`; 0: at each
                                  time that of its own piece */
} zoo_piece;

/* An input by its corners: its value at t and its slope, before a corner. */
typedef double (*zoo_input)(double t, int which, double *slope);

/* The value of an input on the piece that holds, and its slope. */
double zoo_on_piece(const zoo_piece *piece, zoo_input input, double t, int which, double *slope);

/* A problem with `restart_every` whose equations have a mode for each piece between two corners.
 * Corners are announced events, where the mode changes. One run may use it at a time. */
typedef struct zoo_cornered {
    zoo_ivp ivp;
    zoo_form form;
    zoo_piece *user; /* owned */
} zoo_cornered;

/* False where memory is out. */
bool zoo_cornered_make(zoo_cornered *c, const zoo_ivp *ivp);
void zoo_cornered_free(zoo_cornered *c);

#endif
