/* One run of one solver on one problem of the zoo, and what it gave. */
#ifndef BENCH_COMPARISON_H
#define BENCH_COMPARISON_H

#include "zoo/zoo.h"

typedef struct outcome {
    double y[ZOO_MOST]; /* at the end of a run that reached it */
    bool reached;
    char status[32]; /* "ok", or what became of the run */
    char message[200];
    double milliseconds; /* of processor time, without the set-up */
    size_t steps, rejected, residual_calls, jacobian_calls, factorizations;
} outcome;

/* By this library, with a method of the catalogue. `most_steps` 0: as many as there are. */
void run_daedal(const zoo_ivp *ivp, const char *method_name, double rtol, size_t most_steps,
                outcome *found);

/* The same problem as a model in a file; `names` are those of the unknowns. */
void run_model(const zoo_ivp *ivp, const char *path, const char *const *names,
               const char *method_name, double rtol, size_t most_steps, outcome *found);

/* By IDA of SUNDIALS, dense or, where `sparse`, with KLU. */
void run_ida(const zoo_ivp *ivp, bool sparse, double rtol, size_t most_steps, outcome *found);

/* The largest error at the end of what is differentiated, over what its tolerance is. */
double error_over_tolerance(const zoo_ivp *ivp, double rtol, const double *y);

#endif
