/* Tells unstable fixed steps from solutions that grow.
 *
 * Nothing estimates the error of a fixed step, and an unstable step meets its equations at its end.
 * But a solution that grows does so with shorter steps too; an unstable run does not. So where a
 * variable has grown far beyond its earlier size, the few steps in which it grew are repeated with
 * half their length, from the same state and by the same method, which starts anew there. They are
 * then repeated with a quarter, and so on, until such runs agree. Where they never do, as with a
 * method that is unstable however short the step, an implicit method that is stable decides. */
#ifndef SOLVE_GROWTH_H
#define SOLVE_GROWTH_H

#include "base/state.h"

#include <daedal/solver.h>

typedef struct growth growth;

/* Before the first step: begins to watch at the engine's state. It does nothing for a run with
 * error control, or for an engine that cannot lend its problem. DAE_NO_MEMORY. */
dae_status growth_begin(dae_solver *s);

/* After a step. DAE_UNSTABLE with its message; DAE_STOPPED, DAE_NO_MEMORY. */
dae_status growth_watch(dae_solver *s);

void growth_state(growth *g, state_visit *s);

/* NULL is fine. */
void growth_free(growth *g);

#endif
