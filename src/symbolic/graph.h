/* What a graph consists of. For this room only; others read nodes by sym_look(). */
#ifndef SYMBOLIC_GRAPH_H
#define SYMBOLIC_GRAPH_H

#include "base/hash.h"
#include "symbolic/cells.h"
#include "symbolic/node.h"
#include "symbolic/relations.h"
#include "symbolic/traced.h"

/* The identity of a node, in one piece for the hash: this head, then `count` factors if the
 * operation has them, then `count` arguments. */
typedef struct node_key {
    uint32_t op, count;
    double value; /* for a variable or input: its number, with the order in `order` */
    uint64_t order;
} node_key;

typedef struct sym_node {
    sym number;
    sym derivative; /* by time, SYM_NONE until asked for */
    uint32_t mark;  /* for sym_reach() */
    uint32_t slot;  /* of a relation's mode, 0: none */
    UT_hash_handle hh;
    node_key key;
    double payload[]; /* factors, then arguments */
} sym_node;

struct sym_graph {
    arena *home;
    sym_node *table; /* uthash's head */
    LIST(sym_node *) node;
    LIST(sym) reached, pending;
    uint32_t mark;
    sym_relations relations;
    sym_cells cells;
    sym_inputs inputs;
    LIST(sym) delayed; /* of inputs, by their numbers: value and lag; SYM_NONE: no delay */
    sym_trace trace;
    double *scratch; /* a key under construction */
    size_t scratch_size;
};

#endif
