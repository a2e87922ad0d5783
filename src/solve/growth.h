/* Fixed steps that are unstable, told from solutions that grow.
 *
 * Nothing estimates the error of a fixed step, and an unstable one meets its equations at each
 * step's end. But a solution that grows does so with shorter steps as well, and an unstable run
 * does not. So where a variable has grown far beyond what it was, the few steps in which it did are
 * made again with half their length, from where they began and by the same method, which starts
 * there anew; and with a quarter, and so on, until such runs agree. Where they never do, as with a
 * method that is unstable however short the step, an implicit method that is not decides. */
#ifndef SOLVE_GROWTH_H
#define SOLVE_GROWTH_H

#include "base/state.h"

#include <daedal/solver.h>

typedef struct growth growth;

/* Before the first step: begin to watch at the engine's state. Nothing is done for a run with error
 * control, or by an engine that cannot lend its problem. DAE_NO_MEMORY. */
dae_status growth_begin(dae_solver *s);

/* After a step. DAE_UNSTABLE with its sentence; DAE_STOPPED, DAE_NO_MEMORY. */
dae_status growth_watch(dae_solver *s);

void growth_state(growth *g, state_visit *s);

/* NULL is fine. */
void growth_free(growth *g);

#endif
