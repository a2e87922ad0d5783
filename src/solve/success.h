/* Whether what a run gives meets the equations as written. */
#ifndef SOLVE_SUCCESS_H
#define SOLVE_SUCCESS_H

#include <daedal/solver.h>

/* At the start of an engine. DAE_NO_MEMORY. */
dae_status success_begin(dae_solver *s);

/* After a start has been measured: DAE_NO_START where it misses an equation as written. */
dae_status success_look_at_start(dae_solver *s);

/* After a step, where it led to t_end or combinations of equations are integrated. DAE_ERROR_TEST
 * with its message where a variable has a pole there as far as the tolerance tells; DAE_MISSED
 * where equations are grossly missed, not with fixed steps, nor where no projection was asked for.
 */
dae_status success_look(dae_solver *s, double t_end);

#endif
