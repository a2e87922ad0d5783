/* The index of the variables that an engine sees, for its error norm. */
#ifndef FORMULATION_JET_INDEX_H
#define FORMULATION_JET_INDEX_H

#include "formulation/jet_form.h"

/* Mark the variables of index 2 of a form that is integrated as given, linearised at a consistent
 * point: with E = dF/dy', Z' E = 0 and W = dF/dy, those that take part in a direction v with E v =
 * 0 and Z' W v = 0 (Maerz, Acta Numerica 1 (1992), in coordinates). Too large a form is left alone;
 * returns whether it was looked at. Under the protection of the form's arena. */
bool jet_form_mark_index2(jet_form *f);

#endif
