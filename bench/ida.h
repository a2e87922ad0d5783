/* A problem of the zoo as a user of IDA would write it: its residual, exact Jacobian, and kinds of
 * variables. */
#ifndef BENCH_IDA_H
#define BENCH_IDA_H

#include "zoo/run.h"

/* By IDA of SUNDIALS, with dense matrices or, where `sparse`, with KLU. */
void ida_solve(const zoo_ivp *ivp, bool sparse, double rtol, size_t max_steps, zoo_outcome *found);

#endif
