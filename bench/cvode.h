/* A stiff ODE of the zoo as a user of CVODE would write it. */
#ifndef BENCH_CVODE_H
#define BENCH_CVODE_H

#include "zoo/run.h"

/* Whether it is one: M y' = f(t, y) with a constant diagonal M, or none, and all unknowns are
 * differential. */
bool cvode_takes(const zoo_ivp *ivp);

/* By the BDF of CVODE of SUNDIALS, with dense matrices and exact Jacobians. */
void cvode_solve(const zoo_ivp *ivp, double rtol, size_t max_steps, zoo_outcome *found);

#endif
