/* Checks whether the results of a run meet the equations as written. */
#ifndef SOLVE_SUCCESS_H
#define SOLVE_SUCCESS_H

#include <daedal/solver.h>

/* At the start of an engine: allocates. DAE_NO_MEMORY. */
dae_status success_begin(dae_solver *s);

/* After a start has been measured: DAE_NO_START where it misses an equation as written. */
dae_status success_look_at_start(dae_solver *s);

/* After a step that led to t_end, and after each step where combinations of equations are
 * integrated. DAE_ERROR_TEST with its message where a variable has a pole there, as far as the
 * tolerance can tell. DAE_MISSED where equations are grossly missed; not with fixed steps, nor with
 * projection none. */
dae_status success_look(dae_solver *s, double t_end);

#endif
