/* How smooth delayed expressions are at an event: the order of the lowest derivative of each that
 * may jump there.
 *
 * A breaking point of one delay, or a relation that switches, concerns what depends on it alone. It
 * comes to a state one order higher than to the derivative of the state. So what is not fed back
 * has a finite number of breaking points, and of what is fed back through states they die out
 * (Bellen & Zennaro, Numerical Methods for Delay Differential Equations, 2003, Sec. 2.2; Guglielmi
 * & Hairer, BIT 41 (2001)). The orders follow from the structure of the equations: block by block,
 * each unknown has the lowest one of all that its equations hold. */
#ifndef SOLVE_DELAYED_LEVELS_H
#define SOLVE_DELAYED_LEVELS_H

#include "formulation/from_model.h"

typedef struct delayed_levels delayed_levels;

/* Of a formulation, in the arena of its system, under its protection. NULL: its structure does not
 * tell. */
delayed_levels *delayed_levels_create(const formulation *f);

/* What happens at an event. */
typedef struct delayed_change {
    const sym_graph *graph; /* with the modes and the cells after it; NULL: no relation and
                               no cell has changed */
    const unsigned char *mode_before; /* relations */
    const double *cell_before;        /* cells */
    const unsigned char *arriving; /* delays: the order of the lowest derivative of its value that
                                      jumps; DELAYED_SMOOTH: none does */
    const bool *moved;             /* variables: the value of such an author's one jumps */
    size_t variables;
} delayed_change;

enum { DELAYED_SMOOTH = 255 };

/* Fills level (delays), 0 to DELAYED_SMOOTH. What relations decide may jump: level 0. */
void delayed_levels_find(delayed_levels *l, const delayed_change *c, unsigned char *level);

#endif
