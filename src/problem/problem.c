#include "problem/problem.h"

#include <math.h>
#include <string.h>

problem problem_make(const problem_form *form, void *self, size_t n)
{
    return (problem){.form = form,
                     .self = self,
                     .n = n,
                     .bad_row = PROBLEM_NOWHERE,
                     .bad_column = PROBLEM_NOWHERE,
                     .linear_solver = "none"};
}

dae_status problem_finite(problem *p, size_t rows, const double *r)
{
    for (size_t i = 0; i < rows; i++) {
        if (isfinite(r[i])) continue;
        p->bad_row = i;
        return DAE_NOT_EVALUABLE;
    }
    return DAE_OK;
}

dae_status problem_residual(problem *p, double t, const double *y, const double *yp, double *r)
{
    p->counts.residuals++;
    p->work += p->costs.residual;
    dae_status status = p->form->residual(p->self, t, y, yp, r);
    return status == DAE_OK ? problem_finite(p, p->n, r) : status;
}

dae_status problem_linearize(problem *p, double t, const double *y, const double *yp)
{
    if (p->constant && p->linearized) return DAE_OK;
    p->counts.jacobians++;
    p->work += p->costs.jacobian;
    dae_status status = p->form->linearize(p->self, t, y, yp);
    p->linearized = status == DAE_OK;
    problem_factors_look(p, false);
    return status;
}

/* The row of the first value that is not finite; PROBLEM_NOWHERE: there is none. */
static size_t infinite_row(const problem_matrix *m, size_t columns)
{
    for (size_t j = 0; j < columns; j++)
        for (sparse_index k = m->pattern->start[j]; k < m->pattern->start[j + 1]; k++)
            if (!isfinite(m->value[k])) return (size_t)m->pattern->row[k];
    return PROBLEM_NOWHERE;
}

dae_status problem_linearize_given(problem *p, double t, const double *y, const double *yp,
                                   problem_given *given)
{
    *given = (problem_given){0};
    if (!p->form->linearize_given) return DAE_OK;
    dae_status status = p->form->linearize_given(p->self, t, y, yp, given);
    if (status != DAE_OK) return status;
    size_t row = infinite_row(&given->by_p, given->parameters);
    if (row == PROBLEM_NOWHERE) row = infinite_row(&given->by_u, given->inputs);
    if (row == PROBLEM_NOWHERE) return DAE_OK;
    p->bad_row = row;
    return DAE_NOT_EVALUABLE;
}

/* The size of z, good to a factor of 1.5, without a square root. */
static double rough_size(double complex z)
{
    return fabs(creal(z)) + fabs(cimag(z));
}

bool problem_column_scales(const problem *p, double complex alpha, double complex beta,
                           double *scale)
{
    bool any = false;
    int exponent;
    for (size_t j = 0; p->index && j < p->n && !any; j++) any = p->index[j] > 1;
    if (!any) return false;
    double ratio = rough_size(alpha) / rough_size(beta);
    if (!(ratio > 1) || isinf(ratio)) return false;
    frexp(ratio, &exponent);
    for (size_t j = 0; j < p->n; j++)
        scale[j] = p->index[j] > 1 ? ldexp(1, exponent * (p->index[j] - 1)) : 1;
    return true;
}

static dae_status refuse_infinite(problem *p, const double *y, const double *yp)
{
    for (size_t i = 0; i < p->n; i++) {
        if (isfinite(p->dynamic[i] ? yp[i] : y[i])) continue;
        p->bad_row = i;
        return DAE_NOT_EVALUABLE;
    }
    return DAE_OK;
}

dae_status problem_yp(problem *p, double t, const double *y, double *yp)
{
    p->counts.residuals++;
    p->work += p->costs.residual;
    dae_status status = p->form->yp(p->self, t, y, yp);
    bool unseen = status == DAE_OK && !p->form->refuses_infinite;
    return unseen ? refuse_infinite(p, y, yp) : status;
}

dae_status problem_solve_algebraic(problem *p, double t, double *y, double *yp)
{
    p->counts.residuals++;
    p->work += p->costs.residual;
    dae_status status = p->form->solve_algebraic(p->self, t, y, yp);
    bool unseen = status == DAE_OK && !p->form->refuses_infinite;
    return unseen ? refuse_infinite(p, y, yp) : status;
}

int problem_highest_index(const problem *p)
{
    int highest = p->hidden_directions > 0 ? 2 : 1;
    for (size_t k = 0; p->index && k < p->n; k++)
        if (p->index[k] > highest) highest = p->index[k];
    return highest;
}

const unsigned char *problem_depth(const problem *p)
{
    return p->depth ? p->depth : p->index;
}

double problem_time_unit(const problem *p)
{
    return p->time_unit > 0 ? p->time_unit : 1;
}

double problem_depth_factor(const problem *p, double h)
{
    return fmin(1, fabs(h) / problem_time_unit(p));
}

void problem_scale_hidden_directions(const problem *p, double h, const double *x, double *y)
{
    memcpy(y, x, p->n * sizeof *y);
    for (size_t v = 0; v < p->hidden_directions; v++) {
        const double *direction = p->hidden_direction + v * p->n;
        double part = 0;
        for (size_t j = 0; j < p->n; j++) part += direction[j] * x[j] / p->nominal[j];
        for (size_t j = 0; j < p->n; j++) y[j] -= (1 - h) * part * direction[j] * p->nominal[j];
    }
}
