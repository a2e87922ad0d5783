/* What is said of the rows of a start: the values of what is in them, and what was taken out. */
#ifndef FORMULATION_JET_START_WORDS_H
#define FORMULATION_JET_START_WORDS_H

#include "formulation/jet_start.h"

/* The equation behind a row, and how often it is differentiated in it. */
const sym_equation *jet_start_equation(const jet_start *s, size_t row, size_t *order);

/* See start_form. */
void jet_start_tell_values(void *self, size_t row, double t, const double *z, text *told);
void jet_start_tell_beside(void *self, size_t count, const size_t *row, text *told);

#endif
