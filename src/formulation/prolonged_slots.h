/* The factorisations of a model's equations: the reduced matrix, one row and column an unknown, for
 * all derivatives that y holds of it, and the way of right sides into it and back. */
#ifndef FORMULATION_PROLONGED_SLOTS_H
#define FORMULATION_PROLONGED_SLOTS_H

#include "formulation/prolonged_form.h"

/* As the members of problem_form say; self is a prolonged_form. */
dae_status prolonged_form_reserve(void *self, size_t slots, const bool *is_complex);
dae_status prolonged_form_factor(void *self, size_t slot, double complex alpha,
                                 double complex beta);
void prolonged_form_solve(void *self, size_t slot, void *b);

#endif
