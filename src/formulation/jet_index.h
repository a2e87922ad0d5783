/* The index of the variables that an engine sees, for its error norm. */
#ifndef FORMULATION_JET_INDEX_H
#define FORMULATION_JET_INDEX_H

#include "formulation/jet_form.h"

/* Find what has index 2 in a form that is integrated as given, linearised at a consistent point:
 * with E = dF/dy', Z' E = 0 and W = dF/dy, the directions v with E v = 0 and Z' W v = 0 (Maerz,
 * Acta Numerica 1 (1992), in coordinates). They become the problem's soft directions. Too large a
 * form is left alone; returns whether it was looked at. Under the protection of the form's arena.
 */
bool jet_form_find_soft(jet_form *f);

#endif
