#include "integrate/rosenbrock_stages.h"

#include "base/round_off.h"
#include "linalg/rows.h"

#include <float.h>
#include <math.h>

void rosenbrock_stages_take(rosenbrock_stages *s, problem *p, const method *which)
{
    const method_rosenbrock *r = which->rosenbrock;
    rosenbrock_numbers *c = &s->numbers;
    s->problem = p;
    c->stages = which->stages;
    c->dense_rows = r->dense_rows;
    c->gamma = (double)r->gamma;
    for (int i = 0; i < c->stages; i++) {
        c->m[i] = (double)r->m[i];
        c->e[i] = (double)r->e[i];
        c->alpha_sum[i] = (double)r->alpha_sum[i];
        c->gamma_sum[i] = (double)r->gamma_sum[i];
        for (int j = 0; j < i; j++) {
            c->a[i][j] = (double)r->a[i][j];
            c->c[i][j] = (double)r->c[i][j];
        }
        for (int k = 0; k < c->dense_rows; k++) c->dense[k][i] = (double)r->dense[k][i];
    }
}

void rosenbrock_stages_carve(rosenbrock_stages *s, workspace *space)
{
    size_t n = s->problem->n, all = n * (size_t)s->numbers.stages;
    s->u = workspace_doubles(space, all);
    s->w = s->problem->constant_mass ? NULL : workspace_doubles(space, all);
    workspace_vectors(space, n,
                      (double **[]){&s->value, &s->yp, &s->time, &s->ahead[0], &s->ahead[1], NULL});
}

static dae_status prepare(rosenbrock_stages *s, double t, double h, const double *y,
                          const double *yp)
{
    if (!s->linearized) {
        dae_status status = problem_linearize(s->problem, t, y, yp);
        if (status != DAE_OK) return status;
        s->linearized = true;
        s->factored_step = 0;
    }
    if (s->factored_step == h) return DAE_OK;
    s->factored_step = 0;
    dae_status status = problem_factor(s->problem, 0, 1 / (h * s->numbers.gamma), 1);
    if (status == DAE_OK) s->factored_step = h;
    return status;
}

/* dF/dt at the first stage, as the problem gives it. If the problem does not give it, or if it does
 * not exist, as that of sqrt(t) at 0, it comes from three points in the first part of the step: (-3
 * F_0 + 4 F_1 - F_2) / (2 d), of second order. F_0 is known already. The distance d balances the
 * error of this formula with round-off. Points beyond the step are avoided, because F may not have
 * a value there. */
static dae_status find_time_derivative(rosenbrock_stages *s, double t, double h, const double *y,
                                       const double *now)
{
    problem *p = s->problem;
    dae_status status = DAE_NOT_EVALUABLE;
    if (p->form->time_derivative) status = p->form->time_derivative(p->self, t, y, s->yp, s->time);
    if (status != DAE_NOT_EVALUABLE) return status;
    double d = fmax(cbrt(DBL_EPSILON) * fabs(h), ROUND_OFF_LONG_SUM * fabs(t));
    volatile double moved = t + copysign(d, h); /* the rounded sum */
    d = moved - t;
    status = problem_residual(p, t + d, y, s->yp, s->ahead[0]);
    if (status == DAE_OK) status = problem_residual(p, t + 2 * d, y, s->yp, s->ahead[1]);
    for (size_t k = 0; k < p->n && status == DAE_OK; k++)
        s->time[k] = (4 * (s->ahead[0][k] - now[k]) - (s->ahead[1][k] - now[k])) / (2 * d);
    return status;
}

/* Puts Y_i and the y' at which F is evaluated into s->value and s->yp. */
static void evaluate_at(rosenbrock_stages *s, int i, double h, const double *y, const double *yp)
{
    const rosenbrock_numbers *c = &s->numbers;
    size_t n = s->problem->n;
    rows_combine(n, y, i, c->a[i], 1, s->u, s->value);
    if (s->w)
        rows_combine(n, yp, i, c->a[i], 1, s->w, s->yp);
    else
        rows_combine(n, NULL, i, c->c[i], -1 / h, s->u, s->yp);
}

/* u holds the right side of the case of constant mass, and becomes U_i. Also finds W_i where there
 * is one. */
static void solve_stage(rosenbrock_stages *s, int i, double h, double *u)
{
    problem *p = s->problem;
    double *w = s->w ? s->w + (size_t)i * p->n : NULL;
    if (w) { /* v_i, and F_y' v_i */
        rows_combine(p->n, s->yp, i, s->numbers.c[i], 1 / h, s->u, w);
        problem_multiply(p, w, s->yp);
        for (size_t k = 0; k < p->n; k++) u[k] += s->yp[k];
    }
    problem_solve(p, 0, u);
    for (size_t k = 0; w && k < p->n; k++) w[k] = u[k] / (h * s->numbers.gamma) - w[k];
}

dae_status rosenbrock_stages_solve(rosenbrock_stages *s, double t, double h, const double *y,
                                   const double *yp)
{
    problem *p = s->problem;
    const rosenbrock_numbers *c = &s->numbers;
    dae_status status = prepare(s, t, h, y, yp);
    for (int i = 0; i < c->stages && status == DAE_OK; i++) {
        double *u = s->u + (size_t)i * p->n;
        evaluate_at(s, i, h, y, yp);
        status = problem_residual(p, t + c->alpha_sum[i] * h, s->value, s->yp, u);
        if (status == DAE_OK && i == 0) status = find_time_derivative(s, t, h, y, u);
        if (status != DAE_OK) return status;
        for (size_t k = 0; k < p->n; k++) u[k] = -u[k] - h * c->gamma_sum[i] * s->time[k];
        solve_stage(s, i, h, u);
    }
    return status;
}
