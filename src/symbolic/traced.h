/* Numbers that follow from parameters.
 *
 * While a model is read, its tunable parameters are already numbers, so terms fold and vanish as if
 * the numbers stood in the text. But such a number knows its origin: it is traced. A traced number
 * is a NaN with a payload, the number of a step by which it follows from others. Builders of
 * expressions calculate with the functions below, which take traced and plain numbers. A decision
 * by its value, such as whether a term vanishes, is stored as a guard. If a parameter changes,
 * sym_trace_set() repeats all steps and checks the guards. As long as all guards hold, the graph
 * has the form that a new reading would give, and only its numbers differ.
 *
 * Code that asks for the plain value by sym_is_number() pins it: the guard then says that the value
 * must stay. So code that knows nothing of traces makes parameters structural, but never wrong.
 * sym_graph_copy() makes a graph of plain numbers, or for derivatives by parameters one that keeps
 * its traced numbers. */
#ifndef SYMBOLIC_TRACED_H
#define SYMBOLIC_TRACED_H

#include "base/hash.h"
#include "symbolic/node.h"

/* How a number follows from others; TRACED_OPERATE + sym_op: by that operation. */
typedef enum sym_traced_op {
    TRACED_PARAMETER, /* its first operand, unless the parameter was set */
    TRACED_SUM,
    TRACED_PRODUCT,
    TRACED_QUOTIENT,
    TRACED_OPERATE
} sym_traced_op;

/* The questions about numbers. */
typedef enum sym_question {
    IS_EQUAL,      /* x == y */
    IS_LESS,       /* x < y */
    IS_LESS_EQUAL, /* x <= y */
    IS_FINITE,     /* x */
    IS_LEFT        /* x exceeds the rounding of terms whose sizes add up to |y| */
} sym_question;

typedef struct sym_trace sym_trace;

bool sym_is_traced(double x);

/* The present value of a number of either kind. No guard is stored. */
double sym_value(const sym_graph *g, double x);

/* x op y (y is unused by operations of one number). The result of plain numbers is plain. Under the
 * protection of the graph's arena, as the next ones. */
double sym_calculate(sym_graph *g, sym_traced_op op, double x, double y);

/* The answer. It is stored as a guard if a number is traced. */
bool sym_ask(sym_graph *g, sym_question question, double x, double y);

/* The value, with a guard that it must not change. */
double sym_pin(sym_graph *g, double x);

/* A tunable parameter called `name` with this value. `set`: the value is not the author's. */
double sym_trace_parameter(sym_graph *g, const char *name, double value, bool set);

/* The number of a constant node, traced or plain, without pinning it. False for other nodes. */
bool sym_number_of(const sym_graph *g, sym node, double *value);

/* The result of setting a parameter. */
typedef enum sym_tuning {
    TUNED,      /* all numbers have their new values */
    UNKNOWN,    /* no traced parameter has this name */
    STRUCTURAL, /* a decision would change; nothing has changed */
    EXHAUSTED   /* memory is exhausted; nothing has changed */
} sym_tuning;

/* Set a parameter to a plain number. */
sym_tuning sym_trace_set(sym_graph *g, const char *name, double value);

/* The traced parameters, including start values of variables. */
size_t sym_trace_count(const sym_graph *g);
const char *sym_trace_name(const sym_graph *g, size_t k);

/* A parameter that cannot be set, or not to every value, without reading the model again; and
 * why. */
typedef struct sym_structural {
    const char *name, *why;
} sym_structural;

/* Note a parameter that is not traced. Under the protection of the graph's arena. */
void sym_note_structural(sym_graph *g, const char *name, const char *why);

/* List all structural parameters: those that were noted, and the traced ones from which a number
 * follows whose value must stay. The list and its texts live in `a`, under its protection. */
size_t sym_find_structural(const sym_graph *g, arena *a, sym_structural **list);

/* Take over the trace of a graph whose nodes have been copied, without the list of parameters that
 * are not traced. For node.c. */
void sym_trace_copy(sym_graph *to, const sym_graph *from);

/* Expressions with parameters as leaves, for derivatives by them. */
typedef struct sym_opened {
    size_t count;     /* of the parameters, sym_trace_count() */
    double *value;    /* count: of their leaves */
    size_t *same_as;  /* count: the first parameter of the same name */
    bool *structural; /* count: its value was needed to form the expressions */
} sym_opened;

/* Replace each traced number in `roots` by the expression by which it follows from parameters.
 * Parameter k is the variable first + k. The leaf of a parameter that follows from others is what
 * is added to that expression, and has the value 0. Under the protection of the graph's arena. */
sym_opened sym_open_parameters(sym_graph *g, uint32_t first, size_t count, sym *roots);

/* What a graph stores of numbers that follow from parameters; for traced.c, opened.c and node.c. */

/* Equal steps are one step; numbers are compared by their bits. */
typedef struct trace_step {
    double x, y, value;
    uint32_t op;        /* sym_traced_op */
    uint32_t parameter; /* 1 + the number of its parameter; 0: it is no parameter */
} trace_step;

typedef struct trace_guard {
    sym_question question;
    double x, y;
    bool found, used;
} trace_guard;

enum { TRACE_RECENT = 256 }; /* recent guards, which are not stored again */

typedef struct trace_parameter {
    const char *name;
    size_t step;
    bool set; /* its value was set and is no longer the author's */
} trace_parameter;

size_t sym_step_of(double x); /* the number of a traced number's step */

struct sym_trace {
    LIST(trace_step) step; /* each after the steps from which it follows */
    hash_table table;      /* of the steps */
    LIST(trace_guard) guard;
    trace_guard recent[TRACE_RECENT];
    LIST(trace_parameter) parameter;
    LIST(sym_structural) structural; /* parameters that are not traced */
};

#endif
