#include "zoo/move.h"

#include "zoo/run.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 3 * ZOO_MECHANICAL_MOST, TIMES = 11 };

typedef struct sizes {
    size_t nq, nv, n;
} sizes;

static sizes sizes_of(const zoo_mechanical *z)
{
    const dae_mechanical_form *f = &z->form;
    sizes s = {.nq = f->nq, .nv = f->nv ? f->nv : f->nq};
    s.n = s.nq + s.nv + f->holonomic + f->nonholonomic;
    return s;
}

double zoo_known_time(const zoo_mechanical *z, size_t row, double of_exact)
{
    return z->exact ? of_exact : z->reference[row * (1 + sizes_of(z).n)];
}

static void find_known(const zoo_mechanical *z, const sizes *s, size_t row, double t, double *y)
{
    zoo_motion m;
    if (!z->exact) {
        memcpy(y, z->reference + row * (1 + s->n) + 1, s->n * sizeof *y);
        return;
    }
    z->exact(t, &m);
    memcpy(y, m.q, s->nq * sizeof *y);
    memcpy(y + s->nq, m.v, s->nv * sizeof *y);
    for (size_t j = s->nq + s->nv; j < s->n; j++)
        y[j] = z->dependent ? ZOO_UNKNOWN : m.lambda[j - s->nq - s->nv];
}

static double error_of(const double *y, const double *known, size_t first, size_t end)
{
    double worst = 0;
    for (size_t j = first; j < end; j++) {
        if (isnan(known[j])) continue;
        double error = fabs(y[j] - known[j]) / fmax(fabs(known[j]), 1);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

static int ignore(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

/* Values on the way are sent, so that constraints are measured there. */
static dae_status go(dae_solver *solver, const zoo_mechanical *z, const sizes *s, double t,
                     double *y, zoo_moved *found)
{
    const dae_times times = {.first = 0, .last = t, .count = TIMES};
    for (size_t j = 0; j < s->n; j++) y[j] = (double)NAN;
    z->start(y, y + s->nq);
    dae_status status = dae_solver_start(solver, 0, y);
    found->begun = status == DAE_OK;
    if (status == DAE_OK) status = dae_solver_output(solver, &times, ignore, NULL);
    if (status == DAE_OK) status = dae_solver_run(solver, t);
    return status == DAE_OK ? dae_solver_at(solver, t, y, NULL) : status;
}

static void note(dae_solver *solver, zoo_moved *found)
{
    const dae_stats *stats = dae_solver_stats(solver);
    found->steps = stats->steps;
    found->levels = stats->constraint_levels;
    for (size_t k = 0; k < found->levels; k++) found->level[k] = stats->max_constraint[k];
    found->projected = strcmp(stats->projection, "none") != 0;
    snprintf(found->method, sizeof found->method, "%s", stats->method);
    snprintf(found->message, sizeof found->message, "%s", dae_solver_message(solver));
}

void zoo_move(const zoo_mechanical *z, const dae_options *options, size_t row, double of_exact,
              zoo_moved *found)
{
    double y[MOST], known[MOST], t = zoo_known_time(z, row, of_exact), begin = zoo_clock();
    const sizes s = sizes_of(z);
    dae_problem *p = dae_problem_mechanical(&z->form);
    dae_solver *solver = dae_solver_create(p, options);
    dae_problem_free(p);
    *found = (zoo_moved){.status = DAE_NO_MEMORY};
    if (solver) found->status = go(solver, z, &s, t, y, found);
    if (solver) note(solver, found);
    dae_solver_free(solver);
    found->milliseconds = zoo_clock() - begin;
    if (found->status != DAE_OK) return;
    find_known(z, &s, row, t, known);
    found->q = error_of(y, known, 0, s.nq);
    found->v = error_of(y, known, s.nq, s.nq + s.nv);
    found->lambda = error_of(y, known, s.nq + s.nv, s.n);
}
