/* dF/dt of the residual form. */
#ifndef FORMULATION_PROLONGED_TIME_H
#define FORMULATION_PROLONGED_TIME_H

#include "formulation/prolonged_form.h"

/* Compile it for the rows (p->n) of the form; under the protection of its arena. */
void prolonged_time_compile(prolonged_form *f, const sym *row);

/* r (problem.n) = dF/dt at f->input. DAE_NOT_EVALUABLE if a row has no finite derivative; bad_row
 * is that row. */
dae_status prolonged_time_derivative(prolonged_form *f, double *r);

#endif
