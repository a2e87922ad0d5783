/* A mechanical system of the zoo on its way: the solver, and the values that it starts and ends
 * with. */
#ifndef TESTS_SOLVE_MECHANICAL_RUN_H
#define TESTS_SOLVE_MECHANICAL_RUN_H

#include "zoo/mechanical.h"

#include <daedal/daedal.h>
#include <math.h>
#include <string.h>

typedef struct run {
    dae_solver *solver;
    size_t nq, nv, n;
    double y[3 * ZOO_MECHANICAL_MOST], yp[3 * ZOO_MECHANICAL_MOST];
} run;

static inline int ignore(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

static inline run begin(const zoo_mechanical *z, const dae_options *o)
{
    dae_problem *p = dae_problem_mechanical(&z->form);
    run r = {.nq = z->form.nq, .nv = z->form.nv ? z->form.nv : z->form.nq};
    r.n = r.nq + r.nv + z->form.holonomic + z->form.nonholonomic;
    r.solver = dae_solver_create(p, o);
    dae_problem_free(p);
    z->start(r.y, r.y + r.nq);
    for (size_t j = r.nq + r.nv; j < r.n; j++) r.y[j] = (double)NAN;
    return r;
}

/* To t, with values on the way, so that constraints are measured there. */
static inline dae_status go(run *r, double t)
{
    const dae_times times = {.first = 0, .last = t, .count = 21};
    dae_status status = dae_solver_start(r->solver, 0, r->y);
    if (status == DAE_OK) dae_solver_output(r->solver, &times, ignore, NULL);
    if (status == DAE_OK) status = dae_solver_run(r->solver, t);
    return status == DAE_OK ? dae_solver_at(r->solver, t, r->y, r->yp) : status;
}

/* What is known at the last time of a reference, or at the end of an exact solution. */
static inline double known(const zoo_mechanical *z, const run *r, double *y)
{
    zoo_motion m;
    for (size_t j = 0; j < r->n; j++) y[j] = (double)NAN;
    if (!z->exact) {
        const double *row = z->reference + (z->references - 1) * (1 + r->n);
        memcpy(y, row + 1, r->n * sizeof *y);
        return row[0];
    }
    z->exact(z->stop, &m);
    memcpy(y, m.q, r->nq * sizeof *y);
    memcpy(y + r->nq, m.v, r->nv * sizeof *y);
    if (!z->dependent) memcpy(y + r->nq + r->nv, m.lambda, (r->n - r->nq - r->nv) * sizeof *y);
    return z->stop;
}

/* Of the entries from `first` to before `end`, relative to what is above 1. */
static inline double error_of(const run *r, const double *reference, size_t first, size_t end)
{
    double worst = 0;
    for (size_t j = first; j < end; j++) {
        if (isnan(reference[j])) continue;
        double error = fabs(r->y[j] - reference[j]) / fmax(fabs(reference[j]), 1);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

#endif
