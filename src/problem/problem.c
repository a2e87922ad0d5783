#include "problem/problem.h"

#include <math.h>
#include <string.h>

dae_status problem_residual(problem *p, double t, const double *y, const double *yp, double *r)
{
    p->counts.residuals++;
    dae_status status = p->form->residual(p->self, t, y, yp, r);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < p->n; i++) {
        if (isfinite(r[i])) continue;
        p->bad_row = i;
        return DAE_NOT_EVALUABLE;
    }
    return DAE_OK;
}

dae_status problem_linearize(problem *p, double t, const double *y, const double *yp)
{
    p->counts.jacobians++;
    return p->form->linearize(p->self, t, y, yp);
}

dae_status problem_factor(problem *p, size_t slot, double complex alpha, double complex beta)
{
    p->counts.factorizations++;
    return p->form->factor(p->self, slot, alpha, beta);
}

void problem_solve(problem *p, size_t slot, void *b)
{
    p->form->solve(p->self, slot, b);
}

void problem_soften(const problem *p, double h, const double *x, double *y)
{
    memcpy(y, x, p->n * sizeof *y);
    for (size_t v = 0; v < p->softs; v++) {
        const double *direction = p->soft + v * p->n;
        double part = 0;
        for (size_t j = 0; j < p->n; j++) part += direction[j] * x[j] / p->nominal[j];
        for (size_t j = 0; j < p->n; j++) y[j] -= (1 - h) * part * direction[j] * p->nominal[j];
    }
}
