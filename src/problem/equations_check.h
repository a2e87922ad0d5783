/* Whether a form of a C program is complete and does not contradict itself. */
#ifndef PROBLEM_EQUATIONS_CHECK_H
#define PROBLEM_EQUATIONS_CHECK_H

#include "problem/equations.h"

/* Check what stands in e->form, e->kind and e->n, nothing of which is copied yet. False: `m` holds
 * the sentence that names the member. Under the protection of `a`. */
bool equations_hold(const equations *e, arena *a, message *m);

/* What the forms have in common. */
const dae_about *equations_about(const equations *e);

#endif
