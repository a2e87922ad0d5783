/* Why an attempt failed: the variable and the equation that a message names. */
#ifndef INTEGRATE_FAILURE_H
#define INTEGRATE_FAILURE_H

#include "stepping/engine.h"

/* Takes the cause and the equation or variable of the problem's last failure. */
void failure_of_problem(step_failure *failure, const problem *p, dae_status cause);

/* Finds the variable whose weighted x (n) is the largest. */
void failure_find_variable(step_failure *failure, size_t n, const double *x, const double *weight);

/* Among the equations with that variable, finds the one with the largest residual (n). */
void failure_find_equation(step_failure *failure, const problem *p, const double *residual);

#endif
