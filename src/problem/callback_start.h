/* The system that the start of a C program's equations solves.
 *
 * z is (y, y'). The rows are F(t, y, y') = 0, then the first derivatives of algebraic rows, in
 * which no y' occurs. Algebraic rows without algebraic variables are always differentiated; if the
 * author says that a variable has index 2 or more, all algebraic rows are. The derivatives are
 * taken along (1, y'). The hidden constraints of index 2 follow from them; those of index 3, which
 * need y'', do not. */
#ifndef PROBLEM_CALLBACK_START_H
#define PROBLEM_CALLBACK_START_H

#include "problem/callbacks.h"
#include "problem/start.h"

typedef struct callback_start callback_start;

/* start (n): start values; NAN, or NULL for all: to be found. Values of variables whose derivatives
 * occur are held as far as the equations allow. Values of algebraic variables follow from the
 * others, and only say where the search begins. `start` is copied; `c` is borrowed, and the search
 * linearises it. DAE_NO_MEMORY. */
dae_status callback_start_create(callback_start **created, callbacks *c, const double *start);

const start_system *callback_start_system(const callback_start *b);

/* The rows of F that are differentiated, in the order of their derivatives; `count`: how many. */
const size_t *callback_start_hidden(const callback_start *b, size_t *count);

void callback_start_free(callback_start *b); /* NULL is fine */

#endif
