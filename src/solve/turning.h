/* Detects equations of a C program that became singular within a run that continued.
 *
 * The determinant of c F_y' + F_y, with c large, is not 0 where the equations determine y' and the
 * algebraic variables, and it keeps its sign along a solution. A simplified Newton iteration
 * converges where the determinant has the sign of the matrix in use. A step that goes over to
 * another solution needs a new matrix sooner or later. The sign of factors costs nothing, so it is
 * read from those of each step. Where it has changed, a note says so; by then the run may have
 * followed another solution for some steps. crossing.h does more for models, whose determinants are
 * cheap. */
#ifndef SOLVE_TURNING_H
#define SOLVE_TURNING_H

#include <daedal/solver.h>

#include <stddef.h>

typedef struct turning {
    int sign;         /* sign of the factors of the last step; 0: not known yet */
    int sure;         /* sign of c F_y' + F_y with a large c */
    double direction; /* direction of the run at that time */
    size_t jacobians; /* Jacobians evaluated up to the last look */
    double t;         /* when the sign was last seen unchanged */
    size_t looks;     /* looks at ends of runs */
    bool reported;    /* the user was told; once is enough */
} turning;

/* After a step of a run to t_end: notes a change of the sign. DAE_STOPPED, DAE_NO_MEMORY. */
dae_status turning_look(dae_solver *s, double t_end);

#endif
