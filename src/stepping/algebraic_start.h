/* Solves for algebraic variables anew, where steps that begin with them fail.
 *
 * The end of a step meets the equations up to the tolerance. With an exponential, that can be far
 * outside the region in which a simplified iteration converges, and no shorter step helps. So the
 * variables are solved for at the start of the step itself, by a damped Newton iteration with the
 * matrix F_y' / delta + F_y of each iterate. Over a short delta differential variables hardly move,
 * and all others move to where the equations hold (P. Deuflhard, Newton Methods for Nonlinear
 * Problems (2004), Sec. 3.3: natural monotonicity). */
#ifndef STEPPING_ALGEBRAIC_START_H
#define STEPPING_ALGEBRAIC_START_H

#include "base/workspace.h"
#include "stepping/engine.h"

typedef struct algebraic_start {
    double *y, *yp;                                   /* n each: the iterate */
    double *trial, *trial_yp, *correction, *previous; /* n each */
} algebraic_start;

/* Place the arrays in `space`, or measure. */
void algebraic_start_carve(algebraic_start *a, workspace *space, size_t n);

/* Solves for e->y and e->yp at e->t. `delta` (not 0) is short compared with the step that failed;
 * weights (n) as in control_weights(). Returns false and changes nothing on an index above 1,
 * without a reserved real factorisation, if the iteration fails, or if nothing moves. It also
 * returns false if differential variables would change by more than their tolerance, or if others
 * would change by far more although their present values meet the equations. The factors of that
 * slot are lost. */
bool algebraic_start_solve(algebraic_start *a, engine *e, double delta, const double *weight);

#endif
