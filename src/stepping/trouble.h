/* Why an attempt failed: which variable and which equation a message names. */
#ifndef INTEGRATE_TROUBLE_H
#define INTEGRATE_TROUBLE_H

#include "stepping/engine.h"

/* What the problem says of its last failure. */
void trouble_of_problem(engine_trouble *trouble, const problem *p, dae_status cause);

/* The variable whose weighted x (n) is the largest. */
void trouble_find_variable(engine_trouble *trouble, size_t n, const double *x,
                           const double *weight);

/* Of the equations with that variable the one with the largest residual (n). */
void trouble_find_equation(engine_trouble *trouble, const problem *p, const double *residual);

#endif
