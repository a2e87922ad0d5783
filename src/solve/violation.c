#include "solve/violation.h"

#include "base/workspace.h"
#include "problem/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct violation {
    callbacks *callbacks;
    size_t algebraic;              /* rows in which no derivative occurs */
    bool *differential;            /* n: of each row, whether one does */
    double *yp, *residual, *slope; /* n each: y' without gaps, F, its sum of slopes */
    workspace space;
};

static void carve(violation *v, size_t n)
{
    v->differential = workspace_take(&v->space, n, sizeof *v->differential);
    v->yp = workspace_doubles(&v->space, n);
    v->residual = workspace_doubles(&v->space, n);
    v->slope = workspace_doubles(&v->space, n);
}

static void find_algebraic(violation *v, size_t n)
{
    const sparse_pattern *mass = callbacks_mass_pattern(v->callbacks);
    for (size_t j = 0; j < n; j++)
        for (sparse_index k = mass->start[j]; k < mass->start[j + 1]; k++)
            if (callbacks_yp_occurs(v->callbacks, (size_t)mass->row[k], j))
                v->differential[mass->row[k]] = true;
    for (size_t i = 0; i < n; i++)
        if (!v->differential[i]) v->algebraic++;
}

dae_status violation_create(violation **created, const equations *e, double t, const double *y)
{
    violation *v = calloc(1, sizeof *v);
    if (!v) return DAE_NO_MEMORY;
    message unheard = {0}; /* the solver's own instance has told the same */
    dae_status status = callbacks_create(&v->callbacks, e, t, y, &unheard);
    message_free(&unheard);
    carve(v, e->n);
    if (status == DAE_OK) status = workspace_allocate(&v->space);
    if (status != DAE_OK) {
        violation_free(v);
        return status;
    }
    carve(v, e->n);
    find_algebraic(v, e->n);
    *created = v;
    return DAE_OK;
}

static void add_slopes(const sparse_pattern *pattern, const double *value, const double *x,
                       const double *nominal, double *slope)
{
    for (size_t j = 0; j < pattern->columns; j++) {
        double size = fmax(fabs(x[j]), nominal[j]);
        for (sparse_index k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            slope[pattern->row[k]] += fabs(value[k]) * size;
    }
}

static void judge(violation *v, size_t n, violations *found)
{
    for (size_t i = 0; i < n; i++) {
        double size = constraint_violation(v->residual[i], v->slope[i]);
        if (!(size <= found->equation)) {
            found->equation = size;
            found->row = i;
        }
        if (!v->differential[i] && !(size <= found->algebraic)) found->algebraic = size;
    }
}

dae_status violation_find(violation *v, double t, const double *y, const double *yp,
                          violations *found)
{
    problem *p = callbacks_problem(v->callbacks);
    *found = (violations){0};
    for (size_t j = 0; j < p->n; j++) v->yp[j] = isnan(yp[j]) ? 0 : yp[j];
    dae_status status = problem_residual(p, t, y, v->yp, v->residual);
    if (status == DAE_OK) status = problem_linearize(p, t, y, v->yp);
    if (status == DAE_NOT_EVALUABLE) {
        *found = (violations){HUGE_VAL, p->bad_row, v->algebraic ? HUGE_VAL : 0};
        return DAE_OK;
    }
    if (status != DAE_OK) return status;
    memset(v->slope, 0, p->n * sizeof *v->slope);
    add_slopes(callbacks_slope_pattern(v->callbacks), callbacks_slope(v->callbacks), y, p->nominal,
               v->slope);
    add_slopes(callbacks_mass_pattern(v->callbacks), callbacks_mass(v->callbacks), v->yp,
               p->nominal, v->slope);
    judge(v, p->n, found);
    return DAE_OK;
}

size_t violation_algebraic(const violation *v)
{
    return v->algebraic;
}

callbacks *violation_callbacks(violation *v)
{
    return v->callbacks;
}

void violation_free(violation *v)
{
    if (!v) return;
    callbacks_free(v->callbacks);
    workspace_free(&v->space);
    free(v);
}
