/* What a graph consists of. For this room only; others read nodes by sym_look(). */
#ifndef SYMBOLIC_GRAPH_H
#define SYMBOLIC_GRAPH_H

#include "base/hash.h"
#include "symbolic/cells.h"
#include "symbolic/derive.h"
#include "symbolic/lists.h"
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
    sym derivative;    /* by time, SYM_NONE until asked for */
    uint32_t mark;     /* for sym_reach() */
    uint32_t slot;     /* of a relation's mode, 0: none */
    uint32_t gradient; /* where its derivatives by leaves stand, plus 1; 0: nobody has asked */
    uint32_t partials; /* how many there are */
    UT_hash_handle hh;
    node_key key;
    double payload[]; /* factors, then arguments */
} sym_node;

/* The terms of one node's adjoint while they are collected, as a list. */
typedef struct sym_contribution {
    sym term;
    size_t next; /* index of the next; SIZE_MAX: none */
} sym_contribution;

/* A backward sweep through an expression. Its lists are used again by the next one. */
typedef struct sym_sweep {
    LIST(sym) node;              /* the nodes of the expression, ascending */
    LIST(size_t) first;          /* of each node: the head of its contributions */
    LIST(sym_partials) branched; /* of each node that branches: its gradient, once it is known */
    LIST(sym_contribution) pool;
    LIST(sym) term;
} sym_sweep;

/* An expression that its author writes in another way. */
typedef struct sym_written {
    sym node;
    const char *as;
} sym_written;

struct sym_graph {
    arena *home;
    sym_node *table; /* uthash's head */
    LIST(sym_node *) node;
    LIST(sym) reached, pending;
    uint32_t mark;
    sym_relations relations;
    sym_cells cells;
    sym_lists lists;
    sym_inputs inputs;
    LIST(sym_written) written;
    LIST(sym) delayed; /* of inputs, by their numbers: value and lag; SYM_NONE: no delay */
    sym_trace trace;
    sym_sweep sweep;        /* scratch of derivatives, */
    sym_partials gradients; /* and those that were asked for */
    double *scratch;        /* a key under construction */
    size_t scratch_size;
};

#endif
