/* Numbers that follow from parameters.
 *
 * While a model is read its tunable parameters are numbers already, so that terms fold and vanish
 * as if they were written in the text. But such a number knows where it comes from: it is traced. A
 * traced number is a NaN with a payload, the number of a step by which it follows from others.
 * Builders of expressions calculate with it by the functions below, which take numbers of both
 * kinds. What is decided by its value, such as whether a term vanishes, is kept as a guard. If a
 * parameter changes, sym_trace_set() repeats all steps and looks at the guards: as long as all
 * hold, the graph is the one that another reading would give, but for its numbers.
 *
 * What asks for the plain value by sym_is_number() pins it: the guard then says that the value
 * stays. So whoever knows nothing of traces makes parameters structural, and never wrong. Traced
 * numbers stay within reading: sym_graph_copy() makes a graph of plain numbers. */
#ifndef SYMBOLIC_TRACED_H
#define SYMBOLIC_TRACED_H

#include "symbolic/node.h"

/* How a number follows from others; TRACED_OPERATE + sym_op: by that operation. */
typedef enum sym_traced_op {
    TRACED_PARAMETER, /* its first operand, unless it was set */
    TRACED_SUM,
    TRACED_PRODUCT,
    TRACED_QUOTIENT,
    TRACED_OPERATE
} sym_traced_op;

/* What may be asked of numbers. */
typedef enum sym_question {
    IS_EQUAL,      /* x == y */
    IS_LESS,       /* x < y */
    IS_LESS_EQUAL, /* x <= y */
    IS_FINITE,     /* x */
    IS_LEFT        /* x is more than rounding of terms whose sizes add up to |y| */
} sym_question;

typedef struct sym_trace sym_trace;

bool sym_is_traced(double x);

/* The value at present of a number of either kind; nothing is kept of it. */
double sym_value(const sym_graph *g, double x);

/* x op y (y unused by operations of one number). Of plain numbers it is plain. Under the protection
 * of the graph's arena, as the next ones. */
double sym_calculate(sym_graph *g, sym_traced_op op, double x, double y);

/* The answer, which is kept where a number is traced. */
bool sym_ask(sym_graph *g, sym_question question, double x, double y);

/* The value, kept as one that must not change. */
double sym_pin(sym_graph *g, double x);

/* A tunable parameter, called `name`, that has this value, or is `set` to it. */
double sym_trace_parameter(sym_graph *g, const char *name, double value, bool set);

/* The number of a node that is one, traced or plain, without pinning it; false for other nodes. */
bool sym_number_of(const sym_graph *g, sym node, double *value);

/* What setting a parameter comes to. */
typedef enum sym_tuning {
    TUNED,      /* all numbers have their new values */
    UNKNOWN,    /* no parameter that is traced has this name */
    STRUCTURAL, /* a decision would be another one; nothing has changed */
    EXHAUSTED   /* memory; nothing has changed */
} sym_tuning;

/* Set a parameter to a plain number. */
sym_tuning sym_trace_set(sym_graph *g, const char *name, double value);

/* The parameters that are traced, start values of variables among them. */
size_t sym_trace_count(const sym_graph *g);
const char *sym_trace_name(const sym_graph *g, size_t k);

/* A parameter that cannot be set without another reading, or not to every value, and why. */
typedef struct sym_structural {
    const char *name, *why;
} sym_structural;

/* Note one that is not traced. Under the protection of the graph's arena. */
void sym_note_structural(sym_graph *g, const char *name, const char *why);

/* All of them: those that were noted, and the traced ones from which a number follows whose value
 * has to stay. Both lists and texts live in `a`, under its protection. */
size_t sym_find_structural(const sym_graph *g, arena *a, sym_structural **list);

#endif
