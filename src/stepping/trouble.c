#include "stepping/trouble.h"

#include <math.h>

void failure_of_problem(step_failure *failure, const problem *p, dae_status cause)
{
    failure->cause = cause;
    failure->worst = p->bad_column;
    failure->worst_row = p->bad_row;
}

void failure_find_variable(step_failure *failure, size_t n, const double *x, const double *weight)
{
    double worst = -1;
    for (size_t k = 0; k < n; k++) {
        double part = fabs(x[k]) * weight[k];
        if (part > worst) worst = part, failure->worst = k;
    }
}

void failure_find_equation(step_failure *failure, const problem *p, const double *residual)
{
    double worst = -1;
    for (size_t i = 0; i < p->n; i++) {
        if (!p->form->occurs(p->self, i, failure->worst)) continue;
        if (fabs(residual[i]) > worst) worst = fabs(residual[i]), failure->worst_row = i;
    }
}
