/* The system that the start of a C program's equations solves.
 *
 * z is (y, y'), and the rows are F(t, y, y') = 0, then the first derivatives of algebraic rows, in
 * which no y' occurs: of all of them where the author says that a variable has index 2 or more, and
 * of those in which no algebraic variable occurs in any case. They are derivatives along (1, y'),
 * and the hidden constraints of index 2 follow from them; those of index 3 that need y'' do not. */
#ifndef PROBLEM_CALLBACK_START_H
#define PROBLEM_CALLBACK_START_H

#include "problem/callbacks.h"
#include "problem/start.h"

typedef struct callback_start callback_start;

/* start (n): start values; NAN, or NULL for all: to be found. Those of variables whose derivatives
 * occur are held, as far as the equations let them; those of algebraic variables, which follow from
 * the others, say where the search begins. Copied; `c` is borrowed and linearised by the search.
 * DAE_NO_MEMORY. */
dae_status callback_start_create(callback_start **created, callbacks *c, const double *start);

const start_system *callback_start_system(const callback_start *b);

/* The rows of F whose derivatives follow, in that order; `count`: how many. */
const size_t *callback_start_hidden(const callback_start *b, size_t *count);

void callback_start_free(callback_start *b); /* NULL is fine */

#endif
