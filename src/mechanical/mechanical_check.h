/* Whether a mechanical form is complete and does not contradict itself. */
#ifndef MECHANICAL_MECHANICAL_CHECK_H
#define MECHANICAL_MECHANICAL_CHECK_H

#include "mechanical/mechanical_form.h"

#include <stdbool.h>

/* Check f->given and the sizes of f, nothing of which is copied yet. False: `m` holds the sentence
 * that names the member. Under the protection of `a`. */
bool mechanical_form_holds(const mechanical_form *f, arena *a, message *m);

#endif
