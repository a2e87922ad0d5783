/* Whether the equations of a C program have been singular within a run that went on.
 *
 * The determinant of c F_y' + F_y, c large, is not 0 where the equations determine y' and what is
 * algebraic, and keeps its sign along a solution. A simplified Newton iteration that converges does
 * so where it has the sign of the matrix that it is made with, a step that goes over to another
 * solution needs a new one sooner or later, and the sign of factors costs nothing. So it is read
 * from those that a step was made with. Where it has changed, the run is told of: by then it may
 * have been on another solution for some steps. crossing.h does more for a model, whose
 * determinants are cheap. */
#ifndef SOLVE_TURNING_H
#define SOLVE_TURNING_H

#include <daedal/solver.h>

#include <stddef.h>

typedef struct turning {
    int sign;         /* of the factors that the last step was made with; 0: not known yet */
    int sure;         /* of c F_y' + F_y with a large c */
    double direction; /* of the run at that time */
    size_t jacobians; /* evaluated when ... */
    double t;         /* ... it was last seen as it was before: then */
    size_t looks;     /* at ends of runs */
    bool reported;    /* once is enough */
} turning;

/* After a step of a run to t_end: a note where the sign has changed. DAE_STOPPED, DAE_NO_MEMORY. */
dae_status turning_look(dae_solver *s, double t_end);

#endif
