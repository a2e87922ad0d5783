/* The factorisations of a model's equations: the reduced matrix, one row and column an unknown, for
 * all derivatives that y holds of it, and the way of right sides into it and back. */
#ifndef FORMULATION_JET_SLOTS_H
#define FORMULATION_JET_SLOTS_H

#include "formulation/jet_form.h"

/* As the members of problem_form say; self is a jet_form. */
dae_status jet_form_reserve(void *self, size_t slots, const bool *is_complex);
dae_status jet_form_factor(void *self, size_t slot, double complex alpha, double complex beta);
void jet_form_solve(void *self, size_t slot, void *b);

#endif
