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

#endif
