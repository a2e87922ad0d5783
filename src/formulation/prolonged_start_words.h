/* Messages about the rows of a start: the values of their variables, and the equations related to
 * them. */
#ifndef FORMULATION_PROLONGED_START_WORDS_H
#define FORMULATION_PROLONGED_START_WORDS_H

#include "formulation/prolonged_start.h"

/* The equation from which a row is made; *order becomes how often the row differentiates it. */
const sym_equation *prolonged_start_equation(const prolonged_start *s, size_t row, size_t *order);

/* See start_form. */
void prolonged_start_report_values(void *self, size_t row, double t, const double *z,
                                   text *reported);
void prolonged_start_report_beside(void *self, size_t count, const size_t *row, text *reported);

#endif
