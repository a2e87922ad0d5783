/* Derivatives of a form's rows where they have no finite value though the rows have one: at the end
 * of a root, and beyond it where the root is guarded, as in sqrt(max(h, 0)), whose derivative there
 * is 0 times infinity. */
#ifndef FORMULATION_PROLONGED_BESIDE_H
#define FORMULATION_PROLONGED_BESIDE_H

#include "formulation/prolonged_form.h"

/* Replace those among the entries of a matrix by differences of the form's rows at input: its
 * rows are these, and its columns the derivatives entry[j], ascending, or for NULL all of them, as
 * f->jacobian has them. Of both sides the lesser derivative counts, as behind a guard nothing
 * changes. False where rows have no value there or on one of the sides: where a root ends. */
bool prolonged_beside_fill(const prolonged_form *f, double *input, const sparse_pattern *p,
                           const size_t *entry, double *jacobian_value);

/* The same by the time. */
bool prolonged_beside_fill_time(const prolonged_form *f, double *input, const sparse_pattern *p,
                                double *jacobian_value);

#endif
