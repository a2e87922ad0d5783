/* Calls of functions of which no formula is known, such as those of a library in machine code.
 *
 * A node SYM_CALL is one output of a call; its arguments are all inputs. A tape calls once for all
 * outputs with the same arguments. Nothing is known of a value but what the function returns, so it
 * has no bounds, and its derivatives come from another function that its author names, or else from
 * differences. Those of differences, which derivatives of the second order need, are differences
 * once more: good enough for Newton's iteration, not for equations (sym_call_unsteady()). */
#ifndef SYMBOLIC_CALLS_H
#define SYMBOLIC_CALLS_H

#include "symbolic/node.h"

/* Machine code: from the values of all inputs to those of all outputs. One call runs at a time. */
typedef struct sym_code {
    void (*call)(void *self, const double *input, double *output);
    void *(*copy)(arena *a, const void *self); /* for the copy of a graph */
    void *self;
} sym_code;

/* Leaves with such numbers stand for the inputs of a function in its derivative. */
#define SYM_FIRST_FORMAL 0x60000000u

/* A derivative by time that the author of a function gives. */
typedef struct sym_call_rate {
    uint32_t first;    /* leaf first + i stands for input i, first + inputs + i for its rate */
    const sym *output; /* outputs: the rate of each; NULL: there is none */
    /* It holds where input i changes at the rate that is input rate_of[i], for all i; UINT32_MAX:
     * of any. NULL: it holds everywhere. */
    const uint32_t *rate_of;
} sym_call_rate;

typedef struct sym_callee {
    const char *name;
    uint32_t inputs, outputs;
    const bool *smooth_input;  /* inputs: it has derivatives by them; those by others are 0 */
    const bool *smooth_output; /* outputs: the same; others are whole numbers */
    const double *nominal;     /* inputs: typical sizes, for differences */
    sym_code code;
    sym_call_rate rate;
    /* of a derivative by differences: */
    uint32_t of, by; /* the derivative of this callee by this input */
    uint32_t depth;  /* 0: it is no such derivative; of one: 1 */
    double *scratch; /* inputs + outputs */
} sym_callee;

typedef struct sym_callees {
    LIST(sym_callee *) of;
    uint32_t formals; /* leaves that stand for inputs so far */
} sym_callees;

/* The number of a new function; what it points to is copied, but for the code's self. It has no
 * rate. Under the protection of the graph's arena, as what makes nodes. */
uint32_t sym_new_callee(sym_graph *g, const sym_callee *callee);

const sym_callee *sym_callee_of(const sym_graph *g, uint32_t callee);

/* The leaves that stand for the inputs of a function, and after them those for their rates: 2
 * inputs. Then its rate as an expression of them. */
void sym_open_rate(sym_graph *g, uint32_t callee, sym *leaf);
void sym_give_rate(sym_graph *g, uint32_t callee, const sym *output, const uint32_t *rate_of);

/* Output `output` of a call; with numbers alone, a number if that is finite. */
sym sym_call(sym_graph *g, uint32_t callee, uint32_t output, const sym *argument);

/* All outputs for the values of all inputs. */
void sym_call_values(const sym_graph *g, uint32_t callee, const double *input, double *output);

/* The derivative of a node SYM_CALL by its i-th argument, and that by time, for the derivatives of
 * its arguments. */
sym sym_call_partial(sym_graph *g, const sym_view *view, uint32_t i);
sym sym_call_by_time(sym_graph *g, const sym_view *view, const sym *rate);

/* A function in `root` of which a derivative by differences is differentiated by differences;
 * NULL: there is none. */
const sym_callee *sym_call_unsteady(sym_graph *g, sym root);

/* Takes over the functions of a graph that is copied; number: sym_graph_copy(). */
void sym_copy_callees(sym_graph *to, const sym_graph *from, const sym *number);

#endif
