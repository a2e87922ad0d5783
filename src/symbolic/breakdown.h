/* Finds the part of an expression that has no finite value, for messages. */
#ifndef SYMBOLIC_BREAKDOWN_H
#define SYMBOLIC_BREAKDOWN_H

#include "symbolic/print.h"
#include "symbolic/tape.h"

/* A part without a finite value whose own parts all have one. */
typedef struct sym_breakdown {
    sym part, argument; /* `argument`: the one at fault; SYM_NONE: no single one is */
    double value;       /* of that argument */
    double exponent;    /* of that argument, if `part` is a product */
} sym_breakdown;

/* Inputs as for sym_tape_compile(). False: `root` is finite, an input is the cause, or memory is
 * exhausted. */
bool sym_find_breakdown(sym_graph *g, sym root, size_t inputs, sym_slot slot, void *context,
                        const double *input, sym_breakdown *found);

/* Whether the part is a root, or a power between 0 and 1, of a negative number. */
bool sym_is_ended_root(const sym_graph *g, const sym_breakdown *b);

/* Append "a root of h, which is -1e-16", and the like. */
void sym_report_breakdown(const sym_graph *g, const sym_breakdown *b, sym_namer name, void *context,
                          text *t);

#endif
