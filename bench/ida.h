/* A problem of the zoo as a user of IDA would write it: its residual, exact Jacobian, and kinds of
 * variables. */
#ifndef BENCH_IDA_H
#define BENCH_IDA_H

#include "zoo/run.h"

typedef struct ida_settings {
    bool sparse;     /* KLU, of a problem with `columns`; else dense matrices */
    double loosened; /* by so much absolute tolerances of variables of index 2 and 3 are larger, so
                        that these are nearly out of Newton's test, too; 0: they are not */
    double *corners; /* NULL, or y at the end of each piece between corners, */
    size_t room;     /* each so many doubles after the one before */
} ida_settings;

/* By IDA of SUNDIALS. */
void ida_solve(const zoo_ivp *ivp, ida_settings how, double rtol, size_t max_steps,
               zoo_outcome *found);

#endif
