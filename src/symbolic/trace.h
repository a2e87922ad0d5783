/* What a graph stores of numbers that follow from parameters; for traced.c and node.c. */
#ifndef SYMBOLIC_TRACE_H
#define SYMBOLIC_TRACE_H

#include "base/hash.h"
#include "symbolic/traced.h"

/* Equal steps are one step. */
typedef struct trace_key {
    uint64_t op, x, y; /* operands by their bits */
} trace_key;

typedef struct trace_step {
    trace_key key;
    double x, y, value;
    uint32_t number;
    uint32_t parameter; /* 1 + the number of its parameter; 0: it is no parameter */
    UT_hash_handle hh;
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

struct sym_trace {
    LIST(trace_step *) step; /* each after the steps from which it follows */
    trace_step *table;       /* uthash's head */
    LIST(trace_guard) guard;
    trace_guard recent[TRACE_RECENT];
    LIST(trace_parameter) parameter;
    LIST(sym_structural) structural; /* parameters that are not traced */
};

#endif
