#include "solve/callback_simulation.h"

#include "problem/levels.h"

#include <math.h>

static void carve(violation *v, size_t n)
{
    v->differential = workspace_take(&v->space, n, sizeof *v->differential);
    workspace_vectors(&v->space, n, (double **[]){&v->yp, &v->residual, &v->terms, &v->slow, NULL});
}

static void find_algebraic(violation *v, size_t n)
{
    const sparse_pattern *mass = callbacks_problem(v->callbacks)->by_yp.pattern;
    for (size_t j = 0; j < n; j++)
        for (sparse_index k = mass->start[j]; k < mass->start[j + 1]; k++)
            if (callbacks_yp_occurs(v->callbacks, (size_t)mass->row[k], j))
                v->differential[mass->row[k]] = true;
    for (size_t i = 0; i < n; i++)
        if (!v->differential[i]) v->algebraic++;
}

dae_status violation_create(violation *v, const equations *e, double t, const double *y)
{
    message discarded = {0}; /* the solver's own instance gave the same messages */
    dae_status status = callbacks_create(&v->callbacks, e, t, y, &discarded);
    message_free(&discarded);
    carve(v, e->n);
    if (status == DAE_OK) status = workspace_allocate(&v->space);
    if (status != DAE_OK) {
        violation_free(v);
        return status;
    }
    carve(v, e->n);
    find_algebraic(v, e->n);
    return DAE_OK;
}

/* Judges by the last residual and the last linearised Jacobian. */
static void judge(violation *v, const double *y, violations *worst)
{
    const problem *p = callbacks_problem(v->callbacks);
    double unit = fmax(1, problem_time_unit(p));
    for (size_t j = 0; j < p->n; j++) v->slow[j] = p->nominal[j] / unit;
    miss_terms(p->by_y.pattern, p->by_y.value, y, p->nominal, v->terms);
    miss_add_terms(p->by_yp.pattern, p->by_yp.value, v->yp, v->slow, v->terms);
    for (size_t i = 0; i < p->n; i++) {
        double size = miss_of_row(v->residual[i], v->terms[i]);
        if (!(size <= worst->equation)) worst->row = i;
        miss_raise(&worst->equation, size);
        if (!v->differential[i]) miss_raise(&worst->algebraic, size);
    }
}

/* Whether *worst may be raised, as far as the last Jacobian shows. */
static bool rises(violation *v, const double *y, const violations *worst)
{
    violations seen = *worst;
    if (!v->linearized) return true;
    judge(v, y, &seen);
    return !(seen.equation <= worst->equation && seen.algebraic <= worst->algebraic);
}

dae_status violation_raise(violation *v, double t, const double *y, const double *yp,
                           violations *worst)
{
    problem *p = callbacks_problem(v->callbacks);
    for (size_t j = 0; j < p->n; j++) v->yp[j] = isnan(yp[j]) ? 0 : yp[j];
    dae_status status = problem_residual(p, t, y, v->yp, v->residual);
    if (status == DAE_NOT_EVALUABLE) {
        *worst = (violations){HUGE_VAL, p->bad_row, v->algebraic ? HUGE_VAL : 0};
        return DAE_OK;
    }
    if (status != DAE_OK || !rises(v, y, worst)) return status;
    status = problem_linearize(p, t, y, v->yp);
    v->linearized = status == DAE_OK;
    if (status == DAE_NOT_EVALUABLE) return DAE_OK; /* only the Jacobian lacks a value */
    if (status == DAE_OK) judge(v, y, worst);
    return status;
}

void violation_free(violation *v)
{
    callbacks_free(v->callbacks);
    workspace_free(&v->space);
    *v = (violation){0};
}
