/* Evaluation: expressions as a list of register instructions.
 *
 * This header is the only interface to evaluation: a compiled implementation can replace the
 * interpreter without changes for its users. Each shared subexpression is computed once. There is
 * no recursion and no allocation. */
#ifndef SYMBOLIC_TAPE_H
#define SYMBOLIC_TAPE_H

#include "symbolic/node.h"

#include <stddef.h>

typedef struct sym_tape sym_tape;

/* The place of a leaf's value: an index into the input array. `leaf` is SYM_TIME or
 * SYM_VARIABLE. */
typedef size_t (*sym_slot)(void *context, const sym_view *leaf);

/* Compile `count` expressions over an input of `inputs` numbers. The tape lives in `a`; only under
 * arena_protect(a). */
sym_tape *sym_tape_compile(arena *a, sym_graph *g, size_t count, const sym *outputs, size_t inputs,
                           sym_slot slot, void *context);

/* Doubles of work space that an evaluation needs. */
size_t sym_tape_work(const sym_tape *tape);
size_t sym_tape_inputs(const sym_tape *tape);

/* Put the constants into a work space, once before its first use. */
void sym_tape_prepare(const sym_tape *tape, double *work);

/* Evaluate all outputs. `work` has been prepared, belongs to this tape only, and keeps the
 * intermediate values. */
void sym_tape_eval(const sym_tape *tape, const double *input, double *output, double *work);

#endif
