/* dF/dy' of the residual form, and what of its derivatives is constant. */
#ifndef FORMULATION_JET_MASS_H
#define FORMULATION_JET_MASS_H

#include "formulation/jet_form.h"

/* r (problem.n) = dF/dy' v, as linearised last. */
void jet_mass_multiply(const jet_form *f, const double *v, double *r);

/* Set constant_mass and constant of the problem: whether the derivatives by y', and those by y as
 * well, are numbers. */
void jet_mass_find_constant(jet_form *f);

#endif
