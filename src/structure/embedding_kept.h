/* Whether copies of equations (embedding.h) say the same whatever the values that they keep.
 *
 * Copies stand for equations because these hold, at the same lower derivatives, for all values of
 * what is kept: the others follow by all copies but one, and that one then holds as well. That the
 * Jacobian is singular tells so only where it is singular off solutions, too. */
#ifndef STRUCTURE_EMBEDDING_KEPT_H
#define STRUCTURE_EMBEDDING_KEPT_H

#include "structure/prolongation.h"
#include "symbolic/system.h"

typedef struct embedding_copies {
    const prolongation *p;
    const sym_system *system; /* of p's unknowns */
    double t, time_unit;
    const double *z; /* p->size: consistent values */
    uint32_t level;  /* how often the equation is differentiated that is replaced */
    size_t rows, keeps;
    uint32_t *row, *replaced, *kept; /* rows, of which the last one is replaced; rows - 1 columns;
                                        keeps columns */
} embedding_copies;

/* Moves what is kept, solves all rows but the last one for what is replaced, and looks at that.
 * True as well where they cannot be solved so. In `a`, under its protection and that of the graph.
 */
bool embedding_copies_hold(arena *a, const embedding_copies *c);

#endif
