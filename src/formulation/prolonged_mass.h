/* dF/dy' of the residual form, and what of its derivatives is constant. */
#ifndef FORMULATION_PROLONGED_MASS_H
#define FORMULATION_PROLONGED_MASS_H

#include "formulation/prolonged_form.h"

/* r (problem.n) = dF/dy' v, as linearised last. */
void prolonged_mass_multiply(const prolonged_form *f, const double *v, double *r);

/* Set constant_mass and constant of the problem: whether the derivatives by y', and those by y as
 * well, are numbers. */
void prolonged_mass_find_constant(prolonged_form *f);

#endif
