/* The index of the variables that an engine sees, for its error norm. */
#ifndef FORMULATION_PROLONGED_INDEX_H
#define FORMULATION_PROLONGED_INDEX_H

#include "formulation/prolonged_form.h"

/* Find the directions of index 2 in a form that is integrated as given and linearised at a
 * consistent point. With E = dF/dy', Z' E = 0 and W = dF/dy, they are the directions v with E v = 0
 * and Z' W v = 0 (Maerz, Acta Numerica 1 (1992), in coordinates). They become the problem's hidden
 * index-2 directions. Returns false without a search if the form is too large. Under the protection
 * of the form's arena. */
bool prolonged_form_find_hidden_direction(prolonged_form *f);

#endif
