/* Whether a form of a C program is complete and does not contradict itself. */
#ifndef PROBLEM_EQUATIONS_CHECK_H
#define PROBLEM_EQUATIONS_CHECK_H

#include "problem/equations.h"

/* Check e->form, e->kind and e->n, before anything is copied. False: `m` holds the sentence that
 * names the member. Under the protection of `a`. */
bool equations_hold(const equations *e, arena *a, message *m);

/* The part that all forms share. */
const dae_about *equations_about(const equations *e);

#endif
