/* Why an attempt failed: which variable and which equation a message names. */
#ifndef INTEGRATE_FAILURE_H
#define INTEGRATE_FAILURE_H

#include "stepping/engine.h"

/* What the problem says of its last failure. */
void failure_of_problem(step_failure *failure, const problem *p, dae_status cause);

/* The variable whose weighted x (n) is the largest. */
void failure_find_variable(step_failure *failure, size_t n, const double *x, const double *weight);

/* Of the equations with that variable the one with the largest residual (n). */
void failure_find_equation(step_failure *failure, const problem *p, const double *residual);

#endif
