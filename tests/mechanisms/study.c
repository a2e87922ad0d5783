#include "mechanisms/study.h"

#include "solve/solver.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool study_fact(study *s, bool holds, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("  %s: ", holds ? "holds" : "FAILS");
    vprintf(format, values);
    putchar('\n');
    va_end(values);
    s->facts++;
    s->failed += !holds;
    fflush(stdout);
    return holds;
}

bool study_near(study *s, double found, double expected, double off, const char *what)
{
    return study_fact(s, fabs(found - expected) <= off, "%s %.6g is %.6g within %.2g", what, found,
                      expected, off);
}

void run_begin(run *r, const dae_mechanical_form *form, const double *q, const double *v, way by)
{
    dae_options options = dae_options_default();
    double start[3 * ZOO_MECHANICAL_MOST];
    size_t nv = form->nv ? form->nv : form->nq;
    options.method = by.method;
    options.formulation = by.formulation;
    options.step = by.h;
    *r = (run){.nq = form->nq, .constraints = form->holonomic + form->nonholonomic};
    r->problem = dae_problem_mechanical(form);
    r->solver = dae_solver_create(r->problem, &options);
    for (size_t i = 0; i < 3 * ZOO_MECHANICAL_MOST; i++) start[i] = (double)NAN;
    memcpy(start, q, form->nq * sizeof *q);
    memcpy(start + form->nq, v, nv * sizeof *v);
    r->status = dae_solver_start(r->solver, 0, start);
    if (r->status == DAE_OK) r->status = dae_solver_at(r->solver, 0, r->y, r->yp);
}

void run_row(run *r, const zoo_mechanical *row, way by)
{
    double q[ZOO_MECHANICAL_MOST], v[ZOO_MECHANICAL_MOST];
    row->start(q, v);
    run_begin(r, &row->form, q, v, by);
}

bool run_step(run *r, double end)
{
    if (r->status != DAE_OK || r->t >= end) return false;
    r->solver->engine->frequency = 0; /* that of this step alone is wanted */
    r->status = dae_solver_step(r->solver, end);
    if (r->status != DAE_OK) return false;
    r->t = dae_solver_time(r->solver);
    r->status = dae_solver_at(r->solver, r->t, r->y, r->yp);
    r->frequency = r->solver->engine->frequency;
    return r->status == DAE_OK;
}

void run_finish(run *r)
{
    dae_solver_free(r->solver);
    dae_problem_free(r->problem);
}
