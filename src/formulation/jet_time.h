/* dF/dt of the residual form. */
#ifndef FORMULATION_JET_TIME_H
#define FORMULATION_JET_TIME_H

#include "formulation/jet_form.h"

/* Compile it for the rows (p->n) of the form; under the protection of its arena. */
void jet_time_compile(jet_form *f, const sym *row);

/* r (problem.n) = dF/dt at f->input. DAE_NOT_EVALUABLE where a row has none, which is bad_row. */
dae_status jet_time_derivative(jet_form *f, double *r);

#endif
