/* What a run's future depends on: see base/state.h. */
#ifndef SOLVE_STATE_H
#define SOLVE_STATE_H

#include "base/state.h"
#include "solve/solver.h"

/* The state of a solver between two runs. It is restored into a solver for the same equations with
 * the same options that was started with the same values; that one goes on bit for bit as the one
 * that was saved. Messages, reasons and the options themselves are not part of it. Saving makes
 * factors anew (pencil_state()). `s->status`: DAE_UNSUPPORTED where equations have been formed
 * anew, or their formulation renewed, since the start; DAE_NO_MEMORY. */
void solve_state(dae_solver *solver, state_visit *s);

#endif
