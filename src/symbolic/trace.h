/* What a graph keeps of numbers that follow from parameters; for traced.c and node.c. */
#ifndef SYMBOLIC_TRACE_H
#define SYMBOLIC_TRACE_H

#include "base/hash.h"
#include "symbolic/traced.h"

/* Equal steps are one step. */
typedef struct trace_key {
    uint64_t op, x, y; /* numbers by their bits */
} trace_key;

typedef struct trace_step {
    trace_key key;
    double x, y, value;
    uint32_t number;
    uint32_t parameter; /* 1 + the number of the parameter that it is, 0: of none */
    UT_hash_handle hh;
} trace_step;

typedef struct trace_guard {
    sym_question question;
    double x, y;
    bool found, used;
} trace_guard;

enum { TRACE_RECENT = 256 }; /* guards that are not kept once more */

typedef struct trace_parameter {
    const char *name;
    size_t step;
    bool set; /* its value is the author's no longer */
} trace_parameter;

struct sym_trace {
    LIST(trace_step *) step; /* each after those that it follows from */
    trace_step *table;       /* uthash's head */
    LIST(trace_guard) guard;
    trace_guard recent[TRACE_RECENT];
    LIST(trace_parameter) parameter;
    LIST(sym_structural) structural; /* parameters that are not traced */
};

#endif
