/* What is said of the rows of a start: the values of what is in them, and what was taken out. */
#ifndef FORMULATION_PROLONGED_START_WORDS_H
#define FORMULATION_PROLONGED_START_WORDS_H

#include "formulation/prolonged_start.h"

/* The equation behind a row, and how often it is differentiated in it. */
const sym_equation *prolonged_start_equation(const prolonged_start *s, size_t row, size_t *order);

/* See start_form. */
void prolonged_start_report_values(void *self, size_t row, double t, const double *z,
                                   text *reported);
void prolonged_start_report_beside(void *self, size_t count, const size_t *row, text *reported);

#endif
