/* Start values that follow from parameters which are found at the start. */
#ifndef SOLVE_START_LAWS_H
#define SOLVE_START_LAWS_H

#include "solve/model_simulation.h"

/* Gives unknowns with a law the start values that it makes of the author's start values of the
 * parameters, unless they were given from outside. DAE_NO_MEMORY. */
dae_status start_laws_guess(model_simulation *m, double t);

/* Gives them those that it makes of the start that was found, and the parameters what they are
 * there, so that at the end the laws hold with them. Returns whether some differ from those with
 * which it was sought. */
bool start_laws_take(model_simulation *m, double t);

#endif
