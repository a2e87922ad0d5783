/* Expressions as a reader would write them. */
#ifndef SYMBOLIC_PRINT_H
#define SYMBOLIC_PRINT_H

#include "base/text.h"
#include "symbolic/node.h"

/* Writes the author's name for the k-th time derivative of variable `id`. */
typedef void (*sym_namer)(void *context, text *t, uint32_t id, uint32_t order);

/* Append `f` in the model language. Parts deeper than some 40 levels, or beyond about 400
 * characters, are written as "...". */
void sym_print(const sym_graph *g, sym f, sym_namer name, void *context, text *t);

#endif
