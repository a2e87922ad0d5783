#include "stepping/trouble.h"

#include <math.h>

void trouble_of_problem(engine_trouble *trouble, const problem *p, dae_status cause)
{
    trouble->cause = cause;
    trouble->worst = p->bad_column;
    trouble->worst_row = p->bad_row;
}

void trouble_find_variable(engine_trouble *trouble, size_t n, const double *x, const double *weight)
{
    double worst = -1;
    for (size_t k = 0; k < n; k++) {
        double part = fabs(x[k]) * weight[k];
        if (part > worst) worst = part, trouble->worst = k;
    }
}

void trouble_find_equation(engine_trouble *trouble, const problem *p, const double *residual)
{
    double worst = -1;
    for (size_t i = 0; i < p->n; i++) {
        if (!p->form->occurs(p->self, i, trouble->worst)) continue;
        if (fabs(residual[i]) > worst) worst = fabs(residual[i]), trouble->worst_row = i;
    }
}
