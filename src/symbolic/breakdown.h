/* Which part of an expression has no finite value, for what is told of it. */
#ifndef SYMBOLIC_BREAKDOWN_H
#define SYMBOLIC_BREAKDOWN_H

#include "symbolic/print.h"
#include "symbolic/tape.h"

/* A part without a finite value whose own parts have one. */
typedef struct sym_breakdown {
    sym part, argument; /* `argument`: the one to blame, SYM_NONE where none is alone */
    double value;       /* of that argument */
    double exponent;    /* that it has, where `part` is a product */
} sym_breakdown;

/* Inputs as those of sym_tape_compile(). False: `root` is finite, the cause is an input, or memory
 * is exhausted. */
bool sym_find_breakdown(sym_graph *g, sym root, size_t inputs, sym_slot slot, void *context,
                        const double *input, sym_breakdown *found);

/* Whether it is a root, or a power between 0 and 1, of what is negative. */
bool sym_is_ended_root(const sym_graph *g, const sym_breakdown *b);

/* Append "a root of h, which is -1e-16", and the like. */
void sym_report_breakdown(const sym_graph *g, const sym_breakdown *b, sym_namer name, void *context,
                          text *t);

#endif
