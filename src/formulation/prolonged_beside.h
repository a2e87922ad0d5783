/* Derivatives of a form's rows where they are not finite although the rows are. This happens where
 * the argument of a root becomes 0. It also happens beyond, if the root is guarded as in
 * sqrt(max(h, 0)), whose derivative there is 0 times infinity. */
#ifndef FORMULATION_PROLONGED_BESIDE_H
#define FORMULATION_PROLONGED_BESIDE_H

#include "formulation/prolonged_form.h"

/* Replace entries of a matrix that are not finite by differences of the form's rows at `input`. The
 * matrix has the rows of the form; its columns are the derivatives entry[j], ascending, or for NULL
 * all of them, as in f->jacobian. The smaller of the two one-sided differences counts, because
 * nothing changes behind a guard. Returns false where rows have no value at the point or on one
 * side of it: where the domain of a root ends. */
bool prolonged_beside_fill(const prolonged_form *f, double *input, const sparse_pattern *p,
                           const size_t *entry, double *jacobian_value);

/* The same for derivatives by time. */
bool prolonged_beside_fill_time(const prolonged_form *f, double *input, const sparse_pattern *p,
                                double *jacobian_value);

#endif
