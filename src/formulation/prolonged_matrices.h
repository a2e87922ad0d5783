/* dF/dy' and dF/dy of the residual form, from the derivatives of its equations by all entries of z.
 */
#ifndef FORMULATION_PROLONGED_MATRICES_H
#define FORMULATION_PROLONGED_MATRICES_H

#include "formulation/prolonged_form.h"

/* Make the problem's two matrices, and find whether dF/dy' is constant and whether both are. In the
 * form's arena, under its protection. */
void prolonged_matrices_create(prolonged_form *f);

/* Their values from f->jacobian_value. */
void prolonged_matrices_fill(prolonged_form *f);

/* form->linearize_given: dF/dp and dF/du, which the first call forms. dF/dp has columns only where
 * the form's graph keeps its traced numbers (traced.h); parameters whose value was needed to form
 * the equations have none. Takes its memory from the form's arena. */
dae_status prolonged_given_linearize(void *form, double t, const double *y, const double *yp,
                                     problem_given *given);

#endif
